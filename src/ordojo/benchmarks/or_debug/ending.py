"""The last word on an episode: objective, outcome class, drift, and diagnostic accuracy.

A final model is held against the original, or, where that is not known, against the repairs known
to be right: does it still ask what they ask (`lost`)? Both are answered once for each model:
training plays an instance often.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np

from ordojo.benchmarks.or_debug import outcome
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.perform import Workbench
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.milp.model import Model
from ordojo.solvers.answers import Status
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


@dataclass(frozen=True, slots=True)
class Ending:
    """Where an episode stands.

    `diagnosed`: all that was named, or, if nothing was, repaired. `shown`: what stood in any IIS.
    """

    instance: Instance[Debugging]
    bench: Workbench
    diagnosed: tuple[str, ...]
    shown: Collection[str] = ()

    @property
    def op(self) -> float | None:
        """Optimality preservation of the model as it stands, None unless it was solved OPTIMAL.

        Where a menu of repairs is the truth, the one is meant that it is nearest to.
        """
        found = self.bench.optimum
        if found is None:
            return None
        problem, said = self.instance.problem, self.instance.certificate.data.get("found")
        menu = said.get("menu", ()) if isinstance(said, Mapping) and not problem.original else ()
        right = [problem.objective, *(float(one["objective"]) for one in menu)]
        return max(outcome.preservation(found, objective) for objective in right)

    def info(
        self,
        recorded: tuple[str, ...],
        options: OrDebugOptions,
        drift: Mapping[str, Json] | None = None,
    ) -> Mapping[str, Json]:
        """The entries "final" and "da" of the last turn's info.

        "final": "status", "objective", "op", "outcome" (full, partial, failure), "drift", which
        is found here unless it is given, "rows_kept", the share of the rows that are left, and of
        an OPTIMAL one without an original "lost", what right repairs keep and it has not.
        "da": recall "recorded" of `recorded`, "precision", recall "verified" of the best IIS that
        was checked, "beyond" what a copy of `recorded` is worth, "named", whether a sabotaged
        element is in the diagnosis, and "credit", what the default reward pays it (`credit`).
        """
        problem, status = self.instance.problem, self.bench.status
        result = outcome.outcome(status, self.op)
        if options.simulate:
            # Without a solver no objective is known: the status alone decides.
            result = "full" if status == Status.OPTIMAL else "failure"
        drift = self._drift(options) if drift is None else dict(drift)
        if problem.is_silent and (drift["drifted"] or drift["unknown"]):
            result = "failure"  # the right number by another change is no repair
        gone: dict[str, Json] = {}
        if status == Status.OPTIMAL and not problem.original and not options.simulate:
            kept = lost(self.instance, self.bench.model, options.time_limit)
            gone = {"lost": list(kept)}
        return {
            "final": {
                "status": status.value,
                "objective": self.bench.optimum,
                "op": self.op,
                "outcome": result,
                "drift": drift,
                "rows_kept": self._rows_kept(),
                **gone,
            },
            "da": {
                "recorded": outcome.recall(self.diagnosed, recorded),
                "precision": outcome.precision(self.diagnosed, problem.faults),
                "verified": self._verified(recorded, options),
                "beyond": outcome.beyond_copying(self.diagnosed, recorded, problem.targets),
                "named": any(name in self.diagnosed for name in problem.targets),
                "credit": self._credit(recorded),
            },
        }

    def _credit(self, recorded: tuple[str, ...]) -> float:
        """What stood in another IIS that was shown, or in what is not asked for, counts nothing."""
        problem = self.instance.problem
        neither = {*self.shown, *problem.iis_rows, *problem.iis_bounds}.difference(recorded)
        named = [name for name in self.diagnosed if name not in neither]
        every = problem.rows if recorded == problem.iis_rows else problem.rows | problem.bounds
        return outcome.credit(named, recorded, every.difference(recorded, neither))

    def _rows_kept(self) -> float:
        first, now = self.instance.problem.model, self.bench.model
        live = [name for i, name in enumerate(first.row_names) if first.is_live(i)]
        kept = sum(name in now.rows and now.is_live(now.rows[name]) for name in live)
        return kept / len(live) if live else 1.0

    def _drift(self, options: OrDebugOptions) -> dict[str, Json]:
        """Whether the final model allows other points than the original.

        "cut_off": the original optimum is no longer allowed. "relaxed": the final optimum is not
        allowed in the original. Where neither is so, each row and bound of one must follow from the
        other's ("drifted" is false), or a point is found that one of them alone allows (true); else
        it is "unknown", as where there is no original. "collateral": elements changed that were
        not sabotaged, "lost": those of them that limit nothing any more. Only a model that was made
        feasible can have drifted.
        """
        problem, model = self.instance.problem, self.bench.model
        if not problem.original:
            return {"drifted": False, "unknown": True, "changed": [], "collateral": [], "lost": []}
        original, x = problem.original_model, self.bench.solution.x
        changed = outcome.differences(model, original)
        collateral = [name for name in changed if name not in problem.targets]
        optimal = self.bench.status == Status.OPTIMAL
        cut_off = relaxed = unknown = False
        drifted = options.simulate and optimal and bool(collateral)
        if changed and optimal and x is not None and not options.simulate:
            relaxed = not outcome.holds_at(original, outcome.moved(x, model, original))
            best = self.bench.original_optimum()
            cut_off = not outcome.holds_at(model, outcome.moved(best, original, model))
            drifted = cut_off or relaxed
            if not drifted:
                found = compared(problem, model, options.time_limit)
                drifted = found == EquivalenceVerdict.DIFFERENT
                unknown = found == EquivalenceVerdict.UNKNOWN
        return {
            "drifted": drifted,
            "cut_off": cut_off,
            "relaxed": relaxed,
            "unknown": unknown,
            "changed": list(changed),
            "collateral": list(collateral),
            "lost": [n for n in collateral if _limits(original, n) and not _limits(model, n)],
        }

    def _verified(self, recorded: tuple[str, ...], options: OrDebugOptions) -> float:
        best = outcome.recall(self.diagnosed, recorded)
        if best == 1.0 or not self.diagnosed or options.simulate:
            return best
        bounds = options.iis == "rows+bounds" or not self.instance.problem.iis_rows
        model, session = self.instance.problem.model, self.bench.aside()
        found = outcome.verified_recall(self.diagnosed, model, session, bounds, options.time_limit)
        return max(best, found)
