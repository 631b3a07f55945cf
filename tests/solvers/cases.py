"""Random models, seeded."""

from collections.abc import Iterator

import numpy as np

from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model, VarType
from tests.milp.builder import ModelBuilder


def random_model(rng: np.random.Generator, mip: bool = False) -> Model:
    """Rows of all kinds; about four in five have no solution."""
    wide = not mip or rng.random() < 0.3
    n, m = (rng.integers(3, 12), rng.integers(4, 14)) if wide else rng.integers(2, 8, 2)
    dense = (rng.random((m, n)) < 0.5) * rng.integers(-5, 10, (m, n)).astype(float)
    kind, rhs = rng.integers(4, size=m), rng.integers(-20, 40, m).astype(float)
    width = rng.integers(1, 10, m)
    rows = np.nonzero(dense)
    return Model(
        name="random",
        maximize=bool(rng.integers(2)),
        objective=rng.integers(-5, 9, n).astype(float),
        offset=float(rng.integers(-3, 3)),
        col_names=tuple(f"x{j}" for j in range(n)),
        col_lower=np.where(rng.random(n) < 0.8, 0.0, -INF),
        col_upper=np.where(rng.random(n) < 0.6, rng.integers(1, 12, n).astype(float), INF),
        types=rng.integers(0, 3, n).astype(np.uint8) if mip else np.zeros(n, np.uint8),
        row_names=tuple(f"c{i}" for i in range(m)),
        row_lower=np.where(kind == 0, -INF, rhs),
        row_upper=np.where(kind == 1, INF, np.where(kind == 3, rhs + width, rhs)),
        starts=np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]).astype(np.int32),
        index=rows[1].astype(np.int32),
        value=dense[rows],
    )


def random_models(count: int, mip: bool, split: str) -> Iterator[Model]:
    """So many of them."""
    for k in range(count):
        yield random_model(generator(0, split, k), mip)


def affine_plane(most: float) -> Model:
    """At most so many of 9 points, one on each of 12 lines; it takes 5."""
    b = ModelBuilder("affine-plane")
    points = [(i, k) for i in range(3) for k in range(3)]
    for i, k in points:
        b.col(f"x{i}{k}", kind=VarType.BINARY)
    b.row("most", {f"x{i}{k}": 1.0 for i, k in points}, "<=", most)
    for a, c in [(1, 0), (0, 1), (1, 1), (1, 2)]:
        for d in range(3):
            line = [(i, k) for i, k in points if (a * i + c * k) % 3 == d]
            b.row(f"line{a}{c}{d}", {f"x{i}{k}": 1.0 for i, k in line}, ">=", 1.0)
    return b.build()
