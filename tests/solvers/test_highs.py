from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest

from ordojo.core.errors import DataError, SolverError
from ordojo.milp.model import INF, Model, VarType, check
from ordojo.problems.optimum import violation
from ordojo.solvers import highs_model
from ordojo.solvers.answers import Side, Status
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.highs_model import is_endless, solve_exactly
from ordojo.solvers.iis import is_irreducible
from ordojo.solvers.problem import Problem, Settings
from ordojo.solvers.residuals import Residuals, check_optimal, worst
from ordojo.solvers.tightening import follows_from_bounds
from tests.milp.builder import ModelBuilder

from .cases import random_models

ORACLE = HighsOracle()


def simple(kind: VarType = VarType.CONTINUOUS, upper: float = INF, rhs: float = 5.0) -> Model:
    b = ModelBuilder("simple", maximize=True)
    b.col("x", 1.0, 0.0, upper, kind)
    b.row("half", {"x": 2.0}, "<=", rhs)
    return b.build()


def test_an_lp_has_its_optimum_and_duals() -> None:
    solution = ORACLE.solve(simple())
    assert solution.status == Status.OPTIMAL
    assert solution.objective == pytest.approx(2.5)
    assert solution.bound == solution.objective
    assert solution.row_dual is not None
    assert solution.row_dual[0] == pytest.approx(0.5)  # one more unit of the side: half more
    check_optimal(simple(), solution)


def test_a_point_outside_of_its_bounds_is_refused() -> None:
    solution = ORACLE.solve(simple())
    for x in (-1.0, 2.0):  # at 2 the row holds, and the bound above is lower
        outside = solution._replace(x=np.array([x]), objective=x)
        with pytest.raises(SolverError, match="bounds"):
            check_optimal(simple(upper=1.5), outside)


def test_a_semicontinuous_column_need_not_be_whole_and_may_be_0() -> None:
    model = simple(VarType.SEMICONTINUOUS, 9.0).with_col_bounds(0, 2.0, 9.0)
    off = {at: violation(model, np.array([at])) for at in (0.0, 1.5, 2.25)}
    assert {at: found[1:] for at, found in off.items()} == {
        0.0: (0.0, 0.0),
        1.5: (0.5, 0.0),
        2.25: (0.0, 0.0),
    }
    whole = Residuals(model.with_type(0, VarType.SEMIINTEGER), np.array([2.25]))
    assert whole.whole.tolist() == [0.25]
    within, below = np.array([1.5]), np.array([-1.0])
    for relaxed, x, most in ((False, within, 0.5 / 1.5), (True, within, 0.0), (True, below, 1.0)):
        assert worst(Problem(model, settings=Settings(relaxed=relaxed)), x)[0] == most


def test_what_follows_from_bounds_alone_knows_that_semicontinuous_columns_may_be_0() -> None:
    model = simple(VarType.SEMICONTINUOUS, 9.0).with_col_bounds(0, -9.0, -3.0)
    found = ORACLE.solve(model)
    assert found.objective == 0.0
    assert follows_from_bounds(Problem(model), found.status, found.objective)
    assert not follows_from_bounds(Problem(model), found.status, -3.0)


@pytest.mark.parametrize(
    "part", [{"col_lower": INF}, {"row_lower": INF}, {"col_upper": -INF}, {"row_upper": -INF}]
)
def test_a_bound_at_the_wrong_infinity_is_refused(part: dict[str, float]) -> None:
    wrong = {name: np.array([value]) for name, value in part.items()}
    with pytest.raises(DataError, match="a bound that is not a number"):
        check(replace(simple(), **wrong))


def test_integers_binaries_and_semicontinuous_columns() -> None:
    assert ORACLE.solve(simple(VarType.INTEGER)).objective == 2.0
    assert ORACLE.solve(simple(VarType.BINARY)).objective == 1.0
    semi = simple(VarType.SEMICONTINUOUS, 9.0).with_col_bounds(0, 3.0, 9.0)
    solution = ORACLE.solve(semi)
    assert solution.objective == 0.0  # 3 is too much, so nothing at all
    needed = semi.with_row_bounds(0, 1.0, 5.0)
    session = ORACLE.session()
    session.load(needed)
    iis = session.iis()
    assert iis.integral
    assert iis.bounds == ((0, Side.LOWER),)
    assert is_irreducible(needed, iis, ORACLE) is None


