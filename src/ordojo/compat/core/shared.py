"""What both models share beside the store: handles, lookups, copies, parameters."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core.expressions import Formula, LinExpr, QuadExpr, Var, linear, make
from ordojo.compat.core.store import LARGE
from ordojo.solvers.problem import GeneralFunction

_new = object.__new__


def maker(kind: type[Any], slots: Any, place: str) -> Callable[[Any, int], Any]:
    """What makes a handle of a store's column or row; `slots` is the class that has the slots."""
    set_store, set_place = slots._store.__set__, getattr(slots, place).__set__

    def make(store: Any, number: int) -> Any:
        handle = _new(kind)
        set_store(handle, store)
        set_place(handle, number)
        return handle

    return make


def row_of(state: Any, row: int, kind: type[Any]) -> Any:
    """The left side of a row, as a linear expression of that kind."""
    index, value = state.row(row)
    return make(kind, value, [state.columns[j] for j in index], 0.0)


def extreme_of(state: Any, which: str, best: Callable[[Any], Any]) -> float:
    """The largest or smallest size in one of a store's arrays, zeros and infinite ones left out."""
    values = np.abs(state.view(which))
    values = values[(values > 0) & (values < LARGE)]
    return float(best(values)) if len(values) else 0.0


def column_of(state: Any, col: int) -> tuple[list[Any], list[float]]:
    """The rows' handles and the coefficients of a column."""
    entries = np.flatnonzero(np.array(state.index) == col)
    rows = np.searchsorted(np.array(state.starts), entries, "right") - 1
    return [state.rows[i] for i in rows.tolist()], [state.value[k] for k in entries]


def objective_of(state: Any, columns: int, lin: type[LinExpr], quad: type[QuadExpr]) -> Any:
    """The objective over so many columns, as a `lin` or `quad`."""
    chosen = [j for j in range(columns) if state.cost[j] != 0.0]
    costs, variables = [state.cost[j] for j in chosen], [state.columns[j] for j in chosen]
    linear = make(lin, costs, variables, state.goal.constant)
    products = state.goal.products
    return quad._of(linear, *(list(part) for part in products)) if products else linear


def coefficient(state: Any, row: int, col: int) -> float:
    """The coefficient of a column in a row."""
    index, value = state.row(row)
    return float(value[index.index(col)]) if col in index else 0.0


class ColumnPairs:
    """Pairs of row and coefficient; an interface's class says in which order they are given."""

    __slots__ = ("_pairs",)
    _pairs: list[tuple[Any, float]]

    def clear(self) -> None:
        """Empty the column."""
        self._pairs = []

    def copy(self) -> Any:
        """Another column with the same content."""
        made = type(self)()
        made._pairs = list(self._pairs)
        return made

    def getCoeff(self, idx: int) -> float:
        """Coefficient number `idx`."""
        return self._pairs[idx][1]

    def getConstr(self, idx: int) -> Any:
        """Constraint number `idx`."""
        return self._pairs[idx][0]

    def remove(self, item: Any) -> None:
        """Drop pair number `item`, or all pairs with that constraint."""
        if isinstance(item, int):
            del self._pairs[item]
        else:
            self._pairs = [pair for pair in self._pairs if pair[0] is not item]


def copy_into(new: Any, old: Any, new_var: Any, new_row: Any) -> None:
    """Fill an empty store with the live content of an updated one, over handles of its own.

    What an interface's store has beside that is left to it; parts come with no handle.
    """
    cols, rows = old.cols_live, old.rows_live
    end = old.starts[rows]
    counts = {"lower": cols, "upper": cols, "cost": cols, "kinds": cols}
    counts |= {"starts": rows + 1, "index": end, "value": end, "senses": rows, "rhs": rows}
    for which, count in counts.items():
        setattr(new, which, getattr(old, which)[:count])
    new.columns = [new_var(new, j) for j in range(cols)]
    new.rows = [new_row(new, i) for i in range(rows)]
    new.col_names, new.row_names = old.col_names.copy(cols), old.row_names.copy(rows)
    new.cols_live, new.rows_live, new.maximize = cols, rows, old.maximize
    new.lows = {new.rows[row._row]: low for row, low in old.lows.items()}
    for family in old.parts:
        for part in old.family(family):
            new.add_part(moved_fields(new, part))
    new.goal = moved_fields(new, old.goal)
    new.goals = {number: moved_fields(new, goal) for number, goal in old.goals.items()}


def moved_fields(new: Any, item: Any) -> Any:
    """The same part or objective over the variables of another store."""
    values = {f.name: getattr(item, f.name) for f in fields(item)}
    own = [values.pop(name, None) for name in ("handle", "number")]
    kept = {name: moved(new, value) for name, value in values.items()}
    for one, other in (("coeffs", "variables"), ("weights", "variables")):
        if one in values and other in values:  # without variables that were removed
            pairs = zip(values[one], values[other], strict=True)
            live = [(c, new.columns[var._col]) for c, var in pairs if var._col >= 0]
            kept |= {one: [c for c, _ in live], other: [var for _, var in live]}
    if values.get("products"):
        triples = zip(*values["products"], strict=True)
        live = [t for t in triples if t[1]._col >= 0 and t[2]._col >= 0]
        kept["products"] = tuple(moved(new, [t[k] for t in live]) for k in range(3))
    made = type(item)(**kept)
    if own[0] is not None and hasattr(new, "copied_handle"):
        new.copied_handle(own[0], made)
    return made


