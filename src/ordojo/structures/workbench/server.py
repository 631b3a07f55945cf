"""The page's server, and a session as the page loads it, with the edits that it suggests.

What is loaded is bounded by groups and families, never by the model's size.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ordojo.core.errors import DataError, UsageError
from ordojo.formulation.algebra import index_owners, indices, parse
from ordojo.formulation.spec import Family, Group
from ordojo.formulation.terms import sides
from ordojo.formulation.text import constraint, domain
from ordojo.review.local import LocalServer, NotHereError
from ordojo.structures.abstraction.naming import decode_names, offered
from ordojo.structures.blueprint import SCENARIOS, Item
from ordojo.structures.blueprint.blueprint import text
from ordojo.structures.blueprint.words import constant
from ordojo.structures.flat import Flat, Floats, Ints, NameBuffer
from ordojo.structures.grouping.choose import SEARCHED
from ordojo.structures.grouping.description import FINE, WEIGHTS, State, Which
from ordojo.structures.grouping.description import sides as views
from ordojo.structures.labels import Labels, name
from ordojo.structures.workbench.session import Result, WorkbenchSession
from ordojo.structures.workbench.state import COLUMNS, MEANING, MOST, ROWS, Classes, parts

_SENSES = {ord("E"): "=", ord("L"): "<=", ord("G"): ">=", ord("N"): "free"}
_TYPES = ("continuous", "integer", "semi-continuous", "semi-integer", "binary")


def detail(session: WorkbenchSession, one: str) -> dict[str, Any]:
    """One group or family in full; raises UsageError where it is not there."""
    result, flat = session.result, session.flat
    if result is None:
        raise UsageError("nothing is worked out yet; wait")
    state, f = result.state, result.formulation
    side = state.side(one)
    group = side == "groups"
    mine, units, names = _of_side(result, flat, side)
    k = mine.ids.index(one)
    unit = units[k]
    known = f.units[unit.name]
    items = known.items
    lines = [domain(f.spec, unit)] if isinstance(unit, Group) else constraint(f.spec, unit)
    return {
        "id": one,
        "name": unit.name,
        "found": result.base.found[one],
        "size": known.size,
        "spelled": known.spelled,
        "samples": samples(names, items, 6),
        "index": [_field(result, unit, k, n) for n in range(len(known.fields))],
        "attributes": _columns(flat, items) if group else _rows(flat, items),
        "formula": "\n".join(lines),
        "evidence": _evidence(result.base.labels, side, k),
        "meets": _meets(result, one, group),
        "splits": _splits(flat, side, items, (state.families if group else state.groups).labels),
    }


def _of_side(
    result: Result, flat: Flat, side: str
) -> tuple[Classes, Sequence[Group | Family], NameBuffer]:
    """The classes of a side with their declarations, and the names of its items."""
    state, spec = result.state, result.formulation.spec
    if side == "groups":
        return state.groups, spec.groups, flat.cols
    return state.families, spec.families, flat.rows


def _field(result: Result, unit: Group | Family, k: int, n: int) -> dict[str, Any]:
    f, group = result.formulation, isinstance(unit, Group)
    known = f.units[unit.name]
    values, words = known.fields[n], known.words[n]
    specs = result.base.abstraction.groups if group else result.base.abstraction.families
    tables, symbols = result.base.abstraction.tables, result.base.abstraction.structure["symbols"]
    written = decode_names(specs[k]["names"], known.size, tables, list(symbols))[1]
    place = next((at for at, one in enumerate(written) if np.array_equal(one, values)), None)
    of = index_owners(f.spec, unit.scope)[n]
    distinct = np.unique(values)
    shown = [f.symbols[k] if words else str(k) for k in distinct[:5].tolist()]
    if len(distinct) > 5:
        last = int(distinct[-1])
        shown += ["...", f.symbols[last] if words else str(last)]
    return {
        "letter": indices(unit.scope)[n],
        "place": place,
        "last": place is None or place == len(written) - 1,
        "digits": not words and len(str(int(values.max(initial=0)))),
        "set": of,
        "key": result.keys[of],
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
    return [
        ("type", _counted(np.where(flat.binary[items], 4, kinds), dict(enumerate(_TYPES)))),
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


def samples(names: NameBuffer, items: Ints, count: int) -> list[str]:
    """The first names, and the last."""
    chosen = [*items[: count - 1], items[-1]] if len(items) > count else items
    return [names.text(int(k)) for k in chosen]


SHOWN = 1000
"""How many groups, and families, a list shows."""


def overview(session: WorkbenchSession) -> dict[str, Any]:
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
        "shares": {
            key: round(part, 4) if np.isfinite(part) else None
            for key, part in made.abstraction.shares.items()
        },
        "compression": round(made.compression, 2),
        "groups": _units(result, flat, "groups"),
        "families": _units(result, flat, "families"),
        "more": {
            "groups": max(0, len(result.formulation.spec.groups) - SHOWN),
            "families": max(0, len(result.formulation.spec.families) - SHOWN),
        },
        "sets": [
            {"name": one.name, "key": result.keys.get(one.name), "text": one.text}
            for one in result.blueprint.sets
        ],
        "applications": [one.to_json() for one in made.labels.applications[:3]],
        "spy": result.spy,
        "blueprint": _blueprint(result),
        "notes": result.notes,
        "suggestions": suggestions(result, flat),
    }


def _units(result: Result, flat: Flat, side: str) -> list[dict[str, Any]]:
    f = result.formulation
    classes, units, names = _of_side(result, flat, side)
    return [
        {
            "id": one,
            "name": unit.name,
            "size": f.units[unit.name].size,
            "index": list(indices(unit.scope)),
            "labels": _labels(result.base.labels, unit, k),
            "samples": samples(names, f.units[unit.name].items, 2),
            "chosen": one in result.state.names,
        }
        for k, (one, unit) in enumerate(zip(classes.ids[:SHOWN], units, strict=False))
    ]


def _labels(labels: Labels, unit: Group | Family, k: int) -> list[str]:
    if isinstance(unit, Family):
        one = labels.families[k]
        return [name(one.semantic), name(one.scaffold)]
    mine = dict.fromkeys(name(semantic) for semantic, _ in labels.groups[k].semantics)
    kind = unit.domain if unit.domain.isidentifier() else "mixed"
    return [kind, *(word for word in mine if word != "domain")]


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
        "retold": result.retold,
        "text": "" if blueprint.faults() else text(blueprint),
    }


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
    found: list[dict[str, Any]] = []
    for classes, units, names in (_of_side(result, flat, side) for side in ("groups", "families")):
        for one, unit in zip(classes.ids, units, strict=True):
            cut = offered(names, classes.members(one), result.state.cuts.get(one, ()))
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
            alike.setdefault((met[k], _alike(result, unit, k), indices(unit.scope)), []).append(k)
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


def _alike(result: Result, unit: Group | Family, k: int) -> tuple[str, ...]:
    if isinstance(unit, Group):
        # A bound that is a number, or that it is none.
        ends = (
            end if not end or constant(parse(end)) is not None else "given"
            for end in (unit.lower, unit.upper)
        )  # fmt: skip
        return unit.domain.partition("[")[0], *ends
    sense = ast.unparse(sides(unit.rule)[1])
    return (name(result.base.labels.families[k].semantic), sense)


_ITEM = "api/item/"
LONGEST = 20_000
"""Characters of a text in other words, as of a sentence."""


class WorkbenchServer(LocalServer):
    """Serves one session on 127.0.0.1; `port` 0 takes the model's own, or any that is free."""

    package, title = "ordojo.structures.workbench", "Workbench"

    def __init__(self, session: WorkbenchSession, *, port: int = 0) -> None:
        """Bind; raises UsageError where a given port is in use."""
        self.session = session
        super().__init__(session.digest, port)

    def get(self, path: str) -> Any:
        """The model, its status alone, or one group or family."""
        if path == "api/model":
            return overview(self.session)
        if path == "api/status":
            return self.session.status()
        if path.startswith(_ITEM):
            try:
                return detail(self.session, path.removeprefix(_ITEM))
            except UsageError:
                raise NotHereError(path) from None
        raise NotHereError(path)

    def post(self, path: str, asked: Any) -> Any:
        """Take an edit, undo, redo or export; the answer is the status, while it is worked out.

        For `api/check`, what a text in other words lacks; nothing is stored.
        """
        if path == "api/check":
            told = asked.get("text") if isinstance(asked, dict) else None
            if not isinstance(told, str) or len(told) > LONGEST:
                raise UsageError(f"give the text, of at most {LONGEST:,} characters")
            return {"missing": self.session.lacking(told)}
        steps = {
            "api/undo": self.session.undo,
            "api/redo": self.session.redo,
            "api/export": self.session.export,
        }
        if path != "api/edit" and path not in steps:
            raise NotHereError(path)
        with self.lock:
            if self.closed:
                raise DataError("the server is stopping")
            if path == "api/edit":
                self.session.edit(asked)
            else:
                steps[path]()
        return self.session.status()
