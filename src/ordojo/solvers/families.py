"""Families of rows as their names tell them: `capacity(a)`, `need[n,2]`, `teacher_Ada_Mon11`."""

import re

from ordojo.core.words import joined
from ordojo.milp.model import ENDLESS, Model
from ordojo.solvers.answers import Iis

_BRACKETS = re.compile(r"(.+?)[\[({](.*)[\])}]_?")
_INDEX = re.compile(r"([A-Za-z][A-Za-z_]*?)_(\w*\d\w*)")
_WORD = re.compile(r"([A-Za-z]{2,})_([A-Za-z]+)")
_PYOMO = re.compile(r"c_[elu]_")
_LISTED = 6
"""Indices of a family that are listed; of more their number is said."""


def parted(name: str) -> tuple[str, str]:
    """A row's name as stem and index: `need[n,2]` as ("need", "n,2"); without one, (name, "").

    `c12` has none: such names number all rows, whatever they say.
    """
    for pattern in (_BRACKETS, _INDEX, _WORD):
        if found := pattern.fullmatch(name):
            return found[1], found[2]
    return name, ""


def families(model: Model) -> dict[str, list[int]]:
    """The rows of each stem that two rows or more have, with the same sides finite, by number."""
    found: dict[tuple[str, bool, bool], list[int]] = {}
    for i, name in enumerate(model.row_names):
        stem, index = parted(name)
        if index:
            sides = bool(abs(model.row_lower[i]) < ENDLESS), bool(abs(model.row_upper[i]) < ENDLESS)
            found.setdefault((stem, *sides), []).append(i)
    stems = [stem for stem, *_ in found]
    return {
        key[0]: rows for key, rows in found.items() if len(rows) > 1 and stems.count(key[0]) == 1
    }


def conflict_in_words(model: Model, iis: Iis) -> str:
    """A conflict as "capacity of a and b against demand of n".

    "" where the rows' names form no families, or it has one row alone.
    """
    rows = [i for i, _ in iis.rows]
    known = families(model)
    groups: dict[str, list[int]] = {}
    for i in rows:
        groups.setdefault(parted(model.row_names[i])[0], []).append(i)
    if len(rows) < 2 or 2 * sum(len(at) for stem, at in groups.items() if stem in known) < len(
        rows
    ):
        return ""
    parts = [_members(model, stem, at, known.get(stem, at)) for stem, at in groups.items()]
    if len(parts) == 1:
        return f"{parts[0]} against {'each other' if len(rows) == 2 else 'one another'}"
    return f"{joined(parts[:-1])} against {parts[-1]}"


def _members(model: Model, stem: str, at: list[int], family: list[int]) -> str:
    name = _PYOMO.sub("", stem, count=1).replace("_", " ")
    if len(family) == 1 or not parted(model.row_names[at[0]])[1]:
        return name
    if len(at) == len(family) > 2:
        return f"all {len(at)} of {name}"
    if len(at) > _LISTED:
        return f"{len(at)} of the {len(family):,} of {name}"
    indices = [parted(model.row_names[i])[1] for i in at]
    return f"{name} of {joined([f'({one})' if ',' in one else one for one in indices])}"
