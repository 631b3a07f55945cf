"""Grading stored responses: programs run and judged by several processes, kept as a run.

The run directory is that of `ordojo eval`, so a killed grading goes on where it was, and a report
shows graded responses beside runs.
"""

import json
import multiprocessing
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ordojo import __version__
from ordojo.core import errors
from ordojo.core.episode import Episode
from ordojo.core.errors import DataError, OrdojoError, RunError
from ordojo.core.options import Options, parse_options
from ordojo.core.processes import end_with_parent
from ordojo.core.records import RunHeader, RunView, SampleRecord
from ordojo.core.registry import get_benchmark
from ordojo.evaluate.replay import Replay
from ordojo.evaluate.runs import Item, RunStore, run_name
from ordojo.evaluate.session import EvaluationSession, InsideError

Group = list[tuple[str, int, list[tuple[str, str]]]]
"""The answers to one item, by id, epoch and texts, each with why it ended: one process takes them,
so that a model which several of them build is solved once."""

_AT_ONCE = 64

_DEATHS = 2
"""Processes that may die of one answer: the first may have been the machine's fault."""


class Responses(Replay):
    """A file of stored responses, with what it answers."""

    @property
    def items(self) -> list[Item]:
        """The (id, epoch) pairs in the order of the file."""
        return list(self._answers)

    def texts(self, item: Item) -> list[tuple[str, str]]:
        """The recorded texts of an item, each with why it ended."""
        return list(zip(self._answers[item], self._stops[item], strict=True))


