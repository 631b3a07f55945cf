"""Which reductions to take, chosen so that the order of rows and columns does not matter."""

from collections.abc import Callable

from ordojo.milp.model import INF, VarType
from ordojo.oracle.equivalence.state import (
    BOUND,
    COPY,
    EMPTY,
    FALSE,
    FIX,
    IDLE,
    SLACK,
    TOLERANCE,
    InvalidStepError,
    State,
)

_DIGITS = 8


def reduce(
    state: State, late: Callable[[], bool] = lambda: False, kept: frozenset[int] = frozenset()
) -> None:
    """Take steps until none is left, or until `late` says so; what is left is smaller, or the same.

    The columns `kept` are no slacks. No presolve: nothing here weighs one row against another,
    except for exact copies.
    """
    rows, cols = set(state.rows), set(state.cols)
    while (rows or cols) and not late():
        _settle(state, rows, cols)
        if _copies(state, rows):
            continue
        _slacks(state, rows, kept)


def _take(state: State, step: tuple[str, int, int]) -> bool:
    try:
        state.apply(step)
    except InvalidStepError:
        return False
    return True


def _settle(state: State, rows: set[int], cols: set[int]) -> None:
    """Idle, empty and bounding rows and fixed columns, from these on, until there are none."""
    while rows or cols:
        for i in sorted(rows & state.rows.keys()):
            row = list(state.rows[i])
            idle = state.row_low[i] == -INF and state.row_up[i] == INF
            kind = IDLE if idle else EMPTY if not row else BOUND if len(row) == 1 else ""
            if kind == EMPTY and _take(state, (FALSE, i, -1)):
                continue
            if kind and _take(state, (kind, i, -1)) and kind == BOUND:
                cols.add(row[0])
        rows.clear()
        for j in sorted(cols & state.cols.keys()):
            touched = set(state.cols[j])
            if state.up[j] - state.low[j] <= TOLERANCE and _take(state, (FIX, j, -1)):
                rows |= touched
        cols.clear()


def _copies(state: State, rows: set[int]) -> bool:
    """Rows that are multiples of another one."""
    supports: dict[frozenset[int], list[int]] = {}
    for i in sorted(state.rows):
        supports.setdefault(frozenset(state.rows[i]), []).append(i)
    groups: dict[tuple[str, ...], list[int]] = {}
    for support, group in supports.items():
        if len(group) > 1:
            order = sorted(support)
            for i in group:
                row = state.rows[i]
                ratios = (f"{row[j] / row[order[0]]:.6g}" for j in order)
                groups.setdefault((str(group[0]), *ratios), []).append(i)
    found = False
    for group in groups.values():
        kept: list[int] = []
        for i in group:
            for of in kept:
                if _take(state, (COPY, i, of)):
                    rows.add(of)
                    found = True
                    break
            else:
                kept.append(i)
    return found


def _slacks(state: State, rows: set[int], kept: frozenset[int]) -> bool:
    """One column of each equality that is in no other row."""
    found = False
    for i in sorted(state.rows):
        if len(state.rows[i]) < 2 or not state.is_equality(i):
            continue
        j = _slack(state, i, kept)
        if j >= 0 and _take(state, (SLACK, j, i)):
            rows.add(i)
            found = True
    return found


def _slack(state: State, i: int, kept: frozenset[int]) -> int:
    """The column to leave out: the likeliest slack, none where two unlike ones are as likely."""
    row = state.rows[i]
    free = [j for j in row if len(state.cols[j]) == 1 and not state.semi(j) and j not in kept]
    idle = [j for j in free if state.cost[j] == 0]
    if not idle:
        # A column that carries the objective, as in z = c'x, unless it is one of several alike.
        return free[0] if len(free) == 1 else -1
    top = max(abs(a) for a in row.values())
    keys = sorted((_likely(state, j), round(abs(row[j]) / top, _DIGITS), j) for j in idle)
    best = [j for likely, size, j in keys if (likely, size) == keys[0][:2]]
    alike = {(state.low[j], state.up[j], state.kind[j], row[j]) for j in best}
    return best[0] if len(alike) == 1 else -1


def _likely(state: State, j: int) -> int:
    ends = (state.low[j] > -INF) + (state.up[j] < INF)
    usual = state.low[j] == 0 and ends == 1
    return 0 if usual else (2, 1, 3)[ends] + (4 if state.kind[j] == VarType.INTEGER else 0)
