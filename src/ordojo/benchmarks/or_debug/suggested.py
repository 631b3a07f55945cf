"""Changes of a row's coefficients that the rest of a model suggests, with no text read."""

from collections.abc import Iterator

import numpy as np

from ordojo.milp.model import Model

SCALES = (2.0, 3.0, 5.0, 10.0)
"""What a coefficient or a row may be off by, for one who guesses: version 4 scaled by these."""

TERMS = 12
"""Columns that a row may lack, those nearest to it: a small model has hardly more."""


def suggested(model: Model, i: int) -> Iterator[tuple[tuple[str, ...], Model]]:
    """Row i as it might have been, each with what suggests it.

    A coefficient is as others of its row or of its column, or 1, or off by a factor; a term is
    missing; the row is scaled.
    """
    index, value = (part.tolist() for part in model.row(i))
    sides = float(model.row_lower[i]), float(model.row_upper[i])
    sizes = np.abs(value)

    def column(j: int) -> set[float]:
        found = (model.index == j) & (model.entry_rows != i)
        return set(np.abs(model.value[found]).tolist())

    def row(index: list[int], value: list[float]) -> Model:
        return model.with_row(i, index, value, *sides)

    for k, (j, v) in enumerate(zip(index, value, strict=True)):
        others = set(np.delete(sizes, k).tolist())
        lone = "lone" if len(others) == 1 and abs(v) not in others else ""
        ways = dict.fromkeys((abs(v) * f for s in SCALES for f in (s, 1 / s)), "factor")
        ways |= {1.0: "one"} | dict.fromkeys(column(j), "column") | dict.fromkeys(others, "row")
        for size, way in ways.items():
            if size != abs(v):
                new = [*value[:k], float(np.copysign(size, v)), *value[k + 1 :]]
                yield (way, lone), row(index, new)
    flat = "flat" if len(set(sizes.tolist())) == 1 else ""
    for factor in SCALES:
        yield ("scaled", flat, f"1/{factor}"), row(index, (np.array(value) / factor).tolist())
        yield ("scaled", flat, str(factor)), row(index, (np.array(value) * factor).tolist())
    signs = sorted(set(np.sign(value).tolist()))
    for j in _missing(model, i):
        for size in sorted({1.0, *sizes.tolist(), *column(j)}):
            way = "row" if size in sizes else "column"
            for sign in signs:
                yield ("term", flat, way), row([*index, j], [*value, sign * size])


def _missing(model: Model, i: int) -> list[int]:
    """Columns that row i has not, those first that stand with its own in other rows."""
    own = model.row(i)[0]
    near = np.isin(model.entry_rows, model.entry_rows[np.isin(model.index, own)])
    counts = np.bincount(model.index[near], minlength=model.n)
    counts[own] = -1
    return [j for j in np.argsort(-counts, kind="stable")[:TERMS].tolist() if counts[j] >= 0]
