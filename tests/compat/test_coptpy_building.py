"""Expressions, containers, building and errors of our coptpy, as COPT 8.0.7 has them."""

import itertools
import random

import pytest

import ordojo.compat.coptpy as cp
from ordojo.compat.coptpy import COPT, CoptError


@pytest.fixture
def model() -> cp.Model:
    made = cp.Envr().createModel("t")
    made.setParam(COPT.Param.Logging, 0)
    return made


def test_texts_are_copts(model):
    x, y = model.addVar(name="x"), model.addVar(name="y")
    assert repr(x) == "<coptpy.Var: x>"
    assert repr(2 * x + 3 * y - 1) == "-1.0 + 2.0 * <coptpy.Var: x> + 3.0 * <coptpy.Var: y> "
    assert repr(-x) == "0.0 - <coptpy.Var: x> "
    assert repr(x * y) == "0.0  + <coptpy.Var: x>  * <coptpy.Var: y> "
    assert repr(x <= 1) == "<coptpy.ConstrBuilder>"
    assert repr((x <= 1).getExpr()) == "-1.0 + <coptpy.Var: x> "
    assert [c.getSense() for c in (x <= 1, x >= y, x == 1)] == ["L", "G", "E"]
    assert repr(model) == "<coptpy.Model: t>"
    b = model.addVar(vtype="B", name="b")
    text = "(<coptpy.Var: b> == 1)  -> (-3.0 + <coptpy.Var: x>  <= 0.0)"
    assert repr((b == 1) >> (x <= 3)) == text


def test_expressions_change_in_place(model):
    x, y = model.addVar(name="x"), model.addVar(name="y")
    found = cp.LinExpr([x, y], [1, 2])
    found.addTerm(y, 2)
    found.addTerms([x, y], 3)
    found.addExpr(x + y, 2)
    found += 1
    found *= 2
    assert found.coeffs == [2.0, 4.0, 4.0, 6.0, 6.0, 4.0, 4.0]
    assert found.constant == 2.0
    found.remove(0)
    assert found.size == 6
    quadratic = cp.QuadExpr(x * y)
    quadratic.addTerm(2.0, x)
    quadratic.addTerms([1, 1], [x, y], [x, y])
    assert quadratic.getSize() == 3
    assert quadratic.getLinExpr().coeffs == [2.0]
    assert cp.LinExpr({1: x, 2: y}, {1: 5, 2: 6}).coeffs == [5.0, 6.0]


def test_comparisons_have_no_truth(model):
    x, y = model.addVar(), model.addVar()
    with pytest.raises(ValueError, match="Boolean value of 'ConstrBuilder'"):
        assert 1 <= x <= 2
    with pytest.raises(ValueError, match="Boolean value"):
        assert x != y
    with pytest.raises(TypeError):
        assert x < y
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_changes_are_seen_at_once(model):
    x = model.addVar(ub=4, name="x")
    row = model.addConstr(2 * x <= 5, name="c")
    x.ub = 7
    row.lb = 1
    assert (x.UB, row.lb, row.ub) == (7.0, 1.0, 5.0)
    assert model.getCoeff(row, x) == 2.0
    model.setCoeff(row, x, 3.0)
    assert repr(model.getRow(row)) == "0.0 + 3.0 * <coptpy.Var: x> "
    model.remove(x)
    assert (model.cols, model.rows, model.elems) == (0, 1, 0)


def test_names_of_groups(model):
    x = model.addVars(2, 2)
    assert x[0, 1].name == "C(0,1)"
    y = model.addVars(["p", "q"], nameprefix="y")
    assert model.getVarByName("y(q)") is y["q"]
    rows = model.addConstrs((x[i, j] <= 1 for i in range(2) for j in range(2)), nameprefix="r")
    assert rows[1, 0].name == "r(1,0)"
    assert model.addConstrs(x[0, 0] >= k for k in (5, 6))[6].name == "R(6)"
    assert model.addVar().name == ""
    assert model.addConstr(x[0, 0] <= 1, "a name").name == ""


def test_arguments_of_add_vars(model):
    nested = model.addVars(["p", "q"], [0, 1], lb=[[1, 2], [3, 4]])
    assert [var.lb for var in nested.values()] == [1.0, 2.0, 3.0, 4.0]
    given = model.addVars(["p", "q"], lb={("p",): 1, ("q",): 0}, vtype="I")
    assert [var.lb for var in given.values()] == [1.0, 0.0]
    assert model.addVar(vtype="B").ub == 1.0
    assert model.addVar(ub=float("inf")).ub == COPT.INFINITY
    with pytest.raises(IndexError):
        model.addVars(3, lb=[1, 2])
    with pytest.raises(TypeError, match="name"):
        model.addVars(2, name="x")
    with pytest.raises(CoptError, match="Fail to add a variable"):
        model.addVar(vtype="Z")
    before = model.cols
    with pytest.raises(TypeError, match="name"):
        model.addVar(name=3)
    assert model.cols == before


