"""Grading stored responses: programs run and judged by several processes, kept as a run.

The run directory is that of `ordojo eval`, so a killed grading goes on where it was, and a report
shows graded responses beside runs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.episode import Episode
from ordojo.core.errors import DataError, RunError
from ordojo.core.options import Options, parse_options
from ordojo.core.progress import counting
from ordojo.core.records import Item, RunView, SampleRecord
from ordojo.core.registry import get_benchmark, portable
from ordojo.core.spread import Place, spread
from ordojo.evaluation.runs import RunStore, Standing, run_name
from ordojo.evaluation.scripted import Replay, play_answers
from ordojo.evaluation.session import Answer, EvaluationSession, InsideError, chat_options

Stored = tuple[str, int, list[Answer]]
"""An item's id, the epoch, and its recorded texts."""


class Grading:
    """A prepared grading: responses read, data loaded and verified, nothing run yet.

    Raises UsageError, DataError or RunError for whatever would make it fail later; answers to
    items in `refused` (their files are missing) are left out.
    """

    def __init__(
        self,
        benchmark: str | AnyBenchmark,
        responses: Path,
        settings: Mapping[str, Any],
        runs: Path,
    ) -> None:
        self.benchmark = get_benchmark(benchmark)
        # Who answered is not known: what only a raw prompt's protocol reads, -T mode= asks for.
        self.options: Options = chat_options(self.benchmark, settings)
        self.responses = Replay(responses)
        self.session = EvaluationSession(self.benchmark, self.options, 0)
        self.items = self.responses.known(self.session)
        kept = set(self.items)
        self.refused = [item for item in self.responses.items if item not in kept]
        if not self.items:
            named = self.benchmark.dataset(self.options)["id"]
            raise DataError(f"{responses} answers nothing of {named}")
        epochs = max(epoch for _, epoch in self.items)
        answers = {"answers_sha256": self.responses.sha256}
        # What nobody answered belongs to the run, which is then not that of a whole dataset.
        whole = len(self.session.instances) * epochs
        self.header = self.session.header(f"responses/{responses.stem}", whole, epochs, answers, {})
        self.path = runs / run_name(self.header)

    def run(
        self, place: Place, on_record: Callable[[SampleRecord], None] = lambda record: None
    ) -> RunView:
        """Grade what is missing in other processes, and return the run.

        `on_record` hears every record as it comes.
        """
        standing = Standing(self.header.rule)
        what = f"grading answers to {self.header.dataset['id']}"
        with (
            RunStore(self.path, self.header) as store,
            counting(what, len(self.items), len(store.done)) as count,
        ):
            left = [item for item in self.items if item not in store.done]
            for record in self._records(left, place):
                store.keep(record)
                count.step(note=standing.count(record))
                on_record(record)
            store.sort(self.items)
            return store.view()

    def _records(self, left: Sequence[Item], place: Place) -> Iterator[SampleRecord]:
        # Answers to one item stand together: a model that several of them build is solved once.
        first = {name: at for at, (name, _) in reversed(list(enumerate(left)))}
        answers = [
            (name, epoch, self.responses.answers((name, epoch)))
            for name, epoch in sorted(left, key=lambda item: first[item[0]])
        ]
        start = partial(_grader, portable(self.header.benchmark), dict(self.header.options))
        return spread(start, answers, place, lost=self._set_aside, ordered=False)

    def _set_aside(self, answer: Stored, death: RunError) -> SampleRecord:
        """The record of an answer that kills whoever grades it: our fault, and not scored."""
        error = InsideError(Episode(()))
        error.__cause__ = death
        return self.session.fault(self.session.by_id[answer[0]], answer[1], error)


def _grader(known: str | AnyBenchmark, options: dict[str, Any]) -> Callable[[Stored], SampleRecord]:
    benchmark = get_benchmark(known)
    chosen = parse_options(benchmark.options, options, benchmark.name)
    session = EvaluationSession(benchmark, chosen, 0)
    by_id = {i.id: i for i in benchmark.load(chosen, 0)}
    return lambda answer: play_answers(session, by_id[answer[0]], *answer[1:])
