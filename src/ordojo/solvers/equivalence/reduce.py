"""Which reductions to take, chosen so that the order of rows and columns does not matter."""

import math
from collections.abc import Callable

from ordojo.core.errors import OrdojoError
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import ROUNDING, SAME
from ordojo.solvers.equivalence.answers import Step

_STEPS = IDLE, EMPTY, FALSE, BOUND, COPY, FIX, SLACK = (
    *("idle", "empty", "false", "bound", "copy", "fix", "slack"),
)
"""The steps: a row without sides, one without terms, one without terms that cannot hold (it becomes
0 <= -1), one that bounds a column, one that repeats another, a column of one value, a column that
one equality alone defines."""


class InvalidStepError(OrdojoError):
    """A step that would change the problem."""


def times(factor: float, low: float, up: float) -> tuple[float, float]:
    """Both sides times a factor, exchanged where it is negative; sides that cross stay crossed."""
    return (factor * low, factor * up) if factor > 0 else (factor * up, factor * low)


def near(a: float, b: float, size: float = 0.0) -> bool:
    """Whether two numbers agree to a relative 1e-9, and to the rounding of terms of a size."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a == b
    return abs(a - b) <= SAME * max(abs(a), abs(b)) + ROUNDING * size


class ReducedModel:
    """A model in min form, with rows as dictionaries, changed by the steps above and no others.

    Each step keeps the feasible points, one to one, and their objective. `size[i]` is the size of
    the terms that went into row i's sides, for the tolerances.
    """

    def __init__(self, model: Model) -> None:
        sign = -1.0 if model.maximize else 1.0
        self.cost: list[float] = (sign * model.objective).tolist()
        self.offset = sign * model.offset
        self.offset_size = abs(self.offset)
        low, up = model.effective_bounds
        self.kind: list[int] = model.types.tolist()
        self.low: list[float] = low.tolist()
        self.up: list[float] = up.tolist()
        self.cols: dict[int, set[int]] = {j: set() for j in range(model.n)}
        self.rows: dict[int, dict[int, float]] = {}
        self.row_low: list[float] = model.row_lower.tolist()
        self.row_up: list[float] = model.row_upper.tolist()
        for j, kind in enumerate(self.kind):
            if kind == VarType.BINARY:
                self.kind[j] = int(VarType.INTEGER)
            self._tighten(j, -INF, INF)
        index, value, starts = model.index.tolist(), model.value.tolist(), model.starts.tolist()
        for i in range(model.m):
            terms = slice(starts[i], starts[i + 1])
            row: dict[int, float] = {}
            for j, a in zip(index[terms], value[terms], strict=True):
                row[j] = row.get(j, 0.0) + a
            self.rows[i] = {j: a for j, a in row.items() if a != 0}
            for j in self.rows[i]:
                self.cols[j].add(i)
        self.size = [
            max(abs(s) for s in (low, up, 0.0) if abs(s) < INF)
            for low, up in zip(self.row_low, self.row_up, strict=True)
        ]
        self.steps: list[Step] = []

    def apply(self, step: Step) -> None:
        """Take a step; raises InvalidStepError, with nothing changed, where it is not allowed."""
        kind, at, other = step
        known, needs_row = kind in _STEPS, kind in (COPY, SLACK)
        if known and at not in (self.cols if kind in (FIX, SLACK) else self.rows):
            raise InvalidStepError(f"step {step} names a part that is gone; drop the certificate")
        if needs_row and (other not in self.rows or (other == at and kind == COPY)):
            raise InvalidStepError(f"step {step} needs a row that is gone; drop the certificate")
        done = known and getattr(self, f"_{kind}")(*((at, other) if needs_row else (at,)))
        if not done:
            raise InvalidStepError(f"step {step} would change the problem; drop the certificate")
        self.steps.append(step)

    def semi(self, j: int) -> bool:
        """Whether column j may be zero beside its bounds; such a column is left as it is."""
        return self.kind[j] >= VarType.SEMICONTINUOUS

    def is_equality(self, i: int) -> bool:
        """Whether row i's sides are one number, to rounding."""
        low, up = self.row_low[i], self.row_up[i]
        return abs(low) < INF and abs(up - low) <= ROUNDING * max(self.size[i], abs(low))

    def _drop(self, i: int) -> None:
        for j in self.rows.pop(i):
            self.cols[j].discard(i)

    def _tighten(self, j: int, low: float, up: float) -> None:
        low, up = max(low, self.low[j]), min(up, self.up[j])
        if self.kind[j] == VarType.INTEGER:
            low = math.ceil(low - SAME * max(1.0, abs(low))) + 0.0 if abs(low) < INF else low
            up = math.floor(up + SAME * max(1.0, abs(up))) + 0.0 if abs(up) < INF else up
        self.low[j], self.up[j] = low, up

    def _idle(self, i: int) -> bool:
        if self.row_low[i] > -INF or self.row_up[i] < INF:
            return False
        self._drop(i)
        return True

    def _empty(self, i: int) -> bool:
        slip = ROUNDING * self.size[i]
        if self.rows[i] or self.row_low[i] > slip or self.row_up[i] < -slip:
            return False
        self._drop(i)
        return True

    def _false(self, i: int) -> bool:
        slip = SAME * self.size[i]
        low, up = self.row_low[i], self.row_up[i]
        if self.rows[i] or (low, up) == (-INF, -1.0) or not (low > slip or up < -slip):
            return False
        self.row_low[i], self.row_up[i], self.size[i] = -INF, -1.0, 1.0
        return True

    def _bound(self, i: int) -> bool:
        if len(self.rows[i]) != 1:
            return False
        ((j, a),) = self.rows[i].items()
        if self.semi(j):
            return False
        low, up = times(1 / a, self.row_low[i], self.row_up[i])
        self._drop(i)
        self._tighten(j, low, up)
        return True

    def _copy(self, i: int, of: int) -> bool:
        row, kept = self.rows[i], self.rows[of]
        if row.keys() != kept.keys():
            return False
        if not row:
            false = (-INF, -1.0)
            if (self.row_low[i], self.row_up[i]) != false != (self.row_low[of], self.row_up[of]):
                return False
            self._drop(i)
            return True
        top = max(kept, key=lambda j: abs(kept[j]))
        factor = row[top] / kept[top]
        if any(abs(a - factor * kept[j]) > SAME * abs(a) for j, a in row.items()):
            return False
        low, up = times(1 / factor, self.row_low[i], self.row_up[i])
        self._drop(i)
        self.row_low[of] = max(self.row_low[of], low)
        self.row_up[of] = min(self.row_up[of], up)
        self.size[of] = max(self.size[of], self.size[i] / abs(factor))
        return True

    def _fix(self, j: int) -> bool:
        low, up = self.low[j], self.up[j]
        if self.semi(j) or not abs(low) < INF or abs(up - low) > ROUNDING * max(1.0, abs(low)):
            return False
        for i in self.cols.pop(j):
            self._move(i, self.rows[i].pop(j) * low)
        self._gain(self.cost[j] * low)
        return True

    def _move(self, i: int, by: float) -> None:
        self.row_low[i] -= by
        self.row_up[i] -= by
        self.size[i] = max(self.size[i], abs(by))

    def _gain(self, by: float) -> None:
        self.offset += by
        self.offset_size = max(self.offset_size, abs(by))

    def _slack(self, j: int, i: int) -> bool:
        """x_j = (b - a'x) / s, so row i keeps a'x between b - s times x_j's bounds."""
        if self.semi(j) or self.cols[j] != {i} or len(self.rows[i]) < 2 or not self.is_equality(i):
            return False
        row, b = self.rows[i], self.row_low[i]
        s = row[j]
        if self.kind[j] == VarType.INTEGER and not self._follows(i, j):
            return False
        del row[j]
        del self.cols[j]
        ends = times(s, self.low[j], self.up[j])
        self.row_low[i], self.row_up[i] = b - ends[1], b - ends[0]
        self.size[i] = max([self.size[i], *(abs(end) for end in ends if abs(end) < INF)])
        rate = self.cost[j] / s
        if rate:
            for k, a in row.items():
                old, less = self.cost[k], rate * a
                self.cost[k] = 0.0 if abs(old - less) <= ROUNDING * abs(less) else old - less
            self._gain(rate * b)
        return True

    def eliminate(self, j: int) -> None:
        """Put what an equality says column j is in its place everywhere: it becomes a slack.

        Raises InvalidStepError where no equality allows it.
        """
        plain = self.kind[j] == VarType.CONTINUOUS
        for i in sorted(self.cols[j], key=lambda i: (len(self.rows[i]), i)):
            if len(self.rows[i]) < 2 or not self.is_equality(i):
                continue
            if not plain and not (self.kind[j] == VarType.INTEGER and self._follows(i, j)):
                continue
            for r in sorted(self.cols[j] - {i}):
                factor = self.rows[r][j] / self.rows[i][j]
                for k, a in self.rows[i].items():
                    old, less = self.rows[r].pop(k, 0.0), factor * a
                    self.cols[k].discard(r)
                    if k != j and abs(old - less) > ROUNDING * abs(less):
                        self.rows[r][k] = old - less
                        self.cols[k].add(r)
                self._move(r, factor * self.row_low[i])
            return self.apply((SLACK, j, i))
        raise InvalidStepError(f"no equality defines column {j}; keep it")

    def _follows(self, i: int, j: int) -> bool:
        """Whether column j is whole wherever the other columns of equality i are."""
        s = self.rows[i][j]
        parts = [a / s for k, a in self.rows[i].items() if k != j] + [self.row_low[i] / s]
        return all(self.kind[k] == VarType.INTEGER for k in self.rows[i]) and all(
            abs(part) < 2**40 and abs(part - round(part)) <= SAME for part in parts
        )


