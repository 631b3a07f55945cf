"""Gurobi's word on 1,000 infeasible models: statuses, and each IIS member by member."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.perform import oracle_of
from ordojo.benchmarks.or_debug.prompts import named
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.answers import Iis, Side, Status
from ordojo.solvers.gurobi import GurobiOracle
from ordojo.solvers.highs import HighsOracle

gp = pytest.importorskip("gurobipy")

MODELS = 1000
Member = tuple[str, int, Side]


def models() -> Iterator[tuple[Model, Model]]:
    """Of the shipped sets, which take no time to make."""
    for name in ("eval", "eval-v1", "eval-v3"):
        for instance in load_set(name):
            yield instance.problem.original_model, instance.problem.model


def members(iis: Iis) -> Iterator[Member]:
    for kind, found in (("row", iis.rows), ("bound", iis.bounds)):
        for place, side in found:
            sides = (Side.LOWER, Side.UPPER) if side == Side.BOTH else (side,)
            yield from ((kind, place, one) for one in sides)


def gurobi_status(model: Model, env: Any, kept: set[Member] | None = None) -> int:
    """Gurobi's status of the model, or of what some sides of it leave, without an objective."""

    def side(kind: str, place: int, which: Side, value: float, free: float) -> float:
        return value if kept is None or (kind, place, which) in kept else free

    with gp.Model(env=env) as m:
        lower, upper = model.effective_bounds
        columns = [
            m.addVar(
                side("bound", j, Side.LOWER, float(lower[j]), -INF),
                side("bound", j, Side.UPPER, float(upper[j]), INF),
                float(model.objective[j]) if kept is None else 0.0,
                "C" if model.types[j] == VarType.CONTINUOUS else "I",
            )
            for j in range(model.n)
        ]
        m.ModelSense = -1 if model.maximize else 1
        for i in range(model.m):
            index, value = model.row(i)
            total = gp.LinExpr(value.tolist(), [columns[j] for j in index])
            low = side("row", i, Side.LOWER, float(model.row_lower[i]), -INF)
            high = side("row", i, Side.UPPER, float(model.row_upper[i]), INF)
            if low > -INF:
                m.addConstr(total >= low)
            if high < INF:
                m.addConstr(total <= high)
        m.optimize()
        return int(m.Status)


def test_gurobi_shows_its_own_iis_from_the_first_observation_on() -> None:
    environment = OrDebugEnvironment(OrDebugOptions(oracle="gurobi"))
    others = 0
    for instance in load_set("eval")[::10]:
        first = environment.reset(instance, 0).text
        shown = environment.state.iis
        again = environment.step("Action: GET_IIS()")
        assert again.info["iis"] == list(shown) and f"IIS: {named(shown)}" in first
        environment.step(f"RELAX({instance.problem.targets[0]}, 0)")
        environment.step("RESTART()")
        assert environment.state.iis == shown
        others += set(shown) != set(instance.problem.iis_rows)
    environment.close()
    assert others > 10, "of the whole set 193 of 450"


def test_gurobi_is_set_as_table_18_has_it() -> None:
    oracle = oracle_of(OrDebugOptions(oracle="gurobi"))
    assert isinstance(oracle, GurobiOracle)
    usual = GurobiOracle()
    with gp.Model(env=oracle.env) as model, gp.Model(env=usual.env) as other:
        names = ("IISMethod", "OutputFlag", "Threads", "MIPGap")
        assert [model.getParamInfo(name)[2] for name in names] == [1, 0, 4, 0.01]
        # Everywhere else Gurobi is asked for the optimum itself.
        assert other.getParamInfo("MIPGap")[2] == 1e-9
    assert OrDebugOptions().time_limit == 10


def test_gold_is_right_under_the_papers_settings() -> None:
    environment = OrDebugEnvironment(OrDebugOptions(oracle="gurobi"))
    for instance in load_set("eval")[::45]:
        environment.reset(instance, 0)
        for action in instance.problem.fix:
            last = environment.step(f"Action: {action}")
        assert last.terminated and last.info["final"]["outcome"] == "full", instance.id
    environment.close()


def test_statuses_agree_and_every_iis_is_irreducible() -> None:
    oracle, irreducible = HighsOracle(), 0
    # DualReductions 0: infeasible and unbounded are told apart.
    with gp.Env(params={"OutputFlag": 0, "Threads": 1, "DualReductions": 0}) as env:
        for original, sabotaged in islice(models(), MODELS):
            assert gurobi_status(original, env) == gp.GRB.OPTIMAL
            assert gurobi_status(sabotaged, env) == gp.GRB.INFEASIBLE
            assert oracle.solve(original).status == Status.OPTIMAL
            assert oracle.solve(sabotaged).status == Status.INFEASIBLE
            iis = oracle.iis(sabotaged)
            assert iis.proven
            found = set(members(iis))
            assert gurobi_status(sabotaged, env, found) == gp.GRB.INFEASIBLE
            for member in found:
                assert gurobi_status(sabotaged, env, found - {member}) == gp.GRB.OPTIMAL, member
            irreducible += 1
    assert irreducible == MODELS
