"""`rostra` with a third game that has no board of its own, as a server process for the browser tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from pig import PIG
from rostra.cli import main
from rostra.games import GAMES

GAMES[PIG.name] = PIG

if __name__ == "__main__":
    sys.exit(main())
