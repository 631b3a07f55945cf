"""Doing what an action says on the workbench, and what to answer."""

from collections.abc import Callable
from typing import NamedTuple

from ordojo.benchmarks.or_debug import feedback
from ordojo.benchmarks.or_debug.actions import REPAIR, Action, Invalid, Kind
from ordojo.benchmarks.or_debug.elements import Element, Part, find_column, unknown
from ordojo.benchmarks.or_debug.excerpt import looked_up
from ordojo.benchmarks.or_debug.repairs import Change, plan
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.benchmarks.or_debug.simulator import Simulated
from ordojo.benchmarks.or_debug.workbench import Workbench

Guess = Callable[[Kind, str], Simulated]
"""What stands in for the solver: from an action's kind and target to the next state."""


class Done(NamedTuple):
    """An action that was taken: what to say, what changed, and the part of the state it filled."""

    said: str
    change: Change | None = None
    slacks: str = ""
    bounds: str = ""


def perform(
    bench: Workbench,
    action: Action,
    element: Element | None,
    options: OrDebugOptions,
    guess: Guess | None,
) -> Done | Invalid:
    """Take `action`, whose target is `element`; where it cannot be taken, nothing is changed."""
    if action.kind in REPAIR:
        change = plan(bench.model, action)
        if isinstance(change, Invalid):
            return change
        if guess is None:
            bench.apply(change)
        else:
            bench.suppose(*guess(action.kind, change.element.name), change)
        line = feedback.code_line(change, bench.model) if options.history == "chat" else ""
        return Done(f"Done. The line now reads:\n{line}", change)
    match action.kind:
        case Kind.GET_IIS:
            return Done(feedback.conflict(bench, options.iis == "rows+bounds"))
        case Kind.CHECK_SLACK:
            return _check_slack(bench, action, element, options, guess is not None)
        case Kind.CHECK_BOUND:
            return _check_bound(bench, action)
        case Kind.RESTART:
            bench.begin(bench.problem)
            return Done("The model is again as you first saw it.")
    return Done("Submitted.")


def _check_slack(
    bench: Workbench,
    action: Action,
    element: Element | None,
    options: OrDebugOptions,
    simulated: bool,
) -> Done | Invalid:
    if action.target and element is None:
        if "*" in action.target:
            found = looked_up(bench.model, action.target, columns=False)
            return Done(found, slacks=found)
        return Invalid(unknown(bench.model, action.target))
    if element is not None and element.part is not Part.ROW:
        return Invalid(f"'{element.name}' is no constraint: CHECK_BOUND shows bounds")
    if simulated:
        return Done("Slacks are not simulated.")
    row = element.number if element is not None else None
    found = feedback.slacks(bench, row, options.time_limit)
    return Done(found, slacks=found)


def _check_bound(bench: Workbench, action: Action) -> Done | Invalid:
    if "*" in action.target:
        found = looked_up(bench.model, action.target, columns=True)
        return Done(found, bounds=found)
    column = find_column(bench.model, action.target) if action.target else None
    if action.target and column is None:
        a_row = action.target in bench.model.rows
        why = "is a constraint: CHECK_SLACK shows it" if a_row else "is none"
        return Invalid(f"CHECK_BOUND takes a variable, and '{action.target[:60]}' {why}")
    found = feedback.bounds(bench, column)
    return Done(found, bounds=found)