_DIGITS = 8
"""Digits to which sizes count as equal when a column is chosen: with more, rounding would choose,
and differently in two tellings of one model; with fewer, unlike columns would tie."""


def reduce(
    state: ReducedModel,
    late: Callable[[], bool] = lambda: False,
    kept: frozenset[int] = frozenset(),
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


def _take(state: ReducedModel, step: tuple[str, int, int]) -> bool:
    try:
        state.apply(step)
    except InvalidStepError:
        return False
    return True


def _settle(state: ReducedModel, rows: set[int], cols: set[int]) -> None:
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
            if state.up[j] - state.low[j] <= SAME and _take(state, (FIX, j, -1)):
                rows |= touched
        cols.clear()


def _copies(state: ReducedModel, rows: set[int]) -> bool:
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


def _slacks(state: ReducedModel, rows: set[int], kept: frozenset[int]) -> bool:
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


def _slack(state: ReducedModel, i: int, kept: frozenset[int]) -> int:
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


def _likely(state: ReducedModel, j: int) -> int:
    ends = (state.low[j] > -INF) + (state.up[j] < INF)
    usual = state.low[j] == 0 and ends == 1
    return 0 if usual else (2, 1, 3)[ends] + (4 if state.kind[j] == VarType.INTEGER else 0)
