"""From an abstraction to its formulation: `formulate`.

Groups and families get their names (`named_units`), variables that switch rows become conditions of
their families (`indicators`), and each family's terms, letters, bounds and sides are put together
to the declaration, by the modules beside this one.
"""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain

import numpy as np

from ordojo.formulation.algebra import called
from ordojo.formulation.spec import PARAMETERS, Family, Group, Objective, Parameter, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.structures.abstraction import terms
from ordojo.structures.abstraction.abstract import Abstraction
from ordojo.structures.abstraction.relations import Sides
from ordojo.structures.abstraction.tables import Array
from ordojo.structures.arrays import bits_of
from ordojo.structures.flat import EQ, FREE, GE, LE, Flat, Floats
from ordojo.structures.formulation.relate import Terms, best_split, relate
from ordojo.structures.formulation.spec import Formulation, Said
from ordojo.structures.formulation.symbols import Link, SymbolTable, concepts
from ordojo.structures.formulation.terms import (
    Letter,
    LetteredTerm,
    LetteredUnit,
    domain,
    say,
    signed,
    summed,
)
from ordojo.structures.formulation.units import (
    GENERIC,
    Part,
    Unit,
    adopt,
    by_group,
    identifier,
    read_units,
)

_NAMELESS = ("C{}", "c{}")
"""What writers call columns without a name; other lone numbers may say something."""
_MARK = re.compile("^[cr]_[elu]_(?=.)")


def named_units(
    abstraction: Abstraction, names: Mapping[str, str]
) -> tuple[list[Unit], list[Unit], SymbolTable]:
    """Groups and families under the names that a formulation gives them."""
    symbols = SymbolTable(names, abstraction.structure["symbols"])
    found: list[list[Unit]] = []
    for side, letter in (("groups", "x"), ("families", "c")):
        units = read_units(abstraction, side)
        if found:
            _unmarked(units, found[0])
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


def _unmarked(rows: list[Unit], cols: list[Unit]) -> None:
    """Name rows without the sense that Pyomo writes before each, where they stay apart."""
    if all(_MARK.match(unit.name) for unit in rows):
        short = [_MARK.sub("", unit.name) for unit in rows]
        often = Counter([*short, *(unit.name for unit in cols)])
        for unit, name in zip(rows, short, strict=True):
            unit.name = name if often[name] == 1 else unit.name


def indicators(
    flat: Flat, abstraction: Abstraction, groups: list[Unit], families: list[Unit]
) -> tuple[list[Part], list[str]]:
    """The variables of each group that switch rows of a family, and when; the other headers.

    A section of indicators that names what is not there, or a row twice, stays a header.
    """
    gates: list[Part] = []
    other: list[str] = []
    for text in flat.sections:
        head, *lines = text.decode("utf-8", "replace").splitlines()
        words = [line.split() for line in lines if line.split() and not line.startswith("*")]
        found = None
        if head.split()[0] == "INDICATORS" and not gates:
            found = _gates(flat, words, abstraction, groups, families)
        if found is None:
            other.append(head.strip())
        else:
            gates = found
    return gates, other


def _gates(
    flat: Flat, words: list[list[str]], abstraction: Abstraction, groups: list[Unit],
    families: list[Unit],
) -> list[Part] | None:  # fmt: skip
    rows = {name.decode("utf-8", "replace"): k for k, name in enumerate(flat.rows.to_list())}
    cols = {name.decode("utf-8", "replace"): k for k, name in enumerate(flat.cols.to_list())}
    left, right = abstraction.members("families"), abstraction.members("groups")
    found: dict[int, list[tuple[int, int, int, float]]] = {}
    for line in words:
        if len(line) != 4 or line[0] != "IF" or line[1] not in rows or line[2] not in cols:
            return None
        row, col = rows[line[1]], cols[line[2]]
        where = int(left.local[row]), int(right.local[col]), int(right.label[col])
        found.setdefault(int(left.label[row]), []).append((*where, float(line[3])))
    gates: list[Part] = []
    for f, placed in found.items():
        placed.sort()
        if len({entry[0] for entry in placed}) < len(placed):
            return None
        for g in sorted({entry[2] for entry in placed}):
            mine = [entry for entry in placed if entry[2] == g]
            row_at, col_at = (np.array([entry[k] for entry in mine], np.int64) for k in (0, 1))
            values = np.array([entry[3] for entry in mine])
            gates.append(Part(families[f], groups[g], row_at, col_at, values))
    return gates


_TYPES = np.array(["continuous", "integer", "semicontinuous", "semiinteger"])
_SENSES = {EQ: "=", LE: "<=", GE: ">=", FREE: "free"}
_UNKNOWN = Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP
"""The commonest kind of a family: its labels are found apart."""


