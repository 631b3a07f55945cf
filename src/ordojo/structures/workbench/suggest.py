"""Which groups, or families, look as if one statement had made them: suggestions to merge."""

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordojo.formulation.algebra import indices, parse
from ordojo.formulation.spec import Family, Group
from ordojo.formulation.terms import sides
from ordojo.structures.blueprint.words import constant
from ordojo.structures.flat import Flat, Floats, Ints
from ordojo.structures.labels import name
from ordojo.structures.workbench.session import Result
from ordojo.structures.workbench.state import Classes

MOST = 12
"""Suggestions that are shown, those of the most members first."""


def suggestions(result: Result, flat: Flat) -> list[dict[str, Any]]:
    """Families of one sense and type that meet the same groups with the same signs, and groups so.

    Each has the ids to merge, and why.
    """
    state, f = result.state, result.formulation
    rows, cols = state.families.labels[flat.index], state.groups.labels[flat.entry_cols]
    found: list[tuple[int, dict[str, Any]]] = []
    sides: tuple[tuple[Classes, Sequence[Group | Family], Ints, Ints], ...] = (
        (state.families, f.spec.families, rows, cols),
        (state.groups, f.spec.groups, cols, rows),
    )
    for (classes, units, mine, other), (_, met_units, _, _) in zip(sides, sides[::-1], strict=True):
        met = _met(classes, mine, other, flat.value)
        alike: dict[Any, list[int]] = {}
        for k, unit in enumerate(units):
            alike.setdefault((met[k], _kind(result, unit, k), indices(unit.scope)), []).append(k)
        for (signs, kind, _), members in alike.items():
            if len(members) > 1 and signs:
                meets = ", ".join(dict.fromkeys(met_units[j].name for j, _ in signs))
                told = {
                    "of": [classes.ids[k] for k in members],
                    "names": [units[k].name for k in members],
                    "why": f"{kind[0]}, the same indices, and the same signs in {meets}",
                }
                found.append((sum(f.units[units[k].name].size for k in members), told))
    return [told for _, told in sorted(found, key=lambda one: -one[0])[:MOST]]


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
