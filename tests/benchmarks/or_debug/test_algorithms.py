"""Algorithms 3, 4, 7 and 8 of the paper on models whose answers are worked out by hand."""

from collections.abc import Mapping

import numpy as np
import pytest

from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.injection import printed
from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, Source, flipped
from ordojo.benchmarks.or_debug.injection.generate import attempt, produce
from ordojo.benchmarks.or_debug.injection.validation import validate
from ordojo.benchmarks.or_debug.schema import PRINTED, make_instance
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model
from ordojo.solvers.highs import HighsOracle
from tests.milp.builder import ModelBuilder


@pytest.fixture(scope="module")
def solver() -> ColdSolver:
    return ColdSolver()


Rows = Mapping[str, tuple[Mapping[str, float], str, float]]


def least_cost(rows: Rows, x: tuple[float, float] = (0.0, 50.0)) -> Model:
    """min x + 2 y over x in its bounds and 0 <= y <= 50."""
    b = ModelBuilder("least_cost")
    b.col("x", 1.0, *x)
    b.col("y", 2.0, 0.0, 50.0)
    for name, (terms, sense, side) in rows.items():
        b.row(name, terms, sense, side)
    return b.build()


def source_of(model: Model, solver: ColdSolver) -> Source:
    found = solver.solve(model)
    assert found.x is not None and found.objective is not None
    return Source("by hand", model, "A text.", np.asarray(found.x), found.objective)


def test_algorithm_3_turns_a_row_round() -> None:
    model = least_cost({"low": ({"x": 1, "y": 1}, ">=", 10), "high": ({"x": 1}, "<=", 8)})
    one, two = flipped(model, 0), flipped(model, 1)
    assert (one.row_lower[0], one.row_upper[0]) == (-INF, 10)
    assert (two.row_lower[1], two.row_upper[1]) == (8, INF)
    assert one.row_lower[1] == -INF and one.row_upper[1] == 8


def test_algorithm_4_raises_the_largest_demand(solver: ColdSolver) -> None:
    # Its demand grows by 1.2 to 2.4, by the least of three draws that conflicts, rounded up.
    made = [attempt("E", generator(2, "by hand", i), solver) for i in range(12)]
    found = [one.candidate for one in made if one.validation.holds]
    assert found
    for one in found:
        assert one is not None
        i = one.original.rows[one.targets[0]]
        before, after = float(one.original.row_lower[i]), float(one.sabotaged.row_lower[i])
        assert 1.2 * before - 0.01 <= after <= 2.4 * before + 1
        assert solver.is_infeasible(one.sabotaged)


def test_algorithm_7_takes_the_tightest_row_that_conflicts(solver: ColdSolver) -> None:
    # The optimum is x = 10, y = 0: "need" and "cap" have no slack. "need" turned round is x + y <=
    # 10, which holds there; "cap" turned round is x >= 10, which does, too. "floor" has slack 4:
    # x <= 6 contradicts "need" as y <= 3.
    rows = {
        "need": ({"x": 1.0, "y": 1.0}, ">=", 10.0),
        "few": ({"y": 1.0}, "<=", 3.0),
        "floor": ({"x": 1.0}, ">=", 6.0),
        "cap": ({"x": 1.0}, "<=", 10.0),
    }
    source = source_of(least_cost(rows), solver)
    made = printed.flip(source, generator(0, "unused", 0), solver)
    assert made is not None and made.targets == ("floor",) and made.method == "tightest"
    assert made.sabotaged.row_upper[2] == 6 and made.sabotaged.row_lower[2] == -INF


@pytest.mark.parametrize(
    ("tier", "rows", "x", "target"),
    [
        # The row >= loses its positive terms: 0 >= 10.
        ("tier 1", {"need": ({"x": 1.0, "y": 1.0}, ">=", 10.0)}, (0.0, 50.0), "need"),
        # x <= -10 becomes -x <= -10, above x <= 5.
        ("tier 2", {"low": ({"x": 1.0}, "<=", -10.0)}, (-50.0, 5.0), "low"),
        # -x <= 40 holds; x <= 4 and y <= 50 leave 54 of the 60 that are needed.
        (
            "tier 3",
            {"sum": ({"x": -1.0, "y": -1.0}, "<=", -60.0), "cap": ({"x": 1.0}, "<=", 40.0)},
            (0.0, 50.0),
            "cap",
        ),
        # x + 2 y >= 45 does not conflict in any way; x* = 45, and x >= 46 is added to x <= 45.
        ("tier 4", {"part": ({"x": -1.0, "y": -2.0}, "<=", -45.0)}, (0.0, 50.0), "least"),
    ],
)
def test_algorithm_8_falls_back_tier_by_tier(
    tier: str, rows: Rows, x: tuple[float, float], target: str, solver: ColdSolver
) -> None:
    source = source_of(least_cost(rows, x), solver)
    made = printed.recoefficient(source, generator(0, "unused", 0), solver)
    assert made is not None and (made.method, made.targets) == (tier, (target,))
    fix = [str(action) for action in made.fix]
    found = validate("C", made.original, made.sabotaged, made.targets, fix, solver, strict=False)
    assert found.holds, found.reason
    assert found.objective == pytest.approx(source.objective)


@pytest.mark.parametrize("kind", ["A", "C"])
def test_what_is_made_as_printed_is_verified_and_said_to_be_so(kind: str) -> None:
    made = [produce("pool", 3, index, kind, as_printed=True).problem for index in range(4)]
    assert {one.method for one in made} <= PRINTED
    for one in made:
        verify(make_instance(one, {"highs": HighsOracle().version}))
    assert made[0] != produce("pool", 3, 0, kind).problem
