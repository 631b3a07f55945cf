"""A vector over the members of a group: constant, function of indices, few exceptions, or data."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.abstraction.tables import Array, Spec, Tables
from ordojo.structure.flat import Ints
from ordojo.structure.grouping.features import commonest


def encode(vector: Array, fields: list[Ints], tables: Tables) -> Spec:
    """The shortest of the ways to say a vector; `decode` gives back every bit.

    `fields` are the members' places and then their indices, each as long as the vector; no table
    is kept that loses.
    """
    n = len(vector)
    if not n:
        return {"kind": "constant", "value": 0, "type": vector.dtype.str}
    bits = _bits(vector)
    if bool((bits == bits[0]).all()):
        return {"kind": "constant", "value": _plain(vector[0]), "type": vector.dtype.str}
    affine = _affine(vector, fields)
    if affine:
        return affine
    mode, times = commonest(bits)
    others = n - times
    best, cost = None, float(min(n, others * 2 + 1))
    for size in (1, 2):
        # Of the place every vector is a function, and none that is shorter.
        for which in combinations(range(1, len(fields)), size):
            keys = _keys([fields[k] for k in which])
            if keys is None:
                continue
            distinct, first = _function(bits, keys)
            if first is not None and distinct < 0.7 * cost:
                best, cost = (which, first), float(distinct)
    if best:
        which, first = best
        return {"kind": "function", "of": list(which), "values": tables.put(vector[first])}
    if others * 2 + 1 < n:
        where = np.flatnonzero(bits != mode)
        return {
            "kind": "except",
            "value": _plain(vector[np.argmax(bits == mode)]),
            "where": tables.put(where),
            "values": tables.put(vector[where]),
            "type": vector.dtype.str,
        }
    return {"kind": "data", "values": tables.put(vector)}


def decode(spec: Spec, fields: list[Ints], n: int, tables: Tables) -> Array:
    """The vector that a spec says, for n members."""
    kind = spec["kind"]
    if kind == "constant":
        return np.full(n, _value(spec))
    if kind == "affine":
        line = fields[spec["of"]] * int(spec["step"]) + int(spec["start"])
        return line.astype(str(spec["type"]))
    if kind == "function":
        keys = _keys([fields[k] for k in spec["of"]])
        if keys is None:
            raise ValueError("a function of indices that are too wide")
        place = np.unique(keys, return_inverse=True)[1]
        return np.asarray(tables.get(spec["values"])[place])
    if kind == "except":
        found = np.full(n, _value(spec))
        found[tables.get(spec["where"])] = tables.get(spec["values"])
        return found
    return tables.get(spec["values"])


def _bits(vector: Array) -> NDArray[Any]:
    return vector.view(np.int64) if vector.dtype == np.float64 else vector


def _plain(value: Any) -> float | int | str:
    """JSON for one number; a float as its hexadecimal text, so no bit is lost."""
    return float(value).hex() if isinstance(value, np.floating) else int(value)


def _value(spec: Spec) -> Any:
    value = spec["value"]
    plain = float.fromhex(value) if isinstance(value, str) else value
    return np.array([plain]).astype(str(spec["type"]))[0]


def _affine(vector: Array, fields: list[Ints]) -> Spec | None:
    if len(vector) < 3 or vector.dtype.kind == "b":
        return None
    for k, field in enumerate(fields):
        other = np.flatnonzero(field != field[0])
        if not len(other):
            continue
        rise = float(vector[other[0]]) - float(vector[0])
        step = rise / float(field[other[0]] - field[0])
        if not np.isfinite(step) or step != np.trunc(step) or abs(step) > 2**31:
            continue
        start = float(vector[0]) - step * float(field[0])
        if not np.isfinite(start) or start != np.trunc(start) or abs(start) > 2**53:
            continue
        line = (field * int(step) + int(start)).astype(vector.dtype)
        if line.tobytes() == vector.tobytes():
            kind = vector.dtype.str
            return {"kind": "affine", "of": k, "step": int(step), "start": int(start), "type": kind}
    return None


def _keys(fields: list[Ints]) -> Ints | None:
    """One number for the combination of indices; None where it would not fit."""
    keys = np.zeros(len(fields[0]), np.int64)
    room = 1.0
    for field in fields:
        low, high = int(field.min(initial=0)), int(field.max(initial=0))
        room *= float(high - low + 1)
        if room > 2**62:
            return None
        keys = keys * (high - low + 1) + (field - low)
    return keys


def _function(bits: NDArray[Any], keys: Ints) -> tuple[int, Ints | None]:
    """How many keys there are, and where each first stands if the bits depend on the key alone."""
    low, span = int(keys.min()), int(keys.max() - keys.min()) + 1
    if span <= 4 * len(keys) + 1024:
        table = np.full(span, -1, np.int64)
        table[keys[::-1] - low] = np.arange(len(keys))[::-1]
        if not np.array_equal(bits[table[keys - low]], bits):
            return 0, None
        first = table[table >= 0]
        return len(first), first
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(bits[first][place], bits):
        return 0, None
    return len(first), first
