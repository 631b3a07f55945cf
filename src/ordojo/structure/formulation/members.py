"""The name in an exported program of each column and row of the file."""

from collections.abc import Sequence

from ordojo.structure.formulation.spec import Family, Formulation, Group


def program_names(formulation: Formulation) -> tuple[list[str], list[str]]:
    """For each MPS column and row, the name in the exported program: `x[1,oslo]`."""
    return _names(formulation, formulation.groups), _names(formulation, formulation.families)


def _names(f: Formulation, units: Sequence[Group | Family]) -> list[str]:
    words = {one.name: one.words for one in f.sets}
    found = [""] * sum(unit.size for unit in units)
    for unit in units:
        fields = [
            [f.symbols[value] for value in field.tolist()] if words[one] else field.tolist()
            for field, one in zip(f.keys[unit.name], unit.sets, strict=True)
        ]
        places = f.members[unit.name].tolist()
        if not fields:
            found[places[0]] = unit.name
            continue
        for place, *key in zip(places, *fields, strict=True):
            found[place] = f"{unit.name}[{','.join(map(str, key))}]"
    return found
