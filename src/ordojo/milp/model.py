"""The optimization model: sparse arrays with names, immutable, cheap to change in one place."""

import dataclasses
import math
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.core.words import amount
from ordojo.milp.tolerances import WHOLE

INF = math.inf
ENDLESS = 1e20
"""Numbers of this size and more are infinite, as files, solvers and their libraries have it."""
# As `numpy.typing.NDArray` has them, which takes longer to load than a small file to read.
Floats = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Ints = np.ndarray[tuple[Any, ...], np.dtype[np.int32]]
Longs = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Bytes = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]
Flags = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]


class VarType(IntEnum):
    """What values a column may take, beside its bounds."""

    CONTINUOUS = 0
    INTEGER = 1
    BINARY = 2
    SEMICONTINUOUS = 3
    SEMIINTEGER = 4


ColumnParts = tuple[str, float, float, VarType, float]
"""Name, lower and upper bound, type, cost."""
RowParts = tuple[str, float, float, Collection[int], Iterable[float]]
"""Name, lower and upper side, columns, coefficients."""


def typed_bounds(types: Bytes, low: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Column bounds (n), those of BINARY columns cut to [0, 1]."""
    binary = types == VarType.BINARY
    if not binary.any():
        return low, up
    return np.where(binary, np.maximum(low, 0.0), low), np.where(binary, np.minimum(up, 1.0), up)


def hull_bounds(types: Bytes, low: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Typed bounds (n) as the LP relaxation has them: semicontinuous columns reach to 0."""
    semi = types >= VarType.SEMICONTINUOUS
    if not semi.any():
        return low, up
    return np.where(semi, np.minimum(low, 0.0), low), np.where(semi, np.maximum(up, 0.0), up)


@dataclass(frozen=True, eq=False)
class Model:
    """A mixed-integer linear model: min or max c'x + offset, with row_lower <= Ax <= row_upper.

    n columns, m rows. A is in compressed sparse row form: row i has columns
    `index[starts[i]:starts[i+1]]` with coefficients `value[...]`, no column twice. Infinite bounds
    are +-inf. `types` are `VarType` codes; a BINARY column keeps its own bounds, which hold beside
    0 and 1. A row without a finite side constrains nothing: so a dropped row keeps its place, and
    the numbers of the others stand. Arrays are shared between models and never written to.
    """

    name: str
    maximize: bool
    objective: Floats
    offset: float
    col_names: tuple[str, ...]
    col_lower: Floats
    col_upper: Floats
    types: Bytes
    row_names: tuple[str, ...]
    row_lower: Floats
    row_upper: Floats
    starts: Ints
    index: Ints
    value: Floats

    @classmethod
    def of(
        cls,
        name: str,
        maximize: bool,
        offset: float,
        columns: Iterable[ColumnParts],
        rows: Iterable[RowParts],
    ) -> "Model":
        """The model of these columns and rows, not checked."""
        columns, rows = list(columns), list(rows)
        return cls(
            name=name,
            maximize=maximize,
            offset=offset,
            objective=np.array([column[4] for column in columns], np.float64),
            col_names=tuple(column[0] for column in columns),
            col_lower=np.array([column[1] for column in columns], np.float64),
            col_upper=np.array([column[2] for column in columns], np.float64),
            types=np.array([column[3] for column in columns], np.uint8),
            row_names=tuple(row[0] for row in rows),
            row_lower=np.array([row[1] for row in rows], np.float64),
            row_upper=np.array([row[2] for row in rows], np.float64),
            starts=np.cumsum([0, *(len(row[3]) for row in rows)]).astype(np.int32),
            index=np.array([j for row in rows for j in row[3]], np.int32),
            value=np.array([number for row in rows for number in row[4]], np.float64),
        )

    @property
    def n(self) -> int:
        """The number of columns."""
        return len(self.col_names)

    @property
    def m(self) -> int:
        """The number of rows, dropped ones counted."""
        return len(self.row_names)

    @property
    def nonzeros(self) -> int:
        """The number of stored coefficients."""
        return len(self.index)

    @property
    def size(self) -> str:
        """How large it is, in words: "1 row and 2 columns"."""
        return f"{amount(self.m, 'row')} and {amount(self.n, 'column')}"

    @cached_property
    def cols(self) -> Mapping[str, int]:
        """Column numbers by name."""
        return {name: j for j, name in enumerate(self.col_names)}

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row numbers by name."""
        return {name: i for i, name in enumerate(self.row_names)}

    @cached_property
    def is_mip(self) -> bool:
        """Whether any column is not continuous."""
        return bool(self.types.any())

    @cached_property
    def effective_bounds(self) -> tuple[Floats, Floats]:
        """Column bounds, those of BINARY columns cut to [0, 1]."""
        return typed_bounds(self.types, self.col_lower, self.col_upper)

    @property
    def whole_bounds(self) -> tuple[Floats, Floats]:
        """Effective column bounds, those of whole numbers at the next whole ones within.

        A bound within a millionth of a whole number counts as that.
        """
        low, up, whole = *self.effective_bounds, self.whole
        return np.where(whole, np.ceil(low - WHOLE), low), np.where(whole, np.floor(up + WHOLE), up)

    @property
    def whole(self) -> Flags:
        """Which columns take whole numbers alone."""
        kinds = self.types
        return np.asarray((kinds != VarType.CONTINUOUS) & (kinds != VarType.SEMICONTINUOUS))

    @property
    def semi(self) -> Flags:
        """Which columns may be 0 whatever their bounds say."""
        return np.asarray(self.types >= VarType.SEMICONTINUOUS)

    @cached_property
    def hull(self) -> tuple[Floats, Floats]:
        """Column bounds in the LP relaxation: effective ones, semicontinuous columns reach to 0."""
        return hull_bounds(self.types, *self.effective_bounds)

    @property
    def relaxed(self) -> "Model":
        """The LP relaxation: all columns continuous."""
        return self._continuous(*self.hull) if self.is_mip else self

    def fixed_at(self, x: Floats) -> "Model":
        """The LP that is left where integer columns stand at the whole numbers nearest to x (n)."""
        low, up, whole, at = *self.effective_bounds, self.whole, np.rint(x)
        return self._continuous(np.where(whole, at, low), np.where(whole, at, up))

    def _continuous(self, low: Floats, up: Floats) -> "Model":
        types = np.zeros_like(self.types)
        return dataclasses.replace(self, col_lower=low, col_upper=up, types=types)

    def row(self, i: int) -> tuple[Ints, Floats]:
        """The columns and coefficients of row i."""
        start, end = self.starts[i], self.starts[i + 1]
        return self.index[start:end], self.value[start:end]

    def sides(self, i: int) -> tuple[float, float]:
        """The lower and the upper side of row i."""
        return self.row_lower.item(i), self.row_upper.item(i)

    def bounds(self, j: int) -> tuple[float, float]:
        """The lower and the upper bound of column j as they are given."""
        return self.col_lower.item(j), self.col_upper.item(j)

    def terms(self, i: int) -> dict[int, float]:
        """The coefficients of row i by column."""
        return dict(zip(*(part.tolist() for part in self.row(i)), strict=True))

    def is_live(self, i: int) -> bool:
        """Whether row i constrains anything; a dropped one does not."""
        return bool(self.row_lower[i] > -INF or self.row_upper[i] < INF)

    def with_row_bounds(self, i: int, lower: float, upper: float) -> "Model":
        """A copy in which row i has other sides."""
        lows, ups = self.row_lower.copy(), self.row_upper.copy()
        lows[i], ups[i] = lower, upper
        return self._but(row_lower=lows, row_upper=ups)

    def _but(self, **changed: Any) -> "Model":
        """A copy with other arrays under the same names, whose numbers it keeps."""
        new = object.__new__(Model)
        kept = {name: value for name, value in self.__dict__.items() if name in _LASTING}
        new.__dict__.update(kept, **changed)
        return new

    def with_row(
        self,
        i: int,
        index: Sequence[int],
        value: Sequence[float],
        lower: float | None = None,
        upper: float | None = None,
    ) -> "Model":
        """A copy in which row i is another one, under its old name; a side not given stays."""
        low, up = self.sides(i)
        start, end = int(self.starts[i]), int(self.starts[i + 1])
        starts = self.starts.copy()
        starts[i + 1 :] += len(index) - (end - start)
        new_index, new_value = np.asarray(index, np.int32), np.asarray(value, np.float64)
        lower, upper = low if lower is None else lower, up if upper is None else upper
        return self.with_row_bounds(i, lower, upper)._but(
            starts=starts,
            index=np.concatenate([self.index[:start], new_index, self.index[end:]]),
            value=np.concatenate([self.value[:start], new_value, self.value[end:]]),
        )

    def without_row(self, i: int) -> "Model":
        """A copy in which row i constrains nothing; it keeps its place and name."""
        return self.with_row_bounds(i, -INF, INF)

    def with_col_bounds(self, j: int, lower: float, upper: float) -> "Model":
        """A copy in which column j has other bounds."""
        lows, ups = self.col_lower.copy(), self.col_upper.copy()
        lows[j], ups[j] = lower, upper
        return self._but(col_lower=lows, col_upper=ups)

    def with_type(self, j: int, kind: VarType) -> "Model":
        """A copy in which column j is of another type."""
        types = self.types.copy()
        types[j] = kind
        return self._but(types=types)

    def with_new_row(
        self, name: str, index: Sequence[int], value: Sequence[float], lower: float, upper: float
    ) -> "Model":
        """A copy with one more row at the end."""
        return self.grown([len(index)], index, value, [(lower, upper)], [name])

    def with_objective_held(self, name: str, value: float, give: float) -> "Model":
        """A copy with a row that holds the objective at a value, or worse by at most `give`."""
        used, side = np.flatnonzero(self.objective), value - self.offset
        low, up = (side - give, INF) if self.maximize else (-INF, side + give)
        return self.with_new_row(name, used.tolist(), self.objective[used].tolist(), low, up)

    def grown(
        self,
        lengths: Sequence[int],
        index: Sequence[int] | Ints,
        value: Sequence[float] | Floats,
        sides: Sequence[tuple[float, float]] | Floats,
        names: Sequence[str] = (),
        columns: tuple[Floats, Floats, Bytes] | None = None,
        col_names: Sequence[str] = (),
    ) -> "Model":
        """A copy with more rows, of these lengths and sides, and perhaps more columns.

        `columns` are the bounds and types of all of them, the own ones first. What has no name is
        called by its number.
        """
        low, up, types = columns or (self.col_lower, self.col_upper, self.types)
        ends = self.nonzeros + np.cumsum(lengths)
        both = np.asarray(sides, np.float64).reshape(-1, 2)
        names = names or [f"#r{i}" for i in range(self.m, self.m + len(lengths))]
        col_names = col_names or [f"#c{j}" for j in range(self.n, len(low))]
        return dataclasses.replace(
            self,
            objective=np.append(self.objective, np.zeros(len(low) - self.n)),
            col_names=(*self.col_names, *col_names),
            col_lower=low,
            col_upper=up,
            types=types,
            row_names=(*self.row_names, *names),
            row_lower=np.append(self.row_lower, both[:, 0]),
            row_upper=np.append(self.row_upper, both[:, 1]),
            starts=np.append(self.starts, ends).astype(np.int32),
            index=np.append(self.index, index).astype(np.int32),
            value=np.append(self.value, value),
        )

    def with_rows(self, order: Sequence[int] | Ints) -> "Model":
        """A copy with these rows alone, in this order."""
        at = np.asarray(order, np.int64)
        lengths = np.diff(self.starts)[at]
        starts = np.append(0, np.cumsum(lengths))
        entries = np.repeat(self.starts[at] - starts[:-1], lengths) + np.arange(starts[-1])
        return dataclasses.replace(
            self,
            row_names=tuple(self.row_names[i] for i in at.tolist()),
            row_lower=self.row_lower[at],
            row_upper=self.row_upper[at],
            starts=starts.astype(np.int32),
            index=self.index[entries],
            value=self.value[entries],
        )

    def with_new_col(
        self,
        name: str,
        lower: float = 0.0,
        upper: float = INF,
        kind: VarType = VarType.CONTINUOUS,
        cost: float = 0.0,
    ) -> "Model":
        """A copy with one more column at the end, in no row yet."""
        return dataclasses.replace(
            self,
            col_names=(*self.col_names, name),
            objective=np.append(self.objective, cost),
            col_lower=np.append(self.col_lower, lower),
            col_upper=np.append(self.col_upper, upper),
            types=np.append(self.types, np.uint8(kind)).astype(np.uint8),
        )

    def renamed(
        self, rows: Mapping[str, str] | None = None, cols: Mapping[str, str] | None = None
    ) -> "Model":
        """A copy with other names; those not mentioned stay."""
        rows, cols = rows or {}, cols or {}
        return dataclasses.replace(
            self,
            row_names=tuple(rows.get(name, name) for name in self.row_names),
            col_names=tuple(cols.get(name, name) for name in self.col_names),
        )

    @cached_property
    def entry_rows(self) -> Ints:
        """The row number of each stored coefficient."""
        return np.repeat(np.arange(self.m, dtype=np.int32), np.diff(self.starts))

    def activities(self, x: Floats) -> Floats:
        """The rows' values Ax at a point x of n numbers."""
        terms = self.value * x[self.index]
        return np.asarray(np.bincount(self.entry_rows, terms, self.m), np.float64)

    def value_at(self, x: Floats) -> float:
        """The objective at a point x of n numbers, added exactly: the same on every processor."""
        return math.fsum([*(self.objective * x).tolist(), self.offset])

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over the whole model, names included."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The model as plain JSON; infinite bounds are null."""
        columns = zip(
            *(self.col_names, self.types, self.col_lower, self.col_upper, self.objective),
            strict=True,
        )
        rows = zip(self.row_names, self.row_lower, self.row_upper, strict=True)
        return {
            "name": self.name,
            "maximize": self.maximize,
            "offset": float(self.offset),
            "columns": [
                [name, VarType(int(kind)).name.lower(), _out(low), _out(up), float(cost)]
                for name, kind, low, up, cost in columns
            ],
            "rows": [
                [
                    *(name, _out(low), _out(up)),
                    [[int(j), float(v)] for j, v in zip(*self.row(i), strict=True)],
                ]
                for i, (name, low, up) in enumerate(rows)
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> "Model":
        """Read what `to_json` wrote; raises DataError where the data are no model."""
        try:
            found: Any = data
            columns = [
                (str(one[0]), _in(one[2], -INF), _in(one[3], INF), VarType[one[1].upper()], one[4])
                for one in found["columns"]
            ]
            rows = [
                (
                    str(row[0]),
                    _in(row[1], -INF),
                    _in(row[2], INF),
                    [pair[0] for pair in row[3]],
                    [pair[1] for pair in row[3]],
                )
                for row in found["rows"]
            ]
            model = cls.of(
                str(found["name"]), bool(found["maximize"]), float(found["offset"]), columns, rows
            )
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise DataError(f"not a model ({type(error).__name__}: {error})") from None
        check(model)
        return model


_LASTING = {field.name for field in dataclasses.fields(Model)} | {"cols", "rows"}
"""What a copy with the same names takes over."""


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, those that occur again told apart by a number behind."""
    if len(set(names)) == len(names):
        return tuple(names)
    used, taken, out = set(names), set[str](), []
    for name in names:
        new, number = name, 1
        while new in taken or (new != name and new in used):
            number += 1
            new = f"{name}#{number}"
        taken.add(new)
        out.append(new)
    return tuple(out)


def free_name(wanted: str, used: Container[str]) -> str:
    """The wanted name, lengthened until nothing has it."""
    while wanted in used:
        wanted += "_"
    return wanted


def check(model: Model) -> None:
    """Check that a model is whole; raises DataError, naming the place, where it is not."""
    for kind, names in (("column", model.col_names), ("row", model.row_names)):
        if len(set(names)) != len(names):
            seen: set[str] = set()
            twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise DataError(f"two {kind}s are called '{twice}'; give each {kind} a name of its own")
    if model.nonzeros and not (model.index.min() >= 0 and model.index.max() < model.n):
        raise DataError("a row mentions a column that does not exist; rebuild the model")
    if not (np.isfinite(model.objective).all() and math.isfinite(model.offset)):
        raise DataError("the objective has a coefficient that is not a finite number; correct it")
    finite = np.isfinite(model.value)
    if not finite.all():
        i = int(np.searchsorted(model.starts, np.argmin(finite), "right")) - 1
        raise DataError(
            f"row '{model.row_names[i]}' has a coefficient that is not a finite number; correct it"
        )
    for kind, names, lower, upper in (
        ("column", model.col_names, model.col_lower, model.col_upper),
        ("row", model.row_names, model.row_lower, model.row_upper),
    ):
        good = (lower < INF) & (upper > -INF)  # false for NaN
        if not good.all():
            name = names[int(np.argmin(good))]
            raise DataError(f"{kind} '{name}' has a bound that is not a number; correct it")


def _out(bound: float) -> float | None:
    return float(bound) if math.isfinite(bound) else None


def _in(bound: float | None, infinite: float) -> float:
    return infinite if bound is None else float(bound)
