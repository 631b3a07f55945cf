"""The matrix interface of our gurobipy beside the real one's, where that is installed."""

import numpy as np
import pytest

import ordojo.compat.gurobipy as ours

gurobipy = pytest.importorskip("gurobipy")

A = np.array([[1.0, 2, 3], [4, 5, 6]])


def both(statement):
    """What each library says of the same statement, over the same model."""
    answers = []
    for library in (gurobipy, ours):
        env = library.Env(params={"OutputFlag": 0})
        model = library.Model(env=env)
        names = {"m": model, "gp": library, "GRB": library.GRB, "np": np, "A": A}
        names["x"] = model.addMVar(3, ub=5, name="x")
        names["Y"] = model.addMVar((2, 3), vtype="I", name="Y")
        names["v"] = model.addVar(name="v")
        model.update()
        try:
            found = eval(statement, names)
            shape = getattr(found, "shape", None)
            answers.append(
                (type(found).__name__, shape, " ".join(repr(found).split()).replace(" >", ">"))
            )
        except Exception as error:
            answers.append((type(error).__name__, None, None))
        model.dispose()
    return answers


@pytest.mark.parametrize(
    "statement",
    [
        "x",
        "x[1]",
        "Y[:, 1]",
        "Y.T",
        "x[np.array([True, False, True])]",
        "x.reshape(3, 1)",
        "Y.diagonal()",
        "A @ x",
        "x @ A.T",
        "A @ Y.T",
        "2 * x - 1",
        "np.array([1, 2, 3]) - x",
        "x / 2 + v",
        "v * x",
        "x * x",
        "x ** 2",
        "x @ np.eye(3) @ x",
        "Y + x",
        "-Y.sum(axis=0)",
        "(A @ x)[0].item()",
        "sum(x[i] for i in range(3))",
        "gp.hstack([x, x])",
        "gp.vstack([x, x])",
        "gp.concatenate([A @ x, x])",
        "gp.MLinExpr.zeros(3)",
        "gp.MVar.fromlist([v, v])",
        "x.tolist()",
        "x.LB",
        "x.VarName",
        "Y.VType",
        "x + 'a'",
        "len(x)",
        "hash(x)",
        "x[7]",
        "A @ Y",
        "x <= [1, 2, 3]",
        "bool(x <= 1)",
        "x.nope",
        "x.X",
        "m.addConstr(A @ x <= np.ones(2))",
        "m.addConstr(x @ x <= 3)",
        "m.addConstr((x[0] == 1) >> (v <= 1))",
        "m.addMVar(2, lb=[1, 2, 3])",
        "m.addMConstr(A, None, '<', np.ones(2))",
    ],
)
def test_objects_and_errors_are_the_same(statement):
    real, mine = both(statement)
    assert mine == real


def solved(library, seed):
    chance = np.random.default_rng(seed)
    model = library.Model(env=library.Env(params={"OutputFlag": 0}))
    n, m = int(chance.integers(3, 9)), int(chance.integers(2, 6))
    matrix = chance.integers(-3, 8, (m, n)).astype(float)
    x = model.addMVar(n, ub=chance.integers(2, 9, n), vtype=list(chance.choice(["C", "I"], n)))
    y = model.addMVar((m, 2), ub=4)
    rows = model.addConstr(matrix @ x + y.sum(axis=1) <= chance.integers(8, 25, m), name="r")
    model.addConstr(y[:, 0] - y[:, 1] == np.zeros(m))
    model.addConstrs((matrix[i] @ x >= -9 for i in range(m)), name="k")
    costs = chance.integers(1, 9, n)
    model.setObjective(costs @ x + y.sum() - 0.5 * (y[:, 0] @ y[:, 0]), library.GRB.MAXIMIZE)
    model.optimize()
    assert model.Status == 2
    names = [str(name) for name in np.atleast_1d(rows.ConstrName)]
    return model.ObjVal, names, float(costs @ x.X), (costs @ x).getValue().item()


@pytest.mark.parametrize("seed", range(12))
def test_random_models_have_the_same_optimum(seed):
    real, mine = solved(gurobipy, seed), solved(ours, seed)
    assert mine[0] == pytest.approx(real[0], rel=1e-4, abs=1e-4)
    assert mine[1] == real[1]
    assert mine[2] == pytest.approx(mine[3])
