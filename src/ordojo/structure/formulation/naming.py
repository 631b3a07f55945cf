"""Groups and families of an abstraction under the names of a formulation, and their entries."""

from collections import Counter
from collections.abc import Mapping

from ordojo.structure.abstraction import terms
from ordojo.structure.abstraction.abstract import Abstraction
from ordojo.structure.abstraction.naming import decode_names
from ordojo.structure.abstraction.tables import Members, decode_order
from ordojo.structure.formulation.adopt import Part
from ordojo.structure.formulation.ledger import Ledger
from ordojo.structure.formulation.units import GENERIC, Unit, identifier, read_units

_NAMELESS = ("C{}", "c{}")
"""What writers call columns without a name; other lone numbers may say something."""


def named_units(
    abstraction: Abstraction, names: Mapping[str, str]
) -> tuple[list[Unit], list[Unit], Ledger]:
    """Groups and families under the names that a formulation gives them."""
    structure, tables = abstraction.structure, abstraction.tables
    ledger = Ledger(names, structure["symbols"])
    found = []
    for side, order, letter in (("groups", "columns", "x"), ("families", "rows", "c")):
        members = Members.of(decode_order(structure[order], tables))
        units = read_units(structure[side], members, tables, structure["symbols"])
        counts = Counter(unit.name for unit in units)
        for unit in units:
            wanted = letter if unit.name in GENERIC else unit.name
            if wanted == letter and sum(counts[name] for name in GENERIC) > 1:
                wanted = ledger.next(letter)
            elif counts[unit.name] > 1 and unit.constants:
                wanted = identifier("_".join([unit.name, *unit.constants]))
            unit.name = ledger.name(wanted)
            if unit.weak and (side == "families" or unit.spelled in _NAMELESS):
                unit.number()
        found.append(units)
    return found[0], found[1], ledger


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
