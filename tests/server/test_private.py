"""The door for operators, and machines that are unlike ours: users without a name, Windows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from live_server import Server, free_port, new_database
from rostra.server.admin.database import operator
from rostra.server.settings import from_environment
from rostra.server.store.sqlite import only_server

ROOT = Path(__file__).parents[2]
NOBODY = ("unshare", "--user", "--map-user=54321", "--map-group=54321")
"""A user id that has no name, as containers may have; its files are those of whoever runs the tests."""


def test_s19_figures_and_details_are_behind_the_private_door_only(server: Server) -> None:
    public = httpx.get(f"{server.url}/healthz")
    assert (public.status_code, public.json()) == (200, {"status": "ok"})
    assert httpx.get(f"{server.url}/metrics").status_code == 404
    assert "/metrics" not in httpx.get(f"{server.url}/api/openapi.json").json()["paths"]
    figures = httpx.get(f"{server.private}/metrics")
    assert figures.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert re.search(r"^rostra_requests_total\{method=\"GET\",status=\"200\"\} [2-9]", figures.text, re.MULTILINE)
    details = httpx.get(f"{server.private}/healthz").json()
    assert details["status"] == "ok" and details["problem"] is None
    assert details["database"] == server.database.partition(":")[0]
    assert details["durable"] and details["matches"] == {}
    for path in ("/", "/api/matches", "/api/people", "/pages/verify.html"):
        assert httpx.get(f"{server.private}{path}").status_code == 404  # nobody plays there


def test_without_a_private_port_nothing_is_told(tmp_path: Path) -> None:
    running = Server(new_database("sqlite", tmp_path, ""), private=False).start()
    try:
        assert httpx.get(f"{running.url}/metrics").status_code == 404
    finally:
        assert running.stop() == 0


def test_a_private_port_that_is_taken_is_said(server: Server, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rostra", "serve", "--port", "0", "--private-port", str(server.port)]
    command += ["--database", f"sqlite:{tmp_path / 'other.db'}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr == (
        f"rostra serve: port {server.port} is taken by another program; name another with --private-port\n"
    )


def test_the_sample_proxy_knows_no_other_door() -> None:
    proxy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    unit = (ROOT / "deploy" / "rostra.service").read_text(encoding="utf-8")
    ports = re.findall(r"ROSTRA_PRIVATE_PORT=(\d+)", unit)
    assert len(ports) == 1 and ports[0] not in proxy
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert re.findall(r"ports: (.*)", compose) == ['["80:80", "443:443", "443:443/udp"]']


def nameless(*command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run it as a user without a name and without a home."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "XDG_CACHE_HOME")}
    python = [*NOBODY, sys.executable, *command]
    return subprocess.run(
        python, capture_output=True, text=True, timeout=60, check=False, cwd=folder, env=kept | more, encoding="utf-8"
    )


@pytest.fixture
def unnamed(tmp_path: Path) -> Path:
    """A folder for somebody without a name; skips where this system makes no such user."""
    if shutil.which("unshare") is None or subprocess.run([*NOBODY, "true"], capture_output=True).returncode:
        pytest.skip("this system does not let us be a user without a name")
    return tmp_path


def test_s17_a_user_without_a_name_serves_and_looks_after_matches(unnamed: Path) -> None:
    kept = {name: os.environ.pop(name) for name in ("HOME", "USER", "LOGNAME", "XDG_DATA_HOME") if name in os.environ}
    running = Server(f"sqlite:{unnamed / 'x.db'}", log=unnamed / "log")
    try:
        running.start(NOBODY)
        assert httpx.get(f"{running.url}/healthz").status_code == 200
    finally:
        os.environ.update(kept)
        if running.process is not None:
            running.stop()
    backup = nameless("-m", "rostra", "backup", "x.gz", "--database", running.database, folder=unnamed)
    assert backup.returncode == 0, backup.stderr
    told = nameless("-m", "rostra", "admin", "audit", "--database", running.database, folder=unnamed)
    assert "uid 54321" in told.stdout, told.stderr


def test_s17_what_such_a_user_must_name_is_said(unnamed: Path) -> None:
    for flags, says in (
        ((), "this user has no home; name a database, as in --database sqlite:/data/rostra.db"),
        (("--database", "postgresql://127.0.0.1:1/x"), "names no user, and this user id has no name"),
    ):
        for act in (("serve", "--port", "0"), ("admin", "statistics")):
            ran = nameless("-m", "rostra", *act, *flags, folder=unnamed)
            assert ran.returncode == 2, ran.stderr
            assert says in ran.stderr and "Traceback" not in ran.stderr
    assert list(unnamed.iterdir()) == []  # no folder named ~


def test_s17_compiled_code_is_kept_somewhere(unnamed: Path) -> None:
    code = "from rostra.engine import shelf; print(shelf.cache_folder())"
    ran = nameless("-c", code, folder=unnamed, XDG_CACHE_HOME="", TMPDIR=str(unnamed))
    assert ran.stdout.strip() == str(unnamed / "rostra-54321"), ran.stderr


def test_the_operator_is_who_became_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "ada")
    assert operator() == "ada"


def test_s18_one_server_holds_a_file_on_every_system(tmp_path: Path) -> None:
    """The lock is that of a library which knows Windows; nothing of ours asks for the system."""
    sources = (ROOT / "src" / "rostra").rglob("*.py")
    asking = [path.name for path in sources if re.search(r"import (fcntl|msvcrt|pwd|grp)", path.read_text("utf-8"))]
    assert asking == []
    lock = only_server(tmp_path / "x.db")
    try:
        code = (
            "import pathlib, sys; from rostra.server.store import sqlite; sqlite.only_server(pathlib.Path(sys.argv[1]))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "x.db")],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "another server uses" in ran.stderr
    finally:
        lock.release()
    only_server(tmp_path / "x.db").release()


def test_s18_a_path_of_windows_is_a_database() -> None:
    path = r"C:\Users\Ada Lovelace\rostra.db"
    found = from_environment({"database": f"sqlite:{path}"}, {})
    assert found.address.removeprefix("sqlite:") == path


def test_the_private_port_comes_from_the_environment() -> None:
    port = str(free_port())
    found = from_environment({}, {"ROSTRA_PRIVATE_PORT": port, "ROSTRA_PRIVATE_HOST": "0.0.0.0"})
    assert (found.private_port, found.private_host) == (int(port), "0.0.0.0")
