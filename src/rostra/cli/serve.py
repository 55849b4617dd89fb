"""`rostra serve`: the server for live matches."""

import argparse

from rostra.cli.arguments import Commands, add_command

EXAMPLES = """examples:
  rostra serve                                       on this machine, matches in a file of your own
  rostra serve --host 0.0.0.0 --port 80
  rostra serve --database postgresql://rostra@db/rostra
every flag can be set in the environment too: ROSTRA_PORT=80, ROSTRA_DATABASE=..."""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "serve", run, "serve live matches to browsers and programs", EXAMPLES)
    parser.add_argument("--host", help="the address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, help="the port (default: 8765, or the next free one; 0: any free one)")
    database = "sqlite:FILE or postgresql://... (default: a file in your data folder)"
    parser.add_argument("--database", metavar="URL", help=database)
    parser.add_argument(
        "--workers", type=int, help="processes in which bots think (default: one for each core but one)"
    )
    parser.add_argument("--origins", type=_words, help="other sites whose pages may connect, separated by commas")
    proxies = "addresses of proxies whose forwarding headers are trusted, separated by commas; *: all"
    parser.add_argument("--proxies", help=proxies)
    parser.add_argument("--rate", type=float, help="messages a second from one person (default: 20; 0: no limit)")
    abandoned = "end a match after this many days without a move (default: 90; 0: never)"
    parser.add_argument("--abandon-days", type=float, metavar="DAYS", help=abandoned)
    url = "where people reach this server, such as https://play.example; for links in notifications"
    parser.add_argument("--public-url", metavar="URL", help=url)
    smtp = "smtp://USER:PASSWORD@HOST:587 or smtps://...:465, for mail (better in the environment: ROSTRA_SMTP)"
    parser.add_argument("--smtp", metavar="URL", help=smtp)
    parser.add_argument("--sender", help="whom mail comes from, such as 'Rostra <rostra@play.example>'")
    private = "let webhooks and push services be in private networks and without TLS"
    parser.add_argument("--private-targets", action="store_true", default=None, help=private)
    delay = "seconds to come to the table before a notification goes out (default: 15)"
    parser.add_argument("--notify-delay", type=float, metavar="SECONDS", help=delay)
    private = "a second address, for operators: /metrics and details of /healthz (default: 127.0.0.1)"
    parser.add_argument("--private-host", metavar="HOST", help=private)
    parser.add_argument(
        "--private-port", metavar="PORT", type=int, help="its port (default: none, so neither is served)"
    )
    parser.add_argument("--log-level", help="debug, info, warning or error (default: info)")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from rostra.server.app import serve
    from rostra.server.settings import from_environment

    return serve(from_environment(vars(args)))
