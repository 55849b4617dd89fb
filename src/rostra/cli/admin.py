"""`rostra admin`: what operators do with matches and people, while the server runs or not."""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from rostra.cli.arguments import Commands, add_command

EXAMPLES = """examples:
  rostra admin matches --status playing              what is being played, newest first
  rostra admin match ID                              who plays, where it stands, whether it can be read
  rostra admin close ID --why "stuck"                end a match now, without a winner
  rostra admin ban PERSON --why "abuse"              no more playing; bots take the seats
  rostra admin check                                 whether every match can be read and nothing is missing
a running server notices within a quarter of a second; --database as for `rostra serve`, or ROSTRA_DATABASE"""
ACTS: dict[str, str] = {
    "matches": "list matches, newest first",
    "match": "look at one match",
    "people": "find people by a part of their name",
    "person": "look at one person",
    "close": "end a match now, without a winner",
    "delete": "delete a match with everything that belongs to it",
    "ban": "let a person play here no more; bots take their seats",
    "unban": "let a person play again",
    "revoke": "make a person's tokens invalid, as after a leak",
    "export": "write all that is known of a person as JSON",
    "erase": "erase a person: tokens, name and chat; their matches go on with a bot",
    "check": "check the whole database",
    "statistics": "how much there is and how much is going on",
    "audit": "what operators did",
    "reports": "what people say about others, newest first",
}
CHANGES = ("close", "delete", "ban", "unban", "revoke", "erase")
FINAL = ("delete", "erase")
"""Acts that cannot be taken back, which ask first."""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "admin", run, "look after the matches and people of a server", EXAMPLES)
    acts = parser.add_subparsers(title="what to do", dest="act", metavar="WHAT", required=True)
    for act, summary in ACTS.items():
        one = acts.add_parser(act, help=summary, description=summary[0].upper() + summary[1:] + ".")
        one.add_argument(
            "--database", metavar="URL", help="sqlite:FILE or postgresql://... (default: as `rostra serve`)"
        )
        one.add_argument("--who", help="your name in the audit log (default: the user of this shell)")
        one.add_argument("--json", action="store_true", help="print JSON lines")
        if act in ("match", "close", "delete"):
            one.add_argument("match", help="the match, as in its address")
        if act in ("person", "ban", "unban", "revoke", "export", "erase"):
            one.add_argument("person", help="the person's id, as `rostra admin people` shows it")
        if act in CHANGES:
            one.add_argument("--why", default="", help="the reason, for the audit log")
        if act in FINAL:
            one.add_argument("--yes", action="store_true", help="do not ask whether you are sure")
        if act in ("matches", "people", "audit", "reports"):
            one.add_argument("--most", type=_number, default=50, help="at most so many (default: 50)")
    _more(acts.choices)


def _more(acts: dict[str, argparse.ArgumentParser]) -> None:
    acts["matches"].add_argument("--status", choices=("waiting", "playing", "over"))
    acts["matches"].add_argument("--person", help="only matches that this person made or holds a seat in")
    acts["matches"].add_argument(
        "--before", type=_number, metavar="MS", help="only those made before, in ms since 1970"
    )
    acts["people"].add_argument("name", nargs="?", default="", help="a part of the name (default: everybody)")
    acts["match"].add_argument("--log", action="store_true", help="with all entries, hidden moves included")
    acts["ban"].add_argument("--keep-seats", action="store_true", help="let no bot take the seats")
    acts["export"].add_argument("file", nargs="?", type=Path, help="a new file (default: print)")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise argparse.ArgumentTypeError(f"a whole number, not {text!r}")
    return int(text)


def address_of(args: argparse.Namespace) -> str:
    """The database: from the flag, the environment, or the default of `rostra serve`."""
    from rostra.server.settings import from_environment

    return from_environment({"database": args.database}).address


def run(args: argparse.Namespace) -> int:
    """Carry out what was asked for."""
    from rostra.engine.game import BadOption
    from rostra.extras import need

    need("server", "the server")
    target = getattr(args, "match", None) or getattr(args, "person", None)
    if args.act in FINAL and not args.yes:
        if not sys.stdin.isatty():
            raise BadOption(f"{args.act} cannot be taken back; say --yes")
        if input(f"{ACTS[args.act].capitalize()}? {target} (yes/no) ").strip().lower() != "yes":
            print("Nothing was changed.")
            return 1
    return asyncio.run(_act(args))


