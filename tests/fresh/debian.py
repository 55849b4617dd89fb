"""A Debian in a folder: made by debootstrap, entered by chroot. Python's own library is all it needs.

The script that uses it runs in mount and process namespaces of its own (`alone`), so what it mounts and starts is gone
when it ends, however it ends. The root reaches the package registries just as this machine does: settings of pip, uv
and npm, certificates and proxies are looked up here and shown there.
"""

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

INSIDE = "ROSTRA_FRESH_FOLDER"
"""Set in the script's second life, within the namespaces: its folder for everything temporary."""
BARE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "rostra-fresh"
"""Where bare roots are kept, so that the next run is quicker."""
PACKAGES = ("python3", "python3-venv", "make", "git", "ca-certificates")
CLIENT_VARIABLES = re.compile(r"^(pip|uv|npm_config)_|_proxy$|cert|cainfo|ca_bundle", re.IGNORECASE)
LOCAL_PATH = re.compile(r"(?:^|\s|file://)(/[^\s,]+)")
"""Settings name certificates and folders with packages by paths or by `file:` addresses."""
CLIENT_FILES = (
    "/etc/pip.conf", "/etc/npmrc", "/etc/uv/uv.toml", "/etc/ssl/certs", "/usr/local/share/ca-certificates",
    "/usr/share/ca-certificates", "/etc/resolv.conf", "/etc/hosts",
)  # fmt: skip
HOME_FILES = (".npmrc", ".config/pip/pip.conf", ".pip/pip.conf", ".config/uv/uv.toml")


NEW_NETWORK = 0x40000000
"""CLONE_NEWNET of unshare(2); Python has `os.unshare` from 3.12 on."""


class Failed(Exception):
    """A step did not do what it should; the text says which."""


def note(text: str) -> None:
    """Report a step that went well."""
    print(f"ok: {text}", flush=True)


def must(true: object, text: str) -> None:
    """Report what was checked, or fail."""
    if not true:
        raise Failed(f"not so: {text}")
    note(text)


def alone(script: str) -> Path:
    """Start this script again in namespaces of its own and leave with its exit code; there, return its folder."""
    if INSIDE in os.environ:
        return Path(os.environ[INSIDE])
    if os.name != "posix" or os.getuid() != 0:
        sys.exit("this needs root: it makes a Debian in a folder and changes into it (chroot)")
    for program in ("debootstrap", "unshare", "chroot", "git"):
        if shutil.which(program) is None:
            sys.exit(f"this needs `{program}` (Debian: apt-get install debootstrap util-linux coreutils git)")
    with tempfile.TemporaryDirectory(prefix="rostra-fresh-") as folder:
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("stopped"))  # which also ends what was started
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        command = [*apart, sys.executable, script, *sys.argv[1:]]
        ended = subprocess.run(command, env={**os.environ, INSIDE: folder}, check=False)
    sys.exit(ended.returncode)


