"""What a repaired model is held against: the original, or the repairs that are known to be right.

Two questions, each asked of a model that was made feasible. With an original: do both allow the
same points (`compared`)? Without one, of the witness or the menu of repairs: does the model still
ask what they ask (`lost`)? Both are answered once for each model: training plays an instance often.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np

from ordojo.benchmarks.or_debug import outcome
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.milp.model import Model
from ordojo.solvers.equivalence import EquivalenceVerdict, compare_points, unmet

T = TypeVar("T")


def fixes(instance: Instance[Debugging]) -> Sequence[tuple[str, ...]]:
    """The repairs known to be right: the menu, else the recorded fix, else none."""
    problem, found = instance.problem, instance.certificate.data.get("found")
    menu: Any = found.get("menu", ()) if isinstance(found, Mapping) else ()
    known = [tuple(one["fix"]) for one in menu] or [problem.fix]
    return [fix for fix in known if fix]


def check_known(instances: Sequence[Instance[Debugging]], reward: str) -> None:
    """Refuse, by a UsageError, instances of which nothing says what a right repair is."""
    for one in instances:
        if not one.problem.original and not fixes(one):
            raise UsageError(
                f"or-debug cannot pay the reward {reward} for {one.id}, of which neither the "
                "original nor a right repair is known; choose `reward=equation-5`, which pays for "
                "any OPTIMAL"
            )


def compared(problem: Debugging, model: Model, time_limit: float) -> EquivalenceVerdict:
    """Whether `model` allows the same points as the original: EQUAL, DIFFERENT or UNKNOWN."""

    def ask() -> EquivalenceVerdict:
        return compare_points(model, problem.original_model, time_limit).verdict

    return _once(problem, model, "original", ask)


def lost(instance: Instance[Debugging], model: Model, time_limit: float) -> tuple[str, ...]:
    """The rows and bounds that a right repair keeps and `model` has not.

    Of several right repairs the one with fewest counts. An element is lost where it was dropped, or
    moved so far that it says nothing any more. A dropped one is also where the others imply it: a
    repair that is right by its optimum alone does not show what the problem can do without.
    """
    problem = instance.problem

    def ask(fix: tuple[str, ...]) -> tuple[str, ...]:
        return _gone(model, _repaired(problem, fix), time_limit)

    found = [_once(problem, model, str(fix), partial(ask, fix)) for fix in fixes(instance)]
    return min(found, key=len, default=())


def _gone(model: Model, right: Model, time_limit: float) -> tuple[str, ...]:
    kept = [name for name in outcome.differences(model, right) if _limits(right, name)]
    gone = [name for name in kept if not _limits(model, name)]
    if moved := [name for name in kept if name not in gone]:
        alike = dataclasses.replace(right, types=model.types)  # a type is no limit to lose
        asked = unmet(model, alike, time_limit)
        gone += [
            name for name in moved if asked and name in asked and _is_idle(model, name, time_limit)
        ]
    return tuple(gone)


def _limits(model: Model, name: str) -> bool:
    """Whether the model has this row or bound, and it limits anything."""
    element = find_element(model, name)
    if element is None or element.part is ElementKind.TYPE:
        return False
    if element.part is ElementKind.ROW:
        return model.is_live(element.number)
    side = model.col_lower if element.part is ElementKind.LB else model.col_upper
    return bool(np.isfinite(side[element.number]))


def _is_idle(model: Model, name: str, time_limit: float) -> bool:
    """Whether the model would be the same without this element, which it has."""
    element = find_element(model, name)
    assert element is not None
    if element.part is ElementKind.ROW:
        rest = model.without_row(element.number)
    else:
        rest = outcome.unbounded(model, element.number, element.part is ElementKind.LB)
    asked = unmet(rest, model, time_limit)
    return asked is not None and name not in asked


def _repaired(problem: Debugging, fix: tuple[str, ...]) -> Model:
    if fix not in problem.repaired:
        problem.repaired[fix] = apply_fix(problem.model, fix)
    return problem.repaired[fix]


def _once(problem: Debugging, model: Model, against: str, ask: Callable[[], T]) -> T:
    key = _digest(model), against
    if key not in problem.held_against:
        problem.held_against[key] = ask()
    found: T = problem.held_against[key]
    return found


def _digest(model: Model) -> bytes:
    """Of what repairs can change."""
    parts = (
        model.row_lower, model.row_upper, model.col_lower, model.col_upper,
        model.types, model.starts, model.index, model.value,
    )  # fmt: skip
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(np.ascontiguousarray(part).tobytes() + b"|")
    return found.digest()
