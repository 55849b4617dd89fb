"""`rostra backup` and `rostra restore`: everything in one file, the same for both databases."""

import argparse
import asyncio
from pathlib import Path

from rostra.cli.admin import address_of
from rostra.cli.arguments import Commands, add_command

BACKUP = """examples:
  rostra backup backups/$(date +%F).gz               while the server runs or not
the file holds the seeds of running matches: keep it as safe as the database"""
RESTORE = """examples:
  rostra restore backups/2030-01-31.gz --database sqlite:new.db
  rostra restore backups/2030-01-31.gz --database postgresql://rostra@db/rostra
  rostra restore backups/2030-01-31.gz --check       only whether it is whole"""


def add(commands: Commands) -> None:
    """Declare both commands."""
    parser = add_command(
        commands, "backup", run_backup, "write everything into one file, also while the server runs", BACKUP
    )
    parser.add_argument("file", type=Path, help="a new file; .gz is a fitting end")
    _shared(parser)
    parser = add_command(commands, "restore", run_restore, "put a backup into a new, empty database", RESTORE)
    parser.add_argument("file", type=Path, help="a file that `rostra backup` wrote")
    parser.add_argument("--check", action="store_true", help="only read the file and say what is in it")
    _shared(parser)


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database", metavar="URL", help="sqlite:FILE or postgresql://... (default: as `rostra serve`)"
    )
    parser.add_argument("--who", help="your name in the audit log (default: the user of this shell)")


def run_backup(args: argparse.Namespace) -> int:
    """Write the file, and say what is in it."""
    from rostra.extras import need

    need("server", "the server")
    from rostra.server.admin import backup
    from rostra.server.admin.database import operator

    counts = asyncio.run(backup.backup(address_of(args), args.file, args.who or operator()))
    print(f"{args.file} holds {_said(counts)}.")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Read the file, and say what was in it."""
    from rostra.extras import need

    need("server", "the server")
    from rostra.server.admin import backup
    from rostra.server.admin.database import operator

    if args.check:
        print(f"{args.file} is whole and holds {_said(backup.verify(args.file)[1])}.")
        return 0
    counts = asyncio.run(backup.restore(address_of(args), args.file, args.who or operator()))
    print(f"Restored {_said(counts)} into {address_of(args).partition('?')[0].rpartition('@')[2]}.")
    return 0


def _said(counts: dict[str, int]) -> str:
    return f"{counts.get('people', 0)} people, {counts.get('matches', 0)} matches and {counts.get('log', 0)} entries"
