"""Our solvers against the real Gurobi, on random problems of every kind."""

import dataclasses

import numpy as np
import pytest

from ordojo.milp.model import INF
from ordojo.solvers import choose, scip
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Problem, Quadratic
from ordojo.solvers.residuals import worst
from ordojo.solvers.search import Search
from tests.compat.service_problems import KINDS, SMOOTH, make, salesman

SEEDS = range(8)


def solved(problem: Problem, solver: str) -> SolveResult:
    return choose.solve(problem, Search(30.0), solver)


def compare(kind: str, problem: Problem, ours: SolveResult, real: SolveResult) -> None:
    if real.status == Status.INFEASIBLE_OR_UNBOUNDED:
        assert ours.status in (Status.INFEASIBLE, Status.UNBOUNDED)
        return
    assert ours.status == real.status, (ours, real)
    if ours.x is None:
        return
    assert worst(problem, ours.x)[0] < 1e-5
    assert ours.objective is not None and real.objective is not None
    if kind == "multi":
        # Gurobi lets an objective slip by its gap while it improves the next one.
        top = max(goal.priority for goal in problem.objectives)
        values = [
            sum(
                g.weight * float(g.coefficients @ x)
                for g in problem.objectives
                if g.priority == top
            )
            for x in (ours.x, real.x)
        ]
        assert values[0] == pytest.approx(values[1], rel=2e-3, abs=1.01)
        return
    assert ours.objective == pytest.approx(real.objective, rel=1.5e-4, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_ours_agree_with_gurobi(kind: str) -> None:
    pytest.importorskip("gurobipy")
    if kind in SMOOTH | {"nonconvex", "bilinear", "qcp", "miqp"}:
        pytest.importorskip("pyscipopt")
    for seed in SEEDS:
        problem = make(kind, seed)
        compare(kind, problem, solved(problem, "open"), solved(problem, "gurobi"))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - SMOOTH))
def test_highs_alone_is_right_or_says_what_it_lacks(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gurobipy")
    monkeypatch.setattr(scip, "installed", lambda: False)
    refused = 0
    for seed in SEEDS:
        problem = make(kind, seed)
        ours = solved(problem, "open")
        if ours.status == Status.UNSUPPORTED:
            assert "needs SCIP" in ours.detail
            refused += 1
            continue
        compare(kind, problem, ours, solved(problem, "gurobi"))
    allowed = kind in ("miqp", "nonconvex", "qcp", "bilinear", "norm")
    assert allowed or not refused


@pytest.mark.parametrize("kind", sorted(SMOOTH))
def test_highs_alone_names_the_function_it_lacks(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scip, "installed", lambda: False)
    found = solved(make(kind, 0), "open")
    assert found.status == Status.UNSUPPORTED
    assert kind in found.detail


def test_a_nonconvex_problem_without_bounds_is_unbounded() -> None:
    pytest.importorskip("pyscipopt")
    model = make("lp", 0).model
    n = model.n
    free = dataclasses.replace(
        model,
        maximize=False,
        col_upper=np.full(n, INF),
        row_lower=np.full(model.m, -INF),
        row_upper=np.full(model.m, INF),
    )
    both = np.array([0], np.int32), np.array([1], np.int32)
    found = solved(Problem(free, quadratic=Quadratic(*both, np.array([-1.0]))), "open")
    assert found.status == Status.UNBOUNDED and found.objective is None


def test_duals_have_the_signs_of_gurobi() -> None:
    pytest.importorskip("gurobipy")
    equal = 0
    for seed in range(30):
        problem = make("lp", seed)
        ours, real = solved(problem, "open"), solved(problem, "gurobi")
        assert ours.row_dual is not None and ours.col_dual is not None
        rows, cols = real.row_dual, real.col_dual
        equal += ours.row_dual == pytest.approx(rows, abs=1e-6) and ours.col_dual == pytest.approx(
            cols, abs=1e-6
        )
    # A degenerate optimum has several duals.
    assert equal >= 20


@pytest.mark.parametrize("way", ["scip", "loop", "gurobi"])
@pytest.mark.parametrize("seed", range(3))
def test_lazy_constraints_find_the_shortest_tour(
    way: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way != "loop":
        pytest.importorskip({"scip": "pyscipopt", "gurobi": "gurobipy"}[way])
    monkeypatch.setattr(scip, "installed", lambda: way == "scip")
    problem, forbid, best = salesman(7, seed)
    search = Search(30.0, forbid)
    found = choose.solve(problem, search, "gurobi" if way == "gurobi" else "open")
    assert found.status == Status.OPTIMAL
    assert found.objective == pytest.approx(best)
