"""Every registered benchmark keeps the contract; a broken one is caught."""

from collections.abc import Mapping
from typing import Any

import pytest

from ordojo.benchmarks.orqa.environment import OrqaEnvironment
from ordojo.core.conformance import ConformanceError, check_benchmark, check_environment
from ordojo.core.environment import Observation, Step
from ordojo.core.instance import Instance
from ordojo.core.options import parse_options
from ordojo.core.registry import benchmark_names, get_benchmark

VARIANTS: Mapping[str, list[dict[str, Any]]] = {
    "orqa": [
        {"shots": 1},
        {"shots": 3, "icl": "published-code"},
        {"prompt": "cot"},
        {"prompt": "cot", "shots": 1, "mode": "chat"},
        {"mode": "chat"},
        {"mode": "logprob", "permute": "cyclic"},
        {"prompt": "cot", "trigger": "all", "permute": "random"},
        {"split": "validation", "shots": 2, "icl": "similar-length-same-type"},
    ],
    "econlogicqa": [{"shots": 5}, {"shots": 0}, {"mode": "chat", "examples": "random"}],
}
CASES = [(name, variant) for name in benchmark_names() for variant in [{}, *VARIANTS.get(name, [])]]


@pytest.mark.parametrize(("name", "variant"), CASES, ids=lambda value: str(value))
def test_every_benchmark_conforms(name: str, variant: dict[str, Any]) -> None:
    benchmark = get_benchmark(name)
    check_benchmark(benchmark, {**benchmark.demo, **variant}, episodes=4, random_plays=600)


def _orqa(environment: type[OrqaEnvironment]) -> Any:
    benchmark = get_benchmark("orqa")
    options = parse_options(benchmark.options, benchmark.demo, "orqa")
    made = benchmark.environment(options, 0)

    def make() -> OrqaEnvironment:
        return environment(options, made._examples, "published")

    return make, benchmark.load(options, 0)[:1]


class Forgetful(OrqaEnvironment):
    """Shows something else every time."""

    calls = 0

    def reset(self, instance: Instance[Any], seed: int) -> Observation:
        type(self).calls += 1
        shown = super().reset(instance, seed)
        return Observation((*shown.messages, shown.messages[0]), max_tokens=self.calls)


class Endless(OrqaEnvironment):
    """Never ends."""

    def step(self, text: str) -> Step:
        assert self._question is not None
        return Step(self._ask("again?"))


class Fragile(OrqaEnvironment):
    """Breaks on long texts."""

    def step(self, text: str) -> Step:
        if len(text) > 100_000:
            raise MemoryError
        return super().step(text)


class Careless(OrqaEnvironment):
    """May be stepped at any time."""

    def step(self, text: str) -> Step:
        return Step(None, terminated=True)


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (Forgetful, ConformanceError),
        (Endless, ConformanceError),
        (Fragile, MemoryError),
        (Careless, ConformanceError),
    ],
)
def test_a_broken_environment_is_caught(
    broken: type[OrqaEnvironment], error: type[Exception]
) -> None:
    make, instances = _orqa(broken)
    with pytest.raises(error):
        check_environment(make, instances)
