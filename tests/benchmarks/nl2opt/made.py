"""Episodes played for the tests of NL2Opt."""

from collections.abc import Sequence
from typing import Any

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.benchmarks.nl2opt.schema import WordProblem
from ordojo.core.episode import Episode, play
from ordojo.core.instance import Instance
from ordojo.core.judge import Verdict
from ordojo.core.records import RunHeader, RunView, SampleRecord
from ordojo.evaluation.session import EvaluationSession

DEMO = "nl2opt@ordojo"


def options(**settings: Any) -> Any:
    return BENCHMARK.options(**{"dataset": DEMO, "program_limit": 10.0, **settings})


def instance(name: str = "bakery-mix", **settings: Any) -> Instance[WordProblem]:
    (found,) = BENCHMARK.load(options(items=name, **settings), 0)
    return found


def right(name: str = "bakery-mix") -> str:
    return instance(name).problem.program


def answered(*replies: str, name: str = "bakery-mix", **settings: Any) -> Episode:
    """The episode of these replies; silence after the last."""
    environment = BENCHMARK.environment(options(**settings), 0)
    texts = iter(replies)
    try:
        return play(environment, instance(name), lambda asked: next(texts, ""))
    finally:
        environment.close()


def ran(program: str, **settings: Any) -> Episode:
    return answered(reply(program), **settings)


def verdict(episode: Episode, name: str = "bakery-mix", rule: str = "strict-1e-6") -> Verdict:
    return BENCHMARK.rules[rule](instance(name), episode)


def records(answers: Sequence[tuple[str, int, str]], **settings: Any) -> list[SampleRecord]:
    """Records of (id, epoch, reply)."""
    session = EvaluationSession(BENCHMARK, options(**settings), 0)
    found = []
    for name, epoch, text in answers:
        attempt = session.begin(session.by_id[name])
        while attempt.steps.observation is not None:
            attempt.steps.reply(text)
        found.append(attempt.record(epoch))
    session.close()
    return found


def view(
    found: Sequence[SampleRecord], name: str = "run", dataset: str = DEMO, **settings: Any
) -> RunView:
    header = RunHeader(
        benchmark="nl2opt",
        benchmark_version=BENCHMARK.version,
        model="a/model",
        options=options(**settings).model_dump(mode="json"),
        dataset={"id": dataset, "sha256": "0"},
        rule="strict-1e-6",
        seed=0,
        epochs=max((record.epoch for record in found), default=1),
        limit=None,
        items=len(found),
    )
    return RunView(name, header, list(found))
