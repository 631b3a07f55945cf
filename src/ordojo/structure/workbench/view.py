"""A session as the page loads it: bounded by groups and families, never by the model's size."""

from typing import Any

import numpy as np

from ordojo.structure.blueprint import SCENARIOS, Item
from ordojo.structure.blueprint.text import text
from ordojo.structure.flat import Flat
from ordojo.structure.formulation import Family, Group
from ordojo.structure.labels import Labels, name
from ordojo.structure.workbench.detail import samples
from ordojo.structure.workbench.result import Result
from ordojo.structure.workbench.session import Session

SHOWN = 1000
"""How many groups, and families, a list shows."""


def overview(session: Session) -> dict[str, Any]:
    """The model, the lists, the picture and the text; only the status before there is a result."""
    result, flat = session.result, session.flat
    whole: dict[str, Any] = {"status": session.status(), "name": session.name, "ready": False}
    whole["sizes"] = {"columns": flat.n, "rows": flat.m, "nonzeros": flat.nonzeros}
    if result is None:
        return whole
    made = result.base
    return whole | {
        "ready": True,
        "digest": session.digest,
        "differing": made.differing,
        "shares": {key: _number(part) for key, part in made.abstraction.shares.items()},
        "compression": round(made.compression, 2),
        "groups": _units(result, flat, "groups"),
        "families": _units(result, flat, "families"),
        "more": {
            "groups": max(0, len(result.formulation.groups) - SHOWN),
            "families": max(0, len(result.formulation.families) - SHOWN),
        },
        "sets": [_set(result, one) for one in result.blueprint.sets],
        "applications": [one.to_json() for one in made.labels.applications[:3]],
        "spy": result.spy,
        "blueprint": _blueprint(result),
        "notes": result.notes,
    }


def _units(result: Result, flat: Flat, side: str) -> list[dict[str, Any]]:
    found = []
    group = side == "groups"
    ids = (result.state.groups if group else result.state.families).ids[:SHOWN]
    units: tuple[Group | Family, ...] = (
        result.formulation.groups if group else result.formulation.families
    )
    names = flat.cols if group else flat.rows
    for k, (one, unit) in enumerate(zip(ids, units, strict=False)):
        found.append(
            {
                "id": one,
                "name": unit.name,
                "size": unit.size,
                "index": list(unit.index),
                "labels": _labels(result.base.labels, unit, k),
                "samples": samples(names, result.formulation.members[unit.name], 2),
                "chosen": one in result.state.names,
            }
        )
    return found


def _labels(labels: Labels, unit: Group | Family, k: int) -> list[str]:
    if isinstance(unit, Family):
        one = labels.families[k]
        return [name(one.semantic), name(one.scaffold)]
    mine = dict.fromkeys(name(semantic) for semantic, _ in labels.groups[k].semantics)
    return [unit.type, *(word for word in mine if word != "domain")]


def _set(result: Result, one: Item) -> dict[str, Any]:
    return {"name": one.name, "key": result.keys.get(one.name), "text": one.text}


def _blueprint(result: Result) -> dict[str, Any]:
    state, blueprint = result.state, result.blueprint

    def item(part: str, of: str, one: Item) -> dict[str, Any]:
        edited = (part, of) in state.texts
        return {"part": part, "of": of, "name": one.name, "label": one.label, "text": one.text,
                "edited": edited}  # fmt: skip

    items = [item("set", one.name, one) for one in blueprint.sets]
    items += [item("parameter", one.name, one) for one in blueprint.parameters[:SHOWN]]
    for part, ids, of in (
        ("group", state.groups.ids[:SHOWN], blueprint.groups),
        ("family", state.families.ids[:SHOWN], blueprint.families),
    ):
        items += [item(part, one, unit) for one, unit in zip(ids, of, strict=False)]
    return {
        "scenario": blueprint.scenario,
        "chosen": state.scenario,
        "scenarios": [one.name for one in SCENARIOS],
        "story": blueprint.story,
        "objective": blueprint.objective,
        "edited": [part for part in ("story", "objective") if (part, "") in state.texts],
        "items": items,
        "faults": result.faults,
        "text": "" if blueprint.faults() else text(blueprint),
    }


def _number(value: float) -> float | None:
    return round(value, 4) if np.isfinite(value) else None
