"""Model methods that add variables."""

import gc
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ordojo.compat.gurobipy.attribute import kind_of, single
from ordojo.compat.gurobipy.errors import failure
from ordojo.compat.gurobipy.handles import Var, new_var
from ordojo.compat.gurobipy.tuples import tupledict

_BINARY = kind_of("B")
_CODES = {letter: kind_of(letter) for letter in "CBISNcbisn"}


def addVar(
    model: Any,
    lb: float = 0.0,
    ub: float = 1e100,
    obj: float = 0.0,
    vtype: str = "C",
    name: str = "",
    column: Any = None,
) -> Var:
    """Add a variable."""
    state = model._state
    kind = _CODES.get(vtype) if isinstance(vtype, str) else None
    if kind is None:
        kind = kind_of(vtype)
    if kind == _BINARY:
        lb, ub = max(_real(lb), 0.0), min(_real(ub), 1.0)
    if lb != lb or ub != ub or obj != obj:
        raise failure("INVALID_ARGUMENT", "Element 0 of a double array is Nan.")
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    var = new_var(state, len(state.columns))
    try:
        state.add_col(var, lb, ub, obj, kind)
    except TypeError:
        del state.lower[len(state.columns) :], state.upper[len(state.columns) :]
        del state.cost[len(state.columns) :]
        raise
    state.col_names.add(name)
    if column is not None:
        for constr, coefficient in zip(column._constrs, column._coeffs, strict=True):
            state.set_coefficient(constr, var, coefficient)
    return var


def addVars(
    model: Any,
    *indices: Any,
    lb: Any = 0.0,
    ub: Any = 1e100,
    obj: Any = 0.0,
    vtype: Any = "C",
    name: Any = "",
) -> tupledict:
    """Add a variable for each key, or for each combination of keys of several lists."""
    keys = index_keys(indices)
    count, state = len(keys), model._state
    first = len(state.columns)
    kinds = _kinds(vtype, keys)
    lower, upper = _each(lb, keys, 0.0), _each(ub, keys, 1e100)
    cost = _each(obj, keys, 0.0)
    if _BINARY in kinds:
        pairs = list(zip(kinds, lower, upper, strict=True))
        lower = [max(low, 0.0) if kind == _BINARY else low for kind, low, _ in pairs]
        upper = [min(up, 1.0) if kind == _BINARY else up for kind, _, up in pairs]
    # A collector's run over the many new objects would find nothing to free.
    enabled = gc.isenabled()
    gc.disable()
    try:
        made = [new_var(state, number) for number in range(first, first + count)]
        found = tupledict(zip(keys, made, strict=True))
    finally:
        if enabled:
            gc.enable()
    if len(found) != count:
        raise KeyError("Duplicate keys in Model.addVars()")
    state.add_cols(made, lower, upper, cost, kinds)
    if isinstance(name, str) or name is None:
        state.col_names.add_group(name or "", keys)
    else:
        given = [name.get(k, "") for k in keys] if isinstance(name, Mapping) else list(name)
        state.col_names.add_many(given)
    return found


def index_keys(indices: Sequence[Any]) -> list[Any]:
    """The keys that the index arguments of `addVars` mean."""
    lists = [range(part) if type(part) is int else list(part) for part in indices]
    if len(lists) == 1:
        return list(lists[0])
    keys: list[tuple[Any, ...]] = [_tuple(part) for part in lists[0]]
    for part in lists[1:]:
        tails = [_tuple(item) for item in part]
        keys = [(*key, *tail) for key in keys for tail in tails]
    return list(keys)


def _tuple(part: Any) -> tuple[Any, ...]:
    return part if isinstance(part, tuple) else (part,)


def _each(given: Any, keys: list[Any], default: float) -> list[float]:
    """One number per key of a number, a list, an array or a dictionary that may have gaps."""
    if isinstance(given, int | float):
        numbers = [float(given)] * len(keys)
    elif isinstance(given, Mapping):
        numbers = [_real(given.get(key, default)) for key in keys]
    elif isinstance(given, np.ndarray):
        numbers = np.asarray(given, float).ravel().tolist()
    elif isinstance(given, Iterable) and not isinstance(given, str):
        numbers = [_real(item) for item in np.ravel(np.array(list(given), object)).tolist()]
    else:
        numbers = [_real(given)] * len(keys)
    assert len(numbers) == len(keys)
    if any(number != number for number in numbers):
        place = next(k for k, number in enumerate(numbers) if number != number)
        raise failure("INVALID_ARGUMENT", f"Element {place} of a double array is Nan.")
    return numbers


def _kinds(given: Any, keys: list[Any]) -> bytes:
    if isinstance(given, str) or not isinstance(given, Iterable):
        return bytes([kind_of(single(given))]) * len(keys)
    letters = [given.get(k, "C") for k in keys] if isinstance(given, Mapping) else list(given)
    assert len(letters) == len(keys)
    return bytes([kind_of(single(letter)) for letter in letters])


def _real(value: Any) -> float:
    if isinstance(value, str) or value is None or callable(value):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)
