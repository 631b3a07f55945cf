"""One group or family in full, as the page shows it."""

from typing import Any

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.structure.flat import Flat, Ints, Names
from ordojo.structure.formulation import Family, Group
from ordojo.structure.formulation.text import family_text, group_text
from ordojo.structure.labels import Labels, name
from ordojo.structure.workbench.result import Result
from ordojo.structure.workbench.session import Session
from ordojo.structure.workbench.ways import COLUMNS, MEANING, MOST, ROWS, parts

_SENSES = {ord("E"): "=", ord("L"): "<=", ord("G"): ">=", ord("N"): "free"}
_TYPES = ("continuous", "integer", "semi-continuous", "semi-integer", "binary")


def detail(session: Session, one: str) -> dict[str, Any]:
    """One group or family in full; raises UsageError where it is not there."""
    result, flat = session.result, session.flat
    if result is None:
        raise UsageError("nothing is worked out yet; wait")
    state, f = result.state, result.formulation
    side = state.side(one)
    group = side == "groups"
    mine, other = (state.groups, state.families) if group else (state.families, state.groups)
    k = mine.ids.index(one)
    unit: Group | Family = f.groups[k] if group else f.families[k]
    items = f.members[unit.name]
    groups = {one.name: one for one in f.groups}
    formula = group_text(unit) if isinstance(unit, Group) else family_text(unit, groups)
    return {
        "id": one,
        "name": unit.name,
        "found": result.base.found[one],
        "size": unit.size,
        "spelled": unit.spelled,
        "samples": samples(flat.cols if group else flat.rows, items, 6),
        "index": [_field(result, unit, n) for n in range(len(unit.index))],
        "attributes": _columns(flat, items) if group else _rows(flat, items),
        "formula": formula.replace("  \n", "\n"),
        "evidence": _evidence(result.base.labels, side, k),
        "meets": _meets(result, one, group),
        "splits": _splits(flat, side, items, other.labels),
    }


def _field(result: Result, unit: Group | Family, n: int) -> dict[str, Any]:
    f = result.formulation
    values = f.keys[unit.name][n]
    known = {one.name: one for one in f.sets}[unit.sets[n]]
    distinct = np.unique(values)
    shown = [f.symbols[k] if known.words else str(k) for k in distinct[:5].tolist()]
    if len(distinct) > 5:
        last = int(distinct[-1])
        shown += ["...", f.symbols[last] if known.words else str(last)]
    return {
        "letter": unit.index[n],
        "set": known.name,
        "key": result.keys[known.name],
        "count": len(distinct),
        "values": shown,
    }


def _evidence(labels: Labels, side: str, k: int) -> list[tuple[str, str]]:
    if side == "groups":
        return [(name(semantic), why) for semantic, why in labels.groups[k].semantics]
    one = labels.families[k]
    classes = ", ".join(f"{kind} {count}" for kind, count in list(one.classes.items())[:4])
    return [(name(one.semantic), one.why), (name(one.scaffold), one.how), (one.miplib, classes)]


def _meets(result: Result, one: str, group: bool) -> list[dict[str, Any]]:
    """What stands in the same rows (or columns), with the number of coefficients."""
    state = result.state
    found: dict[str, int] = {}
    for term in result.base.abstraction.terms:
        ids = state.groups.ids[term["group"]], state.families.ids[term["family"]]
        if ids[0 if group else 1] == one:
            its = ids[1 if group else 0]
            found[its] = found.get(its, 0) + int(term["nonzeros"])
    names = result.names
    called = {key: names.get(said, said) for key, said in result.base.found.items()}
    ordered = sorted(found.items(), key=lambda pair: -pair[1])[:50]
    return [{"id": key, "name": called[key], "nonzeros": count} for key, count in ordered]


def _splits(flat: Flat, side: str, items: Ints, other: Ints) -> list[dict[str, Any]]:
    """The ways that make more parts than one, and not too many."""
    found = []
    for by in COLUMNS if side == "groups" else ROWS:
        sizes = np.bincount(parts(flat, side, items, other, by))
        if 1 < len(sizes) <= MOST:
            found.append({"by": by, "meaning": MEANING[by], "sizes": sizes[:8].tolist(),
                          "parts": len(sizes)})  # fmt: skip
    return found


def _columns(flat: Flat, items: Ints) -> list[tuple[str, str]]:
    kinds = flat.types[items].astype(np.int64)
    unit = (kinds == 1) & (flat.lower[items] == 0) & (flat.upper[items] == 1)
    return [
        ("type", _counted(np.where(unit, 4, kinds), dict(enumerate(_TYPES)))),
        ("lower bound", _counted(flat.lower[items])),
        ("upper bound", _counted(flat.upper[items])),
        ("cost", _counted(flat.objective[items])),
    ]


def _rows(flat: Flat, items: Ints) -> list[tuple[str, str]]:
    ranges = flat.ranges[items]
    found = [
        ("sense", _counted(flat.senses[items].astype(np.int64), _SENSES)),
        ("right-hand side", _counted(flat.rhs[items])),
        ("coefficients a row", _counted(np.bincount(flat.index, minlength=flat.m)[items])),
    ]
    ranged = ranges[~np.isnan(ranges)]
    return [*found, ("range", _counted(ranged))] if len(ranged) else found


def _counted(values: Any, words: dict[int, str] | None = None) -> str:
    """Few values with how often each stands there; of many, the least and the greatest."""
    distinct, counts = np.unique(values, return_counts=True)
    spelled = [words[int(one)] if words else f"{one:g}" for one in distinct[:4].tolist()]
    if len(distinct) == 1:
        return spelled[0]
    if len(distinct) <= 4:
        return ", ".join(f"{s} ({c})" for s, c in zip(spelled, counts.tolist(), strict=True))
    return f"{distinct[0]:g} to {distinct[-1]:g}, {len(distinct)} values"


def samples(names: Names, items: Ints, count: int) -> list[str]:
    """The first names, and the last."""
    chosen = [*items[: count - 1], items[-1]] if len(items) > count else items
    return [names.text(int(k)) for k in chosen]
