"""The settings of a server: flags of `rostra serve`, else `ROSTRA_...` in the environment, else defaults."""

import dataclasses
import os
import re
from collections.abc import Mapping

import platformdirs

from rostra.engine.game import BadOption
from rostra.server.limits import Limits
from rostra.server.mail import read_sender, read_smtp
from rostra.server.notify.wishes import Wishes

DEFAULT_PORTS = range(8765, 8785)
"""Tried in order where no port is named."""


MOST_WORKERS = 8


def _workers() -> int:
    """One for each core that this process may use, but for the one of the server itself."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_WORKERS, max(1, cores - 1))


@dataclasses.dataclass(frozen=True)
class Settings(Limits):
    """All settings; every one has a default."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: the first free one of `DEFAULT_PORTS`; 0: any free one."""
    database: str = ""
    """`sqlite:FILE` or `postgresql://...`; empty: a SQLite file in the user's data folder."""
    workers: int = _workers()
    """Processes in which bots think, each started when it is first needed: one for each core but one, and at most
    eight."""
    bot_seconds: float = 20.0
    """A worker that thinks longer is replaced."""
    origins: tuple[str, ...] = ()
    """Other web addresses whose pages may connect, such as https://play.example."""
    proxies: str = ""
    """Addresses of proxies whose report of the client's address is trusted; `*`: any."""
    abandon_days: float = 90.0
    """Days without activity after which a match is ended; 0: never."""
    private_host: str = "127.0.0.1"
    private_port: int | None = None
    """Where operators find `/metrics` and details of `/healthz`; None: nowhere; 0: any free port."""
    log_level: str = "info"
    public_url: str = ""
    """Where people reach this server, such as https://play.example; notifications need it."""
    smtp: str = ""
    """`smtp://USER:PASSWORD@HOST:587`; empty: no mail."""
    sender: str = ""
    """Whom mail comes from, such as Rostra <rostra@play.example>."""
    private_targets: bool = False
    """Whether people may name webhooks and push services in private networks, and such without TLS."""
    notify_delay: float = 15.0
    """Seconds that a person has to come to the table before a notification goes out."""

    @property
    def wishes(self) -> Wishes:
        """What concerns notifications."""
        return Wishes(self.public_url.rstrip("/"), self.smtp, self.sender, self.private_targets, self.notify_delay)

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
    for limit in dataclasses.fields(Limits):
        if getattr(settings, limit.name) < 0:
            raise BadOption(f"{limit.name} is 0 (no limit) or more, not {getattr(settings, limit.name)}")
    levels = ("debug", "info", "warning", "error")
    if settings.log_level not in levels:
        raise BadOption(f"the log level is one of {', '.join(levels)}, not {settings.log_level!r}")
    if settings.public_url and not re.fullmatch(r"https?://[^/\s#?@]+/?", settings.public_url):
        raise BadOption(f"the public URL is like https://play.example, without a path, not {settings.public_url!r}")
    if settings.smtp and not (settings.public_url and settings.sender):
        raise BadOption("mail needs a sender and the public URL: --sender, --public-url")
    if settings.smtp:
        read_smtp(settings.smtp)
        read_sender(settings.sender)
    return settings


def _read(name: str, kind: type, text: str) -> object:
    if kind is tuple:
        return tuple(text.split(","))
    if kind is bool:
        if text.lower() not in ("1", "true", "yes", "0", "false", "no", ""):
            raise BadOption(f"{name} is yes or no, not {text!r}")
        return text.lower() in ("1", "true", "yes")
    try:
        return kind(text)
    except ValueError as error:
        raise BadOption(f"{name} is a number, not {text!r}") from error
