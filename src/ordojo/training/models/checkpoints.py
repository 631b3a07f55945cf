"""Checkpoints sealed by a hash, and a run's figures by step in a CSV file and TensorBoard."""

import csv
import hashlib
import io
import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.outputs import write_file

METRICS = "metrics.csv"


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
        write_file(self.path, file.getvalue())

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


SEAL = "sealed.json"
"""Written last: the size and SHA-256 of every file of the checkpoint."""

CONFIG = "config.json"


def seal(checkpoint: Path) -> None:
    """Mark a checkpoint as whole; one without the mark was cut off while it was written."""
    files = {
        str(path.relative_to(checkpoint)): [path.stat().st_size, _sha256(path)]
        for path in sorted(checkpoint.rglob("*"))
        if path.is_file() and path.name != SEAL
    }
    write_file(checkpoint / SEAL, json.dumps(files, indent=1) + "\n")


def latest(folder: Path, say: Callable[[str], None]) -> Path | None:
    """The newest sound checkpoint of a run, None if there is none.

    Those that a kill has cut off are removed; a damaged one is left out, and `say` is told.
    """
    for path in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        if not (path / SEAL).is_file():
            shutil.rmtree(path, ignore_errors=True)
            continue
        wrong = _damage(path)
        if not wrong:
            return path
        say(
            f"the checkpoint {path} is damaged ({wrong} is not as it was written); the one before "
            "it is taken"
        )
    return None


def sealed(folder: Path) -> Path | None:
    """The newest whole checkpoint of a run, None if there is none; nothing is read or removed."""
    whole = (path for path in folder.glob("checkpoint-*") if (path / SEAL).is_file())
    return max(whole, key=_step, default=None)


def begin(out: Path, config: Mapping[str, Json], draft: bool = False) -> None:
    """Make the run's folder, or make sure that it is this run's.

    A `draft` of the settings, without what the data come to, is compared and not kept. Raises
    UsageError where it holds a run with other settings, DataError where it cannot be made.
    """
    path = out / CONFIG
    try:
        (out / "checkpoints").mkdir(parents=True, exist_ok=True)
        if not path.exists():
            if not draft:
                write_file(path, json.dumps(config, indent=2) + "\n")
            return
        found: dict[str, Any] = parse_json(read_text(path))
    except OSError as error:
        raise DataError(
            f"{out} cannot hold a run ({error.strerror}); name another folder"
        ) from None
    except ValueError:
        raise DataError(f"{path} is damaged; name another folder for the run") from None
    wanted = json.loads(json.dumps(config))
    other = [name for name in wanted if found.get(name) != wanted[name]]
    if other:
        name = other[0]
        raise UsageError(
            f"{out} holds a run with {name}={found.get(name)!r}, and {name}={wanted[name]!r} is "
            "asked for; name another folder, or the same settings to go on"
        )


def _step(path: Path) -> int:
    tail = path.name.rpartition("-")[2]
    return int(tail) if tail.isdigit() else -1


def _damage(checkpoint: Path) -> str:
    """The name of a file that is missing or changed, "" if all is well."""
    try:
        files = parse_json(read_text(checkpoint / SEAL))
        for name, (size, digest) in files.items():
            path = checkpoint / name
            if not path.is_file() or path.stat().st_size != size or _sha256(path) != digest:
                return str(name)
    except (OSError, ValueError, TypeError, AttributeError):
        return SEAL
    return ""


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
