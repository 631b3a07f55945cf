"""Run directories: one header, one appended line a sample, safe to kill at any moment.

    RUNS/orqa--ordojo-smollm2--3f9a61c20b/
        run.json          what was run, in full
        samples.jsonl     one finished sample a line, in the order in which they finished
        errors.jsonl      one failed attempt a line; the next start asks these again
        inspect/          the logs of `inspect view`

The name is derived from the configuration, so the same command finds its own directory again and
asks only what is missing. Both files of lines are journals (`core.journal`): a kill leaves at
most one torn line at the end, which is cut off on opening.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self, TypeVar

from ordojo.core.canonical import digest
from ordojo.core.errors import OrdojoError, RunError
from ordojo.core.files import parse_json, read_text
from ordojo.core.journal import Journal, Row, line, read_rows
from ordojo.core.outputs import whole_file, write_file
from ordojo.core.progress import counted
from ordojo.core.records import (
    BROKEN,
    MISSING,
    SCHEMA,
    Item,
    RunHeader,
    RunView,
    SampleRecord,
)

_NOT_IDENTITY = ("created", "software", "items", "libraries")
"""Header fields that may differ between two starts of one run, or name no other directory: other
libraries are refused in words of their own."""

_LATER = ("sample",)
"""Header fields that older runs lack: without a value they tell nothing apart."""

T = TypeVar("T")
R = TypeVar("R")


def run_name(header: RunHeader) -> str:
    """The directory name of a run: benchmark, model and a digest of the configuration."""
    model = re.sub(r"[^A-Za-z0-9.]+", "-", header.model.partition("?")[0]).strip("-")
    return f"{header.benchmark}--{model[:60]}--{digest(_identity(asdict(header)))[:10]}"


def _identity(header: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in header.items()
        if key not in _NOT_IDENTITY and not (key in _LATER and value is None)
    }


class RunStore:
    """The writer of one run directory; use as a context manager.

    Raises RunError where the directory belongs to another configuration or version, is in use by
    another process, is damaged, or cannot be written; finished samples are never lost.
    """

    def __init__(self, path: Path, header: RunHeader) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"cannot write the run directory {path}: {error.strerror}") from None
        self._samples = Journal(path / "samples.jsonl", sync=False, error=RunError)
        try:
            self.header = _claim(path, header)
            self._errors = Journal(path / "errors.jsonl", sync=False, error=RunError)
        except RunError:
            self._samples.close()
            raise
        finished = _records(self._samples.path, self._samples.rows)
        self._order = {record.item: None for record in finished}
        self._samples.rows.clear()  # a hundred thousand take a gigabyte, and the file has them

    @property
    def done(self) -> KeysView[Item]:
        """The finished items, in the file's order."""
        return self._order.keys()

    def add(self, record: SampleRecord) -> None:
        """Append a finished sample; a second one of the same item is refused."""
        if record.item in self.done:
            raise RunError(f"{self.path}: sample {record.item} was answered twice")
        self._samples.write(line(record.to_json()))
        self._order[record.item] = None

    def fail(self, record: SampleRecord) -> None:
        """Append a failed attempt, to be asked again at the next start."""
        self._errors.write(line(record.to_json()))

    def keep(self, record: SampleRecord) -> None:
        """Append a sample, finished or failed."""
        (self.fail if record.error else self.add)(record)

    def sort(self, items: Sequence[Item]) -> None:
        """Put the samples in the order of the items, once all are there: whoever asked, and where.

        Nothing can be added afterwards.
        """
        file, place = self.path / "samples.jsonl", {item: at for at, item in enumerate(items)}
        ordered = sorted(self._order, key=lambda item: place.get(item, 0))
        if self.done != place.keys() or ordered == list(self._order):
            return
        lines = {(row["id"], row["epoch"]): row for row in read_rows(file, RunError)}
        with whole_file(file, sync=True, error=RunError) as draft, draft.open("wb") as out:
            out.writelines(line(lines[item]) for item in ordered)

    def view(self) -> RunView:
        """The run as reports see it, read back from disk."""
        return read_run(self.path)

    def close(self) -> None:
        """Release the directory; may be called twice."""
        self._samples.close()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _claim(path: Path, header: RunHeader) -> RunHeader:
    """Write the header of a new run, or check that an existing one is this run's."""
    file = path / "run.json"
    if not file.exists():
        write_file(file, json.dumps(asdict(header), indent=2) + "\n", error=RunError)
        return header
    found = _read_header(file)
    if _identity(asdict(found)) != _identity(json.loads(json.dumps(asdict(header)))):
        raise RunError(
            f"{path} holds a run with other settings; give another folder of `runs` or move it away"
        )
    if others := _differing(found.libraries, header.libraries):
        raise RunError(
            f"{path} was made with other libraries: {others}; "
            "give another folder of `runs`, or install the versions of that run"
        )
    return found


