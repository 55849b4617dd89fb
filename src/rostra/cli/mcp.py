"""`rostra mcp`: an MCP server, so that assistants can play."""

import argparse

from rostra.cli.arguments import Commands, add_command

EXAMPLES = """examples:
  rostra mcp                                         for an assistant that starts this command itself (stdio)
  rostra mcp --url https://HOST                      play on another server
  rostra mcp --http 8770                             for assistants that connect to http://127.0.0.1:8770/mcp"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "mcp", run, "let assistants play, through the Model Context Protocol", EXAMPLES)
    parser.add_argument("--url", help="the server to play on (default: one of its own, as `rostra serve`)")
    parser.add_argument("--database", metavar="URL", help="for its own server, as for `rostra serve`")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve MCP over HTTP on this machine, not over stdio")


def run(args: argparse.Namespace) -> int:
    """Serve until the assistant hangs up."""
    from rostra.agents.mcp_server import make

    server = make(args.url, args.database)
    if args.http is None:
        server.run("stdio")
    else:
        server.run("streamable-http", port=args.http)
    return 0
