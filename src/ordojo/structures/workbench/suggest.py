"""Suggestions: groups, or families, that one statement may have made, and numbers to split."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ordojo.formulation.algebra import indices, parse
from ordojo.formulation.spec import Family, Group
from ordojo.formulation.terms import sides
from ordojo.structures.abstraction.naming import offered
from ordojo.structures.blueprint.words import constant
from ordojo.structures.flat import Flat, Floats, Ints, NameBuffer
from ordojo.structures.grouping.choose import SEARCHED
from ordojo.structures.grouping.description import FINE, WEIGHTS, State, Which
from ordojo.structures.grouping.description import sides as views
from ordojo.structures.labels import name
from ordojo.structures.workbench.session import Result
from ordojo.structures.workbench.state import Classes

SUGGESTED = 12
"""Suggestions that are shown, those of the most members first."""


def suggestions(result: Result, flat: Flat) -> list[dict[str, Any]]:
    """What is packed in names, and what one statement may have made.

    Each has the ids that it is of with their names, the edit, what it does and why, and the bits
    that the description gets shorter by (none for a merge of a large model).
    """
    return [*_indices(result, flat), *_merges(result, flat)][:SUGGESTED]


def _indices(result: Result, flat: Flat) -> list[dict[str, Any]]:
    """Indices that names pack, those that save most first."""
    state, f = result.state, result.formulation
    found: list[dict[str, Any]] = []
    sides: tuple[tuple[Classes, Sequence[Group | Family], NameBuffer], ...] = (
        (state.groups, f.spec.groups, flat.cols),
        (state.families, f.spec.families, flat.rows),
    )
    for classes, units, names in sides:
        for one, unit in zip(classes.ids, units, strict=True):
            cut = offered(names, classes.members(one), state.cuts.get(one, ()))
            if cut is not None:
                place, digits = cut.cut
                edit = {"kind": "index", "of": one, "place": place, "digits": digits}
                says = f"Split the numbers of {unit.name} before the last {digits}"
                why = f"the numbers in the names take {cut.bits:.0f} bits less"
                found.append(_told([one], [unit.name], edit, says, why) | {"bits": cut.bits})
    return sorted(found, key=lambda one: -one["bits"])


def _told(
    of: list[str], names: list[str], edit: dict[str, Any], says: str, why: str
) -> dict[str, Any]:
    return {"of": of, "names": names, "edit": edit, "says": says, "why": why, "bits": None}


def _merges(result: Result, flat: Flat) -> list[dict[str, Any]]:
    """Families of one sense and type that meet the same groups with the same signs, and groups so.

    Those of the most members first.
    """
    state, f = result.state, result.formulation
    rows, cols = state.families.labels[flat.index], state.groups.labels[flat.entry_cols]
    found: list[tuple[int, dict[str, Any]]] = []
    saved = _savings(flat, state.groups.labels, state.families.labels)
    sides: tuple[tuple[Which, Classes, Sequence[Group | Family], Ints, Ints], ...] = (
        ("rows", state.families, f.spec.families, rows, cols),
        ("cols", state.groups, f.spec.groups, cols, rows),
    )
    for (which, classes, units, mine, other), (_, _, met_units, _, _) in zip(
        sides, sides[::-1], strict=True
    ):
        met = _met(classes, mine, other, flat.value)
        alike: dict[Any, list[int]] = {}
        for k, unit in enumerate(units):
            alike.setdefault((met[k], _kind(result, unit, k), indices(unit.scope)), []).append(k)
        for (signs, kind, _), members in alike.items():
            if len(members) > 1 and signs:
                meets = ", ".join(dict.fromkeys(met_units[j].name for j, _ in signs))
                of, names = [classes.ids[k] for k in members], [units[k].name for k in members]
                edit, says = {"kind": "merge", "of": of}, f"Merge {', '.join(names)}"
                why = f"{kind[0]}, the same indices, and the same signs in {meets}"
                told = _told(of, names, edit, says, why)
                if saved is not None:
                    told["bits"] = bits = saved(which, members)
                    told["why"] += f"; {'saves' if bits > 0 else 'costs'} {abs(bits):.1f} bits"
                found.append((sum(f.units[units[k].name].size for k in members), told))
    return [told for _, told in sorted(found, key=lambda one: -one[0])]


def _savings(
    flat: Flat, groups: Ints, families: Ints
) -> Callable[[Which, list[int]], float] | None:
    """The bits by which the description of a small model gets shorter if classes are merged."""
    if not 0 < flat.nonzeros <= SEARCHED:
        return None
    before = State(views(flat), {"cols": groups, "rows": families})
    weights = np.array(list(WEIGHTS.values())) / FINE

    def saved(which: Which, classes: list[int]) -> float:
        items = np.flatnonzero(np.isin(before.labels[which], classes))
        after = before.after(which, items, np.zeros(len(items), np.int64))
        return float(weights @ (before.parts() - after))

    return saved


def _met(
    classes: Classes, mine: Ints, other: Ints, values: Floats
) -> list[tuple[tuple[int, int], ...]]:
    """For each class, what it meets and with which sign."""
    sign = np.where(values < 0, 1, 0)
    width = int(other.max(initial=0)) + 1
    keys = np.unique((mine * width + other) * 2 + sign)
    found: list[list[tuple[int, int]]] = [[] for _ in classes.ids]
    for key in keys.tolist():
        pair, turned = divmod(key, 2)
        found[pair // width].append((pair % width, turned))
    return [tuple(one) for one in found]


def _kind(result: Result, unit: Group | Family, k: int) -> tuple[str, ...]:
    if isinstance(unit, Group):
        return unit.domain.partition("[")[0], *map(_end, (unit.lower, unit.upper))
    sense = ast.unparse(sides(unit.rule)[1])
    return (name(result.base.labels.families[k].semantic), sense)


def _end(text: str) -> str:
    """A bound that is a number, or that it is none."""
    return text if not text or constant(parse(text)) is not None else "given"
