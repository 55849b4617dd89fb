"""The games in the form of Kaggle's environments: a specification, an interpreter, a renderer, and agents.

`kaggle_environments.register("rostra_quovadis", environment("quovadis"))`, then `make("rostra_quovadis")`. The active
agent's observation has the prompt; its action is `{"submission": text}` or the text, an answer as everywhere
(`prompts`). Nothing here imports Kaggle's package.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from rostra.agents import prompts
from rostra.agents.harness import ILLEGAL, UNPARSABLE, Agent, random_words
from rostra.engine.game import Game, RostraError
from rostra.games import find_game
from rostra.play.match import Match

VERSION = "1.0.0"
STEPS = 5000


def environment(game: str) -> dict[str, Any]:
    """What `kaggle_environments.register` takes."""
    return {
        "specification": specification(game),
        "interpreter": interpreter(game),
        "renderer": renderer,
        "html_renderer": lambda: "",
        "agents": {"random": kaggle_agent(random_words())},
    }


def specification(game: str) -> dict[str, Any]:
    """The game as Kaggle describes environments."""
    found = find_game(game)
    fewest, most = found.rules.seats
    options = {one.name: {"description": one.help, "type": "string", "enum": [*one.values], "default": one.values[0]}
               for one in found.rules.options}  # fmt: skip
    return {
        "name": f"rostra_{found.name}",
        "title": found.title,
        "description": prompts.rules(found),
        "version": VERSION,
        "agents": [*range(fewest, most + 1)],
        "configuration": {
            "episodeSteps": {"description": "Most answers in a match.", "type": "integer", "default": STEPS},
            "seed": {"description": "The seed of the dice.", "type": "integer", "default": 0},
            **options,
        },
        "reward": {"description": "Points at the end.", "type": "number", "default": None},
        "observation": {
            "prompt": {"description": "What the active agent is asked.", "type": "string", "default": ""},
            "problem": {"description": "Why the last answer was refused.", "type": "string", "default": ""},
        },
        "action": {"description": "An answer, or {submission: answer}.", "type": ["string", "object"], "default": ""},
    }


def interpreter(game: str) -> Callable[[Any, Any], Any]:
    """The function(state, env) that carries a match on, step by step. Everything is kept in the state, as its moves."""
    found = find_game(game)

    def interpret(state: Any, env: Any) -> Any:
        if env.done or "rostra" not in state[0].info:
            state[0].info["rostra"] = {"moves": [], "said": [], "unparsable": 0, "illegal": 0, "substituted": []}
            return _tell(state, _match(found, state, env))
        kept, match = state[0].info["rostra"], _match(found, state, env)
        seat = match.turn
        assert seat is not None  # chance is the seed's
        answer = prompts.understood(_text(state[seat].action))
        if answer.say:
            kept["said"].append([len(match.events), seat, answer.say])
        moves, problem, kind = answer.moves, answer.problem, "unparsable"
        if moves:
            try:
                prompts.attempt(match, seat, moves)
            except RostraError as error:
                problem, kind = str(error).partition("; legal:")[0], "illegal"
        if problem:
            kept[kind] += 1
            if kept["unparsable"] > UNPARSABLE or kept["illegal"] > ILLEGAL:
                moves, problem = match.legal()[:1], ""
                kept["substituted"].append(seat)
        if moves and not problem:
            before = len(match.log)
            match = prompts.attempt(match, seat, moves)
            kept["moves"] += [ply.move for ply in match.log[before:] if ply.seat is not None]
            kept["unparsable"] = kept["illegal"] = 0
        return _tell(state, match, legal=answer.asks, problem=problem)

    return interpret


def _match(game: Game, state: Any, env: Any) -> Match:
    """The match as its moves so far have left it."""
    options = {one.name: env.configuration[one.name] for one in game.rules.options}
    match = Match(game, len(state), options, int(env.configuration["seed"]))
    for move in state[0].info["rostra"]["moves"]:
        match.play(move)
    return match


def _tell(state: Any, match: Match, *, legal: bool = False, problem: str = "") -> Any:
    """Tell the active agent what to decide, or everybody the result."""
    result, said = match.result(), [(number, by, text) for number, by, text in state[0].info["rostra"]["said"]]
    for seat, agent in enumerate(state):
        agent.observation.prompt = agent.observation.problem = ""
        agent.status = "ACTIVE" if seat == match.turn else "INACTIVE"
        if result is not None:
            agent.status, agent.reward = "DONE", result.points[seat]
        elif seat == match.turn:
            agent.observation.prompt = prompts.prompt(match, seat, said, legal=legal, problem=problem)
            agent.observation.problem = problem
    return state


def _text(action: Any) -> str:
    if isinstance(action, Mapping):
        action = action.get("submission", "")
    return action if isinstance(action, str) else json.dumps(action)


def kaggle_agent(agent: Agent) -> Callable[[Any, Any], dict[str, str]]:
    """An agent in words as Kaggle calls agents: agent(observation, configuration)."""

    def play(observation: Any, configuration: Any = None) -> dict[str, str]:
        asked = observation["prompt"]
        return {"submission": agent(asked) if asked else ""}

    return play


def renderer(state: Any, env: Any) -> str:
    """The newest moves, as text."""
    moves = state[0].info["rostra"]["moves"]
    return f"{len(moves)} moves: {' '.join(moves[-20:])}\n"
