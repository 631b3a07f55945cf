"""What the model methods of the matrix interfaces share: columns, rows and quadratic forms."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import issparse

from ordojo.compat.core import algebra
from ordojo.compat.core.terms import Floats, Objects, Shape, Terms, grouped, objects, of_constants
from ordojo.milp.model import VarType


def shape_of(given: Any) -> Shape:
    """A shape, of which a single dimension may be given as a number."""
    return tuple(int(n) for n in given) if np.iterable(given) else (int(given),)


def keys_of(shape: Shape) -> list[Any]:
    """The keys of an array's entries, in order; of one dimension, numbers."""
    return [key[0] if len(key) == 1 else key for key in np.ndindex(shape)]


def numbers_of(matrix: Any) -> Any:
    """A scipy matrix as it is, all else as an array of numbers."""
    return matrix if issparse(matrix) else np.asarray(matrix, float)


def repeated(value: Any, shape: Shape) -> Floats:
    """A number for each entry, in a flat array of its own."""
    return np.array(np.broadcast_to(np.asarray(value, float), shape)).reshape(-1)


def add_cols(
    store: Any, shape: Shape, numbers: tuple[Floats, Floats, Floats], kinds: bytes, handle: Any
) -> Objects:
    """Add variables with these lower and upper bounds, costs and types; the handles."""
    lower, upper, cost = numbers
    binary = np.frombuffer(kinds, np.uint8) == VarType.BINARY
    lower[binary] = np.maximum(lower[binary], 0.0)
    upper[binary] = np.minimum(upper[binary], 1.0)
    first = len(store.columns)
    made = [handle(store, j) for j in range(first, first + len(kinds))]
    store.add_cols(made, lower.tolist(), upper.tolist(), cost.tolist(), kinds)
    return objects(made).reshape(shape)


def add_rows(
    store: Any, terms: Terms, sense: str, rhs: Floats, handle: Any, infinite: float
) -> list[Any]:
    """Add a row for each expression (sense) its right side less its constant; the handles."""
    order, starts = grouped(terms.rows, terms.size)
    columns = np.fromiter((var._col for var in terms.variables), np.int32, len(terms.variables))
    first = len(store.rows)
    base = len(store.index)
    store.index.frombytes(columns[order].tobytes())
    store.value.frombytes(terms.coeffs[order].tobytes())
    store.starts.frombytes((base + starts[1:]).astype(np.int64).tobytes())
    store.senses.extend(sense.encode() * terms.size)
    sides = np.clip(np.asarray(rhs, float).reshape(-1) - terms.constants, -infinite, infinite)
    store.rhs.frombytes(sides.tobytes())
    made = [handle(store, row) for row in range(first, first + terms.size)]
    store.rows.extend(made)
    return made


def quadratic_form(
    columns: Callable[[Any, int, str], Terms], Q: Any, c: Any, xQ_L: Any, xQ_R: Any, xc: Any
) -> Terms:
    """xQ_L' Q xQ_R + c' xc as one expression; `columns(x, count, what)` are its variables."""
    total = of_constants(0.0)
    if Q is not None:
        matrix = numbers_of(Q)
        left, right = columns(xQ_L, matrix.shape[0], "Q"), columns(xQ_R, matrix.shape[1], "Q")
        first = algebra.product(left, matrix)
        whole = None if first is None else algebra.product(first, right)
        assert whole is not None
        total = algebra.plus(total, whole)
    if c is not None:
        costs = np.asarray(c, float).reshape(-1)
        linear = algebra.product(costs, columns(xc, len(costs), "c"))
        assert linear is not None
        total = algebra.plus(total, linear)
    return total
