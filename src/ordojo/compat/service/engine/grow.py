"""A problem that is being rewritten: columns and rows are added, then it is put together again."""

import dataclasses

import numpy as np

from ordojo.compat.problem import Indicator, Problem, QuadraticRow, Sos
from ordojo.milp.model import Floats, Model


class Growing:
    """Starts with a problem's own columns and rows, which keep their numbers; new ones follow."""

    def __init__(self, problem: Problem) -> None:
        model = problem.model
        self._problem = problem
        self.lower: list[float] = model.col_lower.tolist()
        self.upper: list[float] = model.col_upper.tolist()
        self.types: list[int] = model.types.tolist()
        self._index: list[int] = []
        self._value: list[float] = []
        self._lengths: list[int] = []
        self._sides: list[tuple[float, float]] = []
        self.indicators: list[Indicator] = list(problem.indicators)
        self.sos: list[Sos] = list(problem.sos)
        self.quadratic_rows: list[QuadraticRow] = list(problem.quadratic_rows)

    def column(self, lower: float, upper: float, kind: int = 0) -> int:
        """A new column's number."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.types.append(int(kind))
        return len(self.types) - 1

    def row(self, terms: dict[int, float], lower: float, upper: float) -> None:
        """A new row."""
        self._index += terms.keys()
        self._value += terms.values()
        self._lengths.append(len(terms))
        self._sides.append((lower, upper))

    def when(
        self, binary: int, active: int, terms: dict[int, float], lower: float, upper: float
    ) -> None:
        """A new indicator."""
        index = np.fromiter(terms.keys(), np.int32, len(terms))
        value = np.fromiter(terms.values(), np.float64, len(terms))
        self.indicators.append(Indicator("", binary, active, index, value, lower, upper))

    def set(self, kind: int, columns: list[int]) -> None:
        """A new ordered set, in the order given."""
        weights = np.arange(1.0, len(columns) + 1)
        self.sos.append(Sos(kind, np.array(columns, np.int32), weights))

    def built(self) -> Problem:
        """The problem with what was added, and without its general constraints."""
        old = self._problem
        model = grown_model(
            old.model,
            np.array(self.lower),
            np.array(self.upper),
            np.array(self.types, np.uint8),
            np.array(self._lengths, np.int64),
            np.array(self._index, np.int32),
            np.array(self._value),
            np.array(self._sides).reshape(-1, 2),
        )
        start = old.start
        if start is not None:
            start = np.concatenate([start, np.full(model.n - old.model.n, np.nan)])
        return dataclasses.replace(
            old,
            model=model,
            indicators=tuple(self.indicators),
            sos=tuple(self.sos),
            quadratic_rows=tuple(self.quadratic_rows),
            general=(),
            start=start,
        )


def grown_model(
    model: Model,
    lower: Floats,
    upper: Floats,
    types: np.ndarray[tuple[int], np.dtype[np.uint8]],
    lengths: np.ndarray[tuple[int], np.dtype[np.int64]],
    index: np.ndarray[tuple[int], np.dtype[np.int32]],
    value: Floats,
    sides: Floats,
) -> Model:
    """The model with all columns' bounds and types (n' >= n) and more rows of these lengths."""
    more_cols, more_rows = len(lower) - model.n, len(lengths)
    ends = model.nonzeros + np.cumsum(lengths)
    return dataclasses.replace(
        model,
        objective=np.concatenate([model.objective, np.zeros(more_cols)]),
        col_names=(*model.col_names, *(f"#c{k}" for k in range(more_cols))),
        col_lower=lower,
        col_upper=upper,
        types=types,
        row_names=(*model.row_names, *(f"#r{k}" for k in range(more_rows))),
        row_lower=np.concatenate([model.row_lower, sides[:, 0]]),
        row_upper=np.concatenate([model.row_upper, sides[:, 1]]),
        starts=np.concatenate([model.starts, ends]).astype(np.int32),
        index=np.concatenate([model.index, index]).astype(np.int32),
        value=np.concatenate([model.value, value]),
    )