class Grading:
    """A prepared grading: responses read, data loaded and verified, nothing run yet.

    Raises UsageError, DataError or RunError for whatever would make it fail later; answers to
    items in `refused` (their files are missing) are left out.
    """

    def __init__(
        self,
        benchmark: str,
        responses: Path,
        settings: Mapping[str, Any],
        runs: Path,
        seed: int = 0,
    ) -> None:
        self.benchmark = get_benchmark(benchmark)
        self.options: Options = parse_options(self.benchmark.options, settings, self.benchmark.name)
        self.responses = Responses(responses)
        self.session = EvaluationSession(self.benchmark, self.options, seed)
        data = self.benchmark.dataset(self.options)
        out = set(filter(None, data.get("refused", "").split(", ")))
        self.refused = [item for item in self.responses.items if item[0] in out]
        self.items = [item for item in self.responses.items if item[0] not in out]
        unknown = [name for name, _ in self.items if name not in self.session.by_id]
        if unknown:
            raise DataError(
                f"{responses} answers '{unknown[0]}', which {data['id']} does not have; "
                "give the dataset that was answered"
            )
        if not self.items:
            raise DataError(f"{responses} answers nothing of {data['id']}")
        self.header = RunHeader(
            benchmark=self.benchmark.name,
            benchmark_version=self.benchmark.version,
            model=f"responses/{responses.stem}",
            options=self.options.model_dump(mode="json"),
            dataset=data,
            rule=self.session.rule,
            seed=seed,
            epochs=max(epoch for _, epoch in self.items),
            limit=None,
            items=len(self.items),
            generation={"answers_sha256": self.responses.sha256},
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            software={"ordojo": __version__, "python": platform.python_version()},
            libraries=self.benchmark.libraries(self.options),
        )
        self.path = runs / run_name(self.header)

    def run(
        self,
        processes: int,
        on_start: Callable[[int], None] = lambda done: None,
        on_record: Callable[[SampleRecord], None] = lambda record: None,
    ) -> RunView:
        """Grade what is missing with so many processes, and return the run.

        `on_start` hears how many were graded before, `on_record` every record as it comes.
        """
        with RunStore(self.path, self.header) as store:
            on_start(len(store.done))
            left = [item for item in self.items if item not in store.done]
            for record in self._records(left, processes):
                (store.fail if record.error else store.add)(record)
                on_record(record)
            return store.view()

    def _records(self, left: Sequence[Item], processes: int) -> Iterator[SampleRecord]:
        groups: dict[tuple[str, int], Group] = {}
        counts: dict[str, int] = {}
        for name, epoch in left:
            place = counts[name] = counts.get(name, -1) + 1
            group = groups.setdefault((name, place // _AT_ONCE), [])
            group.append((name, epoch, self.responses.texts((name, epoch))))
        waiting = list(groups.values())[::-1]
        deaths: Counter[Item] = Counter()
        busy = {}
        try:
            for _ in range(min(processes, len(waiting))):
                worker = _Worker(self.header, waiting.pop())
                busy[worker.line] = worker
            while busy:
                for line in wait(list(busy)):
                    worker = busy[line]  # type: ignore[index]
                    try:
                        record = worker.take()
                    except _DeathError as death:
                        del busy[worker.line]
                        worker.end()
                        if worker.left:
                            item = worker.left[0][:2]
                            deaths[item] += 1
                            if deaths[item] == _DEATHS:
                                yield self._set_aside(item, death)
                                worker.left.pop(0)
                        if worker.left:
                            waiting.append(worker.left)
                        if waiting:
                            worker = _Worker(self.header, waiting.pop())
                            busy[worker.line] = worker
                        continue
                    if record is not None:
                        yield record
                    elif waiting:
                        worker.give(waiting.pop())
                    else:
                        worker.end()
                        del busy[worker.line]
        finally:
            for worker in busy.values():
                worker.end()

    def _set_aside(self, item: Item, death: RunError) -> SampleRecord:
        """The record of an answer that kills whoever grades it: our fault, and not scored."""
        error = InsideError(Episode(()))
        error.__cause__ = death
        return self.session.fault(self.session.by_id[item[0]], item[1], error)


class _DeathError(RunError):
    """A grading process ended in the middle of its work."""


class _Worker:
    """A process that grades groups; it ends when its line is closed, also by our death.

    `left` is what of its group has not come back.
    """

    def __init__(self, header: RunHeader, group: Group) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve,
            args=(theirs, header.benchmark, dict(header.options), header.seed),
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self.give(group)

    def give(self, group: Group) -> None:
        """Hand over a group."""
        self.left = group
        with suppress(BrokenPipeError):  # its last words are still to be read
            self.line.send_bytes(json.dumps(group).encode())

    def take(self) -> SampleRecord | None:
        """The next record, None at the end of a group; raises what ended the process."""
        try:
            row = json.loads(self.line.recv_bytes())
        except (EOFError, OSError):
            self._process.join(5)
            raise _DeathError(
                f"a grading process ended with code {self._process.exitcode} at this answer, "
                f"{_DEATHS} times"
            ) from None
        if row is None:
            return None
        if "error" in row and "id" not in row:
            kind = getattr(errors, row["kind"], None)
            if isinstance(kind, type) and issubclass(kind, OrdojoError):
                raise kind(row["error"])
            raise RuntimeError(f"grading failed inside ordojo: {row['error']}")
        self.left.pop(0)
        return SampleRecord.from_json(row)

    def end(self) -> None:
        """Let the process end, or end it."""
        self.line.close()
        self._process.join(2)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


def _serve(line: Connection, name: str, options: dict[str, Any], seed: int) -> None:
    """The process: groups come in, records go out one by one, then null."""
    end_with_parent()
    try:
        benchmark = get_benchmark(name)
        session = EvaluationSession(
            benchmark, parse_options(benchmark.options, options, name), seed
        )
        by_id = {i.id: i for i in benchmark.load(session.options, seed)}
        while True:
            for instance, epoch, texts in json.loads(line.recv_bytes()):
                replies = iter(texts)
                try:
                    attempt = session.begin(by_id[instance], epoch)
                    while attempt.steps.observation is not None:
                        text, stop = next(replies, ("", ""))
                        attempt.reply(text, stop=stop)
                    record = attempt.record(epoch)
                except InsideError as error:
                    record = session.fault(by_id[instance], epoch, error)
                _send(line, record.to_json())
            _send(line, None)
    except (EOFError, OSError):
        return
    except OrdojoError as error:
        _send(line, {"kind": type(error).__name__, "error": str(error)})
    except Exception as error:
        _send(line, {"kind": "", "error": repr(error)})
        raise
    finally:
        line.close()


def _send(line: Connection, row: Any) -> None:
    with suppress(BrokenPipeError):
        line.send_bytes(json.dumps(row).encode())
