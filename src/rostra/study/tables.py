"""Results as columns: a dict of arrays, which other libraries take as it is."""

import csv
import importlib
from pathlib import Path
from typing import Any

from rostra.engine.game import BadOption
from rostra.engine.jit import Array
from rostra.extras import MissingExtra, need

ENDINGS = (".csv", ".parquet", ".arrow")
"""The endings of files that a table is written to."""


class Table(dict[str, Array]):
    """Columns by name, all of the same length: a plain dict of NumPy arrays.

    >>> import rostra
    >>> table = rostra.simulate("alea", ["greedy", "random"], games=100).table()
    >>> int(table["winner"][table["bot"] == "greedy"].sum()) > 90
    True
    """

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), ()))

    def to_pandas(self) -> Any:
        """A pandas DataFrame, if pandas is installed."""
        try:
            return importlib.import_module("pandas").DataFrame(dict(self))
        except ImportError as error:
            raise MissingExtra("pandas is not installed; install it with: pip install pandas") from error

    def to_polars(self) -> Any:
        """A polars DataFrame (extra `tables`)."""
        need("tables", "polars")
        return importlib.import_module("polars").DataFrame(dict(self))

    def save(self, file: str | Path) -> None:
        """Write to a .csv, or with the extra `tables` to a .parquet or .arrow file."""
        path = check_file(file)
        if path.suffix == ".parquet":
            self.to_polars().write_parquet(path)
        elif path.suffix == ".arrow":
            self.to_polars().write_ipc(path)
        else:
            with path.open("w", newline="", encoding="utf-8") as opened:
                writer = csv.writer(opened, lineterminator="\n")
                writer.writerow(self)
                writer.writerows(zip(*(column.tolist() for column in self.values()), strict=True))


def check_file(file: str | Path) -> Path:
    """Refuse a file that no table can be written to; to be called before hours of play."""
    path = Path(file)
    if path.suffix not in ENDINGS:
        raise BadOption(f"a table is written to a file that ends in {', '.join(ENDINGS)}, not {path.name!r}")
    if path.suffix != ".csv":
        need("tables", f"what writes {path.suffix}")
    if not path.absolute().parent.is_dir():
        raise BadOption(f"there is no folder {path.absolute().parent}")
    return path
