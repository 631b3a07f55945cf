"""Every registered benchmark keeps the contract, under every kind of setting."""

from collections.abc import Mapping
from typing import Any

import pytest

from ordojo.core.conformance import check_benchmark
from ordojo.core.registry import benchmark_names, get_benchmark

VARIANTS: Mapping[str, list[dict[str, Any]]] = {
    "orqa": [
        {"shots": 1},
        {"shots": 3, "icl": "published-code"},
        {"prompt": "cot"},
        {"prompt": "cot", "shots": 1, "mode": "chat"},
        {"mode": "chat", "shots": 3},
        {"mode": "logprob", "icl": "published-code", "shots": 1, "permute": "cyclic"},
        {"prompt": "cot", "trigger": "all", "permute": "random", "split": "validation"},
        {"split": "validation", "shots": 2, "icl": "similar-length-same-type"},
    ],
    "or-bias": [
        {"mode": "chat", "set": "ood"},
        {"set": "train", "family": "empirical"},
        {"set": "id", "family": "gamma", "iqr": 1.35},
        {"decision": "eoq"},
        {"decision": "base-stock", "mode": "chat"},
    ],
    "or-debug": [
        {"history": "state", "shots": 1, "max_steps": 12},
        {"end": "submit", "iis": "rows+bounds", "reward": "equation-5", "max_steps": 8},
        {"answer": "program", "max_steps": 3},
    ],
    "nl2opt": [
        {"prompt": "neutral", "library": "PuLP", "preview": 0, "repair": 2},
        {"prompt": "bench4opt", "leaks": True},
        {"prompt": "miplib-nl", "items": "crate-return, parcel-vans, greenhouse-beds"},
    ],
    "econlogicqa": [
        {"shots": 5, "examples": "random"},
        {"shots": 0},
        {"mode": "chat", "examples": "random"},
        {"mode": "chat", "split": "train"},
    ],
}
CASES = [(name, variant) for name in benchmark_names() for variant in [{}, *VARIANTS.get(name, [])]]


@pytest.mark.parametrize(("name", "variant"), CASES, ids=lambda value: str(value))
def test_every_benchmark_conforms(name: str, variant: dict[str, Any]) -> None:
    benchmark = get_benchmark(name)
    # Where only settings differ, every fifth instance or so is enough for the policies; of
    # or-debug's 450 every fourth, which meets each of the nine types in turn.
    episodes, most = (2, 100) if variant else (4, 120 if name == "or-debug" else None)
    settings = {**benchmark.demo, **variant}
    check_benchmark(benchmark, settings, episodes=episodes, random_plays=600, most=most)
