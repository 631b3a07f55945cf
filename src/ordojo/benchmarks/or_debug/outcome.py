"""What an episode came to: objective kept or lost, outcome class, drift, and what was diagnosed.

`Ending` has the last word. A final model is held against the original (`compared`), or, where that
is not known, against the repairs known to be right: does it still ask what they ask (`lost`)? Both
are answered once for each model: training plays an instance often.
"""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Any, Literal

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.perform import Workbench
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.milp.model import Floats, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, PRIMAL, SAME
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence import EquivalenceVerdict, compare_points, unmet
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
    copied, found = (
        2 * sum(name in targets for name in names) / max(1, len(names) + len(targets))
        for names in (shown, diagnosed)
    )
    return max(0.0, (found - copied) / (1.0 - copied)) if copied < 1.0 else float(found == 1.0)


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
    held = replace(model, objective=np.zeros(model.n))  # a search for a point ends at the first
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

    return problem.once((_digest(model), "original"), ask)


def lost(instance: Instance[Debugging], model: Model, time_limit: float) -> tuple[str, ...]:
    """The rows and bounds that a right repair keeps and `model` has not.

    Of several right repairs the one with fewest counts. An element is lost where it was dropped, or
    moved so far that it says nothing any more. A dropped one is also where the others imply it: a
    repair that is right by its optimum alone does not show what the problem can do without.
    """
    problem = instance.problem

    def ask(fix: tuple[str, ...]) -> tuple[str, ...]:
        right = problem.once(fix, lambda: apply_fix(problem.model, fix))
        return _gone(model, right, time_limit)

    same = _digest(model)
    found = [problem.once((same, fix), partial(ask, fix)) for fix in fixes(instance)]
    return min(found, key=len, default=())


def _gone(model: Model, right: Model, time_limit: float) -> tuple[str, ...]:
    kept = [name for name in differences(model, right) if _limits(right, name)]
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
        rest = unbounded(model, element.number, element.part is ElementKind.LB)
    asked = unmet(rest, model, time_limit)
    return asked is not None and name not in asked


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
        return max(preservation(found, objective) for objective in right)

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
        result = outcome(status, self.op)
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
                "recorded": recall(self.diagnosed, recorded),
                "precision": precision(self.diagnosed, problem.faults),
                "verified": self._verified(recorded, options),
                "beyond": beyond_copying(self.diagnosed, recorded, problem.targets),
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
        return credit(named, recorded, every.difference(recorded, neither))

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
        changed = differences(model, original)
        collateral = [name for name in changed if name not in problem.targets]
        optimal = self.bench.status == Status.OPTIMAL
        cut_off = relaxed = unknown = False
        drifted = options.simulate and optimal and bool(collateral)
        if changed and optimal and x is not None and not options.simulate:
            relaxed = not holds_at(original, moved(x, model, original))
            best = self.bench.original_optimum()
            cut_off = not holds_at(model, moved(best, original, model))
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
        best = recall(self.diagnosed, recorded)
        if best == 1.0 or not self.diagnosed or options.simulate:
            return best
        bounds = options.iis == "rows+bounds" or not self.instance.problem.iis_rows
        model, session = self.instance.problem.model, self.bench.aside()
        found = verified_recall(self.diagnosed, model, session, bounds, options.time_limit)
        return max(best, found)
