"""Starting a server with its settings, and stopping it."""

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

from live_server import Server, new_match, person, play_on
from rostra.client import Client
from rostra.engine.game import BadOption
from rostra.server.app import _listen
from rostra.server.settings import DEFAULT_PORTS, Settings, from_environment


def test_flags_come_before_the_environment_and_that_before_defaults() -> None:
    environment = {"ROSTRA_PORT": "80", "ROSTRA_HOST": "0.0.0.0", "ROSTRA_ORIGINS": "https://a,https://b"}
    found = from_environment({"port": 90, "host": None}, environment)
    assert (found.port, found.host, found.origins) == (90, "0.0.0.0", ("https://a", "https://b"))
    assert from_environment({}, {}) == Settings()
    assert Settings().address.startswith("sqlite:")


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"ROSTRA_PORT": "eighty"}, "ROSTRA_PORT is a number, not 'eighty'"),
        ({"ROSTRA_PORT": "99999"}, "0 to 65535"),
        ({"ROSTRA_WORKERS": "0"}, "at least one worker"),
        ({"ROSTRA_LOG_LEVEL": "loud"}, "debug, info, warning, error"),
    ],
)
def test_a_wrong_setting_is_said(environment: dict[str, str], says: str) -> None:
    with pytest.raises(BadOption, match=says):
        from_environment({}, environment)


@pytest.mark.parametrize(
    ("database", "says"),
    [
        ("mysql://x", "sqlite:FILE or postgresql://"),
        ("sqlite:/proc/none/x.db", "cannot use the database"),
        ("postgresql://127.0.0.1:1/none", "cannot connect to the database"),
    ],
)
def test_a_database_that_cannot_be_used_is_said(database: str, says: str) -> None:
    command = [sys.executable, "-m", "rostra", "serve", "--port", "0", "--database", database]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_port_in_use_is_said(server: Server, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rostra", "serve", "--port", str(server.port)]
    command += ["--database", f"sqlite:{tmp_path / 'other.db'}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    says = f"port {server.port} is taken by another program; name another with --port"
    assert ran.stderr == f"rostra serve: {says}\n"


def test_if_no_port_is_named_the_next_free_one_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with _listen(Settings()) as first, _listen(Settings()) as second:
        ports = [listening.getsockname()[1] for listening in (first, second)]
        assert ports[0] < ports[1] and set(ports) < set(DEFAULT_PORTS)
        assert f"Port 8765 is taken by another program, so this is {ports[1]}.\n" in capsys.readouterr().out
        with pytest.raises(BadOption, match=f"port {ports[0]} is taken"):
            _listen(Settings(port=ports[0]))


def test_if_all_default_ports_are_taken_it_is_said() -> None:
    with contextlib.ExitStack() as stack:
        for port in DEFAULT_PORTS:
            with contextlib.suppress(BadOption):  # another program has it already
                stack.enter_context(_listen(Settings(port=port)))
        with pytest.raises(BadOption, match="the ports 8765 to 8784 are all taken by other programs"):
            _listen(Settings())


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid"])
def test_an_address_of_another_machine_is_said(host: str) -> None:
    with pytest.raises(BadOption, match=f"{host} is not an address of this machine"):
        _listen(Settings(host=host))


def test_a_port_that_needs_more_rights_is_said() -> None:
    """In a process of its own, which gives up the rights of root if it has them."""
    code = (
        "import os\nfrom rostra.server.app import _listen\nfrom rostra.server.settings import Settings\n"
        "os.getuid() == 0 and os.setuid(65534)\n_listen(Settings(port=80))"
    )
    lowest = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    assert int(lowest.read_text()) > 80
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "this user may not use port 80; name one from 1024 on with --port" in ran.stderr


@pytest.mark.slow
def test_it_stops_in_order_and_clients_come_back(server: Server) -> None:
    async def play() -> None:
        token = await person(server.url)
        match = await new_match(server.url, token, "me open")
        async with Client(server.url, token) as client:
            for seat in (0, 1):
                await client.send("sit", match, seat=seat, name=f"P{seat}")
            playing = [asyncio.create_task(play_on(client, match, seat)) for seat in (0, 1)]
            await asyncio.sleep(0.2)
            assert await asyncio.to_thread(server.stop) == 0
            await asyncio.to_thread(server.start)
            async with asyncio.timeout(60):
                await asyncio.gather(*playing)

    asyncio.run(play())