def test_unbounded_is_told_from_infeasible() -> None:
    free = simple().without_row(0)
    assert ORACLE.solve(free).status == Status.UNBOUNDED
    assert ORACLE.solve(free.with_type(0, VarType.INTEGER)).status == Status.UNBOUNDED
    b = ModelBuilder("both")
    b.col("x", -1.0)
    b.col("y")
    b.row("a", {"y": 1.0}, "<=", 1.0)
    b.row("b", {"y": 1.0}, ">=", 2.0)
    assert ORACLE.solve(b.build()).status == Status.INFEASIBLE
    assert ORACLE.iis(b.build()).row_names(b.build()) == ("a", "b")
    # The relaxation has a ray and a point; the integers have no point.
    b = ModelBuilder("odd")
    b.col("x", -1.0)
    b.col("y", kind=VarType.INTEGER, upper=9.0)
    b.row("odd", {"y": 2.0}, "==", 3.0)
    assert ORACLE.solve(b.build()).status == Status.INFEASIBLE
    assert is_irreducible(b.build(), ORACLE.iis(b.build()), ORACLE) is None


@pytest.mark.parametrize("kind", [VarType.CONTINUOUS, VarType.INTEGER])
def test_sides_that_cross(kind: VarType) -> None:
    crossed = simple(kind).with_col_bounds(0, 3.0, 2.0)
    iis = ORACLE.iis(crossed)
    assert iis.bound_names(crossed) == ("x.lb", "x.ub")
    assert is_irreducible(crossed, iis, ORACLE) is None
    iis = ORACLE.iis(simple(kind).with_row_bounds(0, 3.0, 2.0))
    assert (iis.rows, iis.bounds) == (((0, Side.BOTH),), ())


def test_nothing_but_rows_or_columns() -> None:
    b = ModelBuilder("no rows")
    b.col("x", 1.0)
    assert ORACLE.solve(b.build()).objective == 0.0
    empty = ModelBuilder("nothing").build()
    assert ORACLE.solve(empty).status == Status.OPTIMAL
    bare = empty.with_new_row("bare", [], [], 1.0, INF)
    assert ORACLE.solve(bare).status == Status.INFEASIBLE
    assert ORACLE.iis(bare).rows == ((0, Side.LOWER),)
    termless = b.build().with_new_row("bare", [], [], -INF, -1.0)
    iis = ORACLE.iis(termless)
    assert iis.rows == ((0, Side.UPPER),)
    assert is_irreducible(termless, iis, ORACLE) is None


def test_an_iis_of_a_feasible_model_is_refused() -> None:
    with pytest.raises(SolverError, match="is optimal, so it has no infeasible subsystem"):
        ORACLE.iis(simple())
    with pytest.raises(SolverError, match="load one first"):
        ORACLE.session().solve()


def test_changes_in_place_answer_as_a_cold_load_does() -> None:
    for k, model in enumerate(random_models(40, False, "warm")):
        session = ORACLE.session()
        session.load(model)
        session.solve()
        changed = model.with_row_bounds(0, -INF, 7.0).with_col_bounds(1, 0.0, 3.0)
        changed = changed.with_row(1, [0, 2], [1.5, -2.0], -4.0, 9.0)
        changed = changed.with_type(0, VarType.INTEGER) if k % 2 else changed
        session.set_row_bounds(0, -INF, 7.0)
        session.set_col_bounds(1, 0.0, 3.0)
        session.set_row(1, [0, 2], [1.5, -2.0], -4.0, 9.0)
        if k % 2:
            session.set_type(0, VarType.INTEGER)
        warm, cold = session.solve(), ORACLE.solve(changed)
        assert warm.status == cold.status
        if cold.objective is not None:
            assert warm.objective == pytest.approx(cold.objective)
            check_optimal(changed, warm)
        if cold.status == Status.INFEASIBLE:
            assert is_irreducible(changed, session.iis(), ORACLE) is None
        session.close()
        session.close()


