"""Model methods that add variables."""

from collections.abc import Mapping
from typing import Any

from ordojo.compat.coptpy.constants import COPT, cut
from ordojo.compat.coptpy.errors import CoptError, invalid
from ordojo.compat.coptpy.handles import Var, new_var
from ordojo.compat.coptpy.information import kind_of
from ordojo.compat.coptpy.keys import index_keys
from ordojo.compat.coptpy.tuples import tupledict
from ordojo.compat.core import expr as core
from ordojo.milp.model import VarType


def addVar(
    model: Any,
    lb: float = 0.0,
    ub: float = COPT.INFINITY,
    obj: float = 0.0,
    vtype: str = COPT.CONTINUOUS,
    name: str = "",
    column: Any = None,
) -> Var:
    """Add a variable."""
    state = model._state
    var = _new_var(state, float(lb), float(ub), float(obj), vtype)
    if not isinstance(name, str):
        raise TypeError("The name of a variable is a text")
    state.col_names.add(name)
    if column is not None:
        for constr, coefficient in column._pairs:
            model.setCoeff(constr, var, coefficient)
    return var


def _new_var(state: Any, lower: float, upper: float, cost: float, letter: Any) -> Var:
    try:
        kind = kind_of(letter)
    except CoptError:
        raise invalid("Fail to add a variable") from None
    if kind == VarType.BINARY:
        lower, upper = max(lower, 0.0), min(upper, 1.0)
    var = new_var(state, len(state.columns))
    state.add_col(var, cut(lower), cut(upper), cost, kind)
    return var


def addVars(
    model: Any,
    *indices: Any,
    lb: Any = 0.0,
    ub: Any = COPT.INFINITY,
    obj: Any = 0.0,
    vtype: Any = COPT.CONTINUOUS,
    nameprefix: str = "C",
) -> tupledict:
    """Add a variable for each key, or for each combination of keys of several lists."""
    keys, shape = index_keys(indices)
    state, made = model._state, []
    defaults = (0.0, COPT.INFINITY, 0.0, COPT.CONTINUOUS)
    each = [
        _each(given, keys, shape, default)
        for given, default in zip((lb, ub, obj, vtype), defaults, strict=True)
    ]
    for lower, upper, cost, letter in zip(*each, strict=True):
        made.append(_new_var(state, float(lower), float(upper), float(cost), letter))
    state.col_names.add_group(str(nameprefix), keys)
    return tupledict(zip(keys, made, strict=True))


def _each(given: Any, keys: list[Any], shape: list[int], default: Any) -> list[Any]:
    """One value per key, of one value, a dictionary, or lists nested like the index lists."""
    if isinstance(given, str) or core.number(given) is not None:
        return [given] * len(keys)
    if isinstance(given, Mapping):
        # COPT looks up tuples only: keys of other kinds count for nothing.
        if not any(isinstance(key, tuple) for key in given):
            return [default] * len(keys)
        wanted = [key if isinstance(key, tuple) else (key,) for key in keys]
        if any(key not in given for key in wanted):
            raise IndexError("A dictionary lacks a value for some of the keys")
        return [given[key] for key in wanted]
    if given is None:
        raise TypeError("float() argument must be a string or a real number, not 'NoneType'")
    values = list(given)
    for _ in shape[1:]:
        if values and hasattr(values[0], "__iter__") and not isinstance(values[0], str):
            values = [item for part in values for item in part]
    if len(values) < len(keys):
        raise IndexError("list index out of range")
    return values[: len(keys)]
