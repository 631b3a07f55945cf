"""The benchmark as a whole: its contract, its prompts, its rewards, its data."""

from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_bias import BENCHMARK, build
from ordojo.benchmarks.or_bias.schema import OrBiasOptions
from ordojo.benchmarks.or_bias.sets import pool
from ordojo.core.conformance import check_benchmark
from ordojo.core.errors import BenchmarkError, UsageError


def load(**settings: Any) -> list[Any]:
    return list(BENCHMARK.load(OrBiasOptions(**settings), 0))


def test_a_completion_ends_where_the_number_begins() -> None:
    instance = load()[0]
    asked = BENCHMARK.environment(OrBiasOptions(), 0).reset(instance, 0)
    assert asked.text == instance.problem.text + "\n\nOrder quantity:"
    assert (asked.style, asked.stop, asked.max_tokens) == ("completion", ("\n",), 32)
    assert asked.choices == ()


def test_a_chat_asks_for_a_last_line() -> None:
    instance = load()[0]
    asked = BENCHMARK.environment(OrBiasOptions(mode="chat"), 0).reset(instance, 0)
    assert asked.text.startswith(instance.problem.text)
    assert asked.text.endswith('"Order quantity: <number>".')
    assert (asked.style, asked.stop, asked.max_tokens) == ("chat", (), 1024)


@pytest.mark.parametrize(
    ("reply", "reward"),
    [
        ("{}", 1.0),
        ("Order quantity: {}", 1.0),
        ("1", 0.0),
        ("-5", 0.0),
        ("no idea", 0.0),
        ("1e9", 0.0),
    ],
)
def test_the_reward_is_the_default_rules_score(reply: str, reward: float) -> None:
    environment = BENCHMARK.environment(OrBiasOptions(), 0)
    instance = load()[0]
    reply = reply.format(instance.problem.optimum)
    environment.reset(instance, 0)
    step = environment.step(reply)
    assert step.terminated and step.reward == reward
    with pytest.raises(BenchmarkError, match="step"):
        environment.step(reply)


def test_the_sets_do_not_depend_on_the_runs_seed() -> None:
    options = OrBiasOptions()
    assert [i.content_hash for i in BENCHMARK.load(options, 0)] == [
        i.content_hash for i in BENCHMARK.load(options, 9)
    ]


def test_the_data_are_named_and_hashed() -> None:
    names = [
        BENCHMARK.dataset(OrBiasOptions(**settings))
        for settings in (
            {},
            {"set": "ood"},
            {"family": "poisson"},
            {"iqr": 1.35},
            {"decision": "eoq"},
        )
    ]
    assert [found["id"] for found in names] == [
        "or-bias@v2/eval/normal",
        "or-bias@v2/ood/normal",
        "or-bias@v2/eval/poisson",
        "or-bias@v2/eval/normal/iqr=1.35",
        "or-bias@v2/eval/normal/eoq",
    ]
    assert len({found["sha256"] for found in names}) == 5


def test_ones_own_instances(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    build.write(file, pool(8, 20), BENCHMARK.version)
    found = load(instances=str(file))
    assert len(found) == 20
    data = BENCHMARK.dataset(OrBiasOptions(instances=str(file)))
    assert data["id"] == "or-bias@mine.jsonl" and str(tmp_path) not in str(data)
    check_benchmark(BENCHMARK, {"instances": str(file)}, episodes=2)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"instances": "x.jsonl", "set": "ood"}, "set=ood"),
        ({"instances": "x.jsonl", "family": "gamma"}, "family=gamma"),
        ({"decision": "eoq", "family": "gamma"}, "family=gamma"),
    ],
)
def test_settings_that_would_have_no_effect_are_refused(
    settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        load(**settings)
