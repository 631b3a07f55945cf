"""Groups and families of an abstraction under the names of a formulation, and their entries."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordojo.structure.abstraction import terms
from ordojo.structure.abstraction.abstract import Abstraction
from ordojo.structure.abstraction.naming import decode_names
from ordojo.structure.abstraction.tables import Members, decode_order
from ordojo.structure.flat import EQ, FREE, GE, LE, Flat, Floats
from ordojo.structure.formulation.relate import relate
from ordojo.structure.formulation.spec import Family, Formulation, Group, Term, Value
from ordojo.structure.formulation.split import Terms, best_split, entries
from ordojo.structure.formulation.symbols import Concept, Link, SymbolTable, concepts, domain
from ordojo.structure.formulation.terms import Letter, given, say, term
from ordojo.structure.formulation.units import GENERIC, Part, Unit, adopt, identifier, read_units

_NAMELESS = ("C{}", "c{}")
"""What writers call columns without a name; other lone numbers may say something."""


def named_units(
    abstraction: Abstraction, names: Mapping[str, str]
) -> tuple[list[Unit], list[Unit], SymbolTable]:
    """Groups and families under the names that a formulation gives them."""
    structure, tables = abstraction.structure, abstraction.tables
    symbols = SymbolTable(names, structure["symbols"])
    found = []
    for side, order, letter in (("groups", "columns", "x"), ("families", "rows", "c")):
        members = Members.of(decode_order(structure[order], tables))
        units = read_units(structure[side], members, tables, structure["symbols"])
        counts = Counter(unit.name for unit in units)
        for unit in units:
            wanted = letter if unit.name in GENERIC else unit.name
            if wanted == letter and sum(counts[name] for name in GENERIC) > 1:
                wanted = symbols.next(letter)
            elif counts[unit.name] > 1 and unit.constants:
                wanted = identifier("_".join([unit.name, *unit.constants]))
            unit.name = symbols.name(wanted)
            if unit.weak and (side == "families" or unit.spelled in _NAMELESS):
                unit.number()
        found.append(units)
    return found[0], found[1], symbols


def parts_of(
    abstraction: Abstraction, groups: list[Unit], families: list[Unit]
) -> list[list[Part]]:
    """Each family's terms as entries."""
    structure, tables = abstraction.structure, abstraction.tables
    fields = [
        [
            decode_names(one["names"], one["size"], tables, structure["symbols"])[1]
            for one in structure[side]
        ]
        for side in ("families", "groups")
    ]
    parts: list[list[Part]] = [[] for _ in families]
    for spec in structure["terms"]:
        f, g = spec["family"], spec["group"]
        sizes = families[f].size, groups[g].size
        row, col, value = terms.decode(spec, fields[0][f], fields[1][g], sizes, tables)
        parts[f].append(Part(f, g, row, col, value))
    return parts


Gates = dict[int, list[tuple[Part, Floats]]]
"""For each family, the variables of each group that switch its rows, and their values."""


def indicators(flat: Flat, groups: list[Unit], families: list[Unit]) -> tuple[Gates, list[str]]:
    """For each family with indicator rows, their variables and values; the other headers.

    A section of indicators that names what is not there, or a row twice, stays a header.
    """
    gates: Gates = {}
    other: list[str] = []
    for text in flat.sections:
        head, *lines = text.decode("utf-8", "replace").splitlines()
        words = [line.split() for line in lines if line.split() and not line.startswith("*")]
        found = None
        if head.split()[0] == "INDICATORS" and not gates:
            found = _gates(flat, words, groups, families)
        if found is None:
            other.append(head.strip())
        else:
            gates = found
    return gates, other


