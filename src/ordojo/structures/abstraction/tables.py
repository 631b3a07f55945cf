"""The tables of an abstraction, and how vectors and labels are said with them.

`Tables` keeps arrays under running names, each once, in the narrowest type that fits. `Members` are
the items of groups, each with its label and local place. `encode_vector` says one number for each
member in the shortest way (a constant, a line, a function of indices, exceptions, or a table),
`decode_vector` gives back every bit; `encode_order` and `decode_order` do so for the labels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.structures.arrays import begins, bits_of, commonest, ordered, runs
from ordojo.structures.flat import Floats, Ints

Entry = dict[str, Any]
"""A part of structure.json."""
Array = NDArray[Any]
_NARROW = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)


class Tables:
    """Arrays by name; `put` gives the reference that stands in structure.json.

    An array that is there already is kept once. `over`: tables that this one may refer to.
    """

    def __init__(
        self, arrays: dict[str, Array] | None = None, over: "Tables | None" = None
    ) -> None:
        self.arrays: dict[str, Array] = arrays or {}
        self._over = over
        self._before: int = over._before + len(over.arrays) if over is not None else 0
        self._names: dict[tuple[str, tuple[int, ...], int], str] = {}
        self._stated: dict[str, list[Entry]] = {}

    def trial(self) -> "Tables":
        """Empty tables to price with: what is in these costs nothing there."""
        return Tables(over=self)

    def keep(self, trial: "Tables") -> None:
        """Take over what a trial holds; nothing may have been put here since it began."""
        self.arrays |= trial.arrays
        self._names |= trial._names
        for kind, specs in trial._stated.items():
            self._stated.setdefault(kind, []).extend(specs)

    def put(self, array: Array, kind: str = "") -> Entry:
        """Keep an array; its values come back bit for bit, in its own type.

        `kind`: what `stated` finds it by.
        """
        narrow = narrowed(array)
        key = narrow.dtype.str, narrow.shape, hash(narrow.tobytes())
        name = self._find(key, narrow)
        spec = {"table": name, "type": array.dtype.str}
        if name is None:
            spec["table"] = name = f"t{len(self.arrays) + self._before:04d}"
            self.arrays[name], self._names[key] = narrow, name
            if kind:
                self._stated.setdefault(kind, []).append(spec)
        return spec

    def _find(self, key: tuple[str, tuple[int, ...], int], narrow: Array) -> str | None:
        name = self._names.get(key)
        if name is not None and same_bits(self.arrays[name], narrow):
            return name
        return self._over._find(key, narrow) if self._over is not None else None

    def stated(self, kind: str, length: int | None = None) -> list[Entry]:
        """The references of a kind, perhaps of one length, in the order they were given out."""
        found = self._over.stated(kind, length) if self._over is not None else []
        mine = self._stated.get(kind, [])
        return found + [s for s in mine if length in (None, len(self.arrays[s["table"]]))]

    def get(self, spec: Entry) -> Array:
        """The array of a reference."""
        name = str(spec["table"])
        if self._over is not None and name not in self.arrays:
            return self._over.get(spec)
        return self.arrays[name].astype(str(spec["type"]))

    def numbers(self) -> int:
        """How many numbers the tables hold."""
        return sum(array.size for array in self.arrays.values())


def narrowed(array: Array) -> Array:
    """The same values in the narrowest whole-number type that gives back every bit, if any."""
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    if not array.size or (array.dtype.kind == "f" and not _whole(array)):
        return array
    low, high = int(array.min()), int(array.max())
    for kind in _NARROW:
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array.astype(kind)
    return array


def _whole(array: Array) -> bool:
    if not np.isfinite(array).all() or np.abs(array).max() > 2**53:
        return False
    back = np.trunc(array).astype(np.int64).astype(array.dtype)
    return same_bits(back, array)


def same_bits(a: Array, b: Array) -> bool:
    """Whether two arrays of one type hold the same bits."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


@dataclass(frozen=True)
class Members:
    """Items in groups: `label` and `local` place of each item, and each group's items in order."""

    label: Ints
    local: Ints
    items: list[Ints]

    @classmethod
    def of(cls, label: Ints) -> "Members":
        """From the labels 0, 1, ... of all items."""
        starts = begins(label, int(label.max(initial=-1)) + 1)
        order = np.argsort(label, kind="stable")
        local = np.empty(len(label), np.int64)
        local[order] = np.arange(len(label)) - np.repeat(starts[:-1], np.diff(starts))
        return cls(label, local, [order[a:b] for a, b in pairwise(starts.tolist())])


Entries = tuple[int, int, Ints, Ints, Floats]
"""What a family holds of a group, by their numbers: local rows, local columns, values."""


def entries(rows: Members, cols: Members, row: Ints, col: Ints, value: Floats) -> Iterator[Entries]:
    """A matrix, by row and then column, in what families hold of groups."""
    many = len(cols.items)
    pair = rows.label[row] * many + cols.label[col]
    order = ordered(pair)
    pair, row, col, value = pair[order], row[order], col[order], value[order]
    for a, b in runs(pair):
        family, group = divmod(int(pair[a]), many)
        yield family, group, rows.local[row[a:b]], cols.local[col[a:b]], value[a:b]


def encode_order(label: Ints, tables: Tables) -> Entry:
    """The labels as runs of equal ones, or one by one where that is shorter."""
    begins = np.flatnonzero(np.diff(label, prepend=-1))
    if 2 * len(begins) < len(label) or len(label) < 4:
        sizes = np.diff(np.append(begins, len(label))).astype(np.int64)
        return {"kind": "runs", "of": tables.put(label[begins]), "sizes": tables.put(sizes)}
    return {"kind": "each", "of": tables.put(label)}


def decode_order(spec: Entry, tables: Tables) -> Ints:
    """The labels that a spec says."""
    of = tables.get(spec["of"])
    return np.repeat(of, tables.get(spec["sizes"])) if spec["kind"] == "runs" else of


def encode_vector(vector: Array, fields: list[Ints], tables: Tables) -> Entry:
    """The shortest of the ways to say a vector; `decode` gives back every bit.

    `fields` are the members' places and then their indices, each as long as the vector; no table
    is kept that loses.
    """
    n = len(vector)
    if not n:
        return {"kind": "constant", "value": 0, "type": vector.dtype.str}
    bits = bits_of(vector)
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
            # A function must save three numbers in ten: else a few exceptions are plainer.
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


def decode_vector(spec: Entry, fields: list[Ints], n: int, tables: Tables) -> Array:
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


def _plain(value: Any) -> float | int | str:
    """JSON for one number; a float as its hexadecimal text, so no bit is lost."""
    return float(value).hex() if isinstance(value, np.floating) else int(value)


def _value(spec: Entry) -> Any:
    value = spec["value"]
    plain = float.fromhex(value) if isinstance(value, str) else value
    return np.array([plain]).astype(str(spec["type"]))[0]


def _affine(vector: Array, fields: list[Ints]) -> Entry | None:
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
