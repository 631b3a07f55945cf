"""A recognised problem in words: its own for the whole of it, its title alone for a part."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose, nan
from typing import Any

import numpy as np

from ordojo.formulation.algebra import index_owners
from ordojo.formulation.spec import PARAMETERS, Column
from ordojo.formulation.words import joined
from ordojo.structures.blueprint.roles import roots
from ordojo.structures.blueprint.words import NamedNumbers, Noun
from ordojo.structures.flat import Ints
from ordojo.structures.formulation import Formulation
from ordojo.structures.recognition import Recognition


def recognised(f: Formulation, match: Recognition) -> str:
    """What a model is, in a sentence or two: the title, and what is more or less than that."""
    said = f'Its structure is that of the problem "{match.known.title}"'
    if match.whole:
        return f"{said}{f', without {_rules(match)}' if match.lacks else ''}, entry by entry."
    rest = [f"without {_rules(match)}"] if match.lacks else []
    rest += [
        f"with the {kind} `{name_of(f, kind, number)}` besides" for kind, number in match.extra
    ]
    return f"{said}, but {' and '.join(rest)}; that it is this problem is not claimed."


def _rules(match: Recognition) -> str:
    return joined([f"`{name}`" for name in match.lacks])


def name_of(f: Formulation, kind: str, number: int) -> str:
    """The name of a family or a group by its number."""
    units = f.spec.families if kind == "family" else f.spec.groups
    return units[number].name


def story(f: Formulation, match: Recognition, numbers: NamedNumbers) -> str:
    """The problem's own scene, and what each group and family is in it."""
    if not match.whole:
        return recognised(f, match)
    without = f", without {_rules(match)}" if match.lacks else ""
    lines = [f'This is the problem "{match.known.title}"{without}.', match.known.scene(match.lacks)]
    lines += [f"`{name}` is the {meaning}." for name, meaning in _groups(f, match)]
    scalars = match.tables[PARAMETERS]
    for name, meaning in _families(f, match):
        for key, (value,) in scalars.items():
            if f"{{{key}}}" in meaning:
                meaning = meaning.replace(f"{{{key}}}", numbers.put(key, value))
        lines.append(f"`{name}` says: {meaning}.")
    goal = match.spec.objective
    # A model whose objective is turned round says the opposite, of the negative.
    if goal.sense == f.spec.objective.sense:
        unit = f", in {goal.unit}" if goal.unit and goal.unit not in goal.meaning else ""
        lines.append(f"The aim is to {goal.sense} {goal.meaning}{unit}.")
    return " ".join(lines)


def _groups(f: Formulation, match: Recognition) -> Iterator[tuple[str, str]]:
    for one in f.spec.groups:
        at = _alone(match.columns[f.units[one.name].items])
        if at is not None:
            group = match.spec.groups[at]
            unit = group.unit if group.unit not in group.meaning else ""
            yield one.name, group.meaning + (f", in {unit}" if unit else "")


def _families(f: Formulation, match: Recognition) -> Iterator[tuple[str, str]]:
    for one in f.spec.families:
        at = _alone(match.rows[f.units[one.name].items])
        if at is not None:
            yield one.name, match.spec.families[at].meaning


def _alone(found: Ints) -> int | None:
    return int(found[0]) if len(np.unique(found)) == 1 and found[0] >= 0 else None


def matched_nouns(f: Formulation, match: Recognition) -> dict[str, Noun]:
    """For each set of the model what the problem calls its elements, where all groups agree."""
    found: dict[str, set[Noun]] = {}
    for name, owner in _elements(f, match):
        item = match.spec.set(owner)
        found.setdefault(name, set()).add((item.one, item.many))
    return {name: next(iter(nouns)) for name, nouns in found.items() if len(nouns) == 1}


def matched_meanings(f: Formulation, match: Recognition) -> dict[str, str]:
    """What the problem calls a parameter: its own that alone has the same numbers.

    Numbers that are all equal could be any.
    """
    spec, whole, same = match.spec, roots(f.spec), _elements(f, match)
    theirs = [
        (one.meaning, [owner for name in one.over for owner in spec.owners(name)],
         _numbers(match.tables[one.table], spec.key(one), one.name))
        for one in spec.parameters if one.over
    ]  # fmt: skip
    found = {}
    for mine in f.spec.parameters:
        numbers = _numbers(f.tables[mine.table], mine.key, mine.name)
        if not mine.over or len({*numbers.values()}) == 1:
            continue
        meanings = set()
        for meaning, owners, others in theirs:
            if (len(mine.over), len(numbers)) != (len(owners), len(others)):
                continue
            pairs = zip(mine.over, owners, strict=True)
            to = [same.get((whole.get(name, name), owner), {}) for name, owner in pairs]
            there = (tuple(map(dict.get, to, key)) for key in numbers)
            if all(map(isclose, (others.get(at, nan) for at in there), numbers.values())):
                meanings.add(meaning)
        if len(meanings) == 1:
            found[mine.name] = meanings.pop()
    return found


def _numbers(table: Mapping[str, Column], key: Sequence[str], name: str) -> dict[Any, Any]:
    return dict(zip(zip(*(table[k] for k in key), strict=True), table[name], strict=False))


def _elements(f: Formulation, match: Recognition) -> dict[tuple[str, str], dict[Any, Any]]:
    """Which set of the model is which of the problem's, and each of its elements which of those."""
    whole = roots(f.spec)
    found: dict[tuple[str, str], dict[Any, Any]] = {}
    for one in f.spec.groups:
        unit = f.units[one.name]
        at = _alone(match.columns[unit.items])
        if at is None or not match.whole:
            continue
        theirs = [match.keys[c] for c in unit.items.tolist()]
        owners = index_owners(match.spec, match.spec.groups[at].scope)
        mine = zip(
            index_owners(f.spec, one.scope), zip(*f.keys(one.name), strict=True), strict=True
        )
        for name, values in mine:
            for owner, other in zip(owners, zip(*theirs, strict=True), strict=True):
                pairs = set(zip(values, other, strict=True))
                if owner and len(set(values)) == len(set(other)) == len(pairs):
                    found.setdefault((whole.get(name, name), owner), {}).update(pairs)
    return found