def _gates(
    flat: Flat, words: list[list[str]], groups: list[Unit], families: list[Unit]
) -> Gates | None:
    rows = {name.decode("utf-8", "replace"): k for k, name in enumerate(flat.rows.to_list())}
    cols = {name.decode("utf-8", "replace"): k for k, name in enumerate(flat.cols.to_list())}
    family, place = _places(families, flat.m)
    group, local = _places(groups, flat.n)
    found: dict[int, list[tuple[int, int, int, float]]] = {}
    for line in words:
        if len(line) != 4 or line[0] != "IF" or line[1] not in rows or line[2] not in cols:
            return None
        row, col = rows[line[1]], cols[line[2]]
        entry = int(place[row]), int(local[col]), int(group[col]), float(line[3])
        found.setdefault(int(family[row]), []).append(entry)
    gates: Gates = {}
    for f, placed in found.items():
        placed.sort()
        if len({entry[0] for entry in placed}) < len(placed):
            return None
        for g in sorted({entry[2] for entry in placed}):
            mine = [entry for entry in placed if entry[2] == g]
            row_at, col_at = (np.array([entry[k] for entry in mine], np.int64) for k in (0, 1))
            values = np.array([entry[3] for entry in mine])
            gates.setdefault(f, []).append((Part(f, g, row_at, col_at, values), values))
    return gates


def _places(units: list[Unit], size: int) -> tuple[np.ndarray, np.ndarray]:
    label, local = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for k, unit in enumerate(units):
        label[unit.items], local[unit.items] = k, np.arange(unit.size)
    return label, local


_TYPES = np.array(["continuous", "integer", "semicontinuous", "semiinteger"])
_SENSES = {EQ: "=", LE: "<=", GE: ">=", FREE: "free"}


def formulate(
    flat: Flat, abstraction: Abstraction, names: Mapping[str, str] | None = None
) -> Formulation:
    """The formulation of a model; `names` renames its groups, families, sets and parameters.

    Exact: groups, families, terms and tables say every number of the model. Raises DataError where
    a name in `names` is unknown, taken or no identifier.
    """
    groups, families, symbols = named_units(abstraction, names or {})
    for unit in (*groups, *families):
        unit.arrange()
    parts = parts_of(abstraction, groups, families)
    conditions, other = indicators(flat, groups, families)
    related = [_related(unit, parts[f], groups) for f, unit in enumerate(families)]
    gates = {
        f: [(part, relate(entries(part, families[f], groups), single=True), values)
            for part, values in mine]
        for f, mine in conditions.items()
    }  # fmt: skip
    own, rows = [unit.name for unit in groups], [unit.name for unit in families]
    shift = len(groups)
    links: list[Link] = [
        (f + shift, part.group, relation)
        for f, mine in enumerate(related)
        for part, relation in mine
        if not families[f].weak
    ]
    links += [
        (f + shift, part.group, relation)
        for f, mine in gates.items()
        for part, relation, _ in mine
        if not families[f].weak
    ]
    place = concepts([*groups, *families], links, symbols.letters())
    symbols.avoid(letter for concept in place.values() for letter in concept.letters)
    for concept in dict.fromkeys(place.values()):
        symbols.set_of(concept)
    letters = [_letters(unit, u, place) for u, unit in enumerate([*groups, *families])]
    made = tuple(
        _group(flat, unit, name, letters[u], symbols)
        for u, (unit, name) in enumerate(zip(groups, own, strict=True))
    )
    found = []
    for f, unit in enumerate(families):
        mine = letters[f + shift]
        said = tuple(
            term(part, relation, unit, made[part.group], mine,
                 letters[part.group], symbols, rows[f])
            for part, relation in related[f]
        )  # fmt: skip
        gate = tuple(
            given(part, relation, values, unit, made[part.group], mine, letters[part.group],
                  symbols, rows[f])
            for part, relation, values in gates.get(f, [])
        )  # fmt: skip
        found.append(_family(flat, unit, rows[f], mine, said, gate, symbols))
    symbols.finish()
    units = dict(zip([*own, *rows], [*groups, *families], strict=True))
    return Formulation(
        name=flat.name.decode("utf-8", "replace"),
        maximize=flat.maximize,
        offset=flat.offset,
        sets=tuple(symbols.sets()),
        tables=tuple(symbols.tables()),
        parameters=tuple(symbols.parameters),
        groups=made,
        families=tuple(found),
        sections=tuple(other),
        symbols=tuple(abstraction.structure["symbols"]),
        arrays=symbols.arrays,
        members={name: unit.items for name, unit in units.items()},
        keys={name: unit.fields for name, unit in units.items()},
    )


