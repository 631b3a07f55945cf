"""A conflict in the words of the model's own structure: families and their indices."""

import numpy as np

from ordojo.milp.model import Model
from ordojo.solvers.answers import Iis
from ordojo.structure.abstraction import abstract
from ordojo.structure.convert import flat_model
from ordojo.structure.formulation import formulate
from ordojo.structure.formulation.spec import Family, Formulation

LARGEST = 20_000
"""Rows and columns up to which families are looked for: that takes a second or two there."""
_LISTED = 6
"""Indices of a family that are listed; of more their number is said."""


def conflicts_in_words(model: Model, conflicts: tuple[Iis, ...]) -> tuple[str, ...]:
    """Each conflict as "capacity of a and b against demand of n", "" where that says nothing new.

    Empty where the model is too large, or names its rows in no families.
    """
    if not conflicts or model.m + model.n > LARGEST:
        return ()
    flat = flat_model(model)
    formulation = formulate(flat, abstract(flat))
    return tuple(_in_words(formulation, iis) for iis in conflicts)


def _in_words(formulation: Formulation, iis: Iis) -> str:
    wanted = np.array([i for i, _ in iis.rows], np.int64)
    parts, plain = [], True
    for family in formulation.families:
        at = np.flatnonzero(np.isin(formulation.members[family.name], wanted))
        if len(at):
            if not family.named:
                return ""
            parts.append(_members(formulation, family, at.tolist()))
            plain = plain and not family.index
    if plain or (len(parts) == 1 and len(wanted) == 1):
        return ""
    if len(parts) == 1:
        return f"{parts[0]} against {'each other' if len(wanted) == 2 else 'one another'}"
    return f"{_listed(parts[:-1])} against {parts[-1]}"


def _members(formulation: Formulation, family: Family, at: list[int]) -> str:
    name = family.name.replace("_", " ")
    if not family.index:
        return name
    if len(at) == family.size > 2:
        return f"all {len(at)} of {name}"
    if len(at) > _LISTED:
        return f"{len(at)} of the {family.size:,} of {name}"
    sets = {one.name: one for one in formulation.sets}
    keys = formulation.keys[family.name]
    words = []
    for k in at:
        parts = [
            formulation.symbols[int(key[k])] if sets[place].words else str(key[k])
            for key, place in zip(keys, family.sets, strict=True)
        ]
        words.append(parts[0] if len(parts) == 1 else f"({', '.join(parts)})")
    return f"{name} of {_listed(words)}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
