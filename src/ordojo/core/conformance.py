"""The one suite that every benchmark passes, without a language model.

Used by the project's tests for every registered benchmark, and by a third party for theirs:

    check_benchmark(BENCHMARK, {"dataset": "..."})
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import digest
from ordojo.core.environment import Environment, Observation
from ordojo.core.episode import Episode, play
from ordojo.core.errors import BenchmarkError, OrdojoError
from ordojo.core.instance import Instance
from ordojo.core.judge import Verdict
from ordojo.core.options import Options, parse_options
from ordojo.core.policy import Act
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
    "A, B, C, D " * 500,
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
    `random_plays` episodes over all of them. `most` leaves the policies, and the proofs, about so
    many instances, evenly spread.
    """
    options = parse_options(benchmark.options, settings or {}, benchmark.name)
    instances = benchmark.load(options, seed)
    spread = instances[:: -(-len(instances) // most) or 1] if most else instances
    _check_instances(benchmark, options, seed, instances, spread)
    few = instances[:episodes]
    check_environment(lambda: benchmark.environment(options, seed), few)
    plays = _Plays(benchmark, options, seed)
    plays.check_judges(few)
    plays.check_policies(spread, random_plays)
    plays.check_rewards()


def check_environment(make: Callable[[], Environment[Any]], instances: Sequence[Any]) -> None:
    """Check determinism, garbage, misuse and closing of the environments that `make` makes."""
    first, second = make(), make()
    _raises(lambda: first.step("x"), "step() before reset()")
    _finish(first, instances[0], lambda asked: "x")
    _raises(lambda: first.step("x"), "step() after the episode's end")
    for instance in instances:
        for seed in (0, 1):
            _require(
                _transcript(first, instance, seed) == _transcript(second, instance, seed),
                f"{instance.id}: two environments differ on the same seed and actions",
            )
    for environment in (first, second, first):
        environment.close()


def _check_instances(
    benchmark: AnyBenchmark,
    options: Options,
    seed: int,
    instances: Sequence[Instance[Any]],
    spread: Sequence[Instance[Any]],
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
    for instance in spread:
        benchmark.verify(instance)
    for instance in instances:
        _require(
            instance.benchmark == benchmark.name, f"{instance.id} carries another benchmark's name"
        )


def _raises(action: Callable[[], Any], what: str) -> None:
    try:
        action()
    except BenchmarkError:
        return
    raise ConformanceError(f"{what} must raise BenchmarkError")


def _transcript(environment: Environment[Any], instance: Instance[Any], seed: int) -> str:
    """A digest of everything that the environment shows under each kind of garbage.

    An episode that goes on has several kinds; the next one begins with the first it did not reach.
    """
    shown: list[Any] = []
    start = 0
    while start < len(GARBAGE):
        texts = (GARBAGE[(start + i) % len(GARBAGE)] for i in count())
        episode = _finish(environment, instance, lambda asked, texts=texts: next(texts), seed)  # type: ignore[misc]
        shown.append([(t.messages, t.style, t.reward, t.info) for t in episode.turns])
        start += len(episode.turns)
    return digest([[*map(list, turns)] for turns in shown])


def _finish(
    environment: Environment[Any],
    instance: Instance[Any],
    act: Callable[[Observation], str],
    seed: int = 0,
) -> Episode:
    steps: Iterator[int] = iter(range(MAX_STEPS))

    replies: list[str] = []

    def counted(asked: Observation) -> str:
        _require(next(steps, None) is not None, f"{instance.id}: over {MAX_STEPS} steps, no end")
        _check_observation(asked, instance.id)
        replies.append(act(asked))
        return replies[-1]

    with _named(instance, replies):
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


class _Plays:
    """Plays instances, and keeps what each reply scored and was paid under the headline rule."""

    def __init__(self, benchmark: AnyBenchmark, options: Options, seed: int) -> None:
        rule = benchmark.default_rule(options)
        _require(rule in benchmark.rules, f"{benchmark.name} has no rule '{rule}'")
        self._benchmark, self._judge, self._seed = benchmark, benchmark.rules[rule], seed
        self._environment = benchmark.environment(options, seed)
        self._right: dict[str, list[tuple[float, str]]] = {}
        self._wrong: dict[str, list[tuple[float, str]]] = {}

    def _play(
        self, instance: Instance[Any], act: Act, gold: bool = False
    ) -> tuple[Episode, Verdict]:
        episode = _finish(self._environment, instance, act, self._seed)
        with _named(instance, [episode.last_reply]):
            verdict = self._judge(instance, episode)
        paid = episode.reward, episode.last_reply
        if verdict.score == 0:
            self._wrong.setdefault(instance.id, []).append(paid)
        # Of several turns each may cost: a long way to the right end is paid less than giving up.
        elif verdict.score == 1 and (gold or len(episode.turns) == 1):
            self._right.setdefault(instance.id, []).append(paid)
        return episode, verdict

    def check_judges(self, instances: Sequence[Instance[Any]]) -> None:
        """Every rule gives garbage a verdict, twice the same, under the rule's own name."""
        for instance in instances:
            for text in GARBAGE:
                episode, _ = self._play(instance, lambda asked, text=text: text)  # type: ignore[misc]
                for name, judge in self._benchmark.rules.items():
                    with _named(instance, [text]):
                        verdict, again = judge(instance, episode), judge(instance, episode)
                    _require(
                        verdict == again and verdict.rule == name,
                        f"{instance.id}: rule '{name}' is not a pure function under its own name "
                        f"(reply {_quoted(text)})",
                    )

    def check_policies(self, instances: Sequence[Instance[Any]], random_plays: int) -> None:
        """Gold scores 1 and is paid more than doing nothing; random scores chance."""
        name, chance = self._benchmark.name, self._benchmark.chance
        policies = self._benchmark.policies(instances)

        def plays(policy: str, epochs: int = 1) -> Iterator[tuple[str, Episode, Verdict]]:
            for epoch in range(1, epochs + 1):
                for instance in instances:
                    act = policies[policy].begin(instance, self._seed, epoch)
                    episode, verdict = self._play(instance, act, policy == "gold")
                    said = f"{instance.id}: the {policy} policy's reply "
                    yield said + _quoted(episode.last_reply), episode, verdict

        pay: dict[str, float] = {}
        for policy in ("gold", "noop"):
            rewards = []
            for said, episode, verdict in plays(policy):
                rewards.append(episode.reward)
                if policy == "gold":
                    why = f"{verdict.outcome} {verdict.reason}".strip()
                    _require(verdict.score == 1, f"{said} scores {verdict.score}, not 1 ({why})")
                else:
                    _require(verdict.score != 1, f"{said} scores 1, which is for doing nothing")
            pay[policy] = math.fsum(rewards) / len(rewards)
        _require(
            pay["gold"] > pay["noop"],
            f"{name}: the mean reward of gold is {pay['gold']:g} and of doing nothing "
            f"{pay['noop']:g}; a right answer must be paid more",
        )
        epochs = 1 if chance is None else max(1, random_plays // len(instances))
        scores = [verdict.score for _, _, verdict in plays("random", epochs)]
        if chance is not None:
            estimate = mean_interval([math.nan if score is None else score for score in scores])
            # Four standard errors: a right benchmark fails once in 16,000 seeds.
            reach = 2 * max(estimate.high - estimate.value, estimate.value - estimate.low)
            _require(
                abs(estimate.value - chance) <= reach,
                f"{name}: random scores {estimate.value:.3f}, chance is {chance}",
            )
        self._environment.close()

    def check_rewards(self) -> None:
        """On every instance a reply with score 0 is paid less than gold and all with score 1.

        Of episodes of several turns that score 1 only gold's are compared.
        """
        for name in filter(self._right.get, self._wrong):
            (most, wrong), (least, right) = max(self._wrong[name]), min(self._right[name])
            _require(
                most < least,
                f"{name}: the reply {_quoted(wrong)} scores 0 and is paid {most:g}, the reply "
                f"{_quoted(right)} scores 1 and is paid {least:g}; the wrong one must be paid less",
            )


@contextlib.contextmanager
def _named(instance: Instance[Any], replies: Sequence[str]) -> Iterator[None]:
    """Say of an unexpected exception which instance and which reply (the last) led to it."""
    try:
        yield
    except (OrdojoError, AssertionError):
        raise
    except Exception as error:  # what no reply may raise is any exception at all
        after = f" after the reply {_quoted(replies[-1])}" if replies else ""
        raise ConformanceError(
            f"{instance.id}: {type(error).__name__}{after}: {error}; no reply may raise"
        ) from error


def _quoted(reply: str) -> str:
    """A reply for a message, cut where it is long."""
    return repr(reply if len(reply) <= 60 else reply[:60] + "…")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ConformanceError(message)
