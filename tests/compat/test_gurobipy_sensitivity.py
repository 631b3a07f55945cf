"""Basis, ranges and proofs of random LPs, beside the real gurobipy where it is installed."""

from typing import Any

import numpy as np
import pytest

import ordojo.compat.gurobipy as ours

VARIABLE = ("VBasis", "SAObjLow", "SAObjUp", "SALBLow", "SALBUp", "SAUBLow", "SAUBUp")
ROW = ("CBasis", "SARHSLow", "SARHSUp")


def _solved(gp: Any, seed: int) -> Any:
    r = np.random.default_rng(seed)
    n = m = 3
    matrix = r.integers(0, 5, (m, n)) + r.random((m, n)).round(2)
    cost, side = (r.integers(1, 9, n) + r.random(n)).round(2), r.integers(5, 20, m) + 0.37
    senses = r.choice(["<", ">"], m, p=[0.7, 0.3])
    side = np.where(senses == ">", np.minimum(side, 4.13), side)
    upper, lower = r.choice([3.3, np.inf], n), r.choice([0.0, 1.05], n)
    model = gp.Model()
    model.Params.OutputFlag = 0
    model.Params.DualReductions, model.Params.InfUnbdInfo = 0, 1
    x = [model.addVar(lb=lower[j], ub=upper[j]) for j in range(n)]
    for i in range(m):
        left = gp.LinExpr(matrix[i].tolist(), x)
        model.addConstr(left <= side[i] if senses[i] == "<" else left >= side[i])
    way = gp.GRB.MAXIMIZE if r.random() < 0.5 else gp.GRB.MINIMIZE
    model.setObjective(gp.LinExpr(cost.tolist(), x), way)
    model.optimize()
    return model


def test_basis_and_ranges_are_those_of_the_real_library() -> None:
    real = pytest.importorskip("gurobipy")
    compared = 0
    for seed in range(40):
        mine, theirs = _solved(ours, seed), _solved(real, seed)
        assert mine.Status == theirs.Status
        if mine.Status != 2:
            continue
        for names, items in ((VARIABLE, "getVars"), (ROW, "getConstrs")):
            for a, b in zip(getattr(mine, items)(), getattr(theirs, items)(), strict=True):
                found = [getattr(a, name) for name in names]
                assert found == pytest.approx([getattr(b, name) for name in names], abs=1e-6)
        compared += 1
    assert compared >= 25


def test_a_farkas_proof_leaves_no_point() -> None:
    model = ours.Model()
    model.Params.OutputFlag, model.Params.InfUnbdInfo = 0, 1
    x, y = model.addVar(ub=3), model.addVar(ub=1)
    rows = [model.addConstr(2 * x + y >= 9), model.addConstr(x - y <= 8)]
    model.optimize()
    assert model.Status == ours.GRB.INFEASIBLE
    assert model.FarkasProof > 0
    duals = [row.FarkasDual for row in rows]
    assert duals[0] < 0 and duals[1] >= 0
    # The rows so combined ask for more than the bounds allow.
    w = np.array(duals) @ np.array([[2, 1], [1, -1]])
    least = np.minimum(w, 0) @ np.array([3, 1])
    assert least > np.array(duals) @ np.array([9, 8])


def test_the_ray_of_an_unbounded_model_goes_on() -> None:
    model = ours.Model()
    model.Params.OutputFlag, model.Params.InfUnbdInfo = 0, 1
    x, y = model.addVar(), model.addVar(ub=2)
    model.addConstr(y - x <= 1)
    model.setObjective(x + y, ours.GRB.MAXIMIZE)
    model.optimize()
    assert model.Status == ours.GRB.UNBOUNDED
    assert x.UnbdRay > 0 and y.UnbdRay == 0


def test_a_mip_has_no_basis() -> None:
    model = ours.Model()
    model.Params.OutputFlag = 0
    x = model.addVar(vtype="I", ub=3)
    model.setObjective(x, ours.GRB.MAXIMIZE)
    model.optimize()
    with pytest.raises(AttributeError):
        _ = x.VBasis
