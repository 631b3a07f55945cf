"""What our gurobipy refuses, and says before and after a solve, as the real one does."""

from typing import Any

import pytest

import ordojo.compat.gurobipy as ours


def _silent(module: Any) -> Any:
    environment = module.Env(empty=True)
    environment.setParam("OutputFlag", 0)
    environment.start()
    return module.Model(env=environment)


def _told(call: str, module: Any, names: dict[str, Any]) -> Any:
    try:
        return eval(call, {"gp": module, "GRB": module.GRB}, names)
    except Exception as error:
        return (type(error).__name__, str(error), getattr(error, "errno", None))


TYPES = ["Q", "q", "b", "Binary", "INTEGER", "", None, 0, 66]
WAYS = [
    "[m.addVar(ub=2.5, vtype=t), m.update()][1]",
    "[m.addVars(2, ub=2.5, vtype=t), m.update()][1]",
    "[m.addVars(2, ub=2.5, vtype=[t, t]), m.update()][1]",
    "[m.addVars(2, ub=2.5, vtype={0: t, 1: t}), m.update()][1]",
    "[x.setAttr('VType', t), m.update()][1]",
    "[m.setAttr('VType', [x], [t]), m.update()][1]",
]


@pytest.mark.parametrize("way", WAYS)
def test_variable_types_are_taken_and_refused_as_by_gurobi(way: str) -> None:
    real = pytest.importorskip("gurobipy")
    for letter in TYPES:
        told = []
        for module in (real, ours):
            model = _silent(module)
            x = model.addVar(ub=2.5)
            model.update()
            said = _told(way, module, {"m": model, "t": letter, "x": x})
            told.append((said, [var.VType for var in model.getVars()], model.IsMIP))
        assert told[0] == told[1], letter


def test_a_type_that_is_none_never_reaches_a_solver() -> None:
    for way in ("Q", ["Q", "C"], {0: "Q"}):
        with pytest.raises(ours.GurobiError, match="Invalid variable type 'Q'"):
            _silent(ours).addVars(2, vtype=way)
    model = _silent(ours)
    x = model.addMVar(2, vtype=None)
    model.update()
    assert [var.VType for var in x.tolist()] == ["C", "C"]


PENALTIES = [
    "m.feasRelax(0, False, [x, y], [1.0], [2.0], [c], [5.0])",
    "m.feasRelax(0, False, [x], [1.0], [2.0, 3.0], [c], [5.0])",
    "m.feasRelax(0, False, [x], [1.0], [2.0], [c, d], [5.0])",
    "m.feasRelax(0, False, [x], None, None, None, [1])",
    "m.feasRelax(0, False, None, [1], None, [c], [1])",
    "m.feasRelax(0, False, x, 1, 1, c, 1)",
    "m.feasRelax(3, False, [x], [1], [1], [c], [1])",
    "m.feasRelax(0, False, None, None, None, [c, d], [5.0, 1.0])",
    "m.feasRelax(0, False, [x], None, None, [c], [5.0])",
    "m.feasRelax(0, False, [x], None, [1], None, None)",
    "m.feasRelax(0, True, [x, y], [1, 1], [1e100, 2], [c], [1])",
]


@pytest.mark.parametrize("call", PENALTIES)
def test_penalties_are_taken_and_refused_as_by_gurobi(call: str) -> None:
    real = pytest.importorskip("gurobipy")
    told = []
    for module in (real, ours):
        m = _silent(module)
        x, y = m.addVar(ub=4), m.addVar(ub=4)
        c, d = m.addConstr(x + y >= 11), m.addConstr(x - y >= 2)
        m.setObjective(x + 3 * y, module.GRB.MAXIMIZE)
        m.update()
        said = _told(call, module, {"m": m, "x": x, "y": y, "c": c, "d": d})
        m.optimize()
        told.append((said, m.Status, m.ObjVal if m.SolCount else None))
    assert told[0][:2] == told[1][:2]
    assert told[0][2] == pytest.approx(told[1][2], abs=1e-5)


def test_negative_penalties_are_refused_by_name() -> None:
    model = _silent(ours)
    x = model.addVar(ub=4)
    model.update()
    with pytest.raises(NotImplementedError, match="negative penalty"):
        model.feasRelax(0, False, [x], [-1.0], [1.0], None, None)


KEEPING = [
    "x.setAttr('VarName', 'tea')",
    "c.setAttr('ConstrName', 'limit')",
    "m.setAttr('ModelName', 'other')",
    "m.setAttr('VarName', [x], ['tea'])",
    "x.setAttr('VTag', 'a')",
    "c.setAttr('CTag', 'a')",
    "x.setAttr('VBasis', 0)",
    "x.setAttr('PStart', 1.0)",
    "m.setParam('MIPGap', 0.1)",
    "x.setAttr('UB', 6.0)",
    "x.setAttr('Start', 1.0)",
    "c.setAttr('RHS', 3.0)",
    "m.setObjective(x, GRB.MAXIMIZE)",
]


@pytest.mark.parametrize("change", KEEPING)
def test_what_changes_no_model_leaves_its_solution(change: str) -> None:
    real = pytest.importorskip("gurobipy")
    told = []
    for module in (real, ours):
        m = _silent(module)
        x = m.addVar(ub=6, name="x")
        c = m.addConstr(x <= 3, "c")
        m.setObjective(x, module.GRB.MAXIMIZE)
        m.optimize()
        names = {"m": m, "x": x, "c": c}
        _told(change, module, names)
        m.update()
        told.append((m.Status, _told("x.X", module, names), m.SolCount))
    assert told[0] == told[1]


READING = [
    *("x.X", "m.ObjVal", "m.objval", "m.ObjBound", "m.MIPGap", "m.NodeCount", "m.PoolObjVal"),
    *("m.ObjNVal", "m.SolCount", "m.Status", "m.getAttr('X', [x])", "m.getAttr('X', {1: x})"),
    *("m.X", "m.getAttr('X')", "m.getAttr('Pi', [c])"),
]


def test_what_is_said_before_a_solve_and_of_infeasible_models() -> None:
    real = pytest.importorskip("gurobipy")
    for kind in "CI":
        for solve in (False, True):
            for expression in READING:
                told = []
                for module in (real, ours):
                    m = _silent(module)
                    x = m.addVar(vtype=kind, ub=5)
                    c = m.addConstr(2 * x == 11)
                    m.update()
                    if solve:
                        m.optimize()
                    told.append(_told(expression, module, {"m": m, "x": x, "c": c}))
                # Gurobi repeats the name of an attribute that failed before.
                if isinstance(told[0], tuple):
                    told = [(type_, errno) for type_, _, errno in told]
                assert told[0] == told[1], (kind, solve, expression)


def test_an_unbounded_integer_model_shows_gurobis_large_number() -> None:
    for sense, number in ((ours.GRB.MINIMIZE, -1e30), (ours.GRB.MAXIMIZE, 1e30)):
        model = _silent(ours)
        x = model.addVar(lb=-1e100, vtype="I")
        model.setObjective(x, sense)
        model.optimize()
        assert (model.Status, model.ObjVal) == (ours.GRB.UNBOUNDED, number)
        with pytest.raises(AttributeError, match="'X'"):
            _ = x.X
