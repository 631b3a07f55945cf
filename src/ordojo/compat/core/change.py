"""Changes to rows that are already stored: duplicates merged, coefficients set, parts removed."""

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ordojo.compat.core.store import Store


_CHUNK = 1 << 17
"""Rows are searched for duplicates in pieces of about so many coefficients, to save memory."""


def merge_duplicates(store: "Store", first: int) -> None:
    """From row `first` on, add up the coefficients of a column that a row mentions twice.

    Coefficients of zero are dropped where the store's interface does so.
    """
    if first == len(store.rows):
        return
    starts = np.array(store.starts[first:], np.int64)
    width, at, rebuilt = len(store.columns) + 1, 0, dict[int, dict[int, float]]()
    while at < len(starts) - 1:
        until = max(at + 1, int(np.searchsorted(starts, starts[at] + _CHUNK, "right")) - 1)
        index = np.array(store.index[starts[at] : starts[until]], np.int64)
        rows = np.repeat(np.arange(at, until), np.diff(starts[at : until + 1]))
        keys = np.sort(rows * width + index)
        found = keys[1:][keys[1:] == keys[:-1]] // width
        if store.drops_zeros:
            value = np.array(store.value[starts[at] : starts[until]], np.float64)
            found = np.append(found, rows[value == 0.0])
        for row in np.unique(found).tolist():
            terms: dict[int, float] = {}
            for j, coefficient in zip(*store.row(first + row), strict=True):
                terms[j] = terms.get(j, 0.0) + coefficient
            if store.drops_zeros:
                terms = {j: total for j, total in terms.items() if total != 0.0}
            rebuilt[first + row] = terms
        at = until
    if rebuilt:
        replace_rows(store, rebuilt)


def set_coefficients(store: "Store", changes: Mapping[tuple[Any, Any], float]) -> None:
    """Set single coefficients, by handles; new ones join their row, zeros leave it."""
    wanted: dict[int, dict[int, float]] = {}
    for (row, var), value in changes.items():
        if row._row >= 0 and var._col >= 0:
            wanted.setdefault(row._row, {})[var._col] = value
    rebuilt: dict[int, dict[int, float]] = {}
    for i, values in wanted.items():
        terms = dict(zip(*store.row(i), strict=True))
        terms.update(values)
        rebuilt[i] = {j: value for j, value in terms.items() if value != 0.0}
    replace_rows(store, rebuilt)


def replace_rows(store: "Store", rebuilt: Mapping[int, Mapping[int, float]]) -> None:
    """Give some rows other terms."""
    starts, index, value = array("q", [0]), array("i"), array("d")
    done = 0

    def keep(until: int) -> None:
        """Copy the rows from `done` up to `until` as they are."""
        if until <= done:
            return
        begin, end = store.starts[done], store.starts[until]
        shift = len(index) - begin
        index.extend(store.index[begin:end])
        value.extend(store.value[begin:end])
        old = np.array(store.starts[done + 1 : until + 1], np.int64) + shift
        starts.frombytes(old.tobytes())

    for i in sorted(rebuilt):
        keep(i)
        index.extend(rebuilt[i].keys())
        value.extend(rebuilt[i].values())
        starts.append(len(index))
        done = i + 1
    keep(len(store.starts) - 1)
    store.starts, store.index, store.value = starts, index, value


def remove(store: "Store", dead: Sequence[Any]) -> None:
    """Take handles of columns and rows out of the arrays and number the others anew."""
    cols = {handle._col for handle in dead if hasattr(handle, "_col") and handle._col >= 0}
    rows = {handle._row for handle in dead if hasattr(handle, "_row") and handle._row >= 0}
    keep_col, keep_row = _kept(cols, len(store.columns)), _kept(rows, len(store.rows))
    starts = np.array(store.starts, np.int64)
    index = np.array(store.index, np.int64)
    entry = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    kept = keep_row[entry] & keep_col[index]
    number = np.cumsum(keep_col) - 1
    lengths = np.bincount(entry[kept], minlength=len(starts) - 1)[keep_row]
    store.index = array("i", number[index[kept]].astype(np.int32).tobytes())
    store.value = array("d", np.array(store.value)[kept].tobytes())
    store.starts = array("q", np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64).tobytes())
    if cols:
        for which in ("lower", "upper", "cost"):
            setattr(store, which, array("d", np.array(getattr(store, which))[keep_col].tobytes()))
        store.kinds = bytearray(np.frombuffer(bytes(store.kinds), np.uint8)[keep_col].tobytes())
        store.col_names.keep(np.flatnonzero(keep_col).tolist())
        _drop_from_goals(store, cols)
        store.columns = _numbered(store.columns, cols, "_col", store.grave())
        store.cols_live = len(store.columns)
    if rows:
        store.rhs = array("d", np.array(store.rhs)[keep_row].tobytes())
        store.senses = bytearray(np.frombuffer(bytes(store.senses), np.uint8)[keep_row].tobytes())
        store.row_names.keep(np.flatnonzero(keep_row).tolist())
        store.rows = _numbered(store.rows, rows, "_row", store.grave())
        store.rows_live = len(store.rows)


def _kept(dead: set[int], size: int) -> NDArray[np.bool_]:
    mask = np.ones(size, bool)
    mask[list(dead)] = False
    return mask


def _numbered(handles: list[Any], dead: set[int], slot: str, grave: Any) -> list[Any]:
    """The handles left, numbered; the others are moved to the grave, no model's store."""
    kept: list[Any] = []
    for number, handle in enumerate(handles):
        if number in dead:
            object.__setattr__(handle, slot, -1)
            object.__setattr__(handle, "_store", grave)
        else:
            object.__setattr__(handle, slot, len(kept))
            kept.append(handle)
    return kept


def _drop_from_goals(store: "Store", dead: set[int]) -> None:
    """Leave removed variables out of the objectives' products and further objectives."""
    for goal in (store.goal, *store.goals.values()):
        pairs = zip(goal.coeffs, goal.variables, strict=True)
        kept = [(c, var) for c, var in pairs if var._col not in dead]
        goal.coeffs, goal.variables = [c for c, _ in kept], [var for _, var in kept]
        if goal.products is not None:
            left = [
                (q, a, b)
                for q, a, b in zip(*goal.products, strict=True)
                if a._col not in dead and b._col not in dead
            ]
            q, a, b = ([list(part) for part in zip(*left, strict=True)]) if left else ([], [], [])
            goal.products = (q, a, b) if left else None
