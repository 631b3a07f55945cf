"""The engine's own speed, as ratios against a named baseline measured in the same run."""

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

from ordojo.core.errors import BenchmarkError
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.engine.ask import Drive
from ordojo.evaluation.engine.run import make_task
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest
from ordojo.evaluation.runs import RunStore
from ordojo.evaluation.scripted import player
from ordojo.evaluation.session import EvaluationSession
from perf.figure import Figure, command


def bench_engine(
    dataset: str = "orqa@ordojo",
    samples: int = 300,
    repeats: int = 3,
    records: int = 4000,
    seconds: int = 2,
) -> list[Figure]:
    """Measure the fast loop, with and without records, and our Inspect path against a bare task.

    The two Inspect tasks hold the same prompts, answer them by a mock model with fixed usage, and
    log alike; they run in turn, and the ratio is the median of the pairwise ratios. The fast loop
    plays for `seconds`, and keeps about so many `records`.
    """
    settings = {"dataset": dataset}
    session = session_of("orqa", settings)
    items = session.items(epochs=1)
    with tempfile.TemporaryDirectory() as folder:
        request = EvaluationRequest(
            "orqa", "ordojo/random", Path(folder), settings, epochs=max(1, records // len(items))
        )
        evaluation = Evaluation(request)
        recorded = len(evaluation.items) / _seconds(lambda: _keep(evaluation))
    ratios = []
    for _ in range(repeats):
        bare = _seconds(lambda: _run(_bare_task(session, samples)))
        ours = _seconds(lambda: _run(_our_task(session, samples)))
        ratios.append(ours / bare)
    return [
        Figure(
            "fast loop, orqa", plain_rate(session, "random", seconds), "samples/s", "5,000 or more"
        ),
        Figure("fast loop, orqa, kept in a run", recorded, "samples/s", "5,000 or more"),
        Figure(
            "fast loop, or-bias",
            plain_rate(session_of("or-bias", {}), "always-mean", seconds),
            "samples/s",
            "20,000 or more",
        ),
        Figure(
            f"our Inspect path / bare Inspect task, {samples} samples",
            statistics.median(ratios),
            "times the time",
            "at most 1.2",
        ),
    ]


def _keep(evaluation: Evaluation) -> None:
    session = evaluation.session
    with RunStore(evaluation.path, evaluation.header) as store:
        for record in map(player(session, session.policy("random")), evaluation.items):
            store.add(record)


PROBLEMS = {"set": "eval-v3"}
"""What is repaired by all benches: a set that is kept, so that figures of other days compare."""


def session_of(name: str, settings: Mapping[str, str]) -> EvaluationSession:
    """A session of a benchmark under settings by name."""
    benchmark = get_benchmark(name)
    return EvaluationSession(benchmark, parse_options(benchmark.options, settings, name), 0)


def plain_rate(session: EvaluationSession, name: str, seconds: float = 2) -> float:
    """Samples a second of a scripted policy, played and judged so long, all items at least once."""
    items, policy, played = session.items(epochs=1), session.policy(name), 0
    started = time.perf_counter()
    while not played or time.perf_counter() - started < seconds:
        played += sum(1 for _ in map(player(session, policy), items))
    return played / (time.perf_counter() - started)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _run(task: Task) -> None:
    def answer(*_: object) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", "C")
        output.usage = ModelUsage(input_tokens=400, output_tokens=1, total_tokens=401)
        return output

    with tempfile.TemporaryDirectory() as folder:
        model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
        (log,) = inspect_eval(task, model=model, log_dir=folder, display="none", log_level="error")
    scores = log.results.scores if log.results else []
    if log.status != "success" or not scores or scores[0].unscored_samples:
        raise BenchmarkError(f"the measured task failed: {log.error or 'samples were not scored'}")


def _our_task(session: EvaluationSession, samples: int) -> Task:
    wanted = session.items(epochs=samples // len(session.instances) + 1)[:samples]
    return make_task(Drive(session), wanted)


def _bare_task(session: EvaluationSession, samples: int) -> Task:
    names = [name for name, _ in session.items(epochs=1)]
    wanted = (names * (samples // len(names) + 1))[:samples]
    prompts = {}
    for name in set(wanted):
        attempt = session.begin(session.by_id[name])
        asked = attempt.steps.observation
        prompts[name] = asked.text if asked else ""
        attempt.abandon()
    dataset = [
        Sample(
            input=prompts[name],
            target=str(session.benchmark.gold(session.by_id[name])),
            id=place,
            metadata=dict(session.by_id[name].labels),
        )
        for place, name in enumerate(wanted)
    ]
    return Task(dataset=MemoryDataset(dataset), solver=generate(), scorer=match())


if __name__ == "__main__":
    command(bench_engine)()
