"""How long a game of Quo Vadis? can be, for programs that must know in advance."""

from collections.abc import Mapping

from rostra.engine.game import BadOption
from rostra.games.quovadis.tables import MAX_BARGAINS


def longest(n: int, options: Mapping[str, str]) -> tuple[int, int]:
    """The most decisions and the most chance events of a game of Quo Vadis?, or of an election."""
    rounds = int(options["stall_rounds"])
    if not rounds:
        raise BadOption("stall_rounds is 1 to 99 where a game must end, not 0")
    steps = 8 * n * 5  # a senator enters and makes four steps at most; between two steps the game may stall
    turns = (steps + 1) * rounds * n
    draft = 11 + n - 1  # deal, action, four gives, then, one, two promises, ask; answers
    hearings = 2 + MAX_BARGAINS  # before the action, while Caesar is to be placed, after every bargain
    in_turn = 3 * draft + hearings * (1 + (n - 1) * draft) + 2  # three drafts of the active seat; action, Caesar
    demands = 3 * n if options["open_hands"] == "on" else 0  # every seat after each of three arrivals
    games = 3 if options["consul_election"] == "on" else 1
    return games * (turns * in_turn + demands + 8 * n), 1 + games * 44