async def _act(args: argparse.Namespace) -> int:
    from rostra.server.admin.database import connected, operator

    async with connected(address_of(args), args.who or operator()) as db:
        if args.act == "check":
            return await _check(db, args.json)
        if args.act == "export":
            return await _export(db, args)
        if args.act in CHANGES:
            return await _change(db, args)
        await _look(db, args)
    return 0


async def _look(db: Any, args: argparse.Namespace) -> None:
    from rostra.server.admin import looking
    from rostra.server.live import now_ms

    looks: dict[str, Callable[[], Awaitable[Any]]] = {
        "matches": lambda: looking.matches(db, args.status, args.person, args.before, args.most),
        "match": lambda: looking.match(db, args.match, args.log),
        "people": lambda: looking.people(db, args.name, args.most),
        "person": lambda: looking.person(db, args.person),
        "statistics": lambda: looking.statistics(db, now_ms()),
        "audit": lambda: looking.audit(db, args.most),
        "reports": lambda: looking.reports(db, args.most),
    }
    found = await looks[args.act]()
    show(found if isinstance(found, list) else [found], args.json, table=isinstance(found, list))


async def _change(db: Any, args: argparse.Namespace) -> int:
    from rostra.server.admin import acts

    changes: dict[str, Callable[[], Awaitable[list[str]]]] = {
        "close": lambda: acts.close(db, args.match, args.why),
        "delete": lambda: acts.delete(db, args.match, args.why),
        "ban": lambda: acts.ban(db, args.person, args.why, leave=not args.keep_seats),
        "unban": lambda: acts.unban(db, args.person, args.why),
        "revoke": lambda: acts.revoke(db, args.person, args.why),
        "erase": lambda: acts.erase(db, args.person, args.why),
    }
    troubles = await changes[args.act]()
    for trouble in troubles:
        print(f"rostra admin: {trouble}", file=sys.stderr)
    done = {"close": "closed", "delete": "deleted", "ban": "banned", "unban": "no longer banned",
            "revoke": "signed out everywhere", "erase": "erased"}[args.act]  # fmt: skip
    target = getattr(args, "match", None) or args.person
    if args.json:
        print(json.dumps({args.act: target, "troubles": troubles}))
    else:
        print(f"{target} is {done}.")
    return 1 if troubles else 0


async def _export(db: Any, args: argparse.Namespace) -> int:
    from rostra.engine.game import BadOption
    from rostra.server.admin import looking

    text = json.dumps(await looking.export(db, args.person), indent=1, ensure_ascii=False)
    if args.file is None:
        print(text)
    else:
        try:
            with args.file.open("x", encoding="utf-8") as file:
                file.write(text + "\n")
        except OSError as error:
            raise BadOption(f"cannot write {args.file}: {error.strerror}") from error
    async with db.transaction(True):
        await db.note("export", args.person)
    return 0


async def _check(db: Any, as_json: bool) -> int:
    from rostra.server.admin import checking

    seen: set[str] = set()
    bad = 0
    async for where, problem in checking.problems(db):
        seen.add(where)
        if problem:
            bad += 1
            print(json.dumps({"where": where, "problem": problem}) if as_json else f"{where}: {problem}", flush=True)
    if not as_json:
        print(f"{len(seen)} matches and tables were looked at; {bad or 'no'} problem{'s' if bad != 1 else ''}.")
    return 1 if bad else 0


def show(rows: list[dict[str, Any]], as_json: bool, table: bool) -> None:
    """Print facts: as JSON lines, as a table, or one below the other."""
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
    elif table:
        if not rows:
            print("There are none.")
            return
        texts = [list(rows[0]), *([_text(value) for value in row.values()] for row in rows)]
        widths = [max(len(row[i]) for row in texts) for i in range(len(texts[0]))]
        for cells in texts:
            print("  ".join(text.ljust(width) for text, width in zip(cells, widths, strict=True)).rstrip())
    else:
        for name, value in rows[0].items():
            if isinstance(value, list) and value:
                print(f"{name}:")
                for one in value:
                    print(f"  {_text(one)}")
            else:
                print(f"{name}: {_text(value)}")


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "none"
    return "-" if value is None or value == "" else str(value)
