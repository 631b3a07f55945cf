"""What `explain` denies was proved by a solve; what was not settled is said to be that."""

import dataclasses
import math
import os
from pathlib import Path

import numpy as np
import pytest

from ordojo.core.errors import SolverError
from ordojo.milp.files import read_model
from ordojo.milp.model import Model, VarType
from ordojo.solvers.answers import Status
from ordojo.solvers.deletion import obvious
from ordojo.solvers.explain import Explanation, explain
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.iis import is_irreducible
from ordojo.solvers.repair import apply_shifts, minimal_repairs
from tests.milp.builder import ModelBuilder

ORACLE = HighsOracle()


def check(found: Explanation) -> None:
    """Every statement of an explanation of an infeasible model, by solves of our own."""
    assert found.status == Status.INFEASIBLE
    assert found.iis is not None or "No conflict to show" in found.unfinished
    if found.iis is not None and found.iis.proven:
        assert is_irreducible(found.model, found.iis, ORACLE, 60.0) is None
    assert found.repairs or found.beyond_repair or "No repair to show" in found.unfinished
    for repair in found.repairs:
        if repair.verified:
            repaired = apply_shifts(found.model, list(repair.shifts))
            assert ORACLE.solve(repaired, 60.0).status in (Status.OPTIMAL, Status.UNBOUNDED)
    assert ("\nRepairs:\n" in found.text()) is bool(found.repairs and found.repairs[0].least)


