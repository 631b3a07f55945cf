"""The sections RHS, RANGES and BOUNDS as machine code; whatever is not simply right is left."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Floats
from ordojo.structure.reader.compiled.decimals import decimal
from ordojo.structure.reader.compiled.jit import compiled, signed
from ordojo.structure.reader.compiled.rounding import settle
from ordojo.structure.reader.compiled.sections import Pairs
from ordojo.structure.reader.compiled.words import EDGES, hash_at, line_edges
from ordojo.structure.reader.sides import KINDS, WITH_NUMBER

_NUMBERED = len(WITH_NUMBER)
_CODES = np.array([int.from_bytes(kind.encode(), "little") for kind in KINDS])
_LO, _UP, _FX, _LI, _UI, _SC, _SI, _FR, _MI, _PL, _BV = range(len(KINDS))


@compiled
def scan_sides(
    data: Bytes, at: int, stop: int, name: Bytes, pairs: Pairs, value: Floats,
    key: np.uint64,
) -> tuple[int, int]:  # fmt: skip
    """Find the pairs in `data[at:stop]`; gives how many pairs and doubts there are, or -1.

    `name` takes the name of the first set that stands before a pair; its first byte is 0 before.
    """
    edges = np.empty(EDGES, np.int64)
    codes, left = pairs
    pair, doubts = 0, 0
    while at < stop:
        line = line_edges(data, at, edges)
        found, at, low, length = line[0], line[1], line[2], line[3] - line[2]
        if found == 0:
            continue
        if found < 2 or found > 5:
            return -1, 0
        places = line[2:10]
        if found & 1 == 1:
            places = line[4:12]
            if length >= len(name):
                return -1, 0
            if name[0] == 0:
                for k in range(length):
                    name[k] = data[low + k]
            if name[length] != 0:
                return -1, 0
            for k in range(length):
                if name[k] != data[low + k]:
                    return -1, 0
        row, behind, begin, end = places[:4]
        while True:
            codes[pair] = hash_at(data, row, behind - row, key)
            value[pair], sure = decimal(data, begin, end)
            if not sure:
                left[doubts] = pair
                left[doubts + 1] = begin
                left[doubts + 2] = end
                doubts += 3
            pair += 1
            if found < 4:
                break
            found = 2
            row, behind, begin, end = places[4:]
    return pair, settle(data, left, doubts // 3, value)


@compiled
def give(target: Floats, rows: NDArray[np.int32], value: Floats) -> bool:
    """Set the rows' values; False where a row has one already."""
    for k in range(len(rows)):
        if not np.isnan(target[rows[k]]):
            return False
        target[rows[k]] = value[k]
    return True


@compiled
def scan_bounds(
    data: Bytes, at: int, stop: int, kinds: Bytes, pairs: Pairs, value: Floats,
    key: np.uint64,
) -> tuple[int, int]:  # fmt: skip
    """Find the bounds in `data[at:stop]`; gives how many there are and the doubts, or -1."""
    edges = np.empty(EDGES, np.int64)
    codes, left = pairs
    bound, doubts = 0, 0
    while at < stop:
        line = line_edges(data, at, edges)
        found, at, low = line[0], line[1], line[2]
        if found == 0:
            continue
        if found < 2 or found > 4 or line[3] - low != 2:
            return -1, 0
        one, two = signed(data[low]), signed(data[low + 1])
        if one > 96 and two > 96:
            one, two = one - 32, two - 32
        kind = 0
        while kind < len(_CODES) and _CODES[kind] != one + (two << 8):
            kind += 1
        if kind == len(_CODES):
            return -1, 0
        bare = kind >= _NUMBERED
        if found == 2 and not bare:
            return -1, 0
        name, behind, begin, end = line[4:8]
        if found == 4 or (found == 3 and bare):
            name, behind, begin, end = line[6:10]
        kinds[bound] = kind
        codes[bound] = hash_at(data, name, behind - name, key)
        value[bound] = 0.0
        if not bare:
            value[bound], sure = decimal(data, begin, end)
            if not sure:
                left[doubts] = bound
                left[doubts + 1] = begin
                left[doubts + 2] = end
                doubts += 3
        bound += 1
    return bound, settle(data, left, doubts // 3, value)


@compiled
def bind(
    kinds: Bytes, cols: NDArray[np.int32], value: Floats, lower: Floats, upper: Floats,
    given: NDArray[np.bool_], touched: NDArray[np.bool_], integer: NDArray[np.bool_],
    semi: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Apply bounds one after the other; `given` are the columns whose lower bound was stated."""
    for k in range(len(cols)):
        kind, col, number = kinds[k], cols[k], value[k]
        touched[col] = True
        if kind in (_LO, _LI, _FX):
            lower[col], given[col] = number, True
        elif kind in (_FR, _MI):
            lower[col], given[col] = -np.inf, True
        elif kind == _BV:
            lower[col], given[col] = 0.0, True
        elif kind in (_UP, _UI) and number < 0 and not given[col]:
            lower[col] = -np.inf
        if kind in (_UP, _UI, _FX, _SC, _SI):
            upper[col] = number
        elif kind in (_FR, _PL):
            upper[col] = np.inf
        elif kind == _BV:
            upper[col] = 1.0
        if kind in (_LI, _UI, _BV, _SI):
            integer[col] = True
        if kind in (_SC, _SI):
            semi[col] = True
