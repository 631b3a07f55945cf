"""Sums and products of arrays of expressions."""

import math
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, identity, issparse, kron

from ordojo.compat.core.terms import (
    NO_FLOATS,
    NO_INTS,
    Floats,
    Ints,
    Shape,
    Terms,
    gather,
    grouped,
    terms_of,
)


def add_up(terms: Terms, targets: Any, shape: Shape) -> Terms:
    """The array whose expression k is the sum of the old ones i with targets[i] == k."""
    to = np.asarray(targets, np.int64).reshape(-1)
    size = math.prod(shape)
    constants: Any = np.bincount(to, terms.constants, size) if len(to) else np.zeros(size)
    return Terms(
        shape,
        to[terms.rows],
        terms.coeffs,
        terms.variables,
        constants,
        to[terms.qrows],
        terms.qcoeffs,
        terms.first,
        terms.second,
    )


def summed(terms: Terms, axis: Any = None) -> Terms:
    """The sum over all expressions, or along an axis."""
    if axis is None:
        return add_up(terms, np.zeros(terms.size), ())
    axes = tuple(np.atleast_1d(axis) % max(1, len(terms.shape)))
    left = tuple(n for k, n in enumerate(terms.shape) if k not in axes)
    kept = np.arange(math.prod(left)).reshape(left)
    for k in sorted(axes):
        kept = np.expand_dims(kept, k)
    return add_up(terms, np.broadcast_to(kept, terms.shape), left)


def scaled(terms: Terms, factors: Any) -> Terms:
    """Each expression times its factor."""
    by = np.broadcast_to(np.asarray(factors, float), terms.shape).reshape(-1)
    return Terms(
        terms.shape,
        terms.rows,
        terms.coeffs * by[terms.rows],
        terms.variables,
        terms.constants * by,
        terms.qrows,
        terms.qcoeffs * by[terms.qrows],
        terms.first,
        terms.second,
    )


def spread_to(terms: Terms, shape: Shape) -> Terms:
    """The array repeated to a larger shape, as numpy broadcasts."""
    if terms.shape == shape:
        return terms
    return gather(terms, np.broadcast_to(np.arange(terms.size).reshape(terms.shape), shape))


def plus(left: Terms, right: Terms, sign: float = 1.0) -> Terms:
    """The sum, or with -1 the difference, broadcast."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    a, b = spread_to(left, shape), spread_to(right, shape)
    return Terms(
        shape,
        np.concatenate([a.rows, b.rows]),
        np.concatenate([a.coeffs, sign * b.coeffs]),
        np.concatenate([a.variables, b.variables]),
        a.constants + sign * b.constants,
        np.concatenate([a.qrows, b.qrows]),
        np.concatenate([a.qcoeffs, sign * b.qcoeffs]),
        np.concatenate([a.first, b.first]),
        np.concatenate([a.second, b.second]),
    )


def times(left: Terms, right: Terms) -> Terms | None:
    """The product of each pair of expressions, broadcast; None above degree two."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    a, b = spread_to(left, shape), spread_to(right, shape)
    if b.is_constant:
        return scaled(a, b.constants.reshape(shape))
    if a.is_constant:
        return scaled(b, a.constants.reshape(shape))
    if a.is_quadratic or b.is_quadratic:
        return None
    order, starts = grouped(b.rows, b.size)
    counts = np.diff(starts)[a.rows]
    one = np.repeat(np.arange(len(a.rows)), counts)
    offsets = np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
    two = order[np.repeat(starts[a.rows], counts) + offsets]
    cross = [(a, b.constants), (b, a.constants)]
    used = [np.flatnonzero(other[part.rows]) for part, other in cross]
    return Terms(
        shape,
        np.concatenate([part.rows[k] for (part, _), k in zip(cross, used, strict=True)]),
        np.concatenate(
            [
                part.coeffs[k] * other[part.rows[k]]
                for (part, other), k in zip(cross, used, strict=True)
            ]
        ),
        np.concatenate([part.variables[k] for (part, _), k in zip(cross, used, strict=True)]),
        a.constants * b.constants,
        a.rows[one],
        a.coeffs[one] * b.coeffs[two],
        a.variables[one],
        b.variables[two],
    )


