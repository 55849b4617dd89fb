"""Learning by self-play: it learns, repeats itself bit for bit, and goes on where it was stopped."""

from pathlib import Path

import numpy as np
import pytest

from conftest import walk
from rostra.bots import learned, make_bot
from rostra.cli import main
from rostra.engine.game import BadOption, Game
from rostra.engine.net import n_weights
from rostra.engine.rng import generator
from rostra.games import GAMES, find_game
from rostra.games.alea import ALEA
from rostra.study import train
from rostra.study.train import Training


@pytest.mark.slow
def test_it_learns_repeats_itself_and_can_be_stopped(tmp_path: Path) -> None:
    alea = find_game("alea")
    whole = Training.new(alea, 2, 300, 5)
    before = whole.strength(20)
    for _ in whole.run():
        pass
    parts = Training.new(alea, 2, 300, 5)
    next(parts.run())
    parts.save(tmp_path / "training.npz")
    parts = Training.load(tmp_path / "training.npz", alea)
    assert parts.played == 100
    for _ in parts.run():
        pass
    for name in ("net", "mean", "square", "average"):
        assert (getattr(parts, name) == getattr(whole, name)).all(), name
    after = whole.strength(20)
    assert after.mean > before.mean + 0.1
    whole.export(tmp_path / "weights.npz", after)
    with np.load(tmp_path / "weights.npz") as file:
        assert len(file["net"]) == len(whole.net)
        assert np.abs(file["net"].astype(np.float32)[-50:] - whole.average[-50:]).max() < 1e-2
        assert "command: rostra train alea --seats 2 --games 300 --seed 5" in file["about"].tolist()
    with pytest.raises(BadOption, match="not a training of this Quo Vadis"):
        Training.load(tmp_path / "training.npz", find_game("quovadis"))


@pytest.mark.slow
def test_the_command_goes_on_where_it_was_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "alea", "--seats", "2", "--games", "100", "--out", str(tmp_path / "one.npz")]
    assert main([*command, "--weights", str(tmp_path / "weights.npz")]) == 0
    assert "100 games" in capsys.readouterr().out
    assert main(command) == 0
    assert "going on after 100 games" in capsys.readouterr().out
    assert main([*command, "--seed", "9"]) == 2
    assert "holds another training (--seats 2 --games 100 --seed 3)" in capsys.readouterr().err


def test_bad_settings_are_refused() -> None:
    with pytest.raises(BadOption, match="at least 1"):
        Training.new(find_game("alea"), 2, 0, 1)
    with pytest.raises(BadOption, match="2 to 5 players"):
        Training.new(find_game("alea"), 6, 10, 1)


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.mind], ids=lambda game: game.name)
def test_the_shipped_weights_fit_and_are_small(game: Game) -> None:
    folder = Path(learned.__file__).parent / "weights"
    for n_seats in range(game.rules.seats[0], game.rules.seats[1] + 1):
        net = learned.weights(game, n_seats)
        assert game.mind is not None
        assert len(net) == n_weights(game.mind.n_inputs) and np.isfinite(net).all() and net.any()
        with np.load(folder / f"{game.name}-{n_seats}.npz") as file:
            assert f"inputs: {train.digest_of_inputs(game, n_seats)}" in file["about"].tolist()
    assert sum(file.stat().st_size for file in folder.glob("*.npz")) < 1_000_000


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.mind], ids=lambda game: game.name)
def test_the_chunk_fits_the_step(game: Game) -> None:
    assert game.mind is not None
    assert train.CHUNK % game.mind.schedule.together == 0  # else a stopped training would go on differently


def test_a_trained_net_can_be_used(tmp_path: Path) -> None:
    """D6: what `rostra train --weights FILE` writes, `learned:FILE` plays."""
    training = Training.new(ALEA, 2, 20, 1)
    for _ in training.run():
        pass
    file = tmp_path / "own.npz"
    training.export(file, training.strength(2))
    own = make_bot(f"learned:{file}")
    s = next(s for s, move in walk(ALEA, 2, 3) if ALEA.rules.turn(s) >= 0 and len(ALEA.legal_moves(s)) > 20)
    values = learned.weigh(ALEA, s, "", str(file)).values
    assert not np.array_equal(values, learned.weigh(ALEA, s).values)
    assert own.choose(ALEA, s, generator(1)) in ALEA.legal_moves(s)
    with pytest.raises(BadOption, match="names a file, which is not possible here"):
        make_bot(f"learned:{file}", files=False)
    with pytest.raises(BadOption, match="there is no file"):
        make_bot("learned:nowhere.npz").choose(ALEA, s, generator(1))
    file.write_bytes(b"no weights")
    with pytest.raises(BadOption, match="does not hold the weights"):
        own.choose(ALEA, s, generator(1))
