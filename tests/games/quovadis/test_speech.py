"""What bots say at a live table: every reason is given where it is true, and not where it is false."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from quovadis_positions import act_now, arrive, hold_all, lay, play, put, ready
from rostra.bots import make_bot
from rostra.engine.desk import Said
from rostra.engine.game import CHANCE, OVER, CannotPay, copy
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis import haggling, speech
from rostra.games.quovadis.deals import BROKEN, ones_won
from rostra.games.quovadis.evaluate import standing
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.supposing import supposed
from rostra.words import LANGUAGES

assert GAME.desk is not None
DESK = GAME.desk
GREEDY, LEARNED = make_bot("greedy"), make_bot("learned")


def answer(bot: Any, s: Any, seat: int, *terms: str, by: int = 0) -> list[str]:
    """What a bot says when it answers an offer."""
    yes = haggling.answer(bot, GAME, s, seat, by, terms, generator(1))
    return speech.speak(bot, GAME, s, seat, Said("yes" if yes else "no", by, terms))


def offer(bot: Any, s: Any, seat: int, *terms: str, refused: Any = ()) -> list[str]:
    return speech.speak(bot, GAME, s, seat, Said("offer", seat, terms, refused))


def a_table(hands: str = "0:12345 1:12345 2:12345 3:12345") -> Any:
    """Seat 0 is to act; seats 0, 1 and 2 have a senator in G."""
    s = ready(4)
    put(s, G="012")
    act_now(s, 0)
    hold_all(s, hands)
    return s


def test_too_little_names_the_laurel_that_is_missing() -> None:
    s = a_table()
    key, value = answer(GREEDY, s, 1, "G>J(1)")
    assert key == "too-little"
    accepts = [
        n for n in range(1, 6) if haggling.answer(GREEDY, GAME, s, 1, 0, ["G>J(1)", f"give 0 1 {n}"], generator(1))
    ]
    assert int(value) == accepts[0]
    assert answer(GREEDY, s, 1, "G>J(1)", f"give 0 1 {value}")[0] == "paid"


def test_who_is_paid_and_who_is_not() -> None:
    s = ready(4)
    put(s, B="01123")
    hold_all(s, "0:12345 1:12345 2:12345 3:12345")
    for bot in (GREEDY, LEARNED):
        assert answer(bot, s, 2, "B>I(1,2)", "give 0 1 5") == ["others-paid", "1"]
        assert answer(bot, s, 2, "B>I(1,2)")[0] != "others-paid", "nobody is paid"
        assert answer(bot, s, 2, "B>I(1,2)", "give 0 1 5", "give 0 2 1")[0] != "others-paid", "both are"


def test_a_broken_word_is_a_reason_only_if_it_makes_the_difference() -> None:
    said = set()
    for s in positions(LEARNED, 3, 3):
        active = GAME.rules.turn(s)
        for terms in consents(s):
            seat = next(party for party in DESK.deal(s, terms)[1] if party != active)
            paid = [*terms, f"promise {active} {seat} support"]
            clean = haggling.answer(LEARNED, GAME, s, seat, active, paid, generator(1))
            for victim in range(3):
                if victim != active:
                    s.fates[active, victim, BROKEN] = 4
                    key = answer(LEARNED, s, seat, *paid, by=active)[0]
                    still = haggling.answer(LEARNED, GAME, s, seat, active, paid, generator(1))
                    s.fates[active, victim, BROKEN] = 0
                    wanted = "broken-to-me" if victim == seat else "broken-to-others"
                    assert (key == wanted) == (clean and not still)
                    assert key not in {"broken-to-me", "broken-to-others"} - {wanted}
                    said.add(key)
            assert not answer(LEARNED, s, seat, *paid, by=active)[0].startswith("broken")
    assert {"broken-to-me", "broken-to-others"} <= said


def test_the_leader_is_feared_only_when_it_leads() -> None:
    def refuses(hand: str) -> list[str]:
        s = ready(4, show_hands="on")
        put(s, M="012")
        arrive(s, "0023")
        lay(s, "M>S", "2")
        hold_all(s, f"0:15 3:{hand}")
        return answer(LEARNED, s, 1, "M>S(1)")  # the game would end, and seat 1 is not in the Senate

    assert refuses("1") == ["leads", "0"]
    assert refuses("3335")[0] not in ("leads", "too-little")


def test_the_active_seat_would_rather_do_what_it_does() -> None:
    s = ready(4)
    put(s, G="012", B="0")
    hold_all(s, "0:12345 1:1")
    for bot in (GREEDY, LEARNED):
        move = GAME.notation.text(s, haggling.act(bot, GAME, s, haggling.mood(s, 0)))
        other = next(text for text in ("@N>S", "+A") if text != move)
        assert answer(bot, s, 0, other, "give 0 1 5", by=1) == ["rather"]
        assert answer(bot, s, 0, move, "give 0 1 5", by=1)[0] not in ("rather", "paid"), "it would do that anyway"


def test_a_favour_is_a_consent_for_nothing() -> None:
    said = set()
    for s in positions(make_bot("tiro"), 3, 2):
        active = GAME.rules.turn(s)
        for terms in consents(s):
            (seat,) = {*DESK.deal(s, terms)[1]} - {active}
            for left in (0, int(s.ones)):
                poor = copy(s)
                poor.hands[active, 0] += s.ones - left
                poor.ones = left
                key = answer(make_bot("tiro"), poor, seat, *terms, by=active)[0]
                assert key != ("favour" if left else "earned")
                said.add(key)
    assert {"favour", "earned"} <= said


def test_a_kept_word() -> None:
    s = ready(4, start=3)
    put(s, G="012")
    play(s, "deal; @N>S; promise 1 0 support; ask; yes; yes")
    assert answer(GREEDY, s, 1, "G>J(1)") == ["kept-word"]
    free = ready(4, start=3)
    put(free, G="012")
    play(free, "@N>S")
    assert answer(GREEDY, free, 1, "G>J(1)") != ["kept-word"]


def test_offers_name_what_is_in_them() -> None:
    s = a_table()
    assert offer(GREEDY, s, 0, "G>J(1)", "give 0 1 2") == ["pays", "1", "2"]
    assert offer(GREEDY, s, 0, "G>J(1)", "give 0 1 3", refused=[["G>J(1)", "give 0 1 2"]]) == ["raises", "1", "1"]
    assert offer(GREEDY, s, 0, "G>J(1)", "give 0 1 3", refused=[["G>L(1)", "give 0 1 2"]]) == ["pays", "1", "3"]
    assert offer(GREEDY, s, 0, "G>J(1)", "promise 0 1 support") == ["supports", "1"]
    assert offer(GREEDY, s, 1, "G>J(1)", "give 0 1 3") == ["price", "3"]
    assert offer(GREEDY, s, 0, "G>J(1)") == ["earns", "1"]
    s.hands[3, 0] += s.ones
    s.ones = 0
    assert offer(GREEDY, s, 0, "G>J(1)") != ["earns", "1"], "no ones are left"
    countered = Said("counter", 1, ["G>J(1)", "give 0 1 2"], [["G>J(1)"]])
    assert speech.speak(GREEDY, GAME, s, 1, countered) == ["wants-more", "2"]
    countered = Said("counter", 1, ["G>J(1)", "promise 0 1 support"], [["G>J(1)"]])
    assert speech.speak(GREEDY, GAME, s, 1, countered) == ["counter"]


def positions(bot: Any, seats: int, games: int, seed: int = 5, **options: str) -> Any:
    """States of games between such bots in which the active seat is to act."""
    for game in range(games):
        rng = generator(seed + game)
        s = GAME.new(seats, options)
        while GAME.rules.turn(s) != OVER:
            if GAME.rules.turn(s) == CHANCE:
                GAME.rules.apply(s, GAME.rules.draw(s, rng))
            elif not DESK.open(s):
                GAME.rules.apply(s, haggling.act(bot, GAME, s, rng))
            else:
                yield s
                moves = [haggling.act(bot, GAME, s, rng)]
                if terms := haggling.offer(bot, GAME, s, GAME.rules.turn(s), [], rng):
                    with contextlib.suppress(CannotPay):
                        moves = DESK.deal(s, terms)[0]
                for move in moves:
                    GAME.rules.apply(s, move)


def consents(s: Any) -> list[list[str]]:
    """Actions with the consent of one other seat."""
    found = [GAME.notation.text(s, move) for move in GAME.legal_moves(s) if GAME.play.talks(s, move)]
    return [[text] for text in found if text.endswith(")") and len(DESK.deal(s, [text])[1]) == 2]


@pytest.mark.parametrize("name", ["greedy", "learned", "tiro"])
def test_whatever_is_said_in_whole_games_is_true(name: str) -> None:
    """Each line, judged by its own definition."""
    bot, said = make_bot(name), set()
    for s in positions(bot, 4, 1 if name == "tiro" else 3):
        active = GAME.rules.turn(s)
        for terms in consents(s):
            (seat,) = {*DESK.deal(s, terms)[1]} - {active}
            for more in ([], [f"promise {active} {seat} support"]):
                offered = [*terms, *more]
                yes = haggling.answer(bot, GAME, s, seat, active, offered, generator(1))
                key, *parameters = answer(bot, s, seat, *offered, by=active)
                said.add(key)
                assert len(parameters) == len(speech.LINES[key])
                known = supposed(s, seat)

                def accepts(*others: str, known: Any = known, seat: int = seat, active: int = active) -> bool:
                    return haggling.answer(bot, GAME, known, seat, active, others, generator(1))

                match key:
                    case "too-little":
                        assert not yes and accepts(*offered, f"give {active} {seat} {parameters[0]}")
                    case "leads":
                        assert not yes
                        assert max(range(4), key=lambda one: standing(known, one)) == active == int(parameters[0])
                    case "promised":
                        assert yes and more and not accepts(*terms)
                    case "kept-word":
                        assert yes and DESK.refusal(s, offered, seat)
                    case "helps-me":
                        gain = haggling.Scales(bot, GAME, s, seat, offered).gain(seat, offered)
                        assert yes and gain >= haggling.MIN_GAIN
                    case "earned" | "favour":
                        assert yes and bool(ones_won(s, by_text()[terms[0]], seat)) == (key == "earned")
                    case "helps-more":
                        scales = haggling.Scales(bot, GAME, s, seat, offered)
                        assert not yes and scales.gain(active, offered) > scales.gain(seat, offered)
                    case _:
                        assert key == ("yes" if yes else "no")
        if terms_ := haggling.offer(bot, GAME, s, active, [], generator(2)):
            key, *parameters = offer(bot, s, active, *terms_)
            said.add(key)
            if key == "pays":
                other, value = map(int, parameters)
                assert speech.net_gives(terms_, other) == value > 0 > speech.net_gives(terms_, active)
            elif key == "earns":
                assert ones_won(s, by_text()[terms_[0]], int(parameters[0])) > 0
    assert {"too-little", "earns"} & said and len(said) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_has_words(language: str) -> None:
    file = Path(__file__).parents[3] / "src" / "rostra" / "words" / language / "quovadis.json"
    words = json.loads(file.read_text(encoding="utf-8"))
    found = {
        key.removeprefix("line_").replace("_", "-"): text for key, text in words.items() if key.startswith("line_")
    }
    assert found.keys() == speech.LINES.keys()
    for key, text in found.items():
        assert {name for name in ("name", "n") if "{" + name + "}" in text} == {*speech.LINES[key]}
