"""coptpy's expressions and comparisons, which know each other, and sums of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ordojo.compat.coptpy.builders import ConstrBuilder, GenConstrBuilder, QConstrBuilder
from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.linear import LinExpr, Spelled, Term
from ordojo.compat.coptpy.quadratic import QuadExpr
from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import acquaint, converter, joined

__all__ = [
    "ConstrBuilder",
    "ExprBuilder",
    "GenConstrBuilder",
    "LinExpr",
    "QConstrBuilder",
    "QuadExpr",
    "Spelled",
    "Term",
    "as_expression",
    "psdquicksum",
    "quicksum",
]

acquaint(Term, LinExpr, QuadExpr, ConstrBuilder)
ExprBuilder = LinExpr
"""COPT has two kinds of linear expression; here they are one."""


def quicksum(termlist: Iterable[Any]) -> Any:
    """The sum of numbers, variables and expressions."""
    items: Any = termlist.values() if isinstance(termlist, Mapping) else termlist
    if hasattr(items, "_sum_all"):
        items = items.tolist()
    total, rest = core.collect(items, LinExpr)
    found = joined(total, rest) if rest else total
    if found is not None:
        return found
    for item in rest:
        if isinstance(item, str):
            float(item)
        total = total + item
    return total


as_expression: Callable[[Any], LinExpr | QuadExpr | None] = converter(LinExpr, QuadExpr)
"""A number, variable or expression as a linear or quadratic one; None for other things."""


def psdquicksum(termlist: Any) -> Any:
    """Not supported."""
    raise unsupported("a sum over positive semidefinite variables")


for _class in (LinExpr, QuadExpr, ConstrBuilder, Term, GenConstrBuilder):
    _class.__module__ = "coptcore"
Term.__name__ = Term.__qualname__ = "LinExpr"
