"""Files of trajectories: a header with their origin, then one trajectory a line.

Safe to kill at any moment: a kill leaves at most one torn line, which is cut off on opening. The
same command goes on where it was stopped, and ends in the same bytes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.core.journal import Journal, line, numbered_rows
from ordojo.core.trajectory import SCHEMA, Key, Provenance, Trajectory

HEADER = "trajectories"
"""The one key of the header line, whose value is the provenance."""


def encode(trajectories: Iterable[Trajectory]) -> bytes:
    """Trajectories as the lines of a file."""
    return b"".join(line(one.to_json()) for one in trajectories)


class TrajectoryFile(Journal):
    """The one writer of a file; `done` are the keys that it holds. Use as a context manager.

    Raises DataError where the file belongs to another rollout, is in use, is damaged, or cannot
    be written; what was stored before is never lost.
    """

    def __init__(self, path: Path, provenance: Provenance) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"cannot make the folder of {path}: {error.strerror}") from None
        super().__init__(path, sync=False)
        try:
            if not self.rows:
                self.append({HEADER: provenance.to_json()})
            else:
                _require_same(path, _provenance(path, self.rows[0]), provenance)
            self.done = _keys(path, self.rows[1:])
        except BaseException:
            self.close()
            raise

    def add(self, keys: Iterable[Key], lines: bytes) -> None:
        """Store the lines of the trajectories with these keys, all or none."""
        self.write(lines)
        self.done.update(keys)


def read_provenance(path: Path) -> Provenance:
    """The header of a file; raises DataError where it is no file of trajectories."""
    for _, row in numbered_rows(path, partial(_damaged, path)):
        return _provenance(path, row)
    raise DataError(f"{path} has no header; it is no file of trajectories, or nothing was stored")


def read_trajectories(path: Path) -> Iterator[Trajectory]:
    """The trajectories of a file, one after the other, a torn last line left out.

    Raises DataError, naming the line, where the file is damaged or has a trajectory twice.
    """
    provenance = read_provenance(path)
    seen: set[Key] = set()
    for number, row in numbered_rows(path, partial(_damaged, path)):
        if number == 1:
            continue
        try:
            found = Trajectory.from_json(row, provenance)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _damaged(path, number) from None
        if found.key in seen:
            raise DataError(
                f"{path}:{number} holds sample {found.sample} of {found.instance} a second time; "
                "delete that line"
            )
        seen.add(found.key)
        yield found


def _provenance(path: Path, row: Mapping[str, Any]) -> Provenance:
    fields = row.get(HEADER)
    if not isinstance(fields, dict) or "schema" not in fields:
        raise DataError(f"{path} is no file of trajectories: its first line is not their header")
    if fields["schema"] != SCHEMA:
        raise DataError(
            f"{path} was written by another version of ordojo (rows of version "
            f"{fields['schema']}, this one reads {SCHEMA}); use that version, or roll out anew"
        )
    try:
        return Provenance.from_json(fields)
    except TypeError:
        raise _damaged(path, 1) from None


def _require_same(path: Path, found: Provenance, wanted: Provenance) -> None:
    # Through JSON, so that tuples and lists are alike.
    ours = json.loads(line(wanted.to_json()))
    theirs = found.to_json()
    other = [name for name, value in ours.items() if theirs.get(name) != value]
    if other:
        raise DataError(
            f"{path} holds a rollout with another {other[0].replace('_', ' ')}; "
            "give another file, or move that one away"
        )


def _keys(path: Path, rows: list[dict[str, Any]]) -> set[Key]:
    found: set[Key] = set()
    for number, row in enumerate(rows, 2):
        try:
            key = str(row["instance"]), int(row["sample"])
        except (KeyError, TypeError, ValueError):
            raise _damaged(path, number) from None
        if key in found:
            raise DataError(f"{path}:{number} is there a second time; delete that line")
        found.add(key)
    return found


def _damaged(path: Path, number: int) -> DataError:
    return DataError(
        f"{path}:{number} is not a trajectory: the file is damaged; restore it from a copy, or "
        "delete that line and roll out again, which plays it anew"
    )