def mapped(matrix: Any, terms: Terms, shape: Shape) -> Terms:
    """The array of the sums over i of matrix[k, i] times expression i."""
    rows, places, coeffs = _through(matrix, terms.rows, terms.coeffs, terms.size)
    qrows, qplaces, qcoeffs = _through(matrix, terms.qrows, terms.qcoeffs, terms.size)
    return Terms(
        shape,
        rows,
        coeffs,
        terms.variables[places],
        np.asarray(matrix @ terms.constants, float).reshape(-1),
        qrows,
        qcoeffs,
        terms.first[qplaces],
        terms.second[qplaces],
    )


def _through(matrix: Any, rows: Ints, coeffs: Floats, size: int) -> tuple[Ints, Ints, Floats]:
    count = len(rows)
    if not count:
        return NO_INTS, NO_INTS, NO_FLOATS
    if np.array_equal(rows, np.arange(size)):
        found = matrix.tocsr()
        entry = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
        return entry, found.indices.astype(np.int64), found.data * coeffs[found.indices]
    spread = csr_matrix((coeffs, (rows, np.arange(count))), shape=(size, count))
    found = (matrix @ spread).tocsr()
    found.sort_indices()
    places = found.tocoo()
    return places.row.astype(np.int64), places.col.astype(np.int64), places.data


def product(left: Any, right: Any) -> Terms | None:
    """The matrix product of two arrays, of which a constant one may be a scipy matrix.

    None above degree two, ValueError where the shapes do not fit.
    """
    a, b = _matrix(left), _matrix(right)
    one, two = _as_pair(a.shape), _as_pair(b.shape, right=True)
    if not a.shape or not b.shape or one[1] != two[0]:
        inner = (one[1], two[0])
        raise ValueError(f"Mismatching inner dimensions {inner[0]} vs. {inner[1]}")
    shape = (one[:1] if len(a.shape) == 2 else ()) + (two[1:] if len(b.shape) == 2 else ())
    if not isinstance(a, Terms) and not isinstance(b, Terms):
        raise ValueError("A product of two matrices of numbers is no expression")
    if not isinstance(a, Terms):
        whole = csr_matrix(a.reshape(one)) if not issparse(a) else a
        if two[1] != 1:
            whole = kron(whole, identity(two[1]), format="csr")
        return mapped(whole, b, shape)
    if not isinstance(b, Terms):
        whole = csr_matrix(b.reshape(two)) if not issparse(b) else b
        whole = csr_matrix(whole.T)
        if one[0] != 1:
            whole = kron(identity(one[0]), whole, format="csr")
        return mapped(whole, a, shape)
    (m, k), n = one, two[1]
    i, j, inner_place = np.indices((m, n, k))
    found = times(gather(a, i * k + inner_place), gather(b, inner_place * n + j))
    return None if found is None else summed(found, 2).reshape(shape)


def _matrix(value: Any) -> Any:
    """A scipy matrix or an array of numbers as it is, everything else as terms."""
    if issparse(value):
        return coo_matrix(value).tocsr()
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value
    found = terms_of(value)
    if found is None:
        raise TypeError(f"a {type(value).__name__} is no operand of a matrix product")
    if found.is_constant:
        return found.constants.reshape(found.shape)
    return found


def _as_pair(shape: Shape, right: bool = False) -> tuple[int, int]:
    if len(shape) == 2:
        return shape[0], shape[1]
    if len(shape) > 2:
        raise ValueError("Matrix products of more than two dimensions are not supported")
    size = shape[0] if shape else 1
    return (size, 1) if right else (1, size)
