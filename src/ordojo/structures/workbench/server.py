"""The page's server, and a session as the page loads it.

What is loaded is bounded by groups and families, never by the model's size.
"""

from typing import Any

import numpy as np

from ordojo.core.errors import DataError, UsageError
from ordojo.formulation.algebra import index_owners, indices
from ordojo.formulation.spec import Family, Group
from ordojo.formulation.text import constraint, domain
from ordojo.review.local import LocalServer, NotHereError
from ordojo.structures.abstraction.naming import decode_names
from ordojo.structures.blueprint import SCENARIOS, Item
from ordojo.structures.blueprint.blueprint import text
from ordojo.structures.flat import Flat, Ints, NameBuffer
from ordojo.structures.labels import Labels, name
from ordojo.structures.workbench.session import Result, WorkbenchSession
from ordojo.structures.workbench.state import COLUMNS, MEANING, MOST, ROWS, parts
from ordojo.structures.workbench.suggest import suggestions

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
    mine, other = (state.groups, state.families) if group else (state.families, state.groups)
    k = mine.ids.index(one)
    spec = f.spec
    unit: Group | Family = spec.groups[k] if group else spec.families[k]
    known = f.units[unit.name]
    items = known.items
    lines = [domain(spec, spec.groups[k])] if group else constraint(spec, spec.families[k])
    return {
        "id": one,
        "name": unit.name,
        "found": result.base.found[one],
        "size": known.size,
        "spelled": known.spelled,
        "samples": samples(flat.cols if group else flat.rows, items, 6),
        "index": [_field(result, unit, k, n) for n in range(len(known.fields))],
        "attributes": _columns(flat, items) if group else _rows(flat, items),
        "formula": "\n".join(lines),
        "evidence": _evidence(result.base.labels, side, k),
        "meets": _meets(result, one, group),
        "splits": _splits(flat, side, items, other.labels),
    }


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
        "shares": {key: _number(part) for key, part in made.abstraction.shares.items()},
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
    group = side == "groups"
    ids = (result.state.groups if group else result.state.families).ids[:SHOWN]
    f = result.formulation
    units: tuple[Group | Family, ...] = f.spec.groups if group else f.spec.families
    names = flat.cols if group else flat.rows
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
        for k, (one, unit) in enumerate(zip(ids, units, strict=False))
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


def _number(value: float) -> float | None:
    return round(value, 4) if np.isfinite(value) else None


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
