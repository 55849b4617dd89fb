"""The site: it builds without a warning, its own links lead somewhere, its examples and notebooks run."""

import doctest
import hashlib
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize(
    "page", ["start.md", *(f"tutorials/{page.name}" for page in sorted(DOCS.glob("tutorials/*.md")))]
)
def test_the_examples_of_a_page_run(page: str) -> None:
    tested = doctest.testfile(str(DOCS / page), module_relative=False)
    assert tested.failed == 0
    assert tested.attempted > 3 or ">>>" not in (DOCS / page).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site").resolve()
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--builder", "html"]
    built = subprocess.run([*command, str(DOCS), str(folder)], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.slow
def test_every_link_of_the_site_leads_somewhere_and_nothing_comes_from_afar(site: Path) -> None:
    """A page works from the disk: styles, scripts and pictures are files, and links inside have their anchors."""
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert len(pages) > 25
    links = 0
    for page, text in pages.items():
        for tag, link in re.findall(r'<(\w+)[^>]*?\s(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:|//", link):
                assert tag == "a", f"{page.name} needs {link}"
                continue
            _, _, path, _, anchor = urlsplit(link)  # a query is a version, of which files know nothing
            target = (page.parent / unquote(path)).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            assert target.exists(), f"{page.name}: {link}"
            if anchor and target.suffix == ".html":
                assert f'id="{unquote(anchor)}"' in pages[target], f"{page.name}: {link}"
            links += 1
    assert links > 500


@pytest.mark.slow
def test_the_reference_and_the_cards_are_made_from_the_program(site: Path) -> None:
    reference = (site / "generated" / "reference.html").read_text(encoding="utf-8")
    for name in ("rostra.play.match.Match", "rostra.study.simulate.simulate", "rostra.adapters.seat_env.SeatEnv"):
        assert f'id="{name}"' in reference
    cards = (site / "generated" / "models.html").read_text(encoding="utf-8")
    weights = sorted((ROOT / "src" / "rostra" / "bots" / "weights").glob("*.npz"))
    assert len(weights) > 5
    for path in weights:
        assert hashlib.sha256(path.read_bytes()).hexdigest() in cards


def test_the_strengths_on_the_cards_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    import site_pages

    table = (DOCS / "bots.md").read_text(encoding="utf-8").replace("**", "")
    for game in site_pages.STRENGTH:
        shares = [re.findall(r"wins (.+) % ", words)[0] for words in site_pages.STRENGTH[game].values()]
        assert len(shares) >= 3
        for share in shares:  # "87.3 ±4.2", or several numbers of players in one cell
            mean, error = share.split("±")
            assert f"{mean.strip()} ±{error}" in table, share


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, as Jupyter does."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert any(cell.get("outputs") for cell in notebook.cells)


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3
