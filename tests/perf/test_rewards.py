"""That the default reward pays a repair more than a try, a wreck and giving up, on every set."""

import os
from pathlib import Path

import pytest
from perf.rewards import AUTHORS, FARMS, ORDER, gold_accuracy, instances_of, table

DEFAULT, FORMER = ("equation-5-no-drift", "50/30/20"), 1
ALL = "name all, submit"
EVERY = (
    {"eval": 25, "eval-v1": 25, "hard": 8, "own": 2}
    | dict.fromkeys(("authors/hard-da", "authors/v1"), 27)
    | dict.fromkeys(("basic", *(f"authors/{n}" for n in ("hard", "mdp", "mdp-v2", "test"))), 4)
)
"""Of each set but the last every so many, which leaves 11 to 34, evenly spread over its types."""


@pytest.mark.parametrize(
    "name",
    ["eval", "eval-v1", "hard", "basic", "own"]
    # To read the 4,162 of `holdout` takes twenty seconds; `python -m perf.rewards` has them, too.
    + [pytest.param(name, marks=pytest.mark.data) for name in AUTHORS if "holdout" not in name],
)
def test_gold_a_try_a_wreck_giving_up(name: str) -> None:
    if name in AUTHORS and not Path(os.environ.get("ORDOJO_DATA", ""), "or-debug-authors").is_dir():
        pytest.skip("needs the authors' sets under ORDOJO_DATA")
    instances = instances_of(name, EVERY.get(name, 1))
    assert gold_accuracy(instances) == 1.0
    paid = table(instances, (*ORDER, "drop right", "drop wrong", ALL, *FARMS), 1)[DEFAULT]
    gold, tried, wrecked, *given_up = [paid[policy] for policy in ORDER]
    assert gold > tried > wrecked > max(given_up), paid
    assert given_up == sorted(set(given_up), reverse=True), paid
    # Where the right repair is a drop, only steps differ.
    assert paid["gold"] + 1 > paid["drop right"] > paid["drop wrong"] >= paid["name, submit"], paid
    # With end=submit all of a repair is made, where the first OPTIMAL would have ended it.
    assert all(paid[farm] < paid["gold"] + 1 for farm in FARMS), paid
    assert paid[ALL] == pytest.approx(paid["submit"]), paid
