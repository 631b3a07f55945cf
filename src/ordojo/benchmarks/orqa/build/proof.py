"""Whether a claim holds, found from the built model alone: matrices, rows, points, changed data.

The writer of questions reads the declaration; nothing here asks what it thought. A claim that
cannot be decided is an error, never an answer.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.build.candidates import fits
from ordojo.benchmarks.orqa.build.case import (
    BINARY,
    INTEGER,
    LINEAR,
    MIXED,
    SECONDS,
    Case,
    CasePlan,
    elements,
    rule_with,
)
from ordojo.benchmarks.orqa.build.context import Claim, item
from ordojo.core.errors import DataError, GeneratorError
from ordojo.formulation.algebra import index_sets, loops
from ordojo.formulation.build import Built, build
from ordojo.formulation.spec import Spec
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import PRIMAL, SAME
from ordojo.problems.optimum import solve, violation

Row = tuple[dict[int, float], float, float]
"""Coefficients by column, lower and upper bound."""
MARGIN = 1e-3
"""By how much a witness breaks a false constraint at least: a thousand times `PRIMAL`."""
POINTS = 200
"""Points drawn at once to break a claim; chosen without a fit, as are the shares and tries
below."""
SHARES = (0.25, 0.6, 0.75, 1.0, 1.5, 3.0)
"""On either side of a border, and of half of it."""
TRIES = 6
"""Rows of a family, about, from each of which a point beyond its border is looked for."""


@lru_cache(maxsize=16)
def model_of(plan: CasePlan) -> Built:
    """The plan's model."""
    return build(plan.spec, plan.tables)


@lru_cache(maxsize=64)
def family_rows(plan: CasePlan, family: str, sense: str = "") -> list[Row]:
    """The rows of a family, in its own sense or another."""
    mine = plan.full.family(family)
    rule = rule_with(plan.template.spec.family(family).rule, sense) if sense else mine.rule
    families = (replace(mine, rule=rule),)
    return _rows(build(replace(plan.full, families=families), plan.tables).model)


def _rows(model: Model) -> list[Row]:
    return [(model.terms(i), *model.sides(i)) for i in range(model.m)]


@lru_cache(maxsize=64)
def distinguished(plan: CasePlan, family: str, sense: str) -> bool:
    """Whether some point within the variables' bounds obeys one of two senses and not the other."""
    points = np.vstack([_points(plan), *_around(plan, family)])
    true, false = (_obeys(family_rows(plan, family, one), points) for one in ("", sense))
    return bool((true != false).any())


@lru_cache(maxsize=8)
def _around(plan: CasePlan, family: str) -> list[NDArray[np.float64]]:
    """Points on the border of a family and shares and multiples of them."""
    mine = plan.full.family(family)
    rule = rule_with(plan.template.spec.family(family).rule, "==")
    spec = replace(plan.full, families=(replace(mine, rule=rule),))
    model = build(spec, plan.tables).model
    x = solve(replace(model, objective=np.zeros(model.n)), SECONDS).x
    if x is None:
        return []
    low, up = model.effective_bounds
    scaled = [np.clip(share * x, low, up) for share in SHARES]
    return [np.where(model.whole, np.rint(one), one) for one in scaled]


def breaks(plan: CasePlan, family: str, sense: str, witness: Mapping[str, float]) -> bool:
    """Whether a point satisfies the model and breaks the constraint; raises DataError."""
    model = model_of(plan).model
    place = {name: j for j, name in enumerate(model.col_names)}
    if not witness.keys() <= place.keys():
        raise DataError("the witness has columns that the model lacks")
    x = np.zeros(model.n)
    x[[place[name] for name in witness]] = list(witness.values())
    if max(violation(model, x)) > PRIMAL * (1 + float(np.abs(x).max(initial=0.0))):
        return False
    return not _obeys(family_rows(plan, family, sense), x[None])[0]


