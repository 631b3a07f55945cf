"""Handles of columns and rows, made without a detour over their attributes."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from ordojo.compat.core.expr import LinExpr, make
from ordojo.compat.core.quad import QuadExpr

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


def lazy(module: str, name: str) -> Callable[..., Any]:
    """The module's function of that name; the module is loaded when it is first called."""

    def method(*given: Any, **words: Any) -> Any:
        return getattr(import_module(module), name)(*given, **words)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"See `{name}` in {module}."
    return method