def formulate(
    flat: Flat, abstraction: Abstraction, names: Mapping[str, str] | None = None
) -> Formulation:
    """The formulation of a model; `names` renames its groups, families, sets and parameters.

    Exact: declaration and tables say every number of the model. Raises DataError where a name in
    `names` is unknown, taken or no identifier.
    """
    groups, families, symbols = named_units(abstraction, names or {})
    for unit in (*groups, *families):
        unit.arrange()
    left, right = abstraction.fields("families"), abstraction.fields("groups")
    parts: list[list[Part]] = [[] for _ in families]
    for said in abstraction.terms:
        f, g = said["family"], said["group"]
        fields = Sides(left[f], right[g], (families[f].size, groups[g].size))
        entries = terms.decode(said, fields, abstraction.tables)
        parts[f].append(Part(families[f], groups[g], *entries))
    switches, other = indicators(flat, abstraction, groups, families)
    related = list(map(_related, families, parts))
    gates = [(part, relate(part, single=True)) for part in switches]
    units = [*groups, *families]
    number = {unit: k for k, unit in enumerate(units)}
    links: list[Link] = [
        (number[part.family], number[part.group], relation)
        for part, relation in (*chain.from_iterable(related), *gates) if not part.family.weak
    ]  # fmt: skip
    sides = _sides(units, links, symbols)
    made = [_group(flat, sides[unit], symbols) for unit in groups]
    costs = [cost for _, cost in made if cost is not None]
    rules = [
        _family(flat, unit, mine, [one for one in gates if one[0].family is unit], sides, symbols)
        for unit, mine in zip(families, related, strict=True)
    ]
    symbols.finish()
    if flat.offset:
        symbols.parameters.append(Parameter("offset", "constant of the objective"))
        symbols.arrays.setdefault(PARAMETERS, {})["offset"] = np.array([flat.offset])
        costs.append((False, "offset"))
    spec = Spec(
        scenario="",
        sets=symbols.sets(),
        parameters=tuple(symbols.parameters),
        groups=tuple(group for group, _ in made),
        families=tuple(rules),
        objective=Objective("maximize" if flat.maximize else "minimize", signed(costs), ""),
    )
    return Formulation(
        flat.name.decode("utf-8", "replace"), spec, flat.nonzeros, tuple(other),
        tuple(abstraction.structure["symbols"]), symbols.arrays,
        {unit.name: unit for unit in units},
    )  # fmt: skip


def _related(family: Unit, parts: list[Part]) -> Terms:
    """The terms of a family, perhaps over indices that its variables lend it."""
    found: Terms = []
    if not family.weak:
        found = _split(parts)
        if len(family.fields) != 1 or not found or any(relation.bound for _, relation in found):
            return found
    if family.size > 1:
        adopted = adopt(family, parts)
        if adopted is not None:
            family.arrange()
            return _split(adopted)
    return found or _split(parts)


def _split(parts: list[Part]) -> Terms:
    return [one for mine in by_group(parts) for one in best_split(mine)]


def _sides(units: list[Unit], links: list[Link], symbols: SymbolTable) -> dict[Unit, LetteredUnit]:
    """Each group and family with the letters of its indices."""
    place = concepts(units, links, symbols.letters())
    symbols.avoid(letter for concept in place.values() for letter in concept.letters)
    for concept in dict.fromkeys(place.values()):
        symbols.set_of(concept)
    sides = {}
    for number, unit in enumerate(units):
        found: list[Letter] = []
        for k, values in enumerate(unit.fields):
            concept = place[number, k]
            found.append(Letter(concept.letter({one.text for one in found}), concept, values))
        sides[unit] = LetteredUnit(unit.name, unit, found)
    return sides


def _group(
    flat: Flat, side: LetteredUnit, symbols: SymbolTable
) -> tuple[Group, tuple[bool, str] | None]:
    """A group, and what it adds to the objective: whether that is subtracted, and its size."""
    at, name = side.unit.items, side.name

    def said(vector: Floats, role: str, short: str) -> Said:
        return say(vector[at], side.letters, symbols, f"{role} of {name}", f"{short}_{name}")

    kinds = flat.types[at]
    kind = "binary" if flat.binary[at].all() else str(_TYPES[kinds[0]])
    if (kinds != kinds[0]).any():
        kind = say(_TYPES[kinds], side.letters, symbols, f"type of {name}", f"type_{name}").whole
    side.scope = domain(side.unit, side.letters, symbols)
    low, high = said(flat.lower, "lower bound", "lower"), said(flat.upper, "upper bound", "upper")
    ends = ("" if end == no else end for end, no in ((low.whole, "-inf"), (high.whole, "inf")))
    index, scope = tuple(one.text for one in side.letters), side.scope
    (paid,) = np.nonzero(bits_of(flat.objective[at]))
    if len(paid) == 1 < len(at):
        # One of several variables alone costs: it stands at its own elements.
        own = ((one.concept, int(one.values[paid[0]])) for one in side.letters)
        at, index, scope = at[paid], tuple(symbols.element(*one) for one in own), ""
    cost = said(flat.objective, "objective coefficient", "cost")
    term = cost.minus, summed(cost.times(called(name, index)), scope)
    return Group(name, side.scope, "", kind, "", *ends), term if cost.whole != "0" else None


def _family(
    flat: Flat, unit: Unit, related: Terms, gates: Terms, sides: dict[Unit, LetteredUnit],
    symbols: SymbolTable,
) -> Family:  # fmt: skip
    at, name, side = unit.items, unit.name, sides[unit]
    left = signed([LetteredTerm(*one, sides, symbols).told() for one in related])
    gated = tuple(LetteredTerm(*one, sides, symbols).given() for one in gates)

    def said(vector: Array, role: str, short: str) -> str:
        return say(vector, side.letters, symbols, f"{role} of {name}", f"{short}_{name}").whole

    senses = flat.senses[at]
    sense = repr(_SENSES[int(senses[0])])
    plain = {"'<='": "<=", "'>='": ">=", "'='": "=="}.get(sense)
    if (senses != senses[0]).any():
        sense = said(np.array([_SENSES[int(one)] for one in senses]), "sense", "sense")
        plain = None
    ranged = not np.isnan(flat.ranges[at]).all()
    span = f", {said(flat.ranges[at], 'range', 'range')}" if ranged else ""
    scope = domain(unit, side.letters, symbols)
    right = said(flat.rhs[at], "right-hand side", "rhs")
    rule = f"{left} {plain} {right}"
    if plain is None or span or not related:
        rule = f"row({left}, {sense}, {right}{span})"
    return Family(name, scope, rule, "", *_UNKNOWN, given=gated)
