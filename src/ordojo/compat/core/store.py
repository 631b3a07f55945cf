"""A model while a program builds it: growing flat arrays, and changes that await an update."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from ordojo.compat.core import change
from ordojo.compat.core.names import Names
from ordojo.compat.core.parts import Goal, Part
from ordojo.compat.problem import Result

_number = attrgetter("_col")
owner = attrgetter("_store")

LARGE = 1e20
"""From here on a bound or side is infinite, as in both interfaces."""


class Store:
    """Columns, rows and all other parts of one model, in the order added.

    Columns and rows are numbered; `columns` and `rows` hold the interface's handles, each with
    its number. Row i has the terms `starts[i]:starts[i + 1]` of `index` and `value`, a sense
    (one of < > =, or R) and a right side; an R row's lower side is in `lows`. What is added or
    changed is seen by readers only after `update`: before, numbers from `cols_live` and
    `rows_live` on await it.
    """

    drops_zeros = False
    """Whether rows lose their coefficients of zero at an update."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.maximize = False
        self.lower, self.upper, self.cost = array("d"), array("d"), array("d")
        self.kinds = bytearray()
        self.col_names = Names("C")
        self.columns: list[Any] = []
        self.starts, self.index, self.value = array("q", [0]), array("i"), array("d")
        self.senses, self.rhs = bytearray(), array("d")
        self.lows: dict[Any, float] = {}
        self.row_names = Names("R")
        self.rows: list[Any] = []
        self.cols_live = self.rows_live = 0
        self.parts: dict[str, list[Part]] = {}
        self.goal = Goal()
        self.goals: dict[int, Goal] = {}
        self.extra: dict[str, dict[Any, Any]] = {}
        self.result: Result | None = None
        self.ended: Any = None
        self._x: list[float] | None = None
        self._pending: list[Callable[[], None]] = []
        self._hints: list[Callable[[], None]] = []
        self._coefficients: dict[tuple[Any, Any], float] = {}
        self._dead: list[Any] = []

    def add_col(self, handle: Any, lower: float, upper: float, cost: float, kind: int) -> int:
        """A column; its number. The name is given to `col_names` by the caller."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.cost.append(cost)
        self.kinds.append(kind)
        self.columns.append(handle)
        return len(self.columns) - 1

    def add_cols(
        self,
        handles: Sequence[Any],
        lower: Iterable[float],
        upper: Iterable[float],
        cost: Iterable[float],
        kinds: bytes,
    ) -> int:
        """Several columns with a value each; the number of the first."""
        first = len(self.columns)
        self.lower.extend(lower)
        self.upper.extend(upper)
        self.cost.extend(cost)
        self.kinds.extend(kinds)
        self.columns.extend(handles)
        return first

    def add_row(
        self, handle: Any, coeffs: list[float], variables: list[Any], sense: int, rhs: float
    ) -> int:
        """A row; its number. `sense` is the letter's code; the caller names it."""
        self.index.extend(map(_number, variables))
        self.value.extend(coeffs)
        self.starts.append(len(self.index))
        self.senses.append(sense)
        self.rhs.append(rhs)
        self.rows.append(handle)
        return len(self.rows) - 1

    def later(self, change: Callable[..., None], *args: Any) -> None:
        """Make a change at the next update."""
        self._pending.append(partial(change, *args) if args else change)

    def hint(self, change: Callable[..., None], *args: Any) -> None:
        """Make a change at the next update that leaves the model's meaning and solution alone."""
        self._hints.append(partial(change, *args))

    def set_coefficient(self, row: Any, var: Any, value: float) -> None:
        """Change one coefficient at the next update; the two are handles."""
        self._coefficients[row, var] = value

    def remove(self, handle: Any) -> None:
        """Remove a column's or row's handle at the next update."""
        self._dead.append(handle)

    def add_part(self, part: Part) -> None:
        """A part beside columns and rows, seen after the next update."""
        self.parts.setdefault(part.family, []).append(part)

    def family(self, family: str) -> list[Part]:
        """The live parts of a family, in order."""
        return [part for part in self.parts.get(family, ()) if part.number >= 0]

    @property
    def is_changed(self) -> bool:
        """Whether an update would do anything."""
        return bool(
            self._pending
            or self._coefficients
            or self._dead
            or self.cols_live != len(self.columns)
            or self.rows_live != len(self.rows)
            or any(part.number < 0 for parts in self.parts.values() for part in parts)
        )

    def update(self) -> bool:
        """Make everything that awaits it happen; whether there was anything."""
        hints, self._hints = self._hints, []
        if not self.is_changed:
            for make in hints:
                make()
            return False
        change.merge_duplicates(self, self.rows_live)
        self.cols_live, self.rows_live = len(self.columns), len(self.rows)
        pending, self._pending = self._pending, []
        for make in (*pending, *hints):
            make()
        if self._coefficients:
            changes, self._coefficients = self._coefficients, {}
            change.set_coefficients(self, changes)
        if self._dead:
            dead, self._dead = self._dead, []
            change.remove(self, dead)
        for parts in self.parts.values():
            parts[:] = [part for part in parts if not part.removed]
            for number, part in enumerate(parts):
                part.number = number
        return True

    @staticmethod
    def grave() -> "Store":
        """The empty store to which removed handles belong."""
        return _GRAVE

    def forget(self) -> None:
        """Drop the last solve's result."""
        self.result, self.ended, self._x = None, None, None

    def settle(self, result: Result) -> None:
        """Keep a solve's result."""
        self.result, self._x = result, None

    @property
    def x(self) -> list[float] | None:
        """The solution's values by column, None where there is none."""
        if self._x is None and self.result is not None and self.result.x is not None:
            self._x = self.result.x.tolist()
        return self._x

    def row(self, i: int) -> tuple[list[int], list[float]]:
        """Columns and coefficients of row i."""
        start, end = self.starts[i], self.starts[i + 1]
        return self.index[start:end].tolist(), self.value[start:end].tolist()

    def label(self, col: int) -> str:
        """A column's name for texts."""
        if col < 0:
            return "*Removed*"
        return self.col_names[col] if col < self.cols_live else "*Awaiting Model Update*"

    def view(self, which: str, kind: Any = np.float64) -> Any:
        """A copy of one of the flat arrays as numpy."""
        return np.array(getattr(self, which), kind)


_GRAVE = Store("removed")
