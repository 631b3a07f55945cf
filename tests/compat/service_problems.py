"""Random problems of every kind, and a travelling salesman with its brute-force optimum."""

import dataclasses
import itertools
from collections.abc import Callable

import numpy as np

from ordojo.compat import transport
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers.problem import (
    CallbackReply,
    Event,
    General,
    GeneralFunction,
    Indicator,
    LazyConstraint,
    LinearObjective,
    Problem,
    Quadratic,
    QuadraticRow,
    Settings,
    Sos,
)

Rng = np.random.Generator
BEYOND = (
    "lp", "mip", "qp", "miqp", "nonconvex", "qcp", "bilinear", "indicator", "sos", "semi", "multi",
)  # fmt: skip
KINDS = (*BEYOND, *map(str, GeneralFunction))
SMOOTH = {"pow", "exp", "expa", "log", "loga", "sin", "cos", "tan", "poly", "logistic"}
_NUMBERS: dict[str, tuple[float, ...]] = {
    "pow": (2.5,),
    "expa": (2.0,),
    "loga": (3.0,),
    "poly": (1.0, -3.0, 0.0, 2.0),
    "pwl": (-5.0, 3.0, 0.0, 1.0, 0.0, 2.0, 2.0, 0.0, 5.0, 6.0),
}


def linear(rng: Rng, types: Floats, low: float = 0.0, up: float = 10.0) -> Model:
    """A random model with a point inside it."""
    n, m = len(types), int(rng.integers(2, 6))
    rows = [np.flatnonzero(rng.random(n) < 0.5) for _ in range(m)]
    rows = [row if len(row) else np.array([0]) for row in rows]
    values = [rng.integers(-4, 9, len(row)).astype(float) for row in rows]
    inside = np.where(types == 2, rng.integers(0, 2, n), rng.integers(low, up + 1, n)).astype(float)
    activity = np.array([v @ inside[row] for row, v in zip(rows, values, strict=True)])
    both = rng.random(m) < 0.3
    return Model(
        name="random",
        maximize=bool(rng.random() < 0.5),
        objective=rng.integers(-9, 10, n).astype(float),
        offset=float(rng.integers(-5, 6)),
        col_names=tuple(f"x{j}" for j in range(n)),
        col_lower=np.full(n, low),
        col_upper=np.full(n, up),
        types=np.asarray(types, np.uint8),
        row_names=tuple(f"r{i}" for i in range(m)),
        row_lower=np.where(both, activity - rng.integers(0, 6, m), -INF),
        row_upper=activity + rng.integers(0, 6, m),
        starts=np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32),
        index=np.concatenate(rows).astype(np.int32),
        value=np.concatenate(values),
    )


def _convex(rng: Rng, n: int, sign: float) -> Quadratic:
    root = rng.integers(-2, 3, (n, n)).astype(float)
    whole = sign * (root @ root.T)
    i, j = np.nonzero(np.tril(np.ones((n, n))))
    return Quadratic(
        i.astype(np.int32), j.astype(np.int32), np.where(i == j, 1.0, 2.0) * whole[i, j]
    )


def _products(rng: Rng, n: int, k: int) -> Quadratic:
    first, second = (rng.integers(0, n, k).astype(np.int32) for _ in range(2))
    return Quadratic(first, second, rng.integers(-3, 4, k).astype(float))


def make(kind: str, seed: int) -> Problem:
    """A random problem of a kind; a kind of a function has one general constraint."""
    rng = generator(7, kind, seed)
    n = int(rng.integers(5, 9))
    if kind in set(map(str, GeneralFunction)):
        return _general(rng, kind, n)
    types = rng.integers(0, 5 if kind == "semi" else 3, n)
    types[:2] = 2
    if kind in ("lp", "qp"):
        types[:] = 0
    model = linear(rng, types)
    sign = -1.0 if model.maximize else 1.0
    match kind:
        case "qp" | "miqp":
            return Problem(model, quadratic=_convex(rng, n, sign))
        case "nonconvex":
            return Problem(model, quadratic=_products(rng, n, 6))
        case "qcp" | "bilinear":
            convex = kind == "qcp"
            part = _convex(rng, n, 1.0) if convex else _products(rng, n, 4)
            value = rng.integers(-5, 5, n).astype(float)
            upper = float(rng.integers(20, 150))
            row = QuadraticRow(
                "q", np.arange(n, dtype=np.int32), value, part, -INF if convex else -20.0, upper
            )
            return Problem(model, quadratic_rows=(row,))
        case "indicator":
            return Problem(model, indicators=tuple(_indicator(rng, n) for _ in range(3)))
        case "sos":
            sets = (
                Sos(1, rng.choice(n, 3, replace=False).astype(np.int32), np.array([3.0, 1.0, 2.0])),
                Sos(2, rng.choice(n, 4, replace=False).astype(np.int32), np.arange(4.0)),
            )
            return Problem(model, sos=sets)
        case "semi":
            low = np.where(types >= 3, rng.integers(1, 4, n), 0.0)
            return Problem(dataclasses.replace(model, col_lower=low))
        case "multi":
            goals = (
                LinearObjective(
                    f"o{k}",
                    int(rng.integers(0, 3)),
                    float(rng.choice([1, 2, -1])),
                    float(rng.choice([0, 0, 1])),
                    0.0,
                    rng.integers(-5, 6, n).astype(float),
                )
                for k in range(3)
            )
            return Problem(model, objectives=tuple(goals))
    return Problem(model)