def test_containers(model):
    x = model.addVars([(1, 2), (1, 3), (2, 3)])
    assert x.sum(1, "*").size == 2
    assert x.prod({(1, 2): 4.0, (2, 3): 5.0}).coeffs == [4.0, 5.0]
    assert len(x.select("*", 3)) == 2
    with pytest.raises(KeyError, match="length 2"):
        x.select(1)
    keys, cost, size = cp.multidict({"a": [1, 2], "b": [3, 4]})
    assert (keys, dict(cost), dict(size)) == (["a", "b"], {"a": 1, "b": 3}, {"a": 2, "b": 4})
    assert cp.tuplelist([(1, 2), (2, 3)]).select("*", 3) == [(2, 3)]
    assert cp.quicksum(x).size == 3
    assert cp.quicksum([x[1, 2] * x[1, 3], 1.0]).getSize() == 1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda m, x: m.getVarByName("nope"), CoptError, "3, (INVALID) Invalid col index"),
        (lambda m, x: m.getConstr(5), CoptError, "3, (INVALID) Invalid row index"),
        (lambda m, x: x.x, CoptError, "3, (INVALID) Fail to get variable information"),
        (lambda m, x: x.foo, CoptError, "3, (INVALID) Fail to get variable information"),
        (lambda m, x: m.addConstr(x + 1), ValueError, "Unsupported constraint sense"),
        (lambda m, x: m.setParam("Nope", 1), AttributeError, "Invalid parameter name 'Nope'"),
        (lambda m, x: m.nope, AttributeError, "Invalid attribute name 'nope'"),
        (lambda m, x: m.read("none.lp"), CoptError, "2, (FILE) Failed to read LP file"),
        (lambda m, x: (x >= 1) >> (x <= 3), ValueError, "Invalid operand for 'rshift'"),
        (
            lambda m, x: m.addConstr((x == 1) >> (x <= 3)),
            CoptError,
            "3, (INVALID) Invalid indicator variable",
        ),
        (
            lambda m, x: m.addConstr(x * x <= 1),
            TypeError,
            "'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'",
        ),
    ],
)
def test_errors_are_copts(model, call, error, text):
    x = model.addVar()
    with pytest.raises(error) as caught:
        call(model, x)
    assert str(caught.value) == text


def test_another_models_variable_is_refused(model):
    other = cp.Envr().createModel().addVar()
    with pytest.raises(CoptError, match="Invalid col index"):
        model.addConstr(other >= 1)


def test_what_is_lacking_is_named(model):
    calls = (
        lambda: model.addExpCone([], 3),
        lambda: cp.nl.floor(model.addVar()),
        lambda: model.tune,
    )
    for call in calls:
        with pytest.raises(
            NotImplementedError, match="not supported by ordojo's coptpy; leave it out"
        ):
            call()
    with pytest.raises(NotImplementedError, match=r"coptpy\.PsdVar"):
        cp.PsdVar  # noqa: B018


def test_parameters_are_clipped_and_case_blind(model):
    model.setParam("timelimit", "-5")
    assert model.Param.TimeLimit == 0.0
    model.Param.relgap = 0.5
    assert model.getParam("RelGap") == 0.5
    assert model.getParamInfo("Threads") == ("Threads", -1, -1, -1, 128)
    model.resetParam()
    assert model.getParam("RelGap") == 1e-4


def test_clone_is_another_model(model):
    x = model.addVars(3, vtype="I", ub=4, nameprefix="x")
    model.addConstr(x.sum() <= 7.5, name="c")
    model.addConstr((model.addVar(vtype="B") == 1) >> (x[0] <= 2))
    model.addQConstr(x[0] * x[1] <= 3, name="q")
    model.setObjective(x.prod({0: 3, 1: 2, 2: 1}), COPT.MAXIMIZE)
    twin = model.clone()
    twin.getVarByName("x(0)").ub = 1
    assert (twin.rows, twin.qconstrs, twin.indicators, twin.cols) == (1, 1, 1, 4)
    assert x[0].ub == 4.0
    assert repr(twin.getObjective()) == repr(model.getObjective())


def test_matrix_of_random_rows_is_what_was_added(model):
    chance = random.Random(5)
    x = [model.addVar() for _ in range(6)]
    wanted = [[chance.randint(-3, 3) for _ in x] for _ in range(8)]
    for row in wanted:
        model.addConstr(cp.quicksum(c * v for c, v in zip(row, x, strict=True)) <= 1)
    dense = model.getA().toarray().tolist()
    assert list(itertools.chain(*dense)) == list(itertools.chain(*wanted))
