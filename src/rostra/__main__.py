"""`python -m rostra` is the command `rostra`."""

import sys

from rostra.cli import main

sys.exit(main())
