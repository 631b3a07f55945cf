"""Arrays of linear and quadratic expressions as flat numpy arrays, for the matrix interfaces."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from ordojo.compat.core.expr import linear, make, number
from ordojo.compat.core.quad import QuadExpr

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Objects = NDArray[np.object_]
Shape = tuple[int, ...]

NO_INTS, NO_FLOATS, NO_VARS = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, object)


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """An array of `shape` of expressions, numbered in C order.

    Expression rows[t] has the term coeffs[t] * variables[t], expression qrows[t] the product
    qcoeffs[t] * first[t] * second[t]; `constants` has one number for each expression.
    """

    shape: Shape
    rows: Ints
    coeffs: Floats
    variables: Objects
    constants: Floats
    qrows: Ints = field(default_factory=lambda: NO_INTS)
    qcoeffs: Floats = field(default_factory=lambda: NO_FLOATS)
    first: Objects = field(default_factory=lambda: NO_VARS)
    second: Objects = field(default_factory=lambda: NO_VARS)

    @property
    def size(self) -> int:
        """The number of expressions."""
        return len(self.constants)

    @property
    def is_constant(self) -> bool:
        """Whether there are numbers only."""
        return not len(self.rows) and not len(self.qrows)

    @property
    def is_quadratic(self) -> bool:
        """Whether there are products."""
        return bool(len(self.qrows))

    def reshape(self, shape: Any, order: Any = "C") -> "Terms":
        """The same expressions in another shape."""
        numbers = np.arange(self.size).reshape(self.shape).reshape(shape, order=order)
        return gather(self, numbers)


def objects(items: Any) -> Objects:
    """A flat object array of the items, which numpy does not look into."""
    members = list(items)
    out = np.empty(len(members), object)
    for place, item in enumerate(members):
        out[place] = item
    return out


def of_variables(variables: Objects) -> Terms:
    """Each variable as an expression."""
    size = variables.size
    return Terms(
        variables.shape, np.arange(size), np.ones(size), variables.reshape(-1), np.zeros(size)
    )


def of_constants(values: Any) -> Terms:
    """Numbers as expressions."""
    array = np.asarray(values, float)
    return Terms(array.shape, NO_INTS, NO_FLOATS, NO_VARS, array.reshape(-1).copy())


def of_expression(value: Any) -> Terms | None:
    """A single number, variable or expression; None for other things."""
    return _of_several([value], ())


def _of_several(items: list[Any], shape: Shape) -> Terms | None:
    rows: list[int] = []
    coeffs: list[float] = []
    variables: list[Any] = []
    constants: list[float] = []
    products: list[tuple[int, float, Any, Any]] = []
    for place, item in enumerate(items):
        if isinstance(item, QuadExpr):
            some = zip(item._q, item._a, item._b, strict=True)
            products += [(place, c, a, b) for c, a, b in some]
            item = item._linear
        found = linear(item)
        if found is None:
            return None
        rows += [place] * len(found[0])
        coeffs += found[0]
        variables += found[1]
        constants.append(found[2])
    return Terms(
        shape,
        np.array(rows, np.int64),
        np.array(coeffs, float),
        objects(variables),
        np.array(constants, float),
        np.array([p[0] for p in products], np.int64),
        np.array([p[1] for p in products], float),
        objects(p[2] for p in products),
        objects(p[3] for p in products),
    )


def terms_of(value: Any) -> Terms | None:
    """Anything that is an array of expressions, or one expression; None for other things."""
    if isinstance(value, Terms):
        return value
    own = getattr(value, "_terms", None)
    if own is not None:
        found: Terms = own()
        return found
    if issparse(value):
        return of_constants(value.toarray())
    if number(value) is not None:
        return of_constants(value)
    if isinstance(value, np.ndarray):
        if value.dtype != object:
            return of_constants(value)
        flat = [part._single() if hasattr(part, "_single") else part for part in value.reshape(-1)]
        return _of_several(flat, value.shape)
    return of_expression(value)


def nested(value: Any) -> Any:
    """A list, perhaps of lists, as an array; other things unchanged."""
    if not isinstance(value, list | tuple):
        return value
    shape: list[int] = []
    inner: Any = value
    while isinstance(inner, list | tuple):
        shape.append(len(inner))
        inner = inner[0] if inner else 0.0
    flat: list[Any] = list(value)
    for _ in shape[1:]:
        flat = [item for part in flat for item in part]
    return objects(flat).reshape(shape)


def gather(terms: Terms, numbers: Any) -> Terms:
    """The array whose expression k is number numbers[k] of the old ones."""
    chosen = np.asarray(numbers, np.int64)
    flat = chosen.reshape(-1)
    rows, places = _picked(terms.rows, terms.size, flat)
    qrows, qplaces = _picked(terms.qrows, terms.size, flat)
    return Terms(
        chosen.shape,
        rows,
        terms.coeffs[places],
        terms.variables[places],
        terms.constants[flat],
        qrows,
        terms.qcoeffs[qplaces],
        terms.first[qplaces],
        terms.second[qplaces],
    )


def _picked(rows: Ints, size: int, flat: Ints) -> tuple[Ints, Ints]:
    """For the expressions `flat`: their new rows, and the places of their terms."""
    if not len(rows):
        return NO_INTS, NO_INTS
    order, starts = grouped(rows, size)
    counts = np.diff(starts)[flat]
    new = np.repeat(np.arange(len(flat)), counts)
    offsets = np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)
    return new, order[np.repeat(starts[flat], counts) + offsets]


def grouped(rows: Ints, size: int) -> tuple[Ints, Ints]:
    """An order in which terms stand by row, and where each row starts in it."""
    order = np.argsort(rows, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
    return order, starts


def expressions(terms: Terms, lin: type[Any], quad: Any) -> Objects:
    """Each expression as an object of its own, in the array's shape."""
    order, starts = grouped(terms.rows, terms.size)
    qorder, qstarts = grouped(terms.qrows, terms.size)
    out = np.empty(terms.size, object)
    for k in range(terms.size):
        some = order[starts[k] : starts[k + 1]]
        made = make(
            lin,
            terms.coeffs[some].tolist(),
            terms.variables[some].tolist(),
            float(terms.constants[k]),
        )
        if terms.is_quadratic:
            more = qorder[qstarts[k] : qstarts[k + 1]]
            made = quad._of(
                made,
                terms.qcoeffs[more].tolist(),
                terms.first[more].tolist(),
                terms.second[more].tolist(),
            )
        out[k] = made
    return out.reshape(terms.shape)


def values(terms: Terms, x: Any) -> Floats:
    """The expressions' values, `x` being the values by column."""
    found = terms.constants.copy()
    at = np.asarray(x, float)
    if len(terms.rows):
        columns = np.fromiter((v._col for v in terms.variables), np.int64, len(terms.rows))
        found += np.bincount(terms.rows, terms.coeffs * at[columns], terms.size)
    if len(terms.qrows):
        one, two = (
            at[np.fromiter((v._col for v in part), np.int64, len(part))]
            for part in (terms.first, terms.second)
        )
        found += np.bincount(terms.qrows, terms.qcoeffs * one * two, terms.size)
    return found.reshape(terms.shape)
