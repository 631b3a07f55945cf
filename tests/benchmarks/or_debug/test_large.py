"""Models of thousands of rows: made anew, proved, shown by excerpts, mended by one action."""

import json
from functools import cache

import pytest

from ordojo.benchmarks.or_debug import BENCHMARK, large, schema
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.large import focused
from ordojo.benchmarks.or_debug.outcome import differences
from ordojo.benchmarks.or_debug.perform import BUDGET
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.schema import LARGE, Debugging, OrDebugOptions, make_instance
from ordojo.core.episode import play
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance, to_row

SEED, INDICES = 1, (0, 1, 3, 5)
TOKENS = 8000


@cache
def _one(index: int) -> Instance[Debugging]:
    """An instance of 5,000 rows, as it is read again."""
    made = large.produce_large(LARGE, SEED, index, large.ROWS[0] + 10)
    row = to_row(make_instance(made.problem, {"highs": "1"}, made.found))
    return schema.read_instance(json.loads(json.dumps(row)))


@pytest.mark.parametrize("index", INDICES)
def test_one_row_among_thousands_is_wrong_and_gold_mends_it(index: int) -> None:
    instance = _one(index)
    problem = instance.problem
    assert 5_000 <= problem.model.m < 5_100
    assert differences(problem.model, problem.original_model) == list(problem.targets)
    assert problem.is_silent == bool(index % 2)
    verify(instance)
    for name, right in (("gold", 1.0), ("noop", 0.0)):
        environment = BENCHMARK.environment(OrDebugOptions(max_steps=4), 0)
        episode = play(environment, instance, policies()[name].begin(instance, 0, 0))
        environment.close()
        verdict = BENCHMARK.rules["rr@5"](instance, episode)
        assert verdict.score == right
        if name == "gold":
            assert verdict.metrics["da"] == 1.0
            assert verdict.metrics["op"] == pytest.approx(1.0)


@pytest.mark.parametrize("index", INDICES)
def test_what_is_read_fits_into_a_turn(index: int) -> None:
    instance = _one(index)
    thing = "_".join(instance.problem.targets[0].rsplit("_", 2)[1:])
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    said = [environment.reset(instance, 0)]
    for action in (f"CHECK_SLACK(*_{thing})", f"CHECK_BOUND(*_{thing})"):
        seen = environment.step(f"Action: {action}").observation
        assert seen is not None and instance.problem.targets[0] in seen.messages[-1].content
        said.append(seen)
    environment.close()
    length = sum(len(message.content) for one in said for message in one.messages)
    assert length < 3 * TOKENS and len(said[0].messages[-1].content) < BUDGET
    assert thing.replace("_", " ") in instance.problem.text


def test_a_small_part_has_what_is_wrong() -> None:
    problem = focused(_one(1).problem)
    assert problem.model.m < 50 and problem.model.n < 500
    assert differences(problem.model, problem.original_model) == list(problem.targets)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: p["original"].update(template="poetry"), "template is 'poetry'"),
        (lambda p: p["original"].update(knobs={"n": 3}), "it must have whole numbers for"),
        (lambda p: p["sabotaged"].pop("error"), "not the original's recipe with an error"),
    ],
)
def test_a_damaged_recipe_is_refused(change: object, said: str) -> None:
    row = json.loads(json.dumps(to_row(_one(1))))
    change(row["problem"])  # type: ignore[operator]
    with pytest.raises(DataError, match=said):
        schema.read_instance(row)


def test_the_shipped_set_is_read_without_making_its_models() -> None:
    instances = load_set(LARGE)
    assert len(instances) == len({one.content_hash for one in instances}) == 20
    assert sum(one.problem.is_silent for one in instances) == 10
    assert all("model" not in vars(one.problem) for one in instances)