def moved(new: Any, value: Any) -> Any:
    """The same variable, expression, formula, or list of them over another store's variables."""
    if isinstance(value, Var):
        return new.columns[value._col]
    if isinstance(value, QuadExpr):
        parts = (moved(new, part) for part in (value._q, value._a, value._b))
        return type(value)._of(moved(new, value._linear), *parts)
    if isinstance(value, LinExpr):
        coeffs, variables, constant = linear(value) or ([], [], 0.0)
        live = [(c, var) for c, var in zip(coeffs, variables, strict=True) if var._col >= 0]
        return make(value._lin, [c for c, _ in live], [moved(new, v) for _, v in live], constant)
    if isinstance(value, Formula):
        return type(value)(value._op, moved(new, value._args))
    if isinstance(value, list | tuple):
        return type(value)(moved(new, item) for item in value)
    return value


def general_methods(add: Callable[..., Any]) -> dict[str, Any]:
    """`addGenConstr...` of the functions that both interfaces have.

    `add(model, function, result, operands, constant, name)` adds one; PWL's constant is its points.
    """

    def extreme(function: GeneralFunction) -> Any:
        def method(model: Any, resvar: Any, vars: Any, constant: Any = None, name: str = "") -> Any:
            return add(model, function, resvar, vars, constant, name)

        return method

    def logical(function: GeneralFunction) -> Any:
        def method(model: Any, resvar: Any, vars: Any, name: str = "") -> Any:
            return add(model, function, resvar, vars, None, name)

        return method

    def absolute(model: Any, resvar: Any, argvar: Any, name: str = "") -> Any:
        return add(model, GeneralFunction.ABS, resvar, [argvar], None, name)

    def pieces(model: Any, xvar: Any, yvar: Any, xpts: Any, ypts: Any, name: str = "") -> Any:
        return add(model, GeneralFunction.PWL, yvar, [xvar], (xpts, ypts), name)

    several = {f: extreme(f) for f in (GeneralFunction.MAX, GeneralFunction.MIN)}
    several |= {f: logical(f) for f in (GeneralFunction.AND, GeneralFunction.OR)}
    found = {f"addGenConstr{f.capitalize()}": method for f, method in several.items()}
    return {**found, "addGenConstrAbs": absolute, "addGenConstrPWL": pieces}


def methods(*modules: Any) -> dict[str, Any]:
    """A model's methods: the public functions of modules whose first parameter is `model`."""
    found = {}
    for name, value in ((n, v) for module in modules for n, v in vars(module).items()):
        code = getattr(value, "__code__", None)
        if code is not None and "_" not in name and code.co_varnames[:1] == ("model",):
            found[name] = value
    return found


def lazy(module: str, names: str) -> dict[str, Callable[..., Any]]:
    """Functions of a module that is loaded when the first of them is called."""

    def method(name: str) -> Callable[..., Any]:
        def call(*given: Any, **words: Any) -> Any:
            return getattr(import_module(module), name)(*given, **words)

        call.__name__ = call.__qualname__ = name
        return call

    return {name: method(name) for name in names.split()}


def refusing(names: str, unsupported: Callable[[str], Exception]) -> dict[str, Any]:
    """Functions that raise the error for a feature which a layer lacks."""

    def method(name: str) -> Callable[..., Any]:
        def call(*given: Any, **words: Any) -> Any:
            raise unsupported(name)

        call.__doc__ = "Not supported."
        return call

    return {name: method(name) for name in names.split()}


def add_methods(kind: type, *tables: dict[str, Any]) -> None:
    """Give a class the functions of the tables that it does not define itself."""
    for name, function in ((n, f) for table in tables for n, f in table.items()):
        if name not in vars(kind):
            setattr(kind, name, function)


@dataclass(frozen=True, slots=True)
class SolverParameter:
    """One parameter; `low` and `high` bound a number."""

    name: str
    kind: type[int] | type[float] | type[str]
    default: Any
    low: float = 0.0
    high: float = 0.0


def numeric(kind: type[int] | type[float], text: str) -> Iterator[SolverParameter]:
    """The parameters that a text has as `name=default,low,high`."""
    for word in text.split():
        name, numbers = word.split("=")
        default, low, high = numbers.split(",")
        yield SolverParameter(name, kind, kind(default), float(low), float(high))


class ParameterValues:
    """The values of one environment or model; only what differs from the default is kept.

    An interface's class has the parameters by their names in small letters, the names of those
    that have an effect, and a set for the names of others that the process has set.
    """

    by_lower: ClassVar[Mapping[str, SolverParameter]]
    honoured: ClassVar[frozenset[str]]
    ignored: ClassVar[set[str]]

    def __init__(self, changed: Mapping[str, Any] | None = None) -> None:
        self.changed: dict[str, Any] = dict(changed or {})

    def __getitem__(self, name: str) -> Any:
        return self.changed.get(name, self.by_lower[name.lower()].default)

    def _keep(self, parameter: SolverParameter, value: Any) -> None:
        if value == parameter.default:
            self.changed.pop(parameter.name, None)
        else:
            self.changed[parameter.name] = value
        if parameter.name not in self.honoured:
            self.ignored.add(parameter.name)

    def _unheeded(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.changed) - self.honoured))
