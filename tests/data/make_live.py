"""Play live matches and store them as a database would: PYTHONPATH=tests python tests/data/make_live.py VERSION [GAME]

The files of a version are made once, when it is released, and never changed: they stand for the databases that people
have.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from live_house import House, a_house
from rostra.server import schema, seen
from rostra.server.vacation import DAY

FOLDER = Path(__file__).parent / "live"


async def alea(house: House) -> str:
    """Everything that can happen at a table without deals."""
    people = await house.people("Ada", 'Bo, the "quiet"', "Cy")
    settings = {"confirm": 5, "clock": schema.Clock(60, 30), "patience": 120}
    match = await house.match(people[0], "me open open greedy", settings=settings, options={"voluntary_latrina": "on"})
    await house.do(schema.Sit, match, people[2], seat=1, name="Cy", entropy="aa")
    await house.do(schema.Leave, match, people[2], seat=1)
    for seat, person in enumerate(people):
        await house.do(schema.Sit, match, person, seat=seat, name=f"P{seat}", entropy=f"{seat:02}" * 4)
    await house.do(schema.Rename, match, people[1], seat=1, name='Bo, the "quiet"')
    await house.do(schema.Say, match, people[1], seat=1, text="salvete, omnes #1")
    await house.do(schema.Mute, match, people[0], seat=0, other=1)
    table = await house.look(match)
    made = 0
    while table.status == "playing":
        if table.seats[table.turn].bot is not None:
            ply = len(table.match.log)
            await house.wait(match, 0.1, lambda table, ply=ply: len(table.match.log) > ply)
            continue
        if made == 40:
            await house.wait(match, 3600)
        seat, ply = table.turn, len(table.match.log)
        here = {"seat": seat, "epoch": table.match.epoch, "ply": ply}
        await house.play(match)
        made += 1
        if made == 3:
            await house.do(schema.TakeBack, match, table.seats[seat].person, **here)
            await house.play(match)
        if made % 2:
            await house.do(schema.Confirm, match, table.seats[seat].person, **here)
        else:
            await house.wait(match, 6)
        if made in (12, 20):  # a bot's move would end the question whether to go back
            await house.wait(match, 0.1, lambda table: table.turn is None or table.seats[table.turn].bot is None)
        if made == 12:
            await house.do(schema.AskUndo, match, people[0], seat=0, ply=20)
            await house.do(schema.AnswerUndo, match, people[1], seat=1, yes=False)
        if made == 20:
            await house.do(schema.AskUndo, match, people[0], seat=0, ply=ply - 4)
            await house.do(schema.AnswerUndo, match, people[1], seat=1, yes=True)
            await house.do(schema.AnswerUndo, match, people[2], seat=2, yes=True)
        if made == 30:
            key = (await house.do(schema.Link, match, people[2], seat=2)).key
            (new,) = await house.people("Di")
            await house.do(schema.Sit, match, new, seat=2, name="Di", key=key)
        if made == 25:
            await house.do(schema.Replace, match, people[0], seat=3, bot="random")
            await house.do(schema.AnswerSeat, match, people[1], seat=1, yes=False)
        if made == 60:
            await house.do(schema.Resign, match, people[1], seat=1)
    return match


async def quovadis(house: House) -> str:
    """People and bots with offers of all kinds, to the end."""
    people = await house.people("Ada", "Bo")
    match = await house.match(
        people[0], "me open greedy greedy", "quovadis", settings={"talk": 4, "pace": 0.5}, options={"open_hands": "on"}
    )
    await house.sit(match, *people)
    table = await house.look(match)
    judged = 0
    while table.status == "playing":
        ply, turn = len(table.match.log), table.turn
        for number in range(judged, len(table.words)):
            receiver = table.words[number].receiver
            await house.do(schema.Judge, match, people[receiver], seat=receiver, promise=number, kept=number % 2 == 0)
            judged = number + 1
        for seat, person in enumerate(people):
            for number, offer in table.open_offers():
                if offer.status == "open" and seat in offer.parties and seat not in offer.yes + offer.no:
                    await house.do(schema.Answer, match, person, seat=seat, offer=number, yes=(number + seat) % 3 > 0)
        if len(table.match.log) > ply:
            continue
        if turn < 2:
            asks = seen.choices(table, table.match)[1] if table.can_deal else []
            made = sum(offer.seat == turn for offer in table.offers[table.first_offer :])
            if asks and not table.words and made < 2:
                await house.do(schema.Nudge, match, people[1 - turn], seat=1 - turn, other=turn)
                said = (schema.OwnWords(turn, 1 - turn, "No quarrel before the third arrival"),)
                await house.do(schema.Offer, match, people[turn], seat=turn, terms=["bargain"], words=said)
                yes = {"offer": len(table.offers) - 1, "yes": True}
                await house.do(schema.Answer, match, people[1 - turn], seat=1 - turn, **yes)
                continue
            about = asks[0].partition("(")[0] if asks else ""
            if asks and not any(asked.about == about for asked in table.asked):
                await house.do(schema.AskPrices, match, people[turn], seat=turn, about=about)
                await house.do(schema.NamePrice, match, people[1 - turn], seat=1 - turn, price=ply % 3, stands=True)
            if asks and made < 2:
                extra = f"promise {turn} {3 - turn} support"
                await house.do(schema.Drafting, match, people[1 - turn], seat=1 - turn)
                await house.do(schema.Offer, match, people[turn], seat=turn, terms=[asks[0], extra])
                await house.do(
                    schema.Offer,
                    match,
                    people[1 - turn],
                    seat=1 - turn,
                    terms=[asks[0]],
                    counters=len(table.offers) - 1,
                )
                if ply % 2:
                    await house.do(schema.Withdraw, match, people[turn], seat=turn, offer=len(table.offers) - 2)
                await house.wait(match, 2)
                await asyncio.sleep(0.05)
                continue
            await house.play(match)
        else:
            if ply % 3 == 0 and table.can_deal and 0 not in table.ready:
                await house.do(schema.Ready, match, people[0], seat=0)
            await house.wait(match, 2)
            await asyncio.sleep(0.02)
    return match


async def days(house: House) -> str:
    """A game over days, in which somebody goes on vacation."""
    people = await house.people("Ada", "Bo")
    settings = {"clock": schema.Clock(24 * 3600, 0), "only_move": True}
    match = await house.match(people[0], "me open", settings=settings)
    await house.sit(match, *people)
    await house.play(match, 9)
    table = await house.look(match)
    await house.live.notify.vacations.set(people[table.turn], house.now + 3 * DAY)
    await house.wait(match, 2 * 24 * 3600)
    await house.play(match, 9)
    table = await house.look(match)
    await house.do(schema.Resign, match, people[0], seat=0)
    return match


async def make(version: str, *only: str) -> None:
    for game in [one for one in (alea, quovadis, days) if one.__name__ in only or not only]:
        with tempfile.TemporaryDirectory() as folder:
            async with a_house(Path(folder) / "x.db") as house:
                match = await game(house)
                row = await house.live.store.match(match)
                log = [[*entry[:2], json.loads(entry[2])] for entry in await house.live.store.entries(match, 0)]
                text = await house.look(match, lambda table: seen.game_text(table, None))
                kept = {"row": row._asdict(), "transcript": text, "log": log}
                file = FOLDER / f"{version}-{game.__name__}.json"
                file.parent.mkdir(exist_ok=True)
                file.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
                print(file.name, len(log), "entries")


if __name__ == "__main__":
    asyncio.run(make(*sys.argv[1:]))
