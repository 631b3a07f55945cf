"""Files of trajectories: a header with their origin, then one trajectory a line.

Safe to kill at any moment: a kill leaves at most one torn line, which is cut off on opening. The
same command goes on where it was stopped, and ends in the same bytes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

from ordojo.core.errors import DataError, OrdojoError
from ordojo.core.journal import Journal, line, numbered_rows
from ordojo.core.judge import Outcome, Verdict
from ordojo.core.records import Item, RunHeader, Usage
from ordojo.core.trajectory import SCHEMA, Trajectory

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

    def __init__(self, path: Path, provenance: RunHeader) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"cannot make the folder of {path}: {error.strerror}") from None
        super().__init__(path, sync=False)
        try:
            if not self.rows:
                self.append({HEADER: asdict(provenance)})
            else:
                _require_same(path, _provenance(path, self.rows[0]), provenance)
            self.done = _keys(path, self.rows[1:])
        except BaseException:
            self.close()
            raise

    def add(self, keys: Iterable[Item], lines: bytes) -> None:
        """Store the lines of the trajectories with these keys, all or none."""
        self.write(lines)
        self.done.update(keys)


def read_provenance(path: Path) -> RunHeader:
    """The header of a file; raises DataError where it is no file of trajectories."""
    for _, row in numbered_rows(path, partial(_damaged, path)):
        return _provenance(path, row)
    raise DataError(f"{path} has no header; it is no file of trajectories, or nothing was stored")


def read_trajectories(path: Path) -> Iterator[Trajectory]:
    """The trajectories of a file, one after the other, a torn last line left out.

    Raises DataError, naming the line, where the file is damaged or has a trajectory twice.
    """
    provenance = read_provenance(path)
    seen: set[Item] = set()
    for number, row in numbered_rows(path, partial(_damaged, path)):
        if number == 1:
            continue
        try:
            if provenance.schema == 1:
                row = _of_first(row)
            found = Trajectory.from_json(row, provenance=provenance)
        except (KeyError, TypeError, ValueError, AttributeError, OrdojoError):
            raise _damaged(path, number) from None
        if found.item in seen:
            raise DataError(
                f"{path}:{number} holds sample {found.epoch} of {found.id} a second time; "
                "delete that line"
            )
        seen.add(found.item)
        yield found


def _provenance(path: Path, row: Mapping[str, Any]) -> RunHeader:
    fields = row.get(HEADER)
    if not isinstance(fields, dict) or "schema" not in fields:
        raise DataError(f"{path} is no file of trajectories: its first line is not their header")
    if fields["schema"] not in (1, SCHEMA):
        raise DataError(
            f"{path} was written by another version of ordojo (rows of version "
            f"{fields['schema']}, this one reads {SCHEMA}); use that version, or roll out anew"
        )
    try:
        if fields["schema"] == 1:
            fields = _named(fields, policy="model", samples="epochs", sampling="generation")
            fields["software"] = {"ordojo": fields.pop("ordojo")}
            del fields["options_digest"]
            fields |= {"limit": None, "items": 0}  # which were not kept
        return RunHeader.from_json(fields)
    except (KeyError, TypeError, ValueError):
        raise _damaged(path, 1) from None


def _of_first(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the first version as it is today: of other rules than the headline's it has only
    the scores.
    """
    named = _named(row, instance="id", sample="epoch")
    named["turns"] = [_named(turn, completion="reply") for turn in row["turns"]]
    headline = dict(named.pop("verdict"))
    verdicts = {}
    for rule, score in named.pop("scores").items():
        outcome = cast(Outcome, {None: "unscored", 0: "wrong", 1: "correct"}.get(score, "partial"))
        verdicts[rule] = Verdict(rule, outcome, score).to_json()
    verdicts[headline.pop("rule")] = headline
    more = {"cluster": named["id"], "usage": asdict(Usage()), "seconds": 0.0, "error": ""}
    return {**named, **more, "verdicts": verdicts}


def _named(row: Mapping[str, Any], **names: str) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in row.items()}


_SAID = {"model": "policy", "generation": "sampling", "epochs": "number of samples"}


def _require_same(path: Path, found: RunHeader, wanted: RunHeader) -> None:
    # Through JSON, so that tuples and lists are alike.
    ours, theirs = json.loads(line(asdict(wanted))), asdict(found)
    other = [name for name, value in ours.items() if theirs.get(name) != value]
    if other:
        said = _SAID.get(other[0], other[0].replace("_", " "))
        raise DataError(
            f"{path} holds a rollout with another {said}; give another file, or move that one away"
        )


def _keys(path: Path, rows: list[dict[str, Any]]) -> set[Item]:
    found: set[Item] = set()
    for number, row in enumerate(rows, 2):
        try:
            key = str(row["id"]), int(row["epoch"])
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
