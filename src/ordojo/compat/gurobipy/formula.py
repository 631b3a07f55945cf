"""Taking a formula apart into further columns, rows and general constraints."""

from typing import Any

import numpy as np

from ordojo.compat.core import expr as core
from ordojo.compat.core.assemble import Draft
from ordojo.compat.core.nonlinear import Formula
from ordojo.compat.core.parts import FormulaPart
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.compat.gurobipy.errors import unsupported
from ordojo.solvers.problem import Function, General, Quadratic, QuadraticRow

Affine = tuple[dict[int, float], float]
"""Coefficients by column, and a constant."""

_FUNCTIONS = {
    "exp": (Function.EXP, ()),
    "log": (Function.LOG, ()),
    "log2": (Function.LOGA, (2.0,)),
    "log10": (Function.LOGA, (10.0,)),
    "sin": (Function.SIN, ()),
    "cos": (Function.COS, ()),
    "tan": (Function.TAN, ()),
    "sqrt": (Function.POW, (0.5,)),
    "logistic": (Function.LOGISTIC, ()),
}


def take_apart(draft: Draft, part: FormulaPart) -> None:
    """Add to the draft what says that the part's result equals its formula."""
    value = _Reader(draft, part.name).read(part.formula)
    terms, constant = _plus(({part.result._col: 1.0}, 0.0), value, -1.0)
    draft.row(
        part.name or f"nl.{len(draft.rows)}",
        list(terms),
        list(terms.values()),
        -constant,
        -constant,
    )


class _Reader:
    """Gives each node of a formula as an affine form over columns, adding columns for the rest."""

    def __init__(self, draft: Draft, name: str) -> None:
        self.draft, self.name = draft, name

    def read(self, node: Any) -> Affine:
        """The value of a node."""
        found = core.linear(node)
        if found is not None:
            return _affine(*found)
        if isinstance(node, CoreQuad):
            return self._quadratic(node)
        if not isinstance(node, Formula):
            raise unsupported(f"a formula with {type(node).__name__}")
        if node._op == "**":
            return self._power(*node._args)
        args = [self.read(arg) for arg in node._args]
        if node._op in ("+", "-"):
            return _plus(args[0], args[1], 1.0 if node._op == "+" else -1.0)
        if node._op == "leaf":
            return args[0]
        if node._op == "*":
            return self._times(args[0], args[1])
        if node._op == "/":
            return self._over(args[0], args[1])
        if node._op == "square":
            return self._times(args[0], args[0])
        if node._op == "tanh":
            doubled = _plus(args[0], args[0], 1.0)
            half = self._function(Function.LOGISTIC, doubled, ())
            return _plus(_plus(half, half, 1.0), ({}, 1.0), -1.0)
        function, numbers = _FUNCTIONS[node._op]
        return self._function(function, args[0], numbers)

    def _power(self, base: Any, exponent: Any) -> Affine:
        power, root = core.number(exponent), core.number(base)
        if power is not None:
            value = self.read(base)
            if power == 2:
                return self._times(value, value)
            return self._function(Function.POW, value, (float(power),))
        if root is not None:
            return self._function(Function.EXPA, self.read(exponent), (float(root),))
        raise unsupported("a variable power of a variable")

    def _quadratic(self, node: Any) -> Affine:
        value = _affine(node._linear._c, node._linear._v, node._linear._k)
        for c, a, b in zip(node._q, node._a, node._b, strict=True):
            value = _plus(value, self._times(({a._col: 1.0}, 0.0), ({b._col: 1.0}, 0.0)), c)
        return value

    def _times(self, left: Affine, right: Affine) -> Affine:
        for one, other in ((left, right), (right, left)):
            if not one[0]:
                return _plus(({}, 0.0), other, one[1])
        new = self.draft.column()
        self._product({new: 1.0}, left, right, -1.0)
        return {new: 1.0}, 0.0

    def _over(self, left: Affine, right: Affine) -> Affine:
        if not right[0]:
            return _plus(({}, 0.0), left, 1.0 / right[1])
        new = self.draft.column()
        terms, constant = _plus(({}, 0.0), left, -1.0)
        self._product(terms, ({new: 1.0}, 0.0), right, 1.0, constant)
        return {new: 1.0}, 0.0

    def _product(
        self,
        terms: dict[int, float],
        left: Affine,
        right: Affine,
        by: float,
        constant: float = 0.0,
    ) -> None:
        """The row: terms + constant + by * left * right = 0."""
        linear = _plus((terms, constant), _plus(({}, 0.0), left, right[1]), by)
        linear = _plus(linear, (right[0], 0.0), by * left[1])
        pairs: dict[tuple[int, int], float] = {}
        for i, c in left[0].items():
            for j, d in right[0].items():
                key = (min(i, j), max(i, j))
                pairs[key] = pairs.get(key, 0.0) + by * c * d
        quadratic = Quadratic(
            np.array([i for i, _ in pairs], np.int32),
            np.array([j for _, j in pairs], np.int32),
            np.array(list(pairs.values()), np.float64),
        )
        rows = self.draft.quadratic_rows
        rows.append(
            QuadraticRow(
                f"{self.name or 'nl'}.product{len(rows)}",
                np.array(list(linear[0]), np.int32),
                np.array(list(linear[0].values()), np.float64),
                quadratic,
                -linear[1],
                -linear[1],
            )
        )

    def _function(self, function: Function, value: Affine, numbers: tuple[float, ...]) -> Affine:
        operand, new = self._column(value), self.draft.column()
        general = self.draft.general
        name = f"{self.name or 'nl'}.{function.value}{len(general)}"
        general.append(General(name, function, new, np.array([operand], np.int32), numbers))
        return {new: 1.0}, 0.0

    def _column(self, value: Affine) -> int:
        """A column that equals an affine form."""
        terms, constant = value
        if constant == 0.0 and list(terms.values()) == [1.0]:
            return next(iter(terms))
        new = self.draft.column()
        index, coeffs = [new, *terms], [1.0, *(-c for c in terms.values())]
        self.draft.row(f"{self.name or 'nl'}.argument{new}", index, coeffs, constant, constant)
        return new


def _affine(coeffs: list[float], variables: list[Any], constant: float) -> Affine:
    total: dict[int, float] = {}
    for c, var in zip(coeffs, variables, strict=True):
        total[var._col] = total.get(var._col, 0.0) + c
    return total, float(constant)


def _plus(left: Affine, right: Affine, by: float) -> Affine:
    total = dict(left[0])
    for j, c in right[0].items():
        total[j] = total.get(j, 0.0) + by * c
    return {j: c for j, c in total.items() if c != 0.0}, left[1] + by * right[1]
