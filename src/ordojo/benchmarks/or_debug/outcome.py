"""What an episode came to: objective kept or lost, outcome class, drift, and what was diagnosed."""

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.milp.model import Floats, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, PRIMAL, SAME
from ordojo.solvers.answers import Status
from ordojo.solvers.protocol import SolverSession
from ordojo.solvers.residuals import Residuals

Outcome = Literal["full", "partial", "failure"]

FULL, PARTIAL = 0.95, 0.8
"""Above which optimality preservation an OPTIMAL end is a full or partial success (B.4)."""

FEASIBLE = PRIMAL
"""By how much, relative to its size or absolutely, a side may be missed."""

EQUAL = OBJECTIVE
"""Numbers that differ relatively by no more are the same in a repaired model."""

_ROWS = 200
"""Rows, with bounds where they count, beyond which no IIS is looked for by deletion: each is a
solve."""


def preservation(objective: float | None, original: float) -> float:
    """OP = 1 - |change| / |original|, at least 0 (2.1); if the original is 0: 1 if kept, else 0.

    Without an objective 0.
    """
    if objective is None:
        return 0.0
    if abs(original) < SAME:
        return float(abs(objective) < SAME)
    return max(0.0, 1.0 - abs(objective - original) / abs(original))


def outcome(status: Status, op: float | None) -> Outcome:
    """The class of an episode that ended with this status and optimality preservation (B.4)."""
    if status != Status.OPTIMAL or op is None or op <= PARTIAL:
        return "failure"
    return "full" if op > FULL else "partial"


def recall(diagnosed: Collection[str], iis: Collection[str]) -> float:
    """Equation 3: the share of the IIS that was diagnosed; 0 of an empty one."""
    return sum(name in diagnosed for name in iis) / len(iis) if iis else 0.0


def precision(diagnosed: Collection[str], iis: Collection[str]) -> float | None:
    """The share of the diagnosis that is in the IIS; None where nothing was diagnosed."""
    return sum(name in iis for name in diagnosed) / len(diagnosed) if diagnosed else None


def credit(diagnosed: Collection[str], iis: Collection[str], others: Collection[str]) -> float:
    """Recall, times how far the precision is above that of naming everything: 1 for the IIS.

    `others` are the elements that it would be wrong to name. 0 for nothing, for everything, and
    where there are no others: then there is nothing to tell apart.
    """
    wrong = sum(name not in iis for name in diagnosed)
    hits = sum(name in diagnosed for name in iis)
    if not hits or not others:
        return 0.0
    usual = len(iis) / (len(iis) + len(others))
    return hits / len(iis) * max(0.0, (hits / (hits + wrong) - usual) / (1.0 - usual))


def beyond_copying(
    diagnosed: Collection[str], shown: Collection[str], targets: Collection[str]
) -> float:
    """How much nearer to the sabotaged elements a diagnosis is than the IIS that was shown.

    By F1: 0 for a copy of the IIS, or worse, and 1 for the sabotaged elements alone.
    """
    copied, found = (_f1(names, targets) for names in (shown, diagnosed))
    return max(0.0, (found - copied) / (1.0 - copied)) if copied < 1.0 else float(found == 1.0)


def _f1(names: Collection[str], targets: Collection[str]) -> float:
    return 2 * sum(name in targets for name in names) / max(1, len(names) + len(targets))


def differences(model: Model, original: Model) -> list[str]:
    """The elements of `model` that say something else than in `original`, in the model's order.

    A row counts as the same when it is a multiple; INTEGER within [0, 1] is BINARY; a row without
    sides is the same as none.
    """
    changed = _rows(model, original)
    binary = (VarType.BINARY, VarType.INTEGER)
    low, up = (side.tolist() for side in model.effective_bounds)
    old_low, old_up = (side.tolist() for side in original.effective_bounds)
    for j in _other_columns(model, original):
        name = model.col_names[j]
        k = original.cols.get(name)
        if k is None:
            changed.append(f"{name}.type")
            continue
        kind, old_kind = model.types.item(j), original.types.item(k)
        ends = (low[j], up[j]), (old_low[k], old_up[k])
        if kind != old_kind and not (kind in binary and old_kind in binary and ends[0] == ends[1]):
            changed.append(f"{name}.type")
            ends = model.bounds(j), original.bounds(k)
        if not _same(ends[0][0], ends[1][0]):
            changed.append(f"{name}.lb")
        if not _same(ends[0][1], ends[1][1]):
            changed.append(f"{name}.ub")
    return changed


def holds_at(model: Model, x: Floats) -> bool:
    """Whether the point `x` (n) satisfies rows, bounds and types, within `FEASIBLE`."""
    off = Residuals(model, x)
    parts = ((off.bounds, x), (off.whole, x), (off.rows, off.activity))
    return all((part <= _slack(values)).all() for part, values in parts)


def moved(x: Floats, model: Model, other: Model) -> Floats:
    """A point of `model` as one of `other`, by the columns' names; a missing column is 0."""
    if model.col_names == other.col_names:
        return x
    return np.array(
        [x[model.cols[name]] if name in model.cols else 0.0 for name in other.col_names]
    )


