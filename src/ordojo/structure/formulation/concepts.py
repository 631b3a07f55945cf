"""What the indices run through: fields that relations join are one concept, with its letters."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.relate import Relation
from ordojo.structure.formulation.units import Unit

_POOL = "ijklpqrshuvwgmnoeabcdfxyz"
_TIME = "t"


@dataclass(eq=False)
class Concept:
    """Fields that range over the same things: all their `values`, sorted, and `letters` to use."""

    values: Ints
    words: bool
    letters: list[str] = field(default_factory=list)
    banned: frozenset[str] = frozenset()

    def letter(self, taken: list[str] | set[str]) -> str:
        """A letter that is not taken."""
        for one in self.letters:
            if one not in taken:
                return one
        number = 2
        while f"{self.letters[0]}{number}" in {*taken, *self.banned}:
            number += 1
        return f"{self.letters[0]}{number}"


Place = tuple[int, int]
Link = tuple[int, int, Relation]
"""A relation between a family and a group, by their numbers among all units."""


def concepts(units: list[Unit], links: list[Link], taken: set[str]) -> dict[Place, Concept]:
    """The concept of field k of unit u, for all (u, k); letters avoid what is taken."""
    parent = {(u, k): (u, k) for u, unit in enumerate(units) for k in range(len(unit.fields))}

    def root(place: Place) -> Place:
        while parent[place] != place:
            parent[place] = place = parent[parent[place]]
        return place

    def join(one: Place, other: Place) -> None:
        a, b = sorted((root(one), root(other)))
        parent[b] = a

    names = set(taken)
    ordered: set[Place] = set()
    for f, g, relation in links:
        for a, b, moved in _joined(units[f], units[g], relation):
            join((f, a), (g, b))
            if moved:
                ordered.add((f, a))
    _alike(units, parent, root, join)
    members: dict[Place, list[Place]] = {}
    for place in parent:
        members.setdefault(root(place), []).append(place)
    found: dict[Place, Concept] = {}
    timed = {root(place) for place in ordered}
    for top, mine in members.items():
        fields = [np.unique(units[u].fields[k]) for u, k in mine]
        concept = Concept(np.unique(np.concatenate(fields)), units[top[0]].words[top[1]])
        concept.banned = frozenset(names)
        many = max(Counter(u for u, _ in mine).values())
        hints = Counter(units[u].hints[k] for u, k in mine if units[u].hints[k])
        wanted = [hint for hint, _ in hints.most_common()]
        wanted += [_TIME] if top in timed and many == 1 and not wanted else []
        for letter in [*wanted, *_POOL]:
            if letter not in taken and len(concept.letters) < many:
                concept.letters.append(letter)
                taken.add(letter)
        if not concept.letters:
            number = 1
            while f"i{number}" in taken:
                number += 1
            concept.letters.append(f"i{number}")
            taken.add(concept.letters[0])
        found.update(dict.fromkeys(mine, concept))
    return found


def _joined(family: Unit, group: Unit, r: Relation) -> list[tuple[int, int, bool]]:
    """Row and column fields that a relation says are of one kind; whether one is moved."""
    atoms = [(a, b, shift) for b, (a, shift) in r.bound.items()]
    if r.window:
        atoms.append((r.window[0], r.window[1], 1))
    if r.modular:
        atoms.append((r.modular[0], r.modular[1], 1))
    if r.span:
        side, k, _, _ = r.span
        for base in r.bases:
            if base is not None:
                atoms.append((base, k, 1) if side == "rows" else (k, base, 1))
    return [
        (a, b, shift != 0) for a, b, shift in atoms
        if not shift or _overlap(family.fields[a], group.fields[b])
    ]  # fmt: skip


def _overlap(one: Ints, other: Ints) -> bool:
    low, high = max(one.min(), other.min()), min(one.max(), other.max())
    less = min(one.max() - one.min(), other.max() - other.min())
    return bool(2 * (high - low) >= less)


def _alike(
    units: list[Unit],
    parent: dict[Place, Place],
    root: Callable[[Place], Place],
    join: Callable[[Place, Place], None],
) -> None:
    """Join concepts with the same values that never stand in one index, nor have other letters."""
    members: dict[Place, list[Place]] = {}
    for place in parent:
        members.setdefault(root(place), []).append(place)
    seen: dict[tuple[bool, bytes], list[Place]] = {}
    for top, mine in members.items():
        values = np.unique(np.concatenate([np.unique(units[u].fields[k]) for u, k in mine]))
        key = units[top[0]].words[top[1]], values.tobytes()
        for other in seen.get(key, []):
            theirs = members[other]
            hints = [{units[u].hints[k] for u, k in part} - {""} for part in (mine, theirs)]
            apart = {u for u, _ in mine}.isdisjoint(u for u, _ in theirs)
            if apart and not (all(hints) and hints[0].isdisjoint(hints[1])):
                join(top, other)
                theirs.extend(mine)
                break
        else:
            seen.setdefault(key, []).append(top)
