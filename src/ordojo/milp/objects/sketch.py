"""A problem written down as another library's object is walked through, by numbers of columns."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import ENDLESS, INF, Floats, Ints, Model, RowParts, VarType, check, distinct
from ordojo.milp.problem import (
    PARTS,
    General,
    GeneralFunction,
    Indicator,
    Problem,
    Quadratic,
    QuadraticRow,
    Sos,
)

Terms = Iterable[tuple[int, float]]
TYPES = dict(zip("CIBSN", VarType, strict=True))
"""Types by the letters that libraries have for them."""


@dataclass
class Sketch:
    """What was met so far; `problem` gives the whole. Columns and rows of one name are told apart.

    A column that is met twice in a row counts with the sum of its coefficients.
    """

    name: str = ""
    maximize: bool = False
    offset: float = 0.0
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._cols: list[tuple[str, float, float, VarType]] = []
        self._rows: list[RowParts] = []
        self._costs: dict[int, float] = {}
        self._squares: Quadratic | None = None
        self._parts: dict[str, list[Any]] = {field: [] for field in PARTS}

    def col(self, name: str, lower: Any, upper: Any, kind: VarType = VarType.CONTINUOUS) -> int:
        """Add a column, None being no bound; its number."""
        low, up = ends(lower, upper)
        if kind == VarType.INTEGER and (low, up) == (0, 1):
            kind = VarType.BINARY
        self._cols.append((name, low, up, kind))
        return len(self._cols) - 1

    def cost(self, terms: Terms) -> None:
        """Add to the objective."""
        for j, value in terms:
            self._costs[j] = self._costs.get(j, 0.0) + float(value)

    def row(self, name: str, terms: Terms, lower: Any, upper: Any) -> None:
        """Add a row, None being no side; without a name it is called by its number."""
        index, value = summed(terms)
        sides = ends(lower, upper)
        self._rows.append((name or f"c{len(self._rows)}", *sides, index.tolist(), value.tolist()))

    def quadratic(self, products: Iterable[tuple[int, int, float]]) -> None:
        """Set the objective's products."""
        self._squares = Quadratic.of(products)

    def quadratic_row(
        self,
        name: str,
        terms: Terms,
        products: Iterable[tuple[int, int, float]],
        lower: Any,
        upper: Any,
    ) -> None:
        """Add a row with products."""
        sides = ends(lower, upper)
        name = name or f"q{len(self._parts['quadratic_rows'])}"
        parts = *summed(terms), Quadratic.of(products)
        self._parts["quadratic_rows"].append(QuadraticRow(name, *parts, *sides))

    def indicator(
        self, name: str, binary: int, active: int, terms: Terms, lower: Any, upper: Any
    ) -> None:
        """Add a row that holds where a binary column has the value `active`."""
        name = name or f"indicator{len(self._parts['indicators'])}"
        parts = *summed(terms), *ends(lower, upper)
        self._parts["indicators"].append(Indicator(name, binary, active, *parts))

    def sos(self, kind: int, members: Terms, name: str = "") -> None:
        """Add an ordered set."""
        found = sorted(members, key=lambda pair: pair[1])
        index = np.array([j for j, _ in found], np.int32)
        self._parts["sos"].append(
            Sos(kind, index, np.array([w for _, w in found], np.float64), name)
        )

    def general(
        self,
        name: str,
        function: GeneralFunction,
        result: int,
        operands: Iterable[int],
        numbers: Iterable[float] = (),
    ) -> None:
        """Add a general constraint: result = function of the operands."""
        title = name or f"{function}{len(self._parts['general'])}"
        places, constants = np.array([*operands], np.int32), tuple(map(float, numbers))
        self._parts["general"].append(General(title, function, result, places, constants))

    def problem(self) -> Problem:
        """The whole; DataError where it is none, or has no column."""
        if not self._cols:
            raise DataError("the model has no column; add its variables first")
        columns = [(*column, self._costs.get(j, 0.0)) for j, column in enumerate(self._cols)]
        offset = float(self.offset) + 0.0  # never -0
        model = Model.of(self.name, bool(self.maximize), offset, columns, self._rows)
        model = dataclasses.replace(
            model, col_names=distinct(model.col_names), row_names=distinct(model.row_names)
        )
        check(model)
        parts: dict[str, Any] = {field: tuple(found) for field, found in self._parts.items()}
        return Problem(model, self._squares, **parts, notes=tuple(self.notes))


def summed(terms: Terms) -> tuple[Ints, Floats]:
    """The columns and coefficients of a sum, each column once, in the order met."""
    total: dict[int, float] = {}
    for j, value in terms:
        total[j] = total.get(j, 0.0) + float(value)
    return np.array([*total], np.int32), np.array([*total.values()], np.float64)


def entries(matrix: Any) -> list[list[tuple[int, float]]]:
    """The terms of each row of a sparse matrix by rows."""
    starts, index, value = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    spans = (slice(*ends) for ends in pairwise(starts))
    return [list(zip(index[span], value[span], strict=True)) for span in spans]


def ends(lower: Any, upper: Any) -> tuple[float, float]:
    """Two sides as numbers: None, and what libraries write for infinite, as infinite."""
    low = -INF if lower is None or lower <= -ENDLESS else float(lower)
    return low, INF if upper is None or upper >= ENDLESS else float(upper)


def sides(sense: str, rhs: float) -> tuple[float, float]:
    """What `<=`, `>=` or `=` and a right side (`<`, `L`, `G`, `E`, too) leave of a sum."""
    rhs = float(rhs)
    return -INF if sense[0] in "<L" else rhs, INF if sense[0] in ">G" else rhs