def verified_recall(
    diagnosed: Sequence[str], model: Model, session: SolverSession, bounds: bool, time_limit: float
) -> float:
    """The recall of a diagnosis against an IIS of `model` that keeps to it as far as possible.

    The IIS is found by deletion, members outside of the diagnosis first. Bounds are members only
    if `bounds`. 0 for models of more than 200 rows and where a solve is not decided.
    """
    members = [(i, name) for i, name in enumerate(model.row_names) if model.is_live(i)]
    columns: list[tuple[int, str]] = []
    if bounds:
        low, up = np.isfinite(model.col_lower), np.isfinite(model.col_upper)
        for j, name in enumerate(model.col_names):
            columns += [(j, f"{name}.lb")] * bool(low[j]) + [(j, f"{name}.ub")] * bool(up[j])
    if len(members) + len(columns) > _ROWS:
        return 0.0
    held = model
    session.load(held)
    kept: list[str] = []
    tagged = [(i, name, True) for i, name in members] + [(j, name, False) for j, name in columns]
    for number, name, is_row in sorted(tagged, key=lambda member: member[1] in diagnosed):
        less = held.without_row(number) if is_row else unbounded(held, number, name[-2:] == "lb")
        _put(session, less, number, is_row)
        if session.solve(time_limit).status == Status.INFEASIBLE:
            held = less
        else:
            _put(session, held, number, is_row)
            kept.append(name)
    return recall(diagnosed, kept)


def is_known(target: str, model: Model, rows: Collection[str], bounds: Collection[str]) -> bool:
    """Whether an element takes part in an IIS given by names.

    A type does where one of the column's bounds does, or a row that the column is in.
    """
    if target in rows or target in bounds:
        return True
    element = find_element(model, target) if target.endswith(".type") else None
    if element is None or element.part is not ElementKind.TYPE:
        return False
    name = model.col_names[element.number]
    return (
        f"{name}.lb" in bounds
        or f"{name}.ub" in bounds
        or any(
            row in model.rows and element.number in model.row(model.rows[row])[0] for row in rows
        )
    )


def _rows(model: Model, original: Model) -> list[str]:
    changed = []
    for i in _other_rows(model, original):
        name = model.row_names[i]
        k = original.rows.get(name)
        live, was_live = model.is_live(i), k is not None and original.is_live(k)
        if k is None or not (live and was_live):
            if live or was_live:
                changed.append(name)
        elif not _same_row(model, i, original, k):
            changed.append(name)
    return changed


def _other_rows(model: Model, original: Model) -> Sequence[int]:
    """The rows that may differ: of the same columns, those of other numbers."""
    if model.row_names != original.row_names or model.col_names != original.col_names:
        return range(model.m)
    for mine, other in ((model.starts, original.starts), (model.index, original.index)):
        if not np.array_equal(mine, other):
            return range(model.m)
    other_rows = (model.row_lower != original.row_lower) | (model.row_upper != original.row_upper)
    other_rows[model.entry_rows[model.value != original.value]] = True
    return list(other_rows.nonzero()[0].tolist())


def _other_columns(model: Model, original: Model) -> Sequence[int]:
    """The columns that may differ: where the names are the same, those of other type or bounds."""
    if model.col_names != original.col_names:
        return range(model.n)
    other = model.types != original.types
    for mine, old in zip(model.effective_bounds, original.effective_bounds, strict=True):
        other = other | (mine != old)
    return list(other.nonzero()[0].tolist())


def _same_row(model: Model, i: int, original: Model, k: int) -> bool:
    new, old = _scaled(model, i), _scaled(original, k)
    return (
        new[0].keys() == old[0].keys()
        and _same(new[1], old[1])
        and _same(new[2], old[2])
        and all(_same(value, old[0][name]) for name, value in new[0].items())
    )


def _scaled(model: Model, i: int) -> tuple[dict[str, float], float, float]:
    """Row i's coefficients by name and its sides, divided by that of the first name."""
    terms = {model.col_names[j]: v for j, v in model.terms(i).items() if v}
    lower, upper = model.sides(i)
    scale = terms[min(terms)] if terms else 1.0
    if scale != 1.0:
        terms = {name: v / scale for name, v in terms.items()}
        lower, upper = lower / scale, upper / scale
        if scale < 0:
            lower, upper = upper, lower
    return terms, lower, upper


def _same(a: float, b: float) -> bool:
    return a == b or abs(a - b) <= EQUAL * max(1.0, abs(a), abs(b)) < float("inf")


def _slack(values: Floats) -> Floats:
    return FEASIBLE * np.maximum(1.0, np.abs(values))


def unbounded(model: Model, j: int, low: bool) -> Model:
    """A copy in which column j has no lower bound, or no upper one."""
    if low:
        return model.with_col_bounds(j, -np.inf, model.col_upper.item(j))
    return model.with_col_bounds(j, model.col_lower.item(j), np.inf)


def _put(session: SolverSession, model: Model, number: int, is_row: bool) -> None:
    if is_row:
        session.set_row_bounds(number, *model.sides(number))
    else:
        session.set_col_bounds(number, *model.bounds(number))