def test_a_cold_load_depends_on_the_model_only() -> None:
    models = list(random_models(60, True, "cold"))
    used = ORACLE.session()
    for model in [*models, *reversed(models)]:
        used.load(model)
        fresh = ORACLE.session()
        fresh.load(model)
        one, two = used.solve(), fresh.solve()
        assert (one.status, one.objective) == (two.status, two.objective)
        if one.status == Status.INFEASIBLE:
            assert used.iis() == fresh.iis()


def test_optimal_answers_pass_their_residuals_and_a_false_one_does_not() -> None:
    checked = 0
    for mip in (False, True):
        for model in random_models(300, mip, "residuals"):
            solution = ORACLE.solve(model)
            if solution.status != Status.OPTIMAL:
                continue
            check_optimal(model, solution)
            checked += 1
            assert solution.x is not None
            false = solution._replace(objective=solution.objective + 1.0)  # type: ignore[operator]
            with pytest.raises(SolverError, match="objective"):
                check_optimal(model, false)
            if solution.col_dual is not None:
                with pytest.raises(SolverError, match="stationarity"):
                    check_optimal(model, solution._replace(col_dual=solution.col_dual + 1.0))
    assert checked > 30


def test_highs_proves_what_our_branch_and_bound_finds() -> None:
    compared = refuted = 0
    for model in random_models(200, True, "branching"):
        solution = ORACLE.solve(model)
        proved = solve_exactly(model, 10.0)
        assert solution.status == proved.status
        refuted += proved.status == Status.INFEASIBLE
        if solution.status == Status.OPTIMAL:
            check_optimal(model, solution)
            check_optimal(model, proved)
            # The bound is HiGHS's own: no point of the model is better.
            assert proved.bound == pytest.approx(solution.objective, rel=1e-6, abs=1e-6)
            compared += 1
    assert compared > 10 and refuted > 10


def test_a_search_without_end_stops() -> None:
    """Left to its time, HiGHS would dig so deep that putting it away takes longer than digging."""
    b = ModelBuilder("parity")
    for name in "xyz":
        b.col(name, 0.0, -INF, INF, VarType.INTEGER)
    for name in "abcde":
        b.col(name, 1.0)
    b.row("r", {"z": -1.0, "a": 1.0}, ">=", 9.0)
    b.row("s", {"x": -1.0, "y": -1.0, "z": -2.0, "b": 1.0, "c": -1.0}, "==", 0.5)
    b.row("t", {"z": 1.0, "d": 1.0}, ">=", 2.0)
    b.row("u", {"x": 1.0, "e": -1.0}, "<=", 10.0)
    started = perf_counter()
    found = solve_exactly(b.build(), 5.0)
    assert found.status == Status.TIME_LIMIT and found.objective == pytest.approx(11.5, abs=1e-5)
    # Left to itself HiGHS takes some 12 s.
    assert perf_counter() - started < 9.0


def test_a_search_that_needs_more_nodes_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = 300  # a model that needs twenty thousand takes seconds
    monkeypatch.setattr(highs_model, "DEEP", deep)
    rng = np.random.default_rng(2)
    b = ModelBuilder("split")
    for j in range(12):
        b.col(f"x{j}", kind=VarType.INTEGER)
    for i, row in enumerate(rng.integers(1, 1000, (2, 12)).tolist()):
        b.col(f"s{i}", 1.0)
        b.col(f"t{i}", 1.0)
        terms = {f"x{j}": float(v) for j, v in enumerate(row)}
        b.row(f"split{i}", terms | {f"s{i}": 1.0, f"t{i}": -1.0}, "==", sum(row) // 2)
    model = b.build()
    assert is_endless(model)
    found = solve_exactly(model, 60.0)
    assert found.status == Status.OPTIMAL and found.nodes > deep
