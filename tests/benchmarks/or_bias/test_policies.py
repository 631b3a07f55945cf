"""OR-Bias-Bench's scripted decision makers do what their names say."""

import re
import time

import pytest

from ordojo.benchmarks.or_bias.page import EXPERIMENTS, HUMAN_WEIGHT
from ordojo.benchmarks.or_bias.policies import policies
from ordojo.benchmarks.or_bias.schema import INSTANCES, make_instance
from ordojo.core.environment import Message, Observation
from tests.benchmarks.or_bias.made import records, scenarios

ASKED = Observation((Message("user", "How many?"),))
INSTANCES = [make_instance(scenario, INSTANCES) for scenario in scenarios()]


def quantity(name: str, place: int = 0, seed: int = 0, epoch: int = 1) -> float:
    text = policies()[name].begin(INSTANCES[place], seed, epoch)(ASKED)
    found = re.fullmatch(r"Order quantity: (\d+(?:\.\d+)?)", text)
    assert found, text
    return float(found[1])


@pytest.mark.parametrize("name", sorted(policies().keys() - {"noop"}))
def test_every_answer_is_one_plain_number_and_repeats(name: str) -> None:
    for place in range(len(INSTANCES)):
        assert quantity(name, place) == quantity(name, place)


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        ("gold", 0),
        ("mean-anchored-30", 0.3),
        ("mean-anchored-60", 0.6),
        ("mean-anchored-90", 0.9),
        ("heuristic", HUMAN_WEIGHT),
        ("always-mean", 1),
    ],
)
def test_anchored_orders_lie_between_optimum_and_mean(name: str, weight: float) -> None:
    for place, scenario in enumerate(scenarios()):
        expected = weight * scenario.demand.mean + (1 - weight) * scenario.optimum
        assert quantity(name, place) == pytest.approx(expected, rel=1e-12)


def test_gold_loses_no_digit() -> None:
    assert all(quantity("gold", i) == s.optimum for i, s in enumerate(scenarios()))
    assert policies()["noop"].begin(INSTANCES[0], 0, 1)(ASKED) == ""


def share(name: str, seed: int = 0, epoch: int = 1) -> list[float]:
    return [quantity(name, i, seed, epoch) / s.demand.mean for i, s in enumerate(scenarios())]


def test_random_is_uniform_up_to_twice_the_mean() -> None:
    found = sorted(share("random"))
    assert 0 <= found[0] < 0.02 and 1.98 < found[-1] <= 2
    assert all(abs(x / 2 - i / 600) < 0.08 for i, x in enumerate(found))


@pytest.mark.parametrize("name", ["random", "demand-chasing"])
def test_chance_depends_on_seed_epoch_and_item(name: str) -> None:
    first = share(name)
    assert first == share(name)
    # A simulated demand of less than 0 counts as 0, which several items share.
    assert len(set(first)) >= 590
    for other in share(name, seed=1), share(name, epoch=2):
        assert set(first) & set(other) <= {0.5}


def test_chasing_moves_from_the_mean_as_far_as_demand_asks() -> None:
    found = [
        (quantity("demand-chasing", i) - s.demand.mean) / s.demand.std
        for i, s in enumerate(scenarios())
    ]
    # Half of a standard normal, less what lies below zero demand.
    assert sum(found) / 600 == pytest.approx(0, abs=0.08)
    assert (sum(x * x for x in found) / 600) ** 0.5 == pytest.approx(0.5, abs=0.05)


def test_peoples_weights_are_those_of_their_mean_orders() -> None:
    assert [round(e.weight, 2) for e in EXPERIMENTS] == [0.52, 0.56, 0.6, 0.88]
    assert HUMAN_WEIGHT == 0.54


def test_policies_are_fast() -> None:
    chosen = policies()
    start = time.perf_counter()
    for _ in range(5):
        for instance in INSTANCES:
            chosen["heuristic"].begin(instance, 0, 1)(ASKED)
    assert 3000 / (time.perf_counter() - start) > 20_000


def test_a_policys_answers_have_its_figures() -> None:
    places = {id(s): i for i, s in enumerate(scenarios())}
    made = records(lambda s: quantity("mean-anchored-60", places[id(s)]))
    assert all(r.verdicts["rational"].outcome == "correct" for r in made)