@lru_cache(maxsize=64)
def find_witness(plan: CasePlan, family: str, sense: str) -> dict[str, float] | None:
    """A point that satisfies the model and breaks the constraint; None where none was found."""
    built = model_of(plan)
    first = _any_point(plan)
    if first is not None and breaks(plan, family, sense, first):
        return first
    rows = family_rows(plan, family, sense)
    step = max(1, len(rows) // TRIES)
    for terms, low, high in rows[::step]:
        for side in ((-INF, low - _gap(low)), (high + _gap(high), INF)):
            if not np.isfinite(side).any():
                continue
            x = _feasible(built.model, terms, side)
            if x is None:
                continue
            point = _named(built.model, x)
            if breaks(plan, family, sense, point):
                return point
    return None


@lru_cache(maxsize=4)
def _any_point(plan: CasePlan) -> dict[str, float] | None:
    """A point that satisfies the model."""
    model = model_of(plan).model
    x = _feasible(model, {0: 1.0}, (-INF, INF))
    return None if x is None else _named(model, x)


def _named(model: Model, x: NDArray[np.float64]) -> dict[str, float]:
    found = {name: v for name, v in zip(model.col_names, x.tolist(), strict=True) if v}
    return found or {model.col_names[0]: 0.0}


def _gap(bound: float) -> float:
    return MARGIN * (1 + abs(bound)) if np.isfinite(bound) else 0.0


def _feasible(
    model: Model, terms: dict[int, float], side: tuple[float, float]
) -> NDArray[np.float64] | None:
    columns = sorted(terms)
    more = model.with_new_row("witness", columns, [terms[c] for c in columns], *side)
    x = solve(replace(more, objective=np.zeros(model.n)), SECONDS).x
    if x is None:
        return None
    rounded: NDArray[np.float64] = np.where(model.whole, np.rint(x), np.round(x, 9))
    return rounded


@lru_cache(maxsize=4)
def _points(plan: CasePlan) -> NDArray[np.float64]:
    """Points within the bounds: sparse and full, small and large."""
    model = model_of(plan).model
    rng = np.random.default_rng(np.random.SeedSequence([model.n, model.m]))
    low, up = model.effective_bounds
    top = np.where(np.isfinite(up), up, np.maximum(low, 0) + 1000.0)
    bottom = np.where(np.isfinite(low), low, top - 1000.0)
    share = rng.choice([0.0, 0.02, 0.1, 0.5, 1.0], (POINTS, 1))
    scale = rng.choice([0.001, 0.02, 0.2, 1.0], (POINTS, 1))
    drawn = np.where(top - bottom <= 1, 1.0, scale * rng.random((POINTS, model.n)))
    x = bottom + (top - bottom) * drawn * (rng.random((POINTS, model.n)) < share)
    return np.asarray(np.where(model.whole, np.ceil(x), x), np.float64)


def _obeys(rows: list[Row], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    fine = np.ones(len(points), np.bool_)
    for terms, low, high in rows:
        at = points[:, list(terms)] @ np.array(list(terms.values()))
        slack = PRIMAL * (1 + np.abs(at))
        fine &= (at >= low - slack) & (at <= high + slack)
    return fine


Costs = dict[str, float]


def holds(
    case: Case, kind: str, about: str, claim: Claim, witness: Mapping[str, float] | None = None
) -> bool:
    """Whether a claim answers a question of a type rightly; raises DataError if undecidable.

    What is said of the firm beside never does: the model has none of its sets, decisions and rows.
    `witness` is a point by column name: that of a false constraint must satisfy the model.
    """
    main = case.main
    try:
        match kind, claim:
            case "Q1", ["goal", int(firm), int(k), str(sense)]:
                return not firm and _goal(main, k, sense)
            case "Q2", ["rule", int(firm), str(family), str(sense)]:
                return not firm and family == about and not _differs(main, family, sense, witness)
            case "Q3", ["category", str(name)]:
                return name == main.template.title or fits(main.spec, name)
            case "Q4", ["type", str(name)]:
                return name == _narrowest(model_of(main))
            case "Q7", ["rule", int(firm), str(family), str(sense)]:
                return not firm and _required(main, family, sense, witness)
            case "Q5" | "Q6" | "Q8" | "Q9", ["items", [*names]] if names:
                return all(_belongs(main, kind, _own(case, str(name))) for name in names)
            case "Q10", ["left", int(firm), str(family)]:
                return not firm and _left(main, about, family)
            case "Q10", ["sum", int(k)]:
                return _sum(main, about, k)
            case "Q11", ["scope", scope]:
                return _ranges(main, about, scope)
    except (KeyError, IndexError, TypeError, ValueError, GeneratorError) as error:
        raise DataError(f"{claim!r} cannot be decided ({error})") from None
    raise DataError(f"{claim!r} is no claim that answers {kind}")


def costs(spec: Spec, tables: Mapping[str, Any]) -> Costs:
    """Objective coefficients by column name, for minimizing."""
    model = build(replace(spec, families=()), dict(tables)).model
    sign = -1.0 if model.maximize else 1.0
    pairs = zip(model.col_names, (sign * model.objective).tolist(), strict=True)
    return {name: value for name, value in pairs if value}


@lru_cache(maxsize=16)
def _own_costs(plan: CasePlan) -> Costs:
    return costs(plan.full, plan.tables)


def _goal(plan: CasePlan, k: int, sense: str) -> bool:
    other = replace(plan.goals[k], sense=sense)  # type: ignore[arg-type]
    found = costs(replace(plan.full, objective=other), plan.tables)
    return _same_direction(_own_costs(plan), found)


def _same_direction(one: Costs, two: Costs) -> bool:
    """Whether two objectives are positive multiples of each other."""
    if one.keys() != two.keys() or not one:
        return False
    ratios = np.array([two[name] / one[name] for name in one])
    return bool(ratios.min() > 0 and np.ptp(ratios) <= SAME * ratios.max())


def _narrowest(built: Built) -> str:
    kinds = set(built.model.types.tolist())
    if VarType.CONTINUOUS in kinds:
        return LINEAR if len(kinds) == 1 else MIXED
    return BINARY if kinds == {int(VarType.BINARY)} else INTEGER


def _differs(plan: CasePlan, family: str, sense: str, witness: Mapping[str, float] | None) -> bool:
    """Whether a constraint in this sense admits other points than in its own."""
    if witness is not None and breaks(plan, family, sense, witness):
        return True
    return distinguished(plan, family, sense)


def _required(plan: CasePlan, family: str, sense: str, witness: Mapping[str, float] | None) -> bool:
    there = {one.name for one in plan.spec.families}
    if family in there and sense == plan.sense(family):
        return len(family_rows(plan, family)) > 0
    if witness is None or not breaks(plan, family, sense, witness):
        raise DataError(f"no point shows that {family} in the sense '{sense}' is not needed")
    return False


def _own(case: Case, name: str) -> str:
    """The item as it is read: one of the firm beside that is called as one of ours is ours."""
    firm, what, _ = name.split(":")
    spec, said = case.main.full, item(case, name)
    mine = {
        "set": [one.name for one in spec.sets],
        "parameter": [one.name for one in spec.parameters],
        "group": [one.name for one in spec.groups],
    }
    ours = [f"0:{what}:{one}" for one in mine.get(what, ())] if firm == "1" else []
    return next((own for own in ours if item(case, own) == said), name)


def _belongs(plan: CasePlan, kind: str, name: str) -> bool:
    firm, what, rest = name.split(":")
    built = model_of(plan)
    groups = {group.name: number for number, group in enumerate(built.spec.groups)}
    match kind, what:
        case _ if firm == "1":
            return False
        case "Q5", "set":
            return len(plan.values[rest]) > 0
        case "Q6", "group":
            return bool((built.groups == groups[rest]).any())
        case "Q9", "group":
            return bool(built.model.objective[built.groups == groups[rest]].any())
        case "Q8", "parameter":
            return _moves_objective(plan, rest)
        case "Q8", "none":
            scalars = [p.name for p in plan.spec.parameters if not _counts(plan, p.name)]
            return not any(_moves_objective(plan, name) for name in scalars)
        case _, "parameter" | "group" | "set":
            return False
    raise DataError(f"{name!r} is no item")


@lru_cache(maxsize=128)
def _moves_objective(plan: CasePlan, name: str) -> bool:
    """Whether the objective changes with the numbers of a parameter."""
    item = plan.full.parameter(name)
    if _counts(plan, name):
        raise DataError(f"{name} is the size of a set")
    table = dict(plan.tables[item.table])
    table[name] = [value * (1 - PRIMAL) + PRIMAL * (value == 0) for value in table[name]]
    before, after = _own_costs(plan), costs(plan.full, {**plan.tables, item.table: table})
    return any(before[column] != after[column] for column in before.keys() & after.keys())


def _counts(plan: CasePlan, name: str) -> bool:
    return any(item.size == name for item in plan.full.sets)


def _left(plan: CasePlan, about: str, family: str) -> bool:
    """Whether the left side of one family, its variables alone, is that of another."""
    one, two = (family_rows(plan, name) for name in (about, family))
    return [row[0] for row in one] == [row[0] for row in two]


def _sum(plan: CasePlan, about: str, k: int) -> bool:
    """Whether the left side of a family is what goal k adds up, or a multiple of it."""
    rows, names = family_rows(plan, about), model_of(plan).model.col_names
    if len(rows) != 1:
        return False
    left = {names[j]: value for j, value in rows[0][0].items()}
    goal = costs(replace(plan.full, objective=plan.goals[k]), plan.tables)
    turned = {name: -value for name, value in goal.items()}
    return _same_direction(left, goal) or _same_direction(left, turned)


def _ranges(plan: CasePlan, about: str, scope: Any) -> bool:
    """Whether the rows of a family are numbered by the elements of these sets."""
    built, family = model_of(plan), plan.spec.family(about)
    number = [one.name for one in built.spec.families].index(about)
    keys = [key for key, f in zip(built.row_keys, built.families, strict=True) if f == number]
    true = index_sets(family.scope)
    if isinstance(scope, str):
        # Conditions leave out some elements.
        bound = any(loop.conditions for loop in loops(family.scope))
        every = elements(plan, true)
        return scope == about and set(keys) <= every and (bound or set(keys) == every)
    if any(str(name).startswith("1:") for name in scope):
        return False
    names = [str(name)[2:] for name in scope]
    if set(keys) != elements(plan, names):
        return False
    # Two sets of equally many numbered elements: the declaration tells them apart.
    return sorted(names) == sorted(true)
