"""Whether a claim holds, found from the built model alone: matrices, rows, points, changed data.

The writer of questions reads the declaration; nothing here asks what it thought. A claim that
cannot be decided is an error, never an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.build.candidates import CATEGORIES
from ordojo.benchmarks.orqa.build.claims import Claim, false_rule, goals
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.benchmarks.orqa.build.variants import BINARY, INTEGER, LINEAR, MIXED
from ordojo.core.errors import DataError, GeneratorError
from ordojo.milp.model import INF, Model, VarType
from ordojo.problems.algebra import index_sets, loops, uses
from ordojo.problems.build import Built, build
from ordojo.problems.optimum import solve, violation
from ordojo.problems.spec import Spec

Row = tuple[dict[int, float], float, float]
"""Coefficients by column, lower and upper bound."""
TOLERANCE = 1e-6
MARGIN = 1e-3
"""By how much a witness breaks a false constraint at least."""
POINTS = 200
TRIES = 6
SECONDS = 20.0


@lru_cache(maxsize=16)
def model_of(case: Case) -> Built:
    """The case's model."""
    return build(case.spec, case.tables)


@lru_cache(maxsize=64)
def family_rows(case: Case, family: str, scope: str | None = None, rule: str = "") -> list[Row]:
    """The rows of a family, or of another scope and rule in its place."""
    mine = case.spec.family(family)
    if scope is not None:
        mine = replace(mine, scope=scope, rule=rule)
    return _rows(build(replace(case.spec, families=(mine,)), case.tables).model)


def _rows(model: Model) -> list[Row]:
    found: list[Row] = []
    for i in range(model.m):
        part = slice(int(model.starts[i]), int(model.starts[i + 1]))
        terms = dict(zip(model.index[part].tolist(), model.value[part].tolist(), strict=True))
        found.append((terms, float(model.row_lower[i]), float(model.row_upper[i])))
    return found


@lru_cache(maxsize=64)
def distinguished(case: Case, family: str, scope: str, rule: str) -> bool:
    """Whether some point within the variables' bounds obeys one of the two and not the other."""
    points = _points(case)
    true = _true(case, family)
    false = _obeys(family_rows(case, family, scope, rule), points)
    return bool((true != false).any())


def breaks(case: Case, scope: str, rule: str, witness: Mapping[str, float]) -> bool:
    """Whether a point satisfies the model and breaks the constraint; raises DataError."""
    model = model_of(case).model
    place = {name: j for j, name in enumerate(model.col_names)}
    if not witness.keys() <= place.keys():
        raise DataError("the witness has columns that the model lacks")
    x = np.zeros(model.n)
    x[[place[name] for name in witness]] = list(witness.values())
    if max(violation(model, x)) > TOLERANCE * (1 + float(np.abs(x).max(initial=0.0))):
        return False
    any_family = case.spec.families[0].name
    return not _obeys(family_rows(case, any_family, scope, rule), x[None])[0]