def market_split() -> tuple[Model, dict[str, float]]:
    """Two rows that contradict each other, beside six that stand firm and take hours to meet."""
    rng = np.random.default_rng(3)
    b = ModelBuilder("split")
    for j in range(50):
        b.col(f"x{j}", 1.0, kind=VarType.BINARY)
    for i, row in enumerate(rng.integers(1, 100, (6, 50)).tolist()):
        b.row(f"split{i}", {f"x{j}": float(v) for j, v in enumerate(row)}, "==", sum(row) // 2)
    b.col("y", 0.0, 0.0, 9.0)
    b.row("most", {"y": 1.0}, "<=", 3.0)
    b.row("least", {"y": 1.0}, ">=", 4.0)
    return b.build(), {f"split{i}": math.inf for i in range(6)}


def test_what_is_not_settled_is_not_told_as_impossible() -> None:
    model, firm = market_split()
    with pytest.raises(SolverError, match="not settled"):
        minimal_repairs(model, weights=firm, time_limit=0.5)
    found = explain(model, ORACLE, 1.0, weights=firm)
    assert not found.repairs and not found.beyond_repair
    assert "No repair to show" in found.text() and "No repair:" not in found.text()
    assert found.iis is not None and found.iis.row_names(model) == ("most", "least")


def test_what_is_not_settled_without_caps_is_not_told_as_proved() -> None:
    model, firm = market_split()
    found = explain(model, ORACLE, 1.0, weights=firm, caps={"most": 0.01, "least": 0.01})
    assert not found.beyond_repair and not found.capped and "No repair:" not in found.text()
    assert "No repair to show: there is none within the caps, and whether" in found.text()


def test_beyond_repair_is_said_where_a_solve_proves_it() -> None:
    b = ModelBuilder("binary")
    b.col("x", 1.0, kind=VarType.BINARY)
    b.row("two", {"x": 1.0}, ">=", 2.0)
    found = explain(b.build(), ORACLE, weights={"two": math.inf})
    assert found.beyond_repair and "No repair: with all sides free" in found.text()
    check(found)
    free = explain(b.build(), ORACLE)
    assert not free.beyond_repair and free.repairs[0].cost == pytest.approx(1.0)
    check(free)


@pytest.mark.data
@pytest.mark.parametrize("seconds", [30.0, 0.2])
@pytest.mark.parametrize("name", ["refinery", "bgetam", "ex72a", "forest6", "klein1"])
def test_netlibs_infeasible_models(name: str, seconds: float) -> None:
    root = os.environ.get("ORDOJO_DATA")
    if not root:
        pytest.skip("no ORDOJO_DATA")
    found = explain(read_model(Path(root, "mps", f"{name}.mps.gz")), ORACLE, seconds, limit=2)
    check(found)
    if name == "refinery" and seconds > 1:
        assert found.repairs[0].verified and found.repairs[0].least
        assert found.repairs[0].cost == pytest.approx(12.18, abs=0.01)


def out_of_the_solvers_reach(ceiling: float) -> Model:
    """A coefficient that HiGHS refuses, and rows that bound both columns."""
    b = ModelBuilder("huge")
    b.col("x", 1.0)
    b.col("y", 1.0, 0.0, 9.0)
    b.row("a", {"x": 1e15, "y": 1.0}, ">=", 5.0)
    b.row("b", {"x": -2.0}, ">=", 0.0)
    b.row("c", {"y": 1.0}, "<=", ceiling)
    return b.build()


def test_numbers_that_the_solver_refuses_may_be_contradicted_by_bounds() -> None:
    found = explain(out_of_the_solvers_reach(4.0), ORACLE)
    assert found.status == Status.INFEASIBLE and found.iis is not None
    assert found.iis.row_names(found.model) == ("a", "b", "c") and not found.iis.bounds
    assert "No repair to show: HiGHS refuses" in found.text()
    with pytest.raises(SolverError, match="above 1e15"):
        explain(out_of_the_solvers_reach(6.0), ORACLE)


def test_a_side_that_would_cost_more_than_those_shown_is_not_offered() -> None:
    b = ModelBuilder("many")
    names = [f"x{j}" for j in range(8)]
    for j, name in enumerate(names):
        b.col(name, 0.0)
        b.row(f"top_{'abcdefgh'[j]}", {name: float(j + 1)}, "<=", 10.0)
    b.row("need", dict.fromkeys(names, 1.0), ">=", 40.0)
    found = explain(b.build(), ORACLE, limit=9)
    ones = [repair for repair in found.repairs if len(repair.shifts) == 1]
    lack = 40 - sum(10 / (j + 1) for j in range(8))
    assert [one.cost / lack for one in ones] == pytest.approx([1, 1, 2, 3, 4])
    check(found)


@pytest.mark.parametrize(
    ("sign", "rhs", "doubted"), [(1.0, 7.0, False), (-1.0, 7.0, False), (-1.0, 7.0 + 1e-10, True)]
)
def test_rows_of_the_same_terms_are_compared_as_written(
    sign: float, rhs: float, doubted: bool
) -> None:
    """In doubles 2.1 / 0.3 is 9e-16 more than 7."""
    b = ModelBuilder("same")
    b.col("x")
    b.col("y")
    b.row("a", {"x": 0.3, "y": 0.6}, "==", 2.1)
    b.row("b", {"y": 2 * sign, "x": sign}, "==", sign * rhs)
    found = explain(b.build(), ORACLE, 10.0)
    assert found.status == Status.OPTIMAL
    assert ("contradict each other by 1e-10" in found.text()) is doubted
    assert bool(found.doubts) is doubted


@pytest.mark.parametrize(("rhs", "none"), [(0.35, True), (0.4, False)])
def test_a_row_of_multiples_that_misses_its_side_is_a_conflict(rhs: float, none: bool) -> None:
    """Also of decimals: 0.2 x + 0.4 y is a multiple of 0.2."""
    b = ModelBuilder("multiples")
    b.col("x", kind=VarType.INTEGER)
    b.col("y", kind=VarType.INTEGER)
    b.row("r", {"x": 0.2, "y": 0.4}, "==", rhs)
    found = obvious(b.build())
    assert (found is not None and found.method == "common divisor") is none


def test_a_row_of_one_coefficient_below_zero_has_its_multiples() -> None:
    b = ModelBuilder("one")
    b.col("x", 0.0, -9.0, 9.0, VarType.INTEGER)
    b.row("r", {"x": -14.0}, "==", -10.0)
    found = obvious(b.build())
    assert found is not None and found.method == "common divisor"


def test_a_conflict_of_numbers_that_may_be_any_needs_no_whole_ones() -> None:
    b = ModelBuilder("any")
    b.col("x", kind=VarType.INTEGER)
    b.col("y")
    b.row("a", {"y": 1.0}, ">=", 3.0)
    b.row("b", {"y": 1.0}, "<=", 2.0)
    found = explain(b.build(), ORACLE, 10.0)
    assert found.iis is not None
    found = dataclasses.replace(found, conflicts=(found.iis._replace(integral=True),))
    assert found.to_json()["iis"]["needs_integrality"] is ("whole numbers" in found.text()) is False
