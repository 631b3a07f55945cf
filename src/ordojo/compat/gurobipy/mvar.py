"""What gurobipy offers of the matrix interface beside the model's methods."""

from typing import Any

import numpy as np

from ordojo.compat.core import algebra
from ordojo.compat.core import terms as flat
from ordojo.compat.core.terms import Terms
from ordojo.compat.gurobipy.errors import GurobiError
from ordojo.compat.gurobipy.marrays import MLinExpr, MQuadExpr, MVar, array_of
from ordojo.compat.gurobipy.mconstr import MConstr, MGenConstr, MQConstr
from ordojo.compat.gurobipy.mformulas import MNLExpr

__all__ = [
    "MConstr",
    "MGenConstr",
    "MLinExpr",
    "MNLExpr",
    "MQConstr",
    "MQuadExpr",
    "MVar",
    "concatenate",
    "hstack",
    "vstack",
]


def concatenate(arrays: Any, axis: int = 0) -> Any:
    """Join arrays along an axis."""
    members = list(arrays)
    if all(isinstance(member, MVar) for member in members):
        return MVar(np.concatenate([member._held for member in members], axis))
    terms = [flat.terms_of(member) for member in members]
    if any(part is None for part in terms):
        raise GurobiError(10003, "Only arrays of variables, expressions or numbers can be joined")
    return _joined([part for part in terms if part is not None], axis)


def _joined(parts: list[Terms], axis: int) -> Any:
    starts = np.cumsum([0, *(part.size for part in parts)])
    numbers = np.concatenate(
        [
            np.arange(start, start + part.size).reshape(part.shape)
            for start, part in zip(starts[:-1], parts, strict=True)
        ],
        axis,
    )
    total = int(starts[-1])
    whole = flat.of_constants(np.zeros(total))
    for start, part in zip(starts[:-1], parts, strict=True):
        moved = algebra.add_up(part, np.arange(start, start + part.size), (total,))
        whole = algebra.plus(whole, moved)
    found = flat.gather(whole, numbers)
    return array_of(found)


def _at_least(arrays: Any, dimensions: int) -> list[Any]:
    found = []
    for member in arrays:
        if len(member.shape) < dimensions:
            row = (1,) * (dimensions - len(member.shape)) + tuple(member.shape)
            member = member.reshape(row)
        found.append(member)
    return found


def hstack(arrays: Any) -> Any:
    """Join arrays one beside the other."""
    members = _at_least(arrays, 1)
    return concatenate(members, 0 if len(members[0].shape) == 1 else 1)


def vstack(arrays: Any) -> Any:
    """Join arrays one below the other."""
    return concatenate(_at_least(arrays, 2), 0)
