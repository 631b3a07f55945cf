"""Words for sets from what their elements do: only where the rows themselves show it.

A period hands on what is left to the next, a node receives and sends on, a requirement has one
option chosen for it. A set in two roles has none: structure does not say which one is meant.
"""

from collections.abc import Iterator
from itertools import combinations

from ordojo.structure.formulation import Family, Formulation, Group, Term

Noun = tuple[str, str]
PERIOD: Noun = ("period", "periods")
NODE: Noun = ("node", "nodes")
REQUIREMENT: Noun = ("requirement", "requirements")
OPTION: Noun = ("option", "options")


def role_nouns(f: Formulation) -> dict[str, Noun]:
    """One and many of the elements of each whole set that has exactly one role."""
    found: dict[str, set[Noun]] = {}
    for family in f.families:
        for name, noun in _roles(f, family):
            found.setdefault(name, set()).add(noun)
    return {name: next(iter(nouns)) for name, nouns in found.items() if len(nouns) == 1}


def _roles(f: Formulation, family: Family) -> Iterator[tuple[str, Noun]]:
    groups = {group.name: group for group in f.groups}
    whole = {one.name: one.within or one.name for one in f.sets}
    sizes = {one.name: one.size for one in f.sets}
    if family.sense == "=":
        for first, second in combinations(family.terms, 2):
            if first.group == second.group and _sign(first) != _sign(second):
                group = groups[first.group]
                roots = [whole[name] for name in group.sets]
                for place in _stocked(group, first, second):
                    # Every chain is open at one end; one index over the periods of several
                    # products has more ends than it has elements for.
                    if family.size - group.size <= family.size / sizes[roots[place]]:
                        yield roots[place], PERIOD
                for come, go in combinations(range(len(roots)), 2):
                    if roots[come] == roots[go] and _passes(family, first, second, come, go):
                        yield roots[come], NODE
    chosen = chosen_sets(family, groups)
    if chosen and family.sense in ("=", ">="):
        yield from ((whole[name], REQUIREMENT) for name in family.sets)
        if len(chosen) == 1:
            yield whole[chosen[0]], OPTION


def _sign(term: Term) -> bool:
    value = term.coefficient
    return (value.number if value.kind == "number" else value.sign) < 0


def _stocked(group: Group, first: Term, second: Term) -> Iterator[int]:
    """The index at which one term is a step before the other, all others being equal."""
    if first.over or second.over or len(group.index) != len(first.at):
        return
    steps = [a.shift - b.shift for a, b in zip(first.at, second.at, strict=True)]
    alike = all(
        a.letter and (a.letter, a.lookup) == (b.letter, b.lookup)
        for a, b in zip(first.at, second.at, strict=True)
    )
    if alike and sorted(map(abs, steps)) == [0] * (len(steps) - 1) + [1]:
        yield next(place for place, step in enumerate(steps) if step)


def _passes(family: Family, first: Term, second: Term, come: int, go: int) -> bool:
    """Whether one term is summed into a row's element and the other out of it."""
    ends = {(one.at[come].letter, one.at[go].letter) for one in (first, second)}
    return any(
        ends == {(a, b), (c, a)}
        for a in family.index
        for b in second.over + first.over
        for c in second.over + first.over
    )


def chosen_sets(family: Family, groups: dict[str, Group]) -> list[str]:
    """The sets of which one, at most one or at least one is chosen a row; else none."""
    plain = len(family.terms) == 1 and family.senses is None and family.range is None
    if not plain or (family.rhs.kind, family.rhs.number) != ("number", 1.0):
        return []
    (term,) = family.terms
    group = groups[term.group]
    one = term.coefficient.kind == "number" and term.coefficient.number == 1
    if not one or group.type != "binary":
        return []
    return [name for name, at in zip(group.sets, term.at, strict=True) if at.letter in term.over]
