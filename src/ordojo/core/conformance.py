"""The one suite that every benchmark passes, without a language model.

Used by the project's tests for every registered benchmark, and by a third party for theirs:

    check_benchmark(BENCHMARK, {"dataset": "..."})
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import digest
from ordojo.core.environment import Environment, Observation
from ordojo.core.episode import Episode, play
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.options import Options, parse_options
from ordojo.core.statistics import mean_interval

MAX_STEPS = 1000
"""No episode may be longer, whatever the actions."""

GARBAGE = (
    "",
    " \n\t",
    "\x00\x01\x7f",
    "🦄 ünïcödé ﷺ \u202e txet \u2028",
    "\ud800 a lone surrogate",
    "{'action': <script>alert(1)</script>}",
    "A" * 1_000_000,
    "(" * 50_000,
    "A, B, C, D " * 20_000,
)
"""Actions that no policy should take and every environment must survive."""


class ConformanceError(AssertionError):
    """A benchmark breaks the contract; the message says where."""


def check_benchmark(
    benchmark: AnyBenchmark,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    episodes: int = 12,
    random_plays: int = 2000,
    most: int | None = None,
) -> None:
    """Check instances, environment, judges and policies; raises ConformanceError.

    The costly checks use the first `episodes` instances; the random policy plays about
    `random_plays` episodes over all of them. `most` leaves the policies about so many instances,
    evenly spread.
    """
    options = parse_options(benchmark.options, settings or {}, benchmark.name)
    instances = benchmark.load(options, seed)
    _check_instances(benchmark, options, seed, instances)
    few = instances[:episodes]
    check_environment(lambda: benchmark.environment(options, seed), few)
    _check_judges(benchmark, options, seed, few)
    spread = instances[:: -(-len(instances) // most)] if most else instances
    _check_policies(benchmark, options, seed, spread, random_plays)


def check_environment(make: Callable[[], Environment[Any]], instances: Sequence[Any]) -> None:
    """Check determinism, garbage, misuse and closing of the environments that `make` makes."""
    _check_misuse(make, instances[0])
    first, second = make(), make()
    for instance in instances:
        for seed in (0, 1):
            _require(
                _transcript(first, instance, seed) == _transcript(second, instance, seed),
                f"{instance.id}: two environments differ on the same seed and actions",
            )
    for environment in (first, second, first):
        environment.close()


def _check_instances(
    benchmark: AnyBenchmark, options: Options, seed: int, instances: Sequence[Instance[Any]]
) -> None:
    _require(bool(instances), f"{benchmark.name} has no instances")
    ids = [instance.id for instance in instances]
    _require(len(set(ids)) == len(ids), f"{benchmark.name} has instances with the same id")
    again = benchmark.load(options, seed)
    _require(
        [i.content_hash for i in instances] == [i.content_hash for i in again]
        and ids == [i.id for i in again],
        f"{benchmark.name} loads other instances on the same seed",
    )
    for instance in instances:
        benchmark.verify(instance)
        _require(
            instance.benchmark == benchmark.name and instance.version == benchmark.version,
            f"{instance.id} carries another benchmark's name or version",
        )


def _check_misuse(make: Callable[[], Environment[Any]], instance: Instance[Any]) -> None:
    environment = make()
    _raises(lambda: environment.step("x"), "step() before reset()")
    _finish(environment, instance, lambda asked: "x")
    _raises(lambda: environment.step("x"), "step() after the episode's end")
    environment.close()
    environment.close()


def _raises(action: Callable[[], Any], what: str) -> None:
    try:
        action()
    except BenchmarkError:
        return
    raise ConformanceError(f"{what} must raise BenchmarkError")


def _transcript(environment: Environment[Any], instance: Instance[Any], seed: int) -> str:
    """A digest of everything that the environment shows under each kind of garbage."""
    shown: list[Any] = []
    for start in range(len(GARBAGE)):
        texts = (GARBAGE[(start + i) % len(GARBAGE)] for i in count())
        episode = _finish(environment, instance, lambda asked, texts=texts: next(texts), seed)  # type: ignore[misc]
        shown.append([(t.messages, t.style, t.reward, t.info) for t in episode.turns])
    return digest([[*map(list, turns)] for turns in shown])


def _finish(
    environment: Environment[Any],
    instance: Instance[Any],
    act: Callable[[Observation], str],
    seed: int = 0,
) -> Episode:
    steps: Iterator[int] = iter(range(MAX_STEPS))

    def counted(asked: Observation) -> str:
        _require(next(steps, None) is not None, f"{instance.id}: over {MAX_STEPS} steps, no end")
        _check_observation(asked, instance.id)
        return act(asked)

    episode = play(environment, instance, counted, seed)
    _require(math.isfinite(episode.reward), f"{instance.id}: the reward is {episode.reward}")
    return episode


def _check_observation(asked: Observation, name: str) -> None:
    _require(bool(asked.messages) and bool(asked.text), f"{name}: an observation says nothing")
    _require(asked.max_tokens >= 1, f"{name}: an observation allows no token")
    if asked.style == "completion":
        alone = len(asked.messages) == 1 and asked.messages[0].role == "user"
        _require(alone and asked.fresh, f"{name}: a raw prompt must be one fresh user message")
    _require(bool(asked.choices) or not asked.choose, f"{name}: a choice without choices")
    _require(len(set(asked.choices)) == len(asked.choices), f"{name}: a choice is listed twice")


def _check_judges(
    benchmark: AnyBenchmark, options: Options, seed: int, instances: Sequence[Instance[Any]]
) -> None:
    rule = benchmark.default_rule(options)
    _require(rule in benchmark.rules, f"{benchmark.name} has no rule '{rule}'")
    environment = benchmark.environment(options, seed)
    for instance in instances:
        for text in GARBAGE:
            episode = play(environment, instance, lambda asked, text=text: text, seed)  # type: ignore[misc]
            for name, judge in benchmark.rules.items():
                verdict = judge(instance, episode)
                _require(
                    verdict == judge(instance, episode) and verdict.rule == name,
                    f"{instance.id}: rule '{name}' is not a pure function under its own name",
                )
    environment.close()


def _check_policies(
    benchmark: AnyBenchmark,
    options: Options,
    seed: int,
    instances: Sequence[Instance[Any]],
    random_plays: int,
) -> None:
    judge = benchmark.rules[benchmark.default_rule(options)]
    environment = benchmark.environment(options, seed)
    policies = benchmark.policies(instances)

    def scores(name: str, epochs: int = 1) -> list[float]:
        found = []
        for epoch in range(1, epochs + 1):
            for instance in instances:
                act = policies[name].begin(instance, seed, epoch)
                score = judge(instance, _finish(environment, instance, act, seed)).score
                found.append(math.nan if score is None else score)
        return found

    _require(set(scores("gold")) == {1.0}, f"{benchmark.name}: the gold policy does not score 1")
    idle = scores("noop")
    _require(max(idle) < 1, f"{benchmark.name}: doing nothing scores 1")
    if benchmark.chance is not None:
        epochs = max(1, random_plays // len(instances))
        estimate = mean_interval(scores("random", epochs))
        # Four standard errors: a right benchmark fails once in 16,000 seeds.
        reach = 2 * max(estimate.high - estimate.value, estimate.value - estimate.low)
        _require(
            abs(estimate.value - benchmark.chance) <= reach,
            f"{benchmark.name}: random scores {estimate.value:.3f}, chance is {benchmark.chance}",
        )
    environment.close()


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ConformanceError(message)
