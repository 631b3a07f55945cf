"""A model as a store: columns, rows, names and all other parts, and what awaits an update."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ordojo.solvers.answers import SolveResult
from ordojo.solvers.problem import GeneralFunction


@dataclass(eq=False, slots=True)
class StoredConstraint:
    """One constraint of a family; `number` is its place after the update, -1 before.

    `handle` is what the interface has given the program for it.
    """

    family: ClassVar[str] = ""
    name: str = ""
    number: int = -1
    removed: bool = False
    handle: Any = None


@dataclass(eq=False, slots=True)
class QuadraticPart(StoredConstraint):
    """linear + products (sense) rhs."""

    family: ClassVar[str] = "quadratic"
    linear: Any = None
    products: Any = None
    sense: str = "<"
    rhs: float = 0.0
    low: float | None = None


@dataclass(eq=False, slots=True)
class IndicatorPart(StoredConstraint):
    """If `binary` has the value `active`, then linear (sense) rhs."""

    family: ClassVar[str] = "general"
    binary: Any = None
    active: int = 1
    coeffs: list[float] = field(default_factory=list)
    variables: list[Any] = field(default_factory=list)
    sense: str = "<"
    rhs: float = 0.0


@dataclass(eq=False, slots=True)
class GeneralPart(StoredConstraint):
    """`result` equals a function of the operands."""

    family: ClassVar[str] = "general"
    function: GeneralFunction = GeneralFunction.MAX
    result: Any = None
    operands: list[Any] = field(default_factory=list)
    numbers: tuple[float, ...] = ()


@dataclass(eq=False, slots=True)
class FormulaPart(StoredConstraint):
    """`result` equals a formula (a tree of the interface's own), taken apart when solving."""

    family: ClassVar[str] = "general"
    result: Any = None
    formula: Any = None


@dataclass(eq=False, slots=True)
class SosPart(StoredConstraint):
    """A special ordered set of type 1 or 2."""

    family: ClassVar[str] = "sos"
    kind: int = 1
    variables: list[Any] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Goal:
    """What an objective has beside the columns' costs; of several, all of it.

    The first objective's linear coefficients are the store's `cost`; only the others have
    `coeffs` and `variables` here. `sense` is its own, negative to be maximized, where the interface
    has one for each. `products` is (values, first, second) or None.
    """

    name: str = ""
    priority: float = 0
    weight: float = 1.0
    abs_tol: float = 1e-6
    rel_tol: float = 0.0
    constant: float = 0.0
    coeffs: list[float] = field(default_factory=list)
    variables: list[Any] = field(default_factory=list)
    sense: int = 0
    products: tuple[list[float], list[Any], list[Any]] | None = None

    def value(self, x: Sequence[float]) -> float:
        """Its linear part at a point, where that is not in the store's costs."""
        pairs = zip(self.coeffs, self.variables, strict=True)
        return float(sum(c * x[var._col] for c, var in pairs) + self.constant)


class ElementNames:
    """Names in order; an unnamed one is called by a letter and its number, as in `C7`.

    The number is that among all that were ever added.

    A whole group `x[0,1]`, `x[0,2]`, ... is kept as its base and its keys until it is read, so
    that a model of many variables costs no string formatting while it is built.
    """

    brackets: ClassVar[tuple[str, str]] = ("[", "]")
    """What stands around a key."""
    finds_bare: ClassVar[bool] = True
    """Whether an unnamed one is found by what it is called."""

    def __init__(self, letter: str) -> None:
        self._letter = letter
        self._bare: set[int] = set()
        self._flat: list[str] = []
        self._late: list[tuple[int, str, Sequence[Any]]] = []
        self._places: dict[str, int] | None = None
        self._from = 0
        self._gone = 0
        self._counted = 0
        self.add: Callable[[str], None] = self._flat.append
        """Takes one more name; the empty one stands for the default."""

    def __len__(self) -> int:
        return len(self._flat)

    def add_group(self, base: str, keys: Sequence[Any]) -> None:
        """One name per key: `base[key]`, a tuple's parts joined by commas."""
        if base:
            self._late.append((len(self._flat), base, keys))
        self._flat.extend([""] * len(keys))
        self._places = None

    def add_many(self, names: Sequence[str]) -> None:
        """Several names as they are."""
        self._flat.extend(names)
        self._places = None

    def all(self) -> list[str]:
        """Every name; the list is the inner one and must not be changed."""
        flat, left, right = self._flat, *self.brackets
        for start, base, keys in self._late:
            for place, key in enumerate(keys, start):
                flat[place] = f"{base}{left}{key_text(key)}{right}"
        self._late.clear()
        for place in range(self._from, len(flat)):
            if not flat[place]:
                self._bare.add(place)
                flat[place] = f"{self._letter}{place + self._gone}"
        self._from = len(flat)
        return flat

    def __getitem__(self, place: int) -> str:
        return self.all()[place]

    def given(self, place: int) -> str:
        """The name that the program gave, or the empty text."""
        name = self.all()[place]
        return "" if place in self._bare else name

    def drop_from(self, place: int) -> None:
        """Forget the names from a place on; they must not have been read yet."""
        self._bare = {number for number in self._bare if number < place}
        del self._flat[place:]
        self._late = [group for group in self._late if group[0] < place]
        self._from = min(self._from, place)
        self._places = None

    def rename(self, place: int, name: str) -> None:
        """Give the thing at a place another name."""
        self.all()[place] = name
        self._bare.discard(place)
        self._places = None

    def find(self, name: str) -> int | None:
        """The first place that has this name."""
        if self._places is None or self._counted != len(self._flat):
            self._places, self._counted = {}, len(self._flat)
            for place, found in enumerate(self.all()):
                self._places.setdefault(found, place)
        at = self._places.get(name)
        return at if self.finds_bare or at not in self._bare else None

    def copy(self, count: int) -> Any:
        """The first names for another store."""
        made = type(self)(self._letter)
        made.add_many(self.all()[:count])
        made._bare, made._from = {place for place in self._bare if place < count}, count
        return made

    def keep(self, places: Sequence[int]) -> None:
        """Drop all but these places; the names stay what they were."""
        names = self.all()
        self._bare = {new for new, old in enumerate(places) if old in self._bare}
        self._gone += len(names) - len(places)
        self._flat = [names[place] for place in places]
        self.add = self._flat.append
        self._from = len(self._flat)
        self._places = None


def name_group(store: "Store", first: int, keys: list[Any], made: list[Any], name: str) -> None:
    """Name constraints by their keys: as a group where they are the rows from `first` on."""
    names = store.row_names
    left, right = names.brackets
    if store.rows[first:] == made:
        names.drop_from(first)
        names.add_group(name, keys)
        return
    for key, constr in zip(keys, made, strict=True):
        if hasattr(constr, "_rename"):
            constr._rename(f"{name}{left}{key_text(key)}{right}")


def name_array(names: ElementNames, name: Any, shape: tuple[int, ...]) -> None:
    """Name what was just added as an array: by a base and the places, or one by one."""
    if name is not None and not isinstance(name, str):
        chosen = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        names.add_many([str(item) for item in chosen])
    elif name and not shape:
        names.add(name)
    else:
        places = list(np.ndindex(shape))
        names.add_group(name or "", [at[0] if len(at) == 1 else at for at in places])


def key_text(key: Any) -> str:
    """A key as it stands between the brackets of a name."""
    return ",".join(map(str, key)) if isinstance(key, tuple) else str(key)


_CHUNK = 1 << 17
"""Rows are searched for duplicates in pieces of about so many coefficients, to save memory."""


def merge_duplicates(store: "Store", first: int) -> None:
    """From row `first` on, add up the coefficients of a column that a row mentions twice.

    Coefficients of zero, or that are no number, are dropped where the store's interface does so.
    """
    if first == len(store.rows):
        return
    starts = np.array(store.starts[first:], np.int64)
    width, at, rebuilt = len(store.columns) + 1, 0, dict[int, dict[int, float]]()
    while at < len(starts) - 1:
        until = max(at + 1, int(np.searchsorted(starts, starts[at] + _CHUNK, "right")) - 1)
        index = np.array(store.index[starts[at] : starts[until]], np.int64)
        rows = np.repeat(np.arange(at, until), np.diff(starts[at : until + 1]))
        keys = np.sort(rows * width + index)
        found = keys[1:][keys[1:] == keys[:-1]] // width
        if store.drops_zeros:
            value = np.array(store.value[starts[at] : starts[until]], np.float64)
            found = np.append(found, rows[~(np.abs(value) > 0.0)])
        for row in np.unique(found).tolist():
            terms: dict[int, float] = {}
            for j, coefficient in zip(*store.row(first + row), strict=True):
                terms[j] = terms.get(j, 0.0) + coefficient
            if store.drops_zeros:
                terms = {j: total for j, total in terms.items() if abs(total) > 0.0}
            rebuilt[first + row] = terms
        at = until
    if rebuilt:
        replace_rows(store, rebuilt)


def set_coefficients(store: "Store", changes: Iterable[tuple[Any, Any, float]]) -> None:
    """Set coefficients of handles' row and column; new ones join their row, zeros leave it."""
    wanted: dict[int, dict[int, float]] = {}
    for row, var, value in changes:
        if row._row >= 0 and var._col >= 0:
            wanted.setdefault(row._row, {})[var._col] = value
    rebuilt: dict[int, dict[int, float]] = {}
    for i, values in wanted.items():
        terms = dict(zip(*store.row(i), strict=True))
        terms.update(values)
        rebuilt[i] = {j: value for j, value in terms.items() if value != 0.0}
    replace_rows(store, rebuilt)


def replace_rows(store: "Store", rebuilt: Mapping[int, Mapping[int, float]]) -> None:
    """Give some rows other terms."""
    starts, index, value = array("q", [0]), array("i"), array("d")
    done = 0

    def keep(until: int) -> None:
        """Copy the rows from `done` up to `until` as they are."""
        if until <= done:
            return
        begin, end = store.starts[done], store.starts[until]
        shift = len(index) - begin
        index.extend(store.index[begin:end])
        value.extend(store.value[begin:end])
        old = np.array(store.starts[done + 1 : until + 1], np.int64) + shift
        starts.frombytes(old.tobytes())

    for i in sorted(rebuilt):
        keep(i)
        index.extend(rebuilt[i].keys())
        value.extend(rebuilt[i].values())
        starts.append(len(index))
        done = i + 1
    keep(len(store.starts) - 1)
    store.starts, store.index, store.value = starts, index, value


def remove(store: "Store", dead: Sequence[Any]) -> None:
    """Take handles of columns and rows out of the arrays and number the others anew."""
    cols = {handle._col for handle in dead if hasattr(handle, "_col") and handle._col >= 0}
    rows = {handle._row for handle in dead if hasattr(handle, "_row") and handle._row >= 0}
    keep_col, keep_row = _kept(cols, len(store.columns)), _kept(rows, len(store.rows))
    starts = np.array(store.starts, np.int64)
    index = np.array(store.index, np.int64)
    entry = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    kept = keep_row[entry] & keep_col[index]
    number = np.cumsum(keep_col) - 1
    lengths = np.bincount(entry[kept], minlength=len(starts) - 1)[keep_row]
    store.index = array("i", number[index[kept]].astype(np.int32).tobytes())
    store.value = array("d", np.array(store.value)[kept].tobytes())
    store.starts = array("q", np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64).tobytes())
    if cols:
        for which in ("lower", "upper", "cost"):
            setattr(store, which, array("d", np.array(getattr(store, which))[keep_col].tobytes()))
        store.kinds = bytearray(np.frombuffer(bytes(store.kinds), np.uint8)[keep_col].tobytes())
        store.col_names.keep(np.flatnonzero(keep_col).tolist())
        _drop_from_goals(store, cols)
        store.columns = _numbered(store.columns, cols, "_col", store.removed_store())
        store.cols_live = len(store.columns)
    if rows:
        store.rhs = array("d", np.array(store.rhs)[keep_row].tobytes())
        store.senses = bytearray(np.frombuffer(bytes(store.senses), np.uint8)[keep_row].tobytes())
        store.row_names.keep(np.flatnonzero(keep_row).tolist())
        store.rows = _numbered(store.rows, rows, "_row", store.removed_store())
        store.rows_live = len(store.rows)


