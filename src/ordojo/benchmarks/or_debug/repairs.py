"""What a repair action does to a model, or why it cannot be done."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, Invalid, number, parse_action
from ordojo.benchmarks.or_debug.elements import Element, ElementKind, find_element, unknown
from ordojo.core.errors import DataError
from ordojo.milp.expressions import ExpressionError, parse_constraint
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.protocol import SolverSession

HUGE = 1e12
"""No number of a repair may be larger: beyond it a solver's arithmetic is no longer sound."""

TINY = 1e-9
"""No coefficient of a repair may be smaller, other than 0: solvers drop it."""

_TYPES = {
    "continuous": VarType.CONTINUOUS,
    "real": VarType.CONTINUOUS,
    "c": VarType.CONTINUOUS,
    "integer": VarType.INTEGER,
    "int": VarType.INTEGER,
    "i": VarType.INTEGER,
    "binary": VarType.BINARY,
    "bin": VarType.BINARY,
    "b": VarType.BINARY,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One element's new form: sides of a row or bounds of a column, a row's terms, or a type."""

    element: Element
    lower: float = -INF
    upper: float = INF
    index: tuple[int, ...] | None = None
    value: tuple[float, ...] | None = None
    kind: VarType | None = None

    def on_model(self, model: Model) -> Model:
        """A copy of `model` with the change."""
        i = self.element.number
        if self.kind is not None:
            return model.with_type(i, self.kind)
        if self.element.part is not ElementKind.ROW:
            return model.with_col_bounds(i, self.lower, self.upper)
        if self.index is None or self.value is None:
            return model.with_row_bounds(i, self.lower, self.upper)
        return model.with_row(i, self.index, self.value, self.lower, self.upper)

    def on_session(self, session: SolverSession) -> None:
        """Make the change in the model that `session` holds."""
        i = self.element.number
        if self.kind is not None:
            session.set_type(i, self.kind)
        elif self.element.part is not ElementKind.ROW:
            session.set_col_bounds(i, self.lower, self.upper)
        elif self.index is None or self.value is None:
            session.set_row_bounds(i, self.lower, self.upper)
        else:
            session.set_row(i, self.index, self.value, self.lower, self.upper)


def plan(model: Model, action: Action) -> Change | Invalid:
    """What RELAX, DROP or REWRITE changes in `model`, which stays as it is.

    RELAX adds its amount to the right-hand side: to both sides of an equality; of a range, to the
    upper side if positive and to the lower if negative.
    """
    element = find_element(model, action.target)
    if element is None:
        return Invalid(unknown(model, action.target))
    if action.kind is ActionKind.RELAX:
        return _relax(model, element, action.delta)
    if action.kind is ActionKind.DROP:
        return _drop(model, element)
    if action.kind is ActionKind.REWRITE:
        return _rewrite(model, element, action.expr)
    return Invalid(f"{action.kind.value} changes nothing in the model")


def apply_action(model: Model, action: Action) -> Model | Invalid:
    """A copy of `model` after a repair action, or why there is none; nothing is raised."""
    change = plan(model, action)
    return change if isinstance(change, Invalid) else change.on_model(model)


def apply_fix(model: Model, fix: Sequence[str]) -> Model:
    """A copy of `model` after the actions of `fix`, such as "RELAX(c3, -10)", in order.

    Raises DataError for a text that is no repair action or cannot be applied.
    """
    for text in fix:
        action = parse_action(text, model)
        after = action if isinstance(action, Invalid) else apply_action(model, action)
        if isinstance(after, Invalid):
            raise DataError(f"the fix '{text}' cannot be applied: {after.reason}")
        model = after
    return model


def _sides(model: Model, element: Element) -> tuple[float, float]:
    return (model.sides if element.part is ElementKind.ROW else model.bounds)(element.number)


def _relax(model: Model, element: Element, delta: float | None) -> Change | Invalid:
    if delta is None or not math.isfinite(delta):
        return Invalid("the amount of RELAX must be a finite number")
    if delta == 0:
        return Invalid("an amount of 0 changes nothing")
    if abs(delta) > HUGE:
        return Invalid(f"the amount of RELAX may be at most {HUGE:g} in size")
    name, part = element.name, element.part
    lower, upper = _sides(model, element)
    if part is ElementKind.TYPE:
        return Invalid(f"'{name}' is a type: write REWRITE({name}, INTEGER) or another type")
    if part is ElementKind.LB:
        lower += delta
    elif part is ElementKind.UB:
        upper += delta
    elif lower == upper:
        lower, upper = lower + delta, upper + delta
    elif lower == -INF and upper == INF:
        return Invalid(f"'{name}' was dropped: REWRITE it to have it back")
    elif lower == -INF or (upper < INF and delta > 0):
        upper += delta
    else:
        lower += delta
    change = Change(element, lower, upper)
    if (lower, upper) == _sides(model, element):
        open_end = part is not ElementKind.ROW and not math.isfinite(
            lower if part is ElementKind.LB else upper
        )
        why = "there is no such bound" if open_end else "the amount is too small to matter"
        return Invalid(f"'{name}' stays as it is: {why}")
    return change


def _drop(model: Model, element: Element) -> Change | Invalid:
    lower, upper = _sides(model, element)
    if element.part is ElementKind.TYPE:
        name = element.name
        return Invalid(f"'{name}' is a type: write REWRITE({name}, CONTINUOUS) to drop it")
    if element.part is ElementKind.LB:
        change = Change(element, -INF, upper)
    elif element.part is ElementKind.UB:
        change = Change(element, lower, INF)
    else:
        change = Change(element)
    if (change.lower, change.upper) == (lower, upper):
        return Invalid(f"'{element.name}' constrains nothing as it is: there is nothing to drop")
    return change


def _rewrite(model: Model, element: Element, expr: str) -> Change | Invalid:
    if element.part is ElementKind.TYPE:
        kind = _TYPES.get(expr.strip().strip("\"'").rpartition(".")[2].lower())
        if kind is None:
            return Invalid(f"'{expr[:40]}' is no type: choose CONTINUOUS, INTEGER or BINARY")
        if kind == model.types[element.number]:
            return Invalid(f"'{element.name}' is {kind.name} already")
        return Change(element, kind=kind)
    found = (
        _bound(model, element, expr) if element.part is not ElementKind.ROW else _row(model, expr)
    )
    if isinstance(found, Invalid):
        return found
    change = Change(element, *found)
    same_terms = change.index is None or model.terms(element.number) == dict(
        zip(change.index, change.value or (), strict=True)
    )
    same_sides = (change.lower, change.upper) == _sides(model, element)
    if same_sides and same_terms:
        return Invalid(f"'{element.name}' has that form already")
    return change


_Form = tuple[float, float, tuple[int, ...] | None, tuple[float, ...] | None]


def _row(model: Model, expr: str) -> _Form | Invalid:
    try:
        row = parse_constraint(expr, model.cols)
    except ExpressionError as error:
        return Invalid(str(error))
    for value in (*row.value, row.lower, row.upper):
        if math.isfinite(value) and abs(value) > HUGE:
            return Invalid(f"{number(value)} is too large: use at most {HUGE:g} in size")
    for value in row.value:
        if abs(value) < TINY:
            return Invalid(f"the coefficient {number(value)} is too small: use 0 or {TINY:g}")
    return row.lower, row.upper, row.index, row.value


def _bound(model: Model, element: Element, expr: str) -> _Form | Invalid:
    """The bounds after `x.lb` becomes a number, or is read out of a constraint on x alone."""
    lower, upper = _sides(model, element)
    low = element.part is ElementKind.LB
    shown = expr.strip().replace("−", "-").lower()
    if shown.rpartition(".")[2] in ("-inf", "inf", "+inf", "-infinity", "infinity", "none"):
        change = _drop(model, element)
        return change if isinstance(change, Invalid) else (change.lower, change.upper, None, None)
    try:
        value = float(shown)
    except ValueError:
        form = _row(model, expr)
        if isinstance(form, Invalid):
            return form
        found_lower, found_upper, index, values = form
        if index != (element.number,) or not values:
            x = model.col_names[element.number]
            return Invalid(f"'{element.name}' is a bound: give a number, or a constraint on {x}")
        ends = sorted((found_lower / values[0], found_upper / values[0]))
        value = ends[0] if low else ends[1]
    if not math.isfinite(value) or abs(value) > HUGE:
        return Invalid(f"'{element.name}' needs a finite number of at most {HUGE:g} in size")
    return (value, upper, None, None) if low else (lower, value, None, None)