def bare(suite: str) -> Path:
    """A root of this Debian release with `PACKAGES` and nothing else; kept for the next time."""
    kept = BARE / suite
    if not kept.exists():
        print(f"making a Debian {suite} (once)", file=sys.stderr, flush=True)
        BARE.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=BARE))
        command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite, str(unfinished)]
        made = subprocess.run([*command, *mirror(suite)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if made.returncode:
            shutil.rmtree(unfinished)
            raise Failed(f"debootstrap failed:\n{made.stdout.decode()[-2000:]}")
        unfinished.chmod(0o755)
        unfinished.rename(kept)
    return kept


def mirror(suite: str) -> list[str]:
    """The mirror that this machine's apt uses, for this release if it has one; none if this is no Debian."""
    if shutil.which("apt-get") is None:
        return []
    asked = ["apt-get", "indextargets", "--format", "$(RELEASE) $(ORIGIN) $(REPO_URI)", "Created-By: Packages"]
    lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [line.split()[2] for line in lines if re.match(rf"({suite}|\w+) Debian ", line)]
    return found[:1]


def client_settings() -> dict[str, str]:
    """The variables by which this machine's package clients find their registries; no caches."""
    found = {name: value for name, value in os.environ.items() if CLIENT_VARIABLES.search(name)}
    return {name: value for name, value in found.items() if "cache" not in name.lower()}


def offline() -> None:
    """Go on in a network of our own, where all ports are free and nothing outside can be reached."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
        raise Failed("cannot make a network of our own")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Debian:
    """A root to run commands in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            "HOME": "/root", "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8",
            **client_settings(),
        }  # fmt: skip

    def connect(self) -> None:
        """Mount what a program expects of a machine, and what it needs to reach the package registries."""
        _mount("-t", "proc", "proc", str(self.root / "proc"))
        _mount("--rbind", "/dev", str(self.root / "dev"))
        for name in CLIENT_FILES:
            self._copy(Path(name), name)
        for name in HOME_FILES:
            self._copy(Path.home() / name, f"/root/{name}")
        named = [path for value in client_settings().values() for path in LOCAL_PATH.findall(value)]
        for name in dict.fromkeys(named):
            if Path(name).is_dir() and not self.place(name).exists():  # packages: they may be many
                self.place(name).mkdir(parents=True)
                _mount("--bind", name, str(self.place(name)))
                _mount("-o", "remount,bind,ro", str(self.place(name)))
            elif Path(name).is_file():
                self._copy(Path(name), name)

    def disconnect(self) -> None:
        """Unmount what a booted system mounts itself."""
        for name in ("/dev", "/proc"):
            subprocess.run(["umount", "--recursive", str(self.place(name))], check=True)

    def place(self, name: str) -> Path:
        """Where a path of the root is for us."""
        return self.root / name.lstrip("/")

    def _copy(self, here: Path, name: str) -> None:
        """Copy a file or folder of this machine, if it is there, to this path of the root."""
        if here.exists():
            there = self.place(name)
            there.parent.mkdir(parents=True, exist_ok=True)
            if there.is_symlink():
                there.unlink()
            subprocess.run(["cp", "-a", "--no-target-directory", str(here.resolve()), str(there)], check=True)

    def command(self, words: Sequence[str], folder: str = "/", user: str = "root") -> list[str]:
        """The command line that runs these words in the root."""
        return [str(shutil.which("chroot")), f"--userspec={user}", str(self.root), "env", f"--chdir={folder}", *words]

    def start(
        self, words: Sequence[str], folder: str = "/", user: str = "root", more: Mapping[str, str] = {}, **how: Any
    ) -> "subprocess.Popen[str]":
        """Start a command in the root."""
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.STDOUT)
        environment = {**self.environment, **more}
        return subprocess.Popen(self.command(words, folder, user), env=environment, text=True, **how)

    def run(
        self, words: Sequence[str], folder: str = "/", user: str = "root", more: Mapping[str, str] = {}, **how: Any
    ) -> str:
        """Run a command in the root; returns what it printed."""
        with self.start(words, folder, user, more, **how) as process:
            said, _ = process.communicate()
        if process.returncode:
            raise Failed(f"`{' '.join(words)}` failed with {process.returncode}:\n{said[-3000:]}")
        return said

    def install(self, *packages: str) -> None:
        """Install packages of Debian; no service is started."""
        policy = self.place("/usr/sbin/policy-rc.d")
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        more = {"DEBIAN_FRONTEND": "noninteractive"}
        self.run(["apt-get", "update"], more=more)
        self.run(["apt-get", "install", "--yes", "--no-install-recommends", *packages], more=more)

    def megabytes(self, *paths: str) -> int:
        """The size on disk of some folders that may not be there; what they share is counted once."""
        there = [str(self.place(path)) for path in paths if self.place(path).exists()]
        if not there:
            return 0
        told = subprocess.run(["du", "-scmx", *there], capture_output=True, text=True, check=True).stdout
        return int(told.splitlines()[-1].split()[0])


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def copy_of(source: Path, folder: Path) -> Debian:
    """A root of our own with the contents of another; what is changed in it changes nothing there."""
    root = folder / "root"
    for name in ("changes", "work", "root"):
        (folder / name).mkdir(parents=True)
    layers = f"lowerdir={source},upperdir={folder / 'changes'},workdir={folder / 'work'}"
    _mount("-t", "overlay", "overlay", "-o", layers, str(root))
    return Debian(root)


class Meter:
    """CPU seconds of everything that was started in it, from a control group of its own (version 2)."""

    def __init__(self, name: str) -> None:
        mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
        tops = [Path(words[1]) for words in mounts if words[2] == "cgroup2"]
        if not tops:
            raise Failed("no control groups (version 2) are mounted here: CPU time cannot be measured")
        self.group = tops[0] / f"{name}-{os.getpid()}"
        self.group.mkdir()

    def enter(self) -> None:
        """Count this process and all that it starts; to be called in a child before it runs its command."""
        (self.group / "cgroup.procs").write_text("0")

    def seconds(self) -> float:
        """CPU seconds until now."""
        figures = dict(line.split() for line in (self.group / "cpu.stat").read_text().splitlines())
        return int(figures["usage_usec"]) / 1e6

    def remove(self) -> None:
        """End what is still running in it."""
        (self.group / "cgroup.kill").write_text("1")
        while (self.group / "cgroup.procs").read_text():
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, 0)
        self.group.rmdir()


@contextlib.contextmanager
def meter(name: str) -> Iterator[Meter]:
    """A meter that is removed at the end."""
    made = Meter(name)
    try:
        yield made
    finally:
        made.remove()
