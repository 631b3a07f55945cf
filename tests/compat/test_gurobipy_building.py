"""Building models: what is stored, by comparison with a dense matrix and by hand."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perf.building import bench_building

import ordojo.compat.gurobipy as gp
from ordojo.compat.core.assemble import model_of, problem_of
from ordojo.compat.gurobipy import GRB, quicksum
from ordojo.milp.model import INF, Model, VarType, check
from ordojo.solvers.problem import Settings

SENSES = "<>="
Change = tuple[Any, ...]
numbers = st.integers(-3, 3).map(float)
changes = st.one_of(
    st.tuples(st.just("var"), numbers),
    st.tuples(
        st.just("row"),
        st.lists(st.tuples(st.integers(0, 30), numbers), max_size=5),
        st.sampled_from(SENSES),
        numbers,
    ),
    st.tuples(st.just("coefficient"), st.integers(0, 30), st.integers(0, 30), numbers),
    st.tuples(st.just("drop var"), st.integers(0, 30)),
    st.tuples(st.just("drop row"), st.integers(0, 30)),
    st.tuples(st.just("update")),
)


def stored(model: gp.Model) -> Model:
    model.update()
    found = model_of(model._state)
    check(found)
    return found


@settings(max_examples=150)
@given(st.lists(changes, max_size=25))
def test_any_order_of_changes(steps: list[Change]) -> None:
    """The stored rows equal those of a plain dictionary model that does the same."""
    model = gp.Model()
    variables: list[Any] = []
    rows: list[tuple[Any, dict[int, float], str, float]] = []
    for step in steps:
        if step[0] == "var":
            variables.append(model.addVar(ub=step[1] + 5))
        elif step[0] == "row" and variables:
            terms = [(variables[j % len(variables)], c) for j, c in step[1]]
            expr = quicksum(c * v for v, c in terms)
            relation = {"<": expr <= step[3], ">": expr >= step[3], "=": expr == step[3]}[step[2]]
            total: dict[int, float] = {}
            for v, c in terms:
                total[id(v)] = total.get(id(v), 0.0) + c
            rows.append((model.addConstr(relation), total, step[2], step[3]))
        elif step[0] == "coefficient" and rows and variables:
            handle, total, *_ = rows[step[1] % len(rows)]
            var = variables[step[2] % len(variables)]
            model.chgCoeff(handle, var, step[3])
            model.update()
            total[id(var)] = step[3]
        elif step[0] == "drop var" and variables:
            gone = variables.pop(step[1] % len(variables))
            model.remove(gone)
            model.update()
            for _, total, *_ in rows:
                total.pop(id(gone), None)
        elif step[0] == "drop row" and rows:
            model.remove(rows.pop(step[1] % len(rows))[0])
            model.update()
        elif step[0] == "update":
            model.update()
    found = stored(model)
    places = {id(v): j for j, v in enumerate(variables)}
    assert (found.n, found.m) == (len(variables), len(rows))
    for i, (handle, total, sense, rhs) in enumerate(rows):
        index, value = found.row(i)
        got = {j: c for j, c in zip(index.tolist(), value.tolist(), strict=True) if c}
        assert got == {places[key]: c for key, c in total.items() if c}
        assert handle.index == i
        assert found.row_lower[i] == (-INF if sense == "<" else rhs)
        assert found.row_upper[i] == (INF if sense == ">" else rhs)
    assert [v.UB for v in variables] == found.col_upper.tolist()
    assert [v.index for v in variables] == list(range(found.n))


def test_types_bounds_and_objective() -> None:
    model = gp.Model("t")
    x = model.addVar(vtype="B", ub=7, name="x")
    y = model.addVar(lb=-GRB.INFINITY, ub=1e25, obj=2, name="y")
    s = model.addVar(lb=2, ub=9, vtype=GRB.SEMIINT, name="s")
    model.addConstr(x + y <= 1e30)
    model.setObjective(3 * x + x + 5, GRB.MAXIMIZE)
    model.ObjCon = 6
    found = stored(model)
    assert found.maximize
    assert (found.objective.tolist(), found.offset) == ([4.0, 0.0, 0.0], 6.0)
    assert found.types.tolist() == [VarType.BINARY, VarType.CONTINUOUS, VarType.SEMIINTEGER]
    assert (found.col_lower.tolist(), found.col_upper.tolist()) == ([0, -INF, 2], [1, INF, 9])
    assert found.row_upper.tolist() == [INF]
    assert s.VType == "N"
    assert y.UB == INF


def test_names_told_apart_for_the_solver() -> None:
    model = gp.Model()
    for name in ("x", "x", "", "x#2"):
        model.addVar(name=name)
    model.addConstrs((v <= 1 for v in model.getVars()), name="r")
    assert stored(model).col_names == ("x", "x#3", "C2", "x#2")
    assert model.getVars()[1].VarName == "x"


def test_nonlinear_parts_reach_the_problem() -> None:
    model = gp.Model()
    x, y = model.addVars(2, lb=-2, ub=2).values()
    b = model.addVar(vtype="B")
    model.addConstr(x * y + y * x + x <= 3)
    model.addConstr((b == 0) >> (x + x + y >= 1))
    model.addSOS(1, [x, y])
    model.addGenConstrPow(x, y, 3)
    model.addConstr(x * x - x * x <= 3)
    model.setObjective(x * y - 2 * y * x)
    model.update()
    problem = problem_of(model._state, Settings())
    [row] = problem.quadratic_rows
    assert (row.quadratic.first.tolist(), row.quadratic.value.tolist()) == ([0], [2.0])
    [indicator] = problem.indicators
    assert (indicator.active, indicator.index.tolist(), indicator.value.tolist()) == (
        0,
        [0, 1],
        [2.0, 1.0],
    )
    assert problem.sos[0].weights.tolist() == [1.0, 2.0]
    assert problem.general[0].numbers == (3.0,)
    assert problem.quadratic is not None
    assert problem.quadratic.value.tolist() == [-1.0]
    assert problem.model.m == 1
    assert problem.start is None


def test_expressions_keep_their_variables_through_removal() -> None:
    model = gp.Model()
    x = model.addVars(4, name="x")
    expr = x.sum()
    model.remove(x[1])
    model.update()
    with pytest.raises(gp.GurobiError, match="removed"):
        _ = x[1].LB
    model.addConstr(x[0] + x[3] <= 2)
    found = stored(model)
    assert found.row(0)[0].tolist() == [0, 2]
    assert expr.size() == 4


def test_removed_variable_in_a_new_row_is_refused() -> None:
    model = gp.Model()
    x, y = model.addVars(2).values()
    model.update()
    model.remove(x)
    model.update()
    with pytest.raises(gp.GurobiError):
        model.addConstr(x + y <= 1)
        model.update()


def test_numpy_scalars_and_matrices_of_terms() -> None:
    model = gp.Model()
    x = model.addVars(3)
    model.addConstrs(
        quicksum(np.array([[1, 2, 3], [4, 5, 6]])[i, j] * x[j] for j in range(3)) >= np.int64(i)
        for i in range(2)
    )
    found = stored(model)
    assert found.value.tolist() == [1, 2, 3, 4, 5, 6]
    assert found.row_lower.tolist() == [0, 1]


def test_building_is_measured() -> None:
    rows = bench_building(rows=300, repeats=1)
    assert rows
    assert all(value > 0 or "memory" in name for name, value, _, _ in rows)


def test_methods_that_are_made_alike_have_names_of_their_own() -> None:
    with pytest.raises(TypeError, match=r"^addGenConstrTan\(\) missing"):
        gp.Model().addGenConstrTan()
    assert gp.Model.getGenConstrPoly.__name__ == "getGenConstrPoly"

    def helper(self: Any) -> None:
        """A program's own."""

    assert type("Mine", (gp.Model,), {"go": helper}).go.__name__ == "helper"


def test_a_copy_has_formulas_over_its_own_variables() -> None:
    model = gp.Model()
    model.Params.OutputFlag = 0
    x, y = model.addVar(ub=3, name="x"), model.addVar(lb=-9, name="y")
    model.addConstr(y == gp.nlfunc.sin(x) + x * x, "wave")
    model.setObjective(y, GRB.MAXIMIZE)
    model.update()
    other = model.copy()
    other.getVarByName("x").UB = 1
    for one, at in ((other, 1), (model, 3)):
        one.optimize()
        assert one.ObjVal == pytest.approx(np.sin(at) + at**2, abs=1e-4)
    assert other.getGenConstrs()[0].GenConstrName == "wave"
