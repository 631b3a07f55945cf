"""The pool of the best solutions, limits of time, tolerances of several objectives."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

import ordojo.compat.gurobipy as ours
from ordojo.compat import transport
from ordojo.compat.service import Service

SEEDS = range(12)


def _silent(module: Any) -> Any:
    environment = module.Env(empty=True)
    environment.setParam("OutputFlag", 0)
    environment.start()
    return module.Model(env=environment)


def _pool(model: Any) -> list[tuple[float, tuple[float, ...]]]:
    found = []
    for number in range(model.SolCount):
        model.Params.SolutionNumber = number
        point = tuple(round(var.Xn, 6) + 0.0 for var in model.getVars())
        found.append((round(model.PoolObjVal, 6) + 0.0, point))
    return found


def _bag(module: Any, **parameters: Any) -> Any:
    model = _silent(module)
    model.Params.PoolSearchMode = 2
    for name, value in parameters.items():
        model.setParam(name, value)
    x = model.addVars(5, vtype="B")
    model.addConstr(module.quicksum((i + 2) * x[i] for i in range(5)) <= 9)
    model.setObjective(module.quicksum((2**i + i) * x[i] for i in range(5)), module.GRB.MAXIMIZE)
    return model


def _mixed(module: Any, seed: int) -> Any:
    """A small problem with integer, binary and continuous columns, some without bounds."""
    rng = random.Random(seed)
    model = _silent(module)
    model.Params.PoolSearchMode = 2
    model.Params.PoolSolutions = rng.choice([2, 5, 9, 20])
    if seed % 5 == 4:
        model.Params.PoolGap = 0.3
    kinds = [rng.choice("IIBC") for _ in range(4)]
    x = []
    for kind in kinds:
        low = 0 if kind != "I" else rng.choice([0, -2])
        up = module.GRB.INFINITY if rng.random() < 0.25 else rng.randint(1, 9)
        x.append(model.addVar(low, up, vtype=kind))
    maximize = seed % 3 == 0
    for _ in range(3):
        body = module.quicksum(rng.randint(1, 5) * var for var in x)
        side = rng.randint(5, 20) + 0.5
        model.addConstr(body <= side if maximize else body >= side)
    goal = module.quicksum(rng.randint(1, 9) * var for var in x)
    if seed % 6 == 1:
        goal += x[0] * x[0]
    model.setObjective(goal, module.GRB.MAXIMIZE if maximize else module.GRB.MINIMIZE)
    return model


def test_the_pool_holds_the_best_points_and_no_others() -> None:
    values = [2**i + i for i in range(5)]
    points = [
        (float(sum(v * z for v, z in zip(values, point, strict=True))), tuple(map(float, point)))
        for point in itertools.product((0, 1), repeat=5)
        if sum((i + 2) * z for i, z in enumerate(point)) <= 9
    ]
    points.sort(reverse=True)
    for count in (1, 3, 10, 100):
        model = _bag(ours, PoolSolutions=count)
        model.optimize()
        assert model.Status == ours.GRB.OPTIMAL
        assert _pool(model) == points[:count]
    assert model.PoolObjBound == -float("inf")
    by_message = _bag(ours, PoolSolutions=4)
    with Service() as service:
        transport.use(service)
        try:
            by_message.optimize()
        finally:
            transport.use(None)
    assert _pool(by_message) == points[:4]


@pytest.mark.parametrize(
    "parameters",
    [
        {"PoolSolutions": 3},
        {"PoolSolutions": 100},
        {"PoolSolutions": 100, "PoolGap": 0.2},
        {"PoolSolutions": 100, "PoolGapAbs": 4},
        {"PoolSolutions": 100, "PoolGap": 0.0},
        {"PoolSolutions": 5, "MIPGap": 0.5},
    ],
)
def test_the_pool_is_that_of_gurobi(parameters: dict[str, Any]) -> None:
    real = pytest.importorskip("gurobipy")
    told = []
    for module in (real, ours):
        model = _bag(module, **parameters)
        model.optimize()
        told.append((model.Status, model.ObjVal, model.PoolObjBound, _pool(model)))
    assert told[0] == told[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_pools_of_mixed_problems_have_the_objectives_of_gurobi(seed: int) -> None:
    real = pytest.importorskip("gurobipy")
    told = []
    for module in (real, ours):
        model = _mixed(module, seed)
        model.optimize()
        told.append([value for value, _ in _pool(model)])
    assert told[0] == pytest.approx(told[1], abs=1e-4)


def test_pools_whose_points_differ_by_more_than_integers_are_refused_by_name() -> None:
    def sets(model: Any) -> None:
        model.addSOS(1, [model.addVar(ub=1), model.addVar(ub=1)])

    def switched(model: Any) -> None:
        model.addGenConstrIndicator(model.addVar(vtype="B"), 1, model.addVar() <= 1)

    def largest(model: Any) -> None:
        model.addGenConstrMax(model.addVar(), [model.addVar(ub=1), model.addVar(ub=2)])

    def semi(model: Any) -> None:
        model.addVar(1, 2, vtype="S")

    def hidden(model: Any) -> None:
        model.addVar(vtype="B").PoolIgnore = 1

    parts: list[tuple[Callable[[Any], None], str]] = [
        (sets, "special ordered sets"),
        (switched, "indicator"),
        (largest, "'max'"),
        (semi, "semicontinuous"),
        (hidden, "PoolIgnore"),
    ]
    for add, words in parts:
        model = _silent(ours)
        model.Params.PoolSearchMode = 2
        add(model)
        with pytest.raises(NotImplementedError, match=words):
            model.optimize()


def test_a_limit_ends_the_pool_with_what_is_known() -> None:
    model = _bag(ours, PoolSolutions=6, SolutionLimit=2)
    model.optimize()
    assert model.Status == ours.GRB.SOLUTION_LIMIT
    assert [value for value, _ in _pool(model)] == [23.0, 21.0]
    seen = []

    def stop(where_model: Any, where: int) -> None:
        if where == ours.GRB.Callback.MIPSOL:
            seen.append(len(where_model.cbGetSolution(where_model.getVars())))

    model = _bag(ours, PoolSolutions=6)
    model.optimize(stop)
    assert [value for value, _ in _pool(model)] == [23.0, 21.0, 20.0, 17.0, 14.0, 12.0]
    assert set(seen) == {5}


def _small(module: Any, kind: str) -> Any:
    model = _silent(module)
    x = model.addVars(5, ub=4, vtype="I" if "mip" in kind else "C")
    if "empty" not in kind:
        model.addConstr(module.quicksum((i + 2) * x[i] for i in range(5)) <= 9.5)
    if "infeasible" in kind:
        model.addConstr(x.sum() >= 99)
    model.setObjective(x.sum(), module.GRB.MAXIMIZE if "max" in kind else module.GRB.MINIMIZE)
    return model


@pytest.mark.parametrize("seconds", [0, 1e-9])
@pytest.mark.parametrize("kind", ["max", "mip", "max mip", "empty", "infeasible", "infeasible mip"])
def test_without_time_nothing_is_found(kind: str, seconds: float) -> None:
    model = _small(ours, kind)
    model.Params.TimeLimit = seconds
    model.optimize()
    worst = -float("inf") if "max" in kind else float("inf")
    told = (model.Status, model.SolCount, model.ObjVal, model.ObjBound)
    assert told == (ours.GRB.TIME_LIMIT, 0, worst, -worst)
    with pytest.raises(AttributeError, match="'X'"):
        _ = model.getVars()[0].X
    real = pytest.importorskip("gurobipy")
    other = _small(real, kind)
    other.Params.TimeLimit = seconds
    other.optimize()
    assert told == (other.Status, other.SolCount, other.ObjVal, other.ObjBound)


def _several(module: Any, seed: int, kind: str, **tolerances: float) -> Any:
    rng = random.Random(seed)
    model = _silent(module)
    model.Params.MIPGap = 0
    x = [model.addVar(ub=10, vtype=kind) for _ in range(6)]
    for _ in range(4):
        body = module.quicksum(rng.randint(1, 9) * var for var in x)
        model.addConstr(body <= rng.randint(30, 60))
    first = module.quicksum(-rng.randint(1, 9) * var for var in x)
    second = module.quicksum(rng.randint(-9, 9) * var for var in x)
    model.setObjectiveN(first, 0, priority=5, **tolerances)
    model.setObjectiveN(second, 1, priority=1)
    return model


def _values(model: Any) -> list[float]:
    found = []
    for number in range(2):
        model.Params.ObjNumber = number
        found.append(model.ObjNVal)
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("kind", "tolerances"),
    [
        ("C", {"reltol": 0.0}),
        ("C", {"reltol": 0.3}),
        ("I", {"reltol": 0.1}),
        ("I", {"abstol": 5.0}),
        ("I", {"abstol": 5.0, "reltol": 0.1, "weight": 0.5}),
    ],
)
def test_an_objective_gives_way_as_in_gurobi(
    seed: int, kind: str, tolerances: dict[str, float]
) -> None:
    real = pytest.importorskip("gurobipy")
    told = []
    for module in (real, ours):
        model = _several(module, seed, kind, **tolerances)
        model.optimize()
        told.append(_values(model))
    assert told[0] == pytest.approx(told[1], abs=1e-3)


def test_what_reduced_costs_decide_is_refused_by_name() -> None:
    with pytest.raises(NotImplementedError, match="ObjNAbsTol"):
        _several(ours, 0, "C", abstol=5.0).optimize()


def test_what_is_ignored_is_in_the_record_of_the_solve() -> None:
    model = _bag(ours, IterationLimit=10, WorkLimit=5, MemLimit=3, TimeLimit=50)
    with Service() as service:
        transport.use(service)
        try:
            model.optimize()
        finally:
            transport.use(None)
        assert service.records[0].ignored == ("IterationLimit", "MemLimit", "WorkLimit")
        assert service.records[0].to_json()["ignored"]
