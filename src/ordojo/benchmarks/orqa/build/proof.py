"""Whether a claim holds, found from the built model alone: matrices, rows, points, changed data.

The writer of questions reads the declaration; nothing here asks what it thought. A claim that
cannot be decided is an error, never an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ordojo.benchmarks.orqa.build.categories import CATEGORIES
from ordojo.benchmarks.orqa.build.claims import Claim, false_rule, goals
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.benchmarks.orqa.build.variants import BINARY, INTEGER, LINEAR, MIXED
from ordojo.benchmarks.orqa.build.witness import breaks, distinguished, family_rows, model_of
from ordojo.core.errors import DataError, GeneratorError
from ordojo.milp.model import VarType
from ordojo.templates.algebra import index_sets, loops, uses
from ordojo.templates.build import Built, build
from ordojo.templates.spec import Spec

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
