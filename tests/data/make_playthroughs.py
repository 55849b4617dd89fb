"""Write OpenSpiel's playthrough files: `python tests/data/make_playthroughs.py`. Look at the diff before you commit."""

from pathlib import Path

from open_spiel.python.algorithms import generate_playthrough

import rostra.adapters.openspiel_game  # noqa: F401  # registers the games

GAMES = ("python_rostra_alea(players=2)", "python_rostra_quovadis(players=3,stall_rounds=2)")

if __name__ == "__main__":
    folder = Path(__file__).parent / "playthroughs"
    folder.mkdir(exist_ok=True)
    for game in GAMES:
        name = game.partition("(")[0].removeprefix("python_rostra_")
        text = generate_playthrough.playthrough(game, action_sequence=None, seed=1)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        print(name, len(text))
