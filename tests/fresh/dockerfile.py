"""Reads a Dockerfile and runs its lines in Debian roots, where no container engine is at hand.

It knows the instructions that ours uses and refuses all others. A stage begins with a bare Debian in place of its base
image, with Debian's Python where the image has its own (`Stage.like_python_image`).
"""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from debian import Debian, Failed, bare, copy_of

VARIABLE = re.compile(r"\$\{(\w+)\}")


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Dockerfile, each with its arguments as one line."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        yield word.upper(), rest.strip()


def ignored(path: str, patterns: list[str]) -> bool:
    """Whether a `.dockerignore` keeps a path out: the last line that names it or a folder above it decides."""
    out = False
    for pattern in patterns:
        wanted = pattern.removeprefix("!").strip("/")
        parts = re.escape(wanted).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
        if re.fullmatch(f"{parts}(/.*)?", path):
            out = not pattern.startswith("!")
    return out


def context(checkout: Path, folder: Path) -> Path:
    """What `docker build` would send of the committed HEAD."""
    clone = folder / "context"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(checkout), str(clone)], check=True)
    lines = (clone / ".dockerignore").read_text().splitlines()
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    for file in [path for path in clone.rglob("*") if path.is_symlink() or path.is_file()]:
        if ignored(file.relative_to(clone).as_posix(), patterns):
            file.unlink()
    shutil.rmtree(clone / ".git")
    return clone


class Stage:
    """A stage of a build: a root, and the settings for the lines that follow."""

    def __init__(self, base: str, folder: Path, context: Path, stages: dict[str, "Stage"]) -> None:
        found = re.fullmatch(r"python:(3\.\d+)-slim-(\w+)", base)
        if found is None:
            raise Failed(f"the base image is not a slim one of Python that names its Debian: {base}")
        self.debian: Debian = copy_of(bare(found[2]), folder)
        self.debian.connect()
        self.context, self.stages = context, stages
        self.environment: dict[str, str] = {}
        self.user, self.folder = "root", "/"
        self.command: list[str] = []
        self.health: list[str] = []
        self.volumes: list[str] = []
        self.like_python_image(found[1])

    def like_python_image(self, version: str) -> None:
        """The image has `python` and `pip` in /usr/local, free to install into; Debian's Python does so in a venv."""
        said = self.debian.run(["python3", "--version"]).split()[1]
        if not said.startswith(f"{version}."):
            raise Failed(f"the base image has Python {version}, this Debian {said}")
        self.debian.run(["python3", "-m", "venv", "/usr/local"])

    def do(self, word: str, rest: str) -> None:
        """Carry out one instruction."""
        method = getattr(self, f"do_{word.lower()}", None)
        if method is None:
            raise Failed(f"no way to carry out {word}")
        method(rest)

    def do_run(self, rest: str) -> None:
        """Run a command by the shell."""
        self.debian.run(["sh", "-c", rest], self.folder, self.user, self.environment)

    def do_copy(self, rest: str) -> None:
        """Copy from the context or another stage. As in a layer, times are kept in whole seconds."""
        *sources, target = [word for word in rest.split() if not word.startswith("--from=")]
        stage = re.search(r"--from=(\w+)", rest)
        top = self.stages[stage[1]].debian.root if stage else self.context
        to = self.debian.root / (Path(self.folder) / target).relative_to("/")
        to.mkdir(parents=True, exist_ok=True)
        for source in sources:
            packed = ["tar", "--format=gnu", "--create", f"--directory={top / source.lstrip('/')}", "."]
            with subprocess.Popen(packed, stdout=subprocess.PIPE) as pack:
                subprocess.run(["tar", "--extract", f"--directory={to}"], stdin=pack.stdout, check=True)
            if pack.returncode:
                raise Failed(f"cannot copy {source}")

    def do_env(self, rest: str) -> None:
        """Set variables."""
        self.environment |= dict(word.split("=", 1) for word in shlex.split(rest))

    def do_workdir(self, rest: str) -> None:
        """Change to a folder, which is made if it is missing."""
        self.folder = rest
        (self.debian.place(rest)).mkdir(parents=True, exist_ok=True)

    def do_user(self, rest: str) -> None:
        """Go on as this user."""
        self.user = rest

    def do_volume(self, rest: str) -> None:
        """A folder whose contents outlive the container."""
        self.volumes.append(rest)

    def do_cmd(self, rest: str) -> None:
        """What the image runs."""
        self.command = json.loads(rest)

    def do_healthcheck(self, rest: str) -> None:
        """How it is asked whether it is well."""
        self.health = json.loads(rest.partition("CMD ")[2])

    def do_label(self, rest: str) -> None:
        """For registries only."""

    def do_expose(self, rest: str) -> None:
        """For people only."""


def build(dockerfile: Path, context: Path, folder: Path) -> Stage:
    """Build all stages; returns the last one, which is the image."""
    arguments: dict[str, str] = {}
    stages: dict[str, Stage] = {}
    stage: Stage | None = None
    for word, rest in instructions(dockerfile.read_text()):
        if word == "ARG":
            name, _, value = rest.partition("=")
            arguments[name] = value
        elif word == "FROM":
            base, _, name = VARIABLE.sub(lambda found: arguments[found[1]], rest).partition(" AS ")
            stage = stages[name] = Stage(base, folder / f"stage-{len(stages)}", context, stages)
        elif stage is not None:
            print(f"{word} {rest[:100]}", flush=True)
            stage.do(word, rest)
    if stage is None:
        raise Failed("the Dockerfile has no FROM")
    return stage