def _differing(then: Mapping[str, str], now: Mapping[str, str]) -> str:
    """The libraries whose versions are not the same, with both."""

    def plain(version: str | None) -> str:
        """As runs from before BROKEN have it."""
        return (version or "").replace(BROKEN, MISSING, 1)

    return ", ".join(
        f"{name} {then.get(name, 'unknown')} then, {now.get(name, 'unknown')} now"
        for name in dict.fromkeys((*then, *now))
        if plain(then.get(name)) != plain(now.get(name))
    )


def _read_header(file: Path) -> RunHeader:
    try:
        fields = parse_json(read_text(file))
        schema = fields["schema"]
    except (OSError, ValueError, KeyError, TypeError):
        raise RunError(f"{file} is not the header of an ordojo run, or is damaged") from None
    if schema != SCHEMA:
        raise RunError(
            f"{file.parent} was written by another version of ordojo (files of version {schema}, "
            f"this one reads {SCHEMA}); use that version, or move the directory away"
        )
    try:
        return RunHeader.from_json(fields)
    except (TypeError, ValueError) as error:
        raise RunError(f"{file} is no run header, it is damaged: {error}") from None


def _records(file: Path, rows: Iterable[Row]) -> Iterator[SampleRecord]:
    for number, row in enumerate(rows, 1):
        try:
            yield SampleRecord.from_json(row)
        except (ValueError, OrdojoError) as error:
            raise RunError(
                f"{file}:{number} is damaged ({error}); delete that line and start the run again "
                "to ask that sample anew"
            ) from None


def finished_items(path: Path) -> set[Item]:
    """The finished items of a run directory, none if it does not exist yet."""
    return {record.item for record in _read_records(path / "samples.jsonl")}


def _read_records(file: Path) -> Iterator[SampleRecord]:
    return _records(file, read_rows(file, RunError))


def read_run(path: Path) -> RunView:
    """Read one run directory; raises RunError where it is none or is damaged."""
    header = _read_header(path / "run.json")
    records: dict[Item, SampleRecord] = {}
    for record in _read_records(path / "samples.jsonl"):
        records.setdefault(record.item, record)
    failed = {r.item: r for r in _read_records(path / "errors.jsonl")}
    errors = [record for item, record in failed.items() if item not in records]
    return RunView(path.name, header, list(records.values()), errors)


def read_runs(
    paths: Sequence[Path], damaged: Callable[[RunError], None] | None = None
) -> list[RunView]:
    """Read run directories, and the run directories inside other directories, by name.

    Raises RunError; `damaged` is told instead of a run that cannot be read, which is left out.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            raise RunError(
                f"{path} is not a directory of runs; give the folder that ordojo eval keeps them in"
            )
        inside = [path] if (path / "run.json").exists() else []
        inside += sorted(file.parent for file in path.glob("*/run.json"))
        if not inside:
            raise RunError(f"{path} holds no runs; make one with `ordojo eval`")
        found.update(dict.fromkeys(p.resolve() for p in inside))
    return list(sound(counted(found, "reading runs"), read_run, damaged))


def sound(
    found: Iterable[T], read: Callable[[T], R], damaged: Callable[[RunError], None] | None
) -> Iterator[R]:
    """What can be read of all; `damaged` is told of the rest, or what `read` raises is raised."""
    for one in found:
        try:
            yield read(one)
        except RunError as error:
            if damaged is None:
                raise
            damaged(error)


class Standing:
    """Counts records as they come; `str` of it is a line's note."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._failed = self._tokens = self._cut = 0
        self._scores: list[float] = []
        self._cost = 0.0

    def count(self, record: SampleRecord) -> str:
        """Take a record in; how the run stands then."""
        self._failed += bool(record.error)
        self._cut += any(turn.cut for turn in record.episode.turns)
        self._tokens += record.usage.input_tokens + record.usage.output_tokens
        self._cost += record.usage.cost
        verdict = record.verdict(self._rule)
        if verdict is not None and verdict.score is not None:
            self._scores.append(verdict.score)
        return str(self)

    def __str__(self) -> str:
        parts = []
        if self._scores:
            parts.append(f"score {sum(self._scores) / len(self._scores):.3f}")
        if self._tokens:
            parts.append(f"{self._tokens:,} tokens")
        if self._cost:
            parts.append(f"${self._cost:.2f}")
        if self._cut:
            parts.append(f"{self._cut} cut at the token limit")
        if self._failed:
            parts.append(f"{self._failed} failed")
        return ", ".join(parts)