def _kept(dead: set[int], size: int) -> NDArray[np.bool_]:
    mask = np.ones(size, bool)
    mask[list(dead)] = False
    return mask


def _numbered(handles: list[Any], dead: set[int], slot: str, removed_store: Any) -> list[Any]:
    """The handles left, numbered; the others go to the store of what was removed."""
    kept: list[Any] = []
    for number, handle in enumerate(handles):
        if number in dead:
            object.__setattr__(handle, slot, -1)
            object.__setattr__(handle, "_store", removed_store)
        else:
            object.__setattr__(handle, slot, len(kept))
            kept.append(handle)
    return kept


def _drop_from_goals(store: "Store", dead: set[int]) -> None:
    """Leave removed variables out of the objectives' products and further objectives."""
    for goal in (store.goal, *store.goals.values()):
        pairs = zip(goal.coeffs, goal.variables, strict=True)
        kept = [(c, var) for c, var in pairs if var._col not in dead]
        goal.coeffs, goal.variables = [c for c, _ in kept], [var for _, var in kept]
        if goal.products is not None:
            left = [
                (q, a, b)
                for q, a, b in zip(*goal.products, strict=True)
                if a._col not in dead and b._col not in dead
            ]
            q, a, b = ([list(part) for part in zip(*left, strict=True)]) if left else ([], [], [])
            goal.products = (q, a, b) if left else None