def _indicator(rng: Rng, n: int) -> Indicator:
    side, which = float(rng.integers(-2, 9)), int(rng.integers(0, 3))
    return Indicator(
        "i",
        int(rng.integers(0, 2)),
        int(rng.integers(0, 2)),
        rng.choice(n, 2, replace=False).astype(np.int32),
        rng.integers(1, 4, 2) * rng.choice([-1.0, 1.0], 2),
        side if which != 0 else -INF,
        side if which != 1 else INF,
    )


def _general(rng: Rng, kind: str, n: int) -> Problem:
    smooth, logic = kind in SMOOTH, kind in ("and", "or")
    types = rng.integers(0, 3, n)
    count = 1 if smooth or kind in ("abs", "pwl") else 3
    operands = rng.choice(n - 1, count, replace=False)
    if logic or smooth:
        types[operands] = 2 if logic else 0
    types[-1] = 2 if logic else 0
    model = linear(rng, types, 1.0 if smooth else 0.0 if logic else -6.0, 4.0 if smooth else 7.0)
    low, up, value = model.col_lower.copy(), model.col_upper.copy(), model.value.copy()
    value[model.index == n - 1] = 0.0
    if not logic:
        low[-1], up[-1] = -1000.0, 1000.0
    low[types == 2] = 0.0
    if kind == "tan":
        low[operands], up[operands] = -1.0, 1.3
    numbers = _NUMBERS.get(kind, ())
    if kind == "norm":
        numbers = (float(rng.choice([1, 2, INF])),)
    if kind in ("max", "min") and rng.random() < 0.5:
        numbers = (float(rng.integers(-3, 4)),)
    general = General("g", GeneralFunction(kind), n - 1, operands.astype(np.int32), numbers)
    changed = dataclasses.replace(model, col_lower=low, col_upper=up, value=value)
    return Problem(changed, general=(general,))


def salesman(n: int, seed: int) -> tuple[Problem, Callable[[Event], CallbackReply], float]:
    """A tour's degree rows, the callback that forbids subtours, and the shortest tour's length."""
    points = generator(3, "salesman", seed).random((n, 2))
    edges = list(itertools.combinations(range(n), 2))
    length = np.array([np.hypot(*(points[a] - points[b])) for a, b in edges])
    between = dict(zip(edges, length, strict=True))
    tours = ((0, *rest) for rest in itertools.permutations(range(1, n)))
    best = min(
        sum(between[min(a, b), max(a, b)] for a, b in zip(tour, (*tour[1:], 0), strict=True))
        for tour in tours
    )
    at = [[k for k, edge in enumerate(edges) if v in edge] for v in range(n)]
    model = Model(
        name="salesman",
        maximize=False,
        objective=length,
        offset=0.0,
        col_names=tuple(map(str, edges)),
        col_lower=np.zeros(len(edges)),
        col_upper=np.ones(len(edges)),
        types=np.full(len(edges), 2, np.uint8),
        row_names=tuple(f"degree{v}" for v in range(n)),
        row_lower=np.full(n, 2.0),
        row_upper=np.full(n, 2.0),
        starts=np.arange(0, n * (n - 1) + 1, n - 1).astype(np.int32),
        index=np.array([k for row in at for k in row], np.int32),
        value=np.ones(n * (n - 1)),
    )

    def forbid(event: Event) -> CallbackReply:
        if event.where != "mipsol" or event.x is None:
            return CallbackReply()
        rows = []
        for part in _parts(n, [edge for edge, x in zip(edges, event.x, strict=True) if x > 0.5]):
            if len(part) < n:
                inner = [k for k, (a, b) in enumerate(edges) if a in part and b in part]
                index = np.array(inner, np.int32)
                rows.append(LazyConstraint(index, np.ones(len(index)), -INF, len(part) - 1.0))
        return CallbackReply(tuple(rows))

    return Problem(model, settings=Settings(lazy=True)), forbid, float(best)


def _parts(n: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    label = list(range(n))
    for a, b in edges:
        label = [label[a] if found == label[b] else found for found in label]
    return [{v for v in range(n) if label[v] == found} for found in sorted(set(label))]


def beyond_best(problem: Problem) -> Problem:
    """The problem with a row that asks for more than its optimum: infeasible, parts and all."""
    model = problem.model
    best = transport.solve(problem).objective
    assert best is not None
    side = best - model.offset + (1.0 if model.maximize else -1.0)
    index = np.flatnonzero(model.objective)
    sides = (side, INF) if model.maximize else (-INF, side)
    more = model.with_new_row("more", index.tolist(), model.objective[index].tolist(), *sides)
    return dataclasses.replace(problem, model=more)
