"""What coptpy offers of the matrix interface beside the model's methods."""

from typing import Any

import numpy as np

from ordojo.compat.coptpy.marrays import MLinExpr, MQuadExpr, NdArray, array_of
from ordojo.compat.coptpy.mbuilder import MConstrBuilder, MQConstrBuilder
from ordojo.compat.coptpy.mhandles import MConstr, MQConstr, MVar
from ordojo.compat.core import algebra
from ordojo.compat.core import terms as flat

__all__ = [
    "MConstr",
    "MConstrBuilder",
    "MLinExpr",
    "MQConstr",
    "MQConstrBuilder",
    "MQuadExpr",
    "MVar",
    "NdArray",
    "hstack",
    "stack",
    "vstack",
]


def stack(left: Any, right: Any, axis: int = 0) -> Any:
    """Two arrays along an axis."""
    if isinstance(left, MVar) and isinstance(right, MVar):
        return MVar(np.concatenate([left._held, right._held], axis))
    one, two = flat.terms_of(flat.nested(left)), flat.terms_of(flat.nested(right))
    if one is None or two is None:
        raise TypeError("Only arrays of variables, expressions or numbers can be joined")
    count = one.size + two.size
    whole = algebra.plus(
        algebra.add_up(one, np.arange(one.size), (count,)),
        algebra.add_up(two, np.arange(one.size, count), (count,)),
    )
    first = np.arange(one.size).reshape(one.shape)
    second = np.arange(one.size, count).reshape(two.shape)
    found = flat.gather(whole, np.concatenate([first, second], axis))
    return array_of(found)


def hstack(left: Any, right: Any) -> Any:
    """Two arrays one beside the other."""
    return stack(left, right, 0 if len(left.shape) < 2 else 1)


def vstack(left: Any, right: Any) -> Any:
    """Two arrays one below the other."""
    one, two = (part.expand(0) if len(part.shape) < 2 else part for part in (left, right))
    return stack(one, two, 0)
