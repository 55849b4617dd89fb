"""What a user or packager sees: the README's example, quick starts, lock files without hosts."""

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import rostra

ROOT = Path(__file__).parent.parent


def test_the_example_of_the_readme_works() -> None:
    tested = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tested.attempted >= 4
    assert tested.failed == 0


def test_the_version_is_quick_because_it_imports_no_engine() -> None:
    """Neither Numba nor NumPy is loaded on the way to `--version` or `--help`."""
    code = (
        "import sys\nfrom rostra.cli import main\n"
        "try:\n    main([sys.argv[1]])\nexcept SystemExit:\n    pass\n"
        "assert not {'numba', 'numpy', 'tqdm'} & set(sys.modules)"
    )
    for flag in ("--version", "--help"):
        ran = subprocess.run([sys.executable, "-c", code, flag], capture_output=True, text=True, check=True)
        assert rostra.__version__ in ran.stdout or flag == "--help"


def test_lock_files_name_no_host() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"//|index-url|find-links", text)
    names = re.findall(r"^[a-z0-9._-]+==", text, re.MULTILINE)
    assert len(names) > 20
    assert text.count("--hash=sha256:") >= len(names)


def test_the_naive_referees_know_nothing_of_the_engine() -> None:
    files = sorted((ROOT / "tests" / "naive").glob("*.py"))
    assert files
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not any(name.split(".")[0] == "rostra" for name in names), file.name


def test_the_version_is_the_same_everywhere() -> None:
    assert f"version: {rostra.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_unknown_names_are_refused() -> None:
    assert rostra.Match is not None
    assert issubclass(rostra.RostraError, ValueError)
    assert not hasattr(rostra, "Mach")