def _related(family: Unit, parts: list[Part], groups: list[Unit]) -> Terms:
    """The terms of a family, perhaps over indices that its variables lend it."""
    found: Terms = []
    if not family.weak:
        found = _split(family, parts, groups)
        if len(family.fields) != 1 or not found or any(relation.bound for _, relation in found):
            return found
    if family.size > 1:
        adopted = adopt(family, parts, groups)
        if adopted is not None:
            family.arrange()
            return _split(family, adopted, groups)
    return found or _split(family, parts, groups)


def _split(family: Unit, parts: list[Part], groups: list[Unit]) -> Terms:
    by_group: dict[int, list[Part]] = {}
    for part in parts:
        by_group.setdefault(part.group, []).append(part)
    return [one for mine in by_group.values() for one in best_split(mine, family, groups)]


def _letters(unit: Unit, number: int, place: dict[tuple[int, int], Concept]) -> list[Letter]:
    found: list[Letter] = []
    for k, values in enumerate(unit.fields):
        concept = place[number, k]
        found.append(Letter(concept.letter({one.text for one in found}), concept, values))
    return found


def _indexed(unit: Unit, name: str, letters: list[Letter], symbols: SymbolTable) -> dict[str, Any]:
    """What a group and a family have in common: the name, and the indices that it runs over."""
    which, texts = [one.concept for one in letters], [one.text for one in letters]
    return {
        "name": name,
        "spelled": unit.spelled,
        "size": unit.size,
        "index": tuple(texts),
        "sets": tuple(symbols.set_of(concept).name for concept in which),
        "domain": domain(unit, which, texts, symbols),
        "named": unit.named,
    }


def _group(flat: Flat, unit: Unit, name: str, letters: list[Letter], symbols: SymbolTable) -> Group:
    at = unit.items

    def said(vector: Floats, role: str, short: str) -> Value:
        return say(vector[at], letters, symbols, f"{role} of {name}", f"{short}_{name}")

    kinds = flat.types[at]
    same = bool((kinds == kinds[0]).all())
    binary = bool(flat.binary[at].all())
    types = None
    if not same:
        types = say(_TYPES[kinds], letters, symbols, f"type of {name}", f"type_{name}")
    return Group(
        **_indexed(unit, name, letters, symbols),
        type="binary" if binary else str(_TYPES[kinds[0]]) if same else "mixed",
        lower=said(flat.lower, "lower bound", "lower"),
        upper=said(flat.upper, "upper bound", "upper"),
        cost=said(flat.objective, "objective coefficient", "cost"),
        types=types,
    )


def _family(
    flat: Flat, unit: Unit, name: str, letters: list[Letter], said: tuple[Term, ...],
    gate: tuple[tuple[Term, Value], ...], symbols: SymbolTable,
) -> Family:  # fmt: skip
    at = unit.items
    senses = flat.senses[at]
    same = bool((senses == senses[0]).all())
    mixed, ranges = None, None
    if not same:
        words = np.array([_SENSES[int(sense)] for sense in senses])
        mixed = say(words, letters, symbols, f"sense of {name}", f"sense_{name}")
    if not np.isnan(flat.ranges[at]).all():
        ranges = say(flat.ranges[at], letters, symbols, f"range of {name}", f"range_{name}")
    return Family(
        **_indexed(unit, name, letters, symbols),
        sense=_SENSES[int(senses[0])] if same else "mixed",
        rhs=say(flat.rhs[at], letters, symbols, f"right-hand side of {name}", f"rhs_{name}"),
        terms=said,
        senses=mixed,
        range=ranges,
        given=gate,
    )
