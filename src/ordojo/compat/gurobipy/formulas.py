"""How gurobipy prints nonlinear expressions: products with `*`, brackets where they are needed."""

from typing import Any

from ordojo.compat.core.expressions import FUNCTIONS, Formula, LinExpr, QuadExpr, Var

_SUM, _DIFFERENCE, _NEGATED, _PRODUCT, _POWER, _ATOM = range(6)
"""Kinds of text, by how closely they bind."""
_SIDES = {
    "+": (_SUM, _SUM),
    "-": (_DIFFERENCE, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT),
    "/": (_POWER, _POWER),
    "**": (_ATOM, _ATOM),
}
"""Operands, left and right, that bind less closely than this stand in brackets."""
_KINDS = {"+": _SUM, "-": _DIFFERENCE, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}


def formula_text(value: Any) -> str:
    """A formula, an expression, a variable or a number as text."""
    return _written(value)[0]


def _written(value: Any) -> tuple[str, int]:
    if isinstance(value, Formula):
        return _operation(value._op, value._args)
    if isinstance(value, Var):
        return value._label(), _ATOM
    if isinstance(value, LinExpr | QuadExpr):
        return _terms(value)
    return str(value), _ATOM


def _operation(op: str, args: tuple[Any, ...]) -> tuple[str, int]:
    first, last = args[0], args[-1]
    if op == "leaf":
        return _written(first)
    if op == "square" or (op == "**" and isinstance(last, float) and last == 2.0):
        return f"{_bracketed(first, _ATOM)}**2", _POWER
    if op in FUNCTIONS:
        return f"{op}({formula_text(first)})", _ATOM
    if op == "*" and isinstance(first, float) and first == -1.0:
        return f"-{_bracketed(last, _PRODUCT)}", _NEGATED
    left, right = _SIDES[op]
    return f"{_bracketed(first, left)} {op} {_bracketed(last, right)}", _KINDS[op]


def _bracketed(value: Any, least: int) -> str:
    text, kind = _written(value)
    return text if kind >= least else f"({text})"


def _terms(value: LinExpr | QuadExpr) -> tuple[str, int]:
    """The sum of a constant, terms and products, the constant first."""
    linear = value if isinstance(value, LinExpr) else value._linear
    coeffs, variables, constant = linear._parts()
    texts = [(c, v._label(), _ATOM) for c, v in zip(coeffs, variables, strict=True)]
    if isinstance(value, QuadExpr):
        texts += [
            (c, f"{a._label()}**2", _POWER)
            if a is b
            else (c, f"{a._label()} * {b._label()}", _PRODUCT)
            for c, a, b in zip(value._q, value._a, value._b, strict=True)
        ]
    found = [
        (text, kind) if c == 1.0 else (f"{float(c)} * {text}", _PRODUCT) for c, text, kind in texts
    ]
    if constant or not found:
        found.insert(0, (str(float(constant)), _ATOM))
    return found[0] if len(found) == 1 else (" + ".join(text for text, _ in found), _SUM)