_number = attrgetter("_col")
owner = attrgetter("_store")


class Store:
    """Columns, rows and all other parts of one model, in the order added.

    Columns and rows are numbered; `columns` and `rows` hold the interface's handles, each with
    its number. Row i has the terms `starts[i]:starts[i + 1]` of `index` and `value`, a sense
    (one of < > =, or R) and a right side; an R row's lower side is in `lows`. What is added or
    changed is seen by readers only after `update`: before, numbers from `cols_live` and
    `rows_live` on await it.
    """

    unsupported: Callable[..., NotImplementedError]
    """Makes the interface's error for a feature that its layer lacks, and what to do instead."""
    stranger: Callable[[], Exception]
    """Makes the interface's error for a variable of another model."""
    freed = False
    """Whether the model was disposed of."""
    copied: ClassVar[tuple[str, ...]] = ("lows", "goal", "goals")
    """What a copy has, with handles of its own, beside columns, rows and parts."""
    drops_zeros = False
    """Whether rows lose their coefficients of zero at an update."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.maximize = False
        self.lower, self.upper, self.cost = array("d"), array("d"), array("d")
        self.kinds = bytearray()
        self.col_names = ElementNames("C")
        self.columns: list[Any] = []
        self.starts, self.index, self.value = array("q", [0]), array("i"), array("d")
        self.senses, self.rhs = bytearray(), array("d")
        self.lows: dict[Any, float] = {}
        self.row_names = ElementNames("R")
        self.rows: list[Any] = []
        self.cols_live = self.rows_live = 0
        self.parts: dict[str, list[StoredConstraint]] = {}
        self.goal = Goal()
        self.goals: dict[int, Goal] = {}
        self.extra: dict[str, dict[Any, Any]] = {}
        self.result: SolveResult | None = None
        self.ended: Any = None
        self._x: list[float] | None = None
        self._pending: list[Callable[[], None]] = []
        self._hints: list[Callable[[], None]] = []
        self._coefficients: list[tuple[Any, Any, float]] = []
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

    def check(self, variables: Iterable[Any]) -> None:
        """Raise the interface's error where a variable is another model's, or was removed."""
        for var in variables:
            if var._store is not self:
                raise self.stranger()

    def start_values(self) -> Iterable[tuple[Any, float]]:
        """Pairs of variable and start value."""
        return self.extra.get("Start", {}).items()

    def objectives(self) -> list[Goal]:
        """The several objectives, in order; none where there is only one."""
        further = [goal for _, goal in sorted(self.goals.items())]
        return [self.goal, *further] if further else []

    def seen(self) -> Self:
        """The store as its readers see it."""
        return self

    def values(self) -> list[float] | None:
        """The solution by column, None where there is none that fits the columns."""
        return self.x

    def column_result(self) -> SolveResult | None:
        """The last solve's result, None where it does not fit the columns."""
        return self.result

    def row_result(self) -> SolveResult | None:
        """The last solve's result, None where it does not fit the rows."""
        return self.result

    def set_costs(self, coeffs: list[float], variables: list[Any], columns: int) -> None:
        """Give the first `columns` columns the costs of a linear expression."""
        self.cost[:columns] = array("d", bytes(8 * columns))
        for c, var in zip(coeffs, variables, strict=True):
            if var._col >= 0:
                self.cost[var._col] += c

    def set_coefficient(self, row: Any, var: Any, value: float) -> None:
        """Change one coefficient at the next update; the two are handles."""
        self._coefficients.append((row, var, value))

    def remove(self, handle: Any) -> None:
        """Remove a column's or row's handle at the next update."""
        self._dead.append(handle)

    def add_part(self, part: StoredConstraint) -> None:
        """A part beside columns and rows, seen after the next update."""
        self.parts.setdefault(part.family, []).append(part)

    def family(self, family: str) -> list[StoredConstraint]:
        """The live parts of a family, in order."""
        return [part for part in self.parts.get(family, ()) if part.number >= 0]

    @property
    def formulas(self) -> list[FormulaPart]:
        """The live parts that are formulas."""
        return [part for part in self.family("general") if isinstance(part, FormulaPart)]

    @property
    def is_changed(self) -> bool:
        """Whether an update would do anything."""
        return bool(
            self._pending
            or self._coefficients
            or self._dead
            or self.cols_live != len(self.columns)
            or self.rows_live != len(self.rows)
            or any(
                part.number < 0 or part.removed for parts in self.parts.values() for part in parts
            )
        )

    def update(self) -> bool:
        """Make everything that awaits it happen; whether there was anything."""
        hints, self._hints = self._hints, []
        if not self.is_changed:
            for make in hints:
                make()
            return False
        merge_duplicates(self, self.rows_live)
        self.cols_live, self.rows_live = len(self.columns), len(self.rows)
        pending, self._pending = self._pending, []
        for make in (*pending, *hints):
            make()
        if self._coefficients:
            changes, self._coefficients = self._coefficients, []
            set_coefficients(self, changes)
        if self._dead:
            dead, self._dead = self._dead, []
            remove(self, dead)
        for parts in self.parts.values():
            parts[:] = [part for part in parts if not part.removed]
            for number, part in enumerate(parts):
                part.number = number
        return True

    @staticmethod
    def removed_store() -> "Store":
        """The empty store to which removed handles belong."""
        return _REMOVED

    def forget(self) -> None:
        """Drop the last solve's result."""
        self.result, self.ended, self._x = None, None, None

    def settle(self, result: SolveResult) -> None:
        """Keep a solve's result."""
        self.result, self._x = result, None

    @property
    def x(self) -> list[float] | None:
        """The solution's values by column, None where there is none."""
        if self._x is None and self.result is not None and self.result.x is not None:
            self._x = self.result.x.tolist()
        return self._x

    def solution(self, number: int) -> tuple[float, Any] | None:
        """Objective and values of a solution, the best being number 0; None beyond the last."""
        if not 0 <= number < self.solutions or self.result is None:
            return None
        pool = self.result.pool or ((float(self.result.objective or 0.0), self.result.x),)
        return pool[number]

    @property
    def solutions(self) -> int:
        """How many solutions there are, the pool's included."""
        if self.result is None or self.result.x is None:
            return 0
        return max(1, len(self.result.pool))

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


_REMOVED = Store("removed")
