"""Words for sets from what their elements do: only where the rows themselves show it.

A period hands on what is left to the next, a node receives and sends on, a requirement has one
option chosen for it. A set in two roles has none: structure does not say which one is meant.
"""

import ast
import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from ordojo.formulation.algebra import index_owners, indices, loops
from ordojo.formulation.letters import stored
from ordojo.formulation.spec import Family, Spec
from ordojo.formulation.terms import Summand, read_terms, sides
from ordojo.structures.blueprint.words import ITEM, Noun
from ordojo.structures.formulation import Formulation

PERIOD: Noun = ("period", "periods")
NODE: Noun = ("node", "nodes")
REQUIREMENT: Noun = ("requirement", "requirements")
OPTION: Noun = ("option", "options")


def role_nouns(f: Formulation) -> dict[str, Noun]:
    """One and many of the elements of each whole set that has exactly one role.

    Where a part of a set alone is chosen, or chosen for, no word for that is one for the whole. It
    stays a set of periods or nodes.
    """
    found: dict[str, set[Noun]] = {}
    for family in f.spec.families:
        for name, noun, _ in roles_of(f, family):
            found.setdefault(name, set()).add(noun)
    for nouns in found.values():
        if nouns & {PERIOD, NODE}:
            nouns.discard(ITEM)
    return {name: next(iter(nouns)) for name, nouns in found.items() if len(nouns) == 1}


def roots(spec: Spec) -> dict[str, str]:
    """For each set the widest that it is a part of."""
    return {one.name: one.within or one.name for one in spec.sets}


def roles_of(f: Formulation, family: Family) -> Iterator[tuple[str, Noun, str]]:
    """The roles that a family's rows give to whole sets, each with the group that shows it.

    What they say of a part of a set only makes the whole one of items.
    """
    spec, whole = f.spec, roots(f.spec)
    parts = {one.name for one in spec.sets if one.within}
    sense = sides(family.rule)[1]
    if _word(sense) == "=":
        for first, second in combinations(read_terms(spec, family.rule, family.scope), 2):
            if first.group == second.group and first.minus != second.minus:
                scope = spec.group(first.group).scope
                mine = [whole[name] for name in index_owners(spec, scope)]
                size, many = f.units[family.name].size, f.units[first.group].size
                for place in _stocked(first, second):
                    # Every chain is open at one end; one index over the periods of several
                    # products has more ends than it has elements for.
                    if size - many <= size / f.size(mine[place]):
                        yield mine[place], PERIOD, first.group
                if parts & {loop.over for loop in loops(scope)}:
                    continue  # what only a part of a set does is no word for all
                for come, go in combinations(range(len(mine)), 2):
                    if mine[come] == mine[go] and _passes(family, first, second, come, go):
                        yield mine[come], NODE, first.group
    how, chosen = choice(spec, family)
    if how in ("=", ">="):
        (term,) = read_terms(spec, family.rule, family.scope)
        if any(_turned_round(spec, one, term.group, chosen) for one in spec.families):
            return  # both sides have to be served: which of them is the other's option?
        owners = [whole[name] for name in index_owners(spec, family.scope)]
        every = f.units[family.name].size == math.prod(map(f.size, owners))
        yield from ((name, REQUIREMENT if every else ITEM, term.group) for name in owners)
        if len(chosen) == 1:
            yield whole[chosen[0]], ITEM if chosen[0] in parts else OPTION, term.group


def _turned_round(spec: Spec, family: Family, group: str, chosen: Sequence[str]) -> bool:
    """Whether a family asks that each of what another one chooses has enough, too."""
    _, sense, right, *_ = sides(family.rule)
    terms = read_terms(spec, family.rule, family.scope)
    if [one.group for one in terms if one.loops] != [group] or len(terms) > 1:
        return False
    asks = TURNED.get(_word(sense)) if terms[0].minus else _word(sense)
    served = {*index_owners(spec, family.scope)} >= {*chosen}
    return served and asks in ("=", ">=") and ast.unparse(right) != "0"


def _word(sense: ast.expr) -> str:
    return str(sense.value) if isinstance(sense, ast.Constant) else "mixed"


def moved(at: ast.expr) -> tuple[str, int]:
    """The letter of an index expression, and by how much it is moved; "" for none."""
    match at:
        case ast.Name(letter):
            return letter, 0
        case ast.BinOp(ast.Name(letter), sign, ast.Constant(int() as shift)):
            return letter, shift if isinstance(sign, ast.Add) else -shift
    return "", 0


def _stocked(first: Summand, second: Summand) -> Iterator[int]:
    """The index at which one term is a step before the other, all others being equal."""
    if first.loops or second.loops:
        return
    mine, theirs = list(map(moved, first.at)), list(map(moved, second.at))
    steps = [a - b for (_, a), (_, b) in zip(mine, theirs, strict=True)]
    alike = all(a and a == b for (a, _), (b, _) in zip(mine, theirs, strict=True))
    if alike and sorted(map(abs, steps)) == [0] * (len(steps) - 1) + [1]:
        yield next(place for place, step in enumerate(steps) if step)


def _passes(family: Family, first: Summand, second: Summand, come: int, go: int) -> bool:
    """Whether one term is summed into a row's element and the other out of it."""
    ends = {(moved(one.at[come])[0], moved(one.at[go])[0]) for one in (first, second)}
    free = [*_summed(second), *_summed(first)]
    return any(ends == {(a, b), (c, a)} for a in indices(family.scope) for b in free for c in free)


def _summed(term: Summand) -> list[str]:
    return [letter for loop in term.loops for letter in stored(loop.target)]


TURNED = {"<=": ">=", ">=": "<=", "=": "="}


def choice(spec: Spec, family: Family) -> tuple[str, list[str]]:
    """Whether one ("="), at most one or at least one is chosen a row, and of which sets; or ""."""
    _, sense, right, *span = sides(family.rule)
    terms, word = read_terms(spec, family.rule, family.scope), _word(sense)
    if len(terms) != 1 or word not in TURNED or span:
        return "", []
    (term,) = terms
    group = spec.group(term.group)
    if term.factor is not None or group.domain != "binary":
        return "", []
    if ast.unparse(right) != ("-1" if term.minus else "1"):
        return "", []
    owners, free = index_owners(spec, group.scope), _summed(term)
    # A loop over a part of a set chooses among that.
    parts = {
        letter: ast.unparse(loop.iter)
        for loop in term.loops
        if ast.unparse(loop.iter) in {one.name for one in spec.sets if one.within}
        for letter in stored(loop.target)
    }
    letters = zip(owners, (moved(at)[0] for at in term.at), strict=True)
    of = [parts.get(letter, name) for name, letter in letters if letter in free]
    return (TURNED[word] if term.minus else word, of) if of else ("", [])
