"""The settings of a server: flags of `rostra serve`, else `ROSTRA_...` in the environment, else defaults."""

import dataclasses
import os
from collections.abc import Mapping

import platformdirs

from rostra.engine.game import BadOption

DEFAULT_PORTS = range(8765, 8785)
"""Tried in order where no port is named."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """All settings; every one has a default."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: the first free one of `DEFAULT_PORTS`; 0: any free one."""
    database: str = ""
    """`sqlite:FILE` or `postgresql://...`; empty: a SQLite file in the user's data folder."""
    workers: int = 1
    """Processes in which bots think."""
    bot_seconds: float = 20.0
    """A worker that thinks longer is replaced."""
    origins: tuple[str, ...] = ()
    """Other web addresses whose pages may connect, such as https://play.example."""
    proxies: str = ""
    """Addresses of proxies whose report of the client's address is trusted; `*`: any."""
    rate: float = 20.0
    """Messages and requests a second from one client, after a first burst of five seconds' worth; 0: no limit."""
    abandon_days: float = 90.0
    """Days without activity after which a match is ended; 0: never."""
    private_host: str = "127.0.0.1"
    private_port: int | None = None
    """Where operators find `/metrics` and details of `/healthz`; None: nowhere; 0: any free port."""
    log_level: str = "info"

    @property
    def address(self) -> str:
        """The database, with the default filled in."""
        if self.database:
            return self.database
        try:
            folder = platformdirs.user_data_path("rostra")
        except RuntimeError as error:  # as in some containers
            raise BadOption(
                "this user has no home; name a database, as in --database sqlite:/data/rostra.db"
            ) from error
        return f"sqlite:{folder / 'rostra.db'}"


def from_environment(given: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from flags that were given (not None) and from the environment."""
    found: dict[str, object] = {}
    environment = os.environ if environment is None else environment
    for field in dataclasses.fields(Settings):
        name = f"ROSTRA_{field.name.upper()}"
        if given.get(field.name) is not None:
            found[field.name] = given[field.name]
        elif name in environment:
            kind = int if field.name in ("port", "private_port") else type(field.default)
            found[field.name] = _read(name, kind, environment[name])
    settings = Settings(**found)  # type: ignore[arg-type]  # each was read as its field has it
    for port in (settings.port, settings.private_port):
        if port is not None and not 0 <= port < 65536:
            raise BadOption(f"the port is a number from 0 to 65535, not {port}")
    if settings.workers < 1:
        raise BadOption(f"bots need at least one worker, not {settings.workers}")
    levels = ("debug", "info", "warning", "error")
    if settings.log_level not in levels:
        raise BadOption(f"the log level is one of {', '.join(levels)}, not {settings.log_level!r}")
    return settings


def _read(name: str, kind: type, text: str) -> object:
    if kind is tuple:
        return tuple(text.split(","))
    try:
        return kind(text)
    except ValueError as error:
        raise BadOption(f"{name} is a number, not {text!r}") from error
