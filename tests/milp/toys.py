"""Small models for the tests of `milp`."""

import numpy as np

from ordojo.core.seeds import generator
from ordojo.milp.algebra import bound_text, objective_text, row_text, shown
from ordojo.milp.model import INF, Model, VarType
from tests.milp.builder import ModelBuilder

NAMES = ("bread", "x[1]", "x[a,2]", "y_2", "odd name", "2nd", "RC.3#1", 'z["b"]', "e5", "for")


def bakery() -> Model:
    """A range row, an equality, a dropped row, each type of column, odd names."""
    b = ModelBuilder("bakery", maximize=True, offset=5.0)
    b.col("bread", 3.0, upper=40.0)
    b.col("x[1]", 2.5, upper=10.0, kind=VarType.INTEGER)
    b.col("x[a,2]", -1.0, lower=-INF, upper=7.0)
    b.col("odd name", 1.0, kind=VarType.BINARY)
    b.row("oven", {"bread": 2.0, "x[1]": 3.25, "odd name": -1.0}, "<=", 60.0)
    b.row("shelf[1]", {"bread": 1.0, "x[a,2]": 1.0}, "<=", 12.0)
    b.row("spare", {"bread": 1.0}, "<=", 1.0)
    b.row("tie", {"x[1]": 1.0, "x[a,2]": -1.0}, "==", 1.0)
    return b.build().with_row_bounds(1, -3.0, 12.0).without_row(2)


def some_model(index: int, names: tuple[str, ...] = NAMES) -> Model:
    """A random model over the names, with awkward numbers; most are feasible."""
    rng = generator(7, "milp-tests", index)
    b = ModelBuilder("some", bool(rng.integers(2)), float(rng.integers(3)))
    for name in names:
        kind = VarType(int(rng.integers(3)))
        b.col(name, _number(rng), 0.0, float(rng.integers(1, 30)), kind)
    point = {name: float(rng.integers(0, 2)) for name in names}
    for i in range(6):
        used = [
            names[j] for j in rng.choice(len(names), int(rng.integers(1, len(names) + 1)), False)
        ]
        terms = {name: _number(rng) for name in used}
        side = sum(value * point[name] for name, value in terms.items())
        slack = (1.0, -1.0, 0.0)[i % 3] * abs(_number(rng))
        b.row(f"r[{i}]", terms, ("<=", ">=", "==")[i % 3], side + slack)
    model = b.build()
    return model.with_row_bounds(0, model.row_upper[0] - abs(_number(rng)) - 50, model.row_upper[0])


def awkward_numbers(count: int) -> list[float]:
    """Numbers of all sizes and lengths."""
    rng = generator(7, "milp-numbers", 0)
    return [float(v) for v in rng.standard_normal(count) * 10.0 ** rng.integers(-300, 300, count)]


def _number(rng: np.random.Generator) -> float:
    scale = rng.choice([1.0, 0.1, 100.0, 0.01, 1 / 3])
    return float(rng.integers(1, 50) * scale * rng.choice([-1.0, 1.0]))


def model_text(model: Model) -> str:
    """The whole model, one line for the objective, each row (`name: algebra`) and each column."""
    lines = [objective_text(model), "subject to"]
    lines += [f"  {shown(name)}: {row_text(model, i)}" for i, name in enumerate(model.row_names)]
    lines.append("bounds")
    lines += [f"  {bound_text(model, j)}" for j in range(model.n)]
    return "\n".join(lines) + "\n"
