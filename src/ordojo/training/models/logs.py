"""A run's figures, step by step: one CSV file, and TensorBoard where it is wanted."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.files import read_text

METRICS = "metrics.csv"


def write_whole(path: Path, text: str) -> None:
    """Write a file of which a kill leaves the old text or the new, never a part."""
    draft = path.with_name(f"{path.name}.part")
    draft.write_text(text, "utf-8")
    draft.replace(path)


class MetricsLog:
    """Appends a row a step; after a resume the rows past the checkpoint are taken out.

    Columns are fixed; figures that a step has not are left empty. `kept` is the row of the
    checkpoint, from which totals go on.
    """

    def __init__(
        self, out: Path, columns: Sequence[str], tensorboard: bool = False, name: str = METRICS
    ) -> None:
        self.path = out / name
        self.kept: dict[str, float] = {}
        self._columns = ["step", *columns]
        self._writer: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(out / "tensorboard"))

    def rewind(self, step: int) -> None:
        """Keep the rows up to `step`."""
        rows = [row for row in read_metrics(self.path) if row["step"] <= step]
        self.kept = rows[-1] if rows else {}
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self._columns)
        for row in rows:
            writer.writerow([_spell(row.get(name)) for name in self._columns])
        write_whole(self.path, file.getvalue())

    def add(self, step: int, figures: Mapping[str, Any]) -> None:
        """Write the figures of `step`."""
        row = {"step": step, **figures}
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([_spell(row.get(name)) for name in self._columns])
        if self._writer is not None:
            for name in self._columns[1:]:
                if isinstance(row.get(name), int | float):
                    self._writer.add_scalar(name, row[name], step)
            self._writer.flush()

    def close(self) -> None:
        """Close the files."""
        if self._writer is not None:
            self._writer.close()


def read_metrics(path: Path) -> list[dict[str, float]]:
    """The rows of a metrics file, empty cells left out; none where there is no file.

    Raises OSError and ValueError.
    """
    if not path.is_file():
        return []
    try:
        return [
            {name: float(cell) for name, cell in row.items() if name and cell}
            for row in csv.DictReader(read_text(path).splitlines())
            if row.get("step")
        ]
    except csv.Error as error:
        raise ValueError(f"{path.name}: {error}") from None


def _spell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