@lru_cache(maxsize=64)
def find_witness(case: Case, scope: str, rule: str) -> dict[str, float] | None:
    """A point that satisfies the model and breaks the constraint; None where none was found."""
    built = model_of(case)
    first = _any_point(case)
    if first is not None and breaks(case, scope, rule, first):
        return first
    rows = family_rows(case, case.spec.families[0].name, scope, rule)
    step = max(1, len(rows) // TRIES)
    for terms, low, high in rows[::step]:
        for side in ((-INF, low - _gap(low)), (high + _gap(high), INF)):
            if not np.isfinite(side).any():
                continue
            x = _feasible(built.model, terms, side)
            if x is None:
                continue
            point = _named(built.model, x)
            if breaks(case, scope, rule, point):
                return point
    return None


@lru_cache(maxsize=4)
def _any_point(case: Case) -> dict[str, float] | None:
    """A point that satisfies the model."""
    model = model_of(case).model
    x = _feasible(model, {0: 1.0}, (-INF, INF))
    return None if x is None else _named(model, x)


def _named(model: Model, x: NDArray[np.float64]) -> dict[str, float]:
    return {name: v for name, v in zip(model.col_names, x.tolist(), strict=True) if v}


def _gap(bound: float) -> float:
    return MARGIN * (1 + abs(bound)) if np.isfinite(bound) else 0.0


def _feasible(
    model: Model, terms: dict[int, float], side: tuple[float, float]
) -> NDArray[np.float64] | None:
    columns = sorted(terms)
    more = replace(
        model,
        objective=np.zeros(model.n),
        row_names=(*model.row_names, "witness"),
        row_lower=np.append(model.row_lower, side[0]),
        row_upper=np.append(model.row_upper, side[1]),
        starts=np.append(model.starts, model.starts[-1] + len(columns)).astype(np.int32),
        index=np.append(model.index, columns).astype(np.int32),
        value=np.append(model.value, [terms[c] for c in columns]),
    )
    x = solve(more, SECONDS).x
    if x is None:
        return None
    whole = model.types != VarType.CONTINUOUS
    rounded: NDArray[np.float64] = np.where(whole, np.rint(x), np.round(x, 9))
    return rounded


@lru_cache(maxsize=64)
def _true(case: Case, family: str) -> NDArray[np.bool_]:
    return _obeys(family_rows(case, family), _points(case))


@lru_cache(maxsize=4)
def _points(case: Case) -> NDArray[np.float64]:
    """Points within the bounds: sparse and full, small and large."""
    model = model_of(case).model
    rng = np.random.default_rng(np.random.SeedSequence([model.n, model.m]))
    low, up = model.effective_bounds
    top = np.where(np.isfinite(up), up, np.maximum(low, 0) + 1000.0)
    bottom = np.where(np.isfinite(low), low, top - 1000.0)
    share = rng.choice([0.0, 0.02, 0.1, 0.5, 1.0], (POINTS, 1))
    scale = rng.choice([0.001, 0.02, 0.2, 1.0], (POINTS, 1))
    drawn = np.where(top - bottom <= 1, 1.0, scale * rng.random((POINTS, model.n)))
    x = bottom + (top - bottom) * drawn * (rng.random((POINTS, model.n)) < share)
    whole = model.types != VarType.CONTINUOUS
    return np.asarray(np.where(whole, np.ceil(x), x), np.float64)


def _obeys(rows: list[Row], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    fine = np.ones(len(points), np.bool_)
    for terms, low, high in rows:
        at = points[:, list(terms)] @ np.array(list(terms.values()))
        slack = TOLERANCE * (1 + np.abs(at))
        fine &= (at >= low - slack) & (at <= high + slack)
    return fine


Costs = dict[str, float]


def holds(
    case: Case, kind: str, about: str, claim: Claim, witness: Mapping[str, float] | None = None
) -> bool:
    """Whether a claim answers a question of a type rightly; raises DataError if undecidable.

    `witness` is a point by column name: that of a false constraint must satisfy the model.
    """
    try:
        match kind, claim:
            case "Q1", ["goal", int(k)]:
                return _goal(case, k)
            case "Q2", ["rule", str(family), int(k)] if family == about:
                return k < 0 or not _differs(case, family, k, witness)
            case "Q3", ["category", str(name)]:
                return CATEGORIES[name](case.spec)
            case "Q4", ["type", str(name)]:
                return name == _narrowest(model_of(case))
            case "Q7", ["rule", str(family), int(k)]:
                return _required(case, family, k, witness)
            case "Q5" | "Q6" | "Q8" | "Q9", ["items", [*names]] if names:
                return all(_belongs(case, kind, str(name)) for name in names)
            case "Q10", ["left", int(k)]:
                return _left(case, about, k)
            case "Q11", ["scope", scope]:
                return _ranges(case, about, scope)
    except (KeyError, IndexError, TypeError, ValueError, GeneratorError) as error:
        raise DataError(f"{claim!r} cannot be decided ({error})") from None
    raise DataError(f"{claim!r} is no claim that answers {kind}")


def costs(spec: Spec, case: Case, tables: Mapping[str, Any] | None = None) -> Costs:
    """Objective coefficients by column name, for minimizing."""
    alone = replace(spec, families=())
    model = build(alone, {**case.tables, **(tables or {})}).model
    sign = -1.0 if model.maximize else 1.0
    pairs = zip(model.col_names, (sign * model.objective).tolist(), strict=True)
    return {name: value for name, value in pairs if value}


@lru_cache(maxsize=16)
def _own_costs(case: Case) -> Costs:
    return costs(case.spec, case)


def _goal(case: Case, k: int) -> bool:
    true = _own_costs(case)
    if k < 0:
        return True
    goal = goals(case)[k]
    other = replace(case.spec.objective, sense=goal.sense, rule=goal.rule)  # type: ignore[arg-type]
    return _same_direction(true, costs(replace(case.spec, objective=other), case))


def _same_direction(one: Costs, two: Costs) -> bool:
    """Whether two objectives are positive multiples of each other."""
    if one.keys() != two.keys() or not one:
        return False
    ratios = np.array([two[name] / one[name] for name in one])
    return bool(ratios.min() > 0 and np.ptp(ratios) <= 1e-9 * ratios.max())


def _narrowest(built: Built) -> str:
    kinds = set(built.model.types.tolist())
    if VarType.CONTINUOUS in kinds:
        return LINEAR if len(kinds) == 1 else MIXED
    return BINARY if kinds == {int(VarType.BINARY)} else INTEGER


def _differs(case: Case, family: str, k: int, witness: Mapping[str, float] | None) -> bool:
    """Whether a false constraint admits other points than the true one."""
    scope, rule = false_rule(case, family, k)
    if witness is not None and breaks(case, scope, rule, witness):
        return True
    return distinguished(case, family, scope, rule)


def _required(case: Case, family: str, k: int, witness: Mapping[str, float] | None) -> bool:
    if k < 0:
        return len(family_rows(case, family)) > 0
    if witness is None or not breaks(case, *false_rule(case, family, k), witness):
        raise DataError(f"no point shows that the false constraint {k} of {family} is not needed")
    return False


def _belongs(case: Case, kind: str, name: str) -> bool:
    what, _, rest = name.partition(":")
    built = model_of(case)
    groups = {group.name: number for number, group in enumerate(built.spec.groups)}
    match kind, what:
        case "Q5", "set":
            return len(case.values[rest]) > 0
        case "Q6", "group":
            return bool((built.groups == groups[rest]).any())
        case "Q9", "group":
            return bool(built.model.objective[built.groups == groups[rest]].any())
        case "Q8", "parameter":
            return _moves_objective(case, rest)
        case "Q8", "none":
            scalars = [p.name for p in case.spec.parameters if not _counts(case, p.name)]
            return not any(_moves_objective(case, name) for name in scalars)
        case _, "extra" | "side" | "parameter" | "group" | "set":
            return False
    raise DataError(f"{name!r} is no item")


@lru_cache(maxsize=128)
def _moves_objective(case: Case, name: str) -> bool:
    """Whether the objective changes with the numbers of a parameter."""
    item = case.spec.parameter(name)
    if _counts(case, name):
        raise DataError(f"{name} is the size of a set")
    table = dict(case.tables[item.table])
    table[name] = [value * (1 - 1e-6) + 1e-6 * (value == 0) for value in table[name]]
    before, after = _own_costs(case), costs(case.spec, case, {item.table: table})
    return any(before[column] != after[column] for column in before.keys() & after.keys())


def _counts(case: Case, name: str) -> bool:
    return any(item.size == name for item in case.spec.sets)


def _left(case: Case, about: str, k: int) -> bool:
    left = case.story.lefts[k]
    if not uses(case.spec, left.expression).groups:
        return False  # The left-hand side of a constraint has variables, this has none.
    true = family_rows(case, about)
    other = family_rows(case, about, left.scope, f"{left.expression} == 0")
    return [row[0] for row in true] == [row[0] for row in other]


def _ranges(case: Case, about: str, scope: Any) -> bool:
    """Whether the rows of a family are numbered by the elements of these sets."""
    built, family = model_of(case), case.spec.family(about)
    number = [one.name for one in built.spec.families].index(about)
    keys = [key for key, f in zip(built.row_keys, built.families, strict=True) if f == number]
    true = index_sets(family.scope)
    if isinstance(scope, str):
        # Conditions leave out some elements.
        bound = any(loop.conditions for loop in loops(family.scope))
        every = _product(case, true)
        return scope == about and set(keys) <= every and (bound or set(keys) == every)
    if any(str(name).startswith("extra:") for name in scope):
        return False  # Not a set of the model: nothing is numbered by it.
    if set(keys) != _product(case, scope):
        return False
    # Two sets of equally many numbered elements: the declaration tells them apart.
    return sorted(scope) == sorted(true)


def _product(case: Case, sets: Sequence[str]) -> set[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [()]
    for name in sets:
        parts = [e if isinstance(e, tuple) else (e,) for e in case.values[name]]
        found = [(*head, *tail) for head in found for tail in parts]
    return set(found)
