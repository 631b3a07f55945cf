"""What a store's matrix has in a row or a column."""

from typing import Any

import numpy as np

from ordojo.compat.core.expr import LinExpr, make
from ordojo.compat.core.quad import QuadExpr


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
