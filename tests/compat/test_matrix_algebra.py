"""Arrays of expressions against numpy: what holds for numbers holds at any values."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

import ordojo.compat.coptpy as cp
import ordojo.compat.gurobipy as gp
from ordojo.compat.core import matrix as flat
from ordojo.core.seeds import generator

A = np.array([[1.0, 2, 3], [4, 0, 6]])
B = np.array([[2.0, 0, 1], [0, 1, 5], [3, 1, 0]])
CASES = {
    "sum": lambda x, y: x + y,
    "difference": lambda x, y: y - 2 * x + 1,
    "broadcast": lambda x, y: y + x * np.array([[1.0], [2.0]]),
    "matrix": lambda x, y: A @ x,
    "from the right": lambda x, y: x @ A.T,
    "two dimensions": lambda x, y: A @ B @ x - (y @ np.ones(3)),
    "matrix of variables": lambda x, y: B @ y.T,
    "variables by matrix": lambda x, y: y @ B,
    "vector": lambda x, y: np.array([1.0, -1, 2]) @ x,
    "left vector": lambda x, y: np.array([3.0, -1]) @ y,
    "total": lambda x, y: y.sum(),
    "along": lambda x, y: y.sum(axis=0) - x,
    "along last": lambda x, y: (y * 2.0).sum(axis=1),
    "square": lambda x, y: x @ x,
    "form": lambda x, y: x @ B @ x + x.sum() - 3,
    "elementwise": lambda x, y: y * x,
    "affine product": lambda x, y: (x + 1) * (y - 2),
    "product of arrays": lambda x, y: y @ x,
    "matrix product": lambda x, y: y @ (y * 1.0).reshape((3, 2)),
    "part": lambda x, y: y[1] + x[::-1] - y[:, 1:].sum(),
    "single": lambda x, y: y[0, 2] * x[1] + 4,
    "picked": lambda x, y: (A @ x)[1] / 2 + x[-1],
    "negative": lambda x, y: -(y - x) / 4,
}


def gurobi():
    model = gp.Model()
    return model.addMVar(3), model.addMVar((2, 3))


def copt():
    model = cp.Envr().createModel()
    return model.addMVar(3), model.addMVar((2, 3))


@pytest.mark.parametrize("make", [gurobi, copt])
@pytest.mark.parametrize("case", CASES)
def test_values_are_numpys(make, case):
    chance = generator(0, "matrix", list(CASES).index(case))
    x, y = make()
    at = chance.normal(size=9)
    found = CASES[case](x, y)
    wanted = CASES[case](at[:3], at[3:].reshape(2, 3))
    assert found.shape == np.shape(wanted)
    assert flat.values(found._terms(), at) == pytest.approx(wanted)


@pytest.mark.parametrize("make", [gurobi, copt])
def test_sparse_matrices_count_as_dense_ones(make):
    x, y = make()
    at = np.arange(9.0)
    for left, right in [(csr_matrix(A) @ x, A @ x), (y @ csr_matrix(B), y @ B)]:
        assert flat.values(left._terms(), at).tolist() == flat.values(right._terms(), at).tolist()


@pytest.mark.parametrize("make", [gurobi, copt])
def test_shapes_that_do_not_fit_are_refused(make):
    x, y = make()
    for fault in (lambda: A @ y, lambda: x @ y, lambda: x + np.ones(4), lambda: x[5]):
        with pytest.raises((ValueError, IndexError, cp.CoptError)):
            fault()


def test_a_large_product_is_made_by_arrays():
    model = gp.Model()
    x = model.addMVar(20_000)
    rows = np.repeat(np.arange(20_000), 5)
    columns = generator(1, "matrix", 0).integers(0, 20_000, 100_000)
    matrix = csr_matrix((np.ones(100_000), (rows, columns)), shape=(20_000, 20_000))
    model.addConstr(matrix @ x <= np.ones(20_000))
    model.update()
    assert model.NumConstrs == 20_000
    assert model.NumNZs == matrix.nnz
    assert (model.getA() != matrix).nnz == 0


def test_coptpy_takes_lists_and_gives_its_own_arrays():
    model = cp.Envr().createModel()
    model.setParam("Logging", 0)
    x = model.addMVar(3, lb=[0, 1, 2], ub=5, nameprefix="x")
    rows = model.addConstrs(A @ x <= [20, 30], nameprefix="r")
    model.addQConstr(x @ x <= 30)
    model.setObjective([1, 2, 3] @ x, cp.COPT.MAXIMIZE)
    model.solve()
    assert model.status == cp.COPT.OPTIMAL
    assert rows[1].item().name == "r(1)"
    assert model.getVarByName("x(2)").lb == 2.0
    assert isinstance(x.x, cp.NdArray)
    assert (A @ x).getValue().tonumpy() == pytest.approx(A @ x.x.tonumpy())
    x.ub = [1, 2, 3]
    assert x.getInfo("UB").tolist() == [1.0, 2.0, 3.0]
    assert model.getInfo("LB", x).tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(TypeError, match="len"):
        len(x)
    with pytest.raises(TypeError, match="not valid for argument 'lhs'"):
        model.addConstr(x @ x <= 3)


def test_coptpy_loads_matrices():
    model = cp.Envr().createModel()
    model.setParam("Logging", 0)
    free = np.full(2, -cp.COPT.INFINITY)
    model.loadMatrix(np.ones(3), csr_matrix(A), free, np.array([4.0, 5]), np.zeros(3), np.ones(3))
    model.setObjSense(cp.COPT.MAXIMIZE)
    model.solve()
    assert (model.rows, model.cols, model.elems) == (2, 3, 5)
    best = linprog(-np.ones(3), A, [4, 5], bounds=[(0, 1)] * 3)
    assert model.objval == pytest.approx(-best.fun)
    x = model.addMVar(2)
    model.addMConstr(np.eye(2), x, "L", [1, 2], nameprefix="e")
    model.setMObjective(-np.eye(2), [1, 1], 3.0, x, x, x, cp.COPT.MAXIMIZE)
    model.solve()
    assert model.objval == pytest.approx(3.5, abs=1e-5)
