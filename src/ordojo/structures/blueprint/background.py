"""What a model is about: what its sets are, what its rows prove, which problem of a library it is.

A set has a word from what its elements do, only where the rows themselves show it. A period hands
on what is left to the next, a node receives and sends on, a requirement has one option chosen for
it. A set in two roles has none: structure does not say which one is meant. Rows prove flows,
stocks, openings, misses and a maximum. A recognised problem has its own words for the whole of a
model, its title alone for a part.
"""

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import isclose, nan
from typing import Any

import numpy as np

from ordojo.core.words import joined
from ordojo.formulation.algebra import index_owners, indices, loops, names_in, parse
from ordojo.formulation.spec import PARAMETERS, Column, Family, Spec
from ordojo.formulation.terms import Summand, read_terms, sides, stored
from ordojo.formulation.words import measured
from ordojo.structures.arrays import within
from ordojo.structures.blueprint.words import ITEM, NamedNumbers, Noun, constant
from ordojo.structures.flat import Ints
from ordojo.structures.formulation import Formulation
from ordojo.structures.recognition import Recognition

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


KINDS = {"binary": "answers of yes or no", "continuous": "amounts", "integer": "whole numbers"}
FLOW = "`{}` is a flow from node to node"
STOCK = "`{}` is carried between one period and the next"
OPENING = "There is no `{}` without its `{}`"
OPENINGS = "There is no `{}` without one of its `{}`"
MISS = "`{}` and `{}` are by how much a target is missed, one way and the other"
MAXIMUM = "`{}` stands for the greatest of several values"


def background(f: Formulation) -> str:
    """A sentence on the kinds of decisions, and one for each thing that the rows show."""
    known = {group.domain for group in f.spec.groups}
    kinds = [word for domain, word in KINDS.items() if domain in known]
    kinds += ["numbers of other kinds"] if known - {*KINDS} else []
    lines = [f"The decisions are {joined(kinds) or 'none'}."]
    found: dict[str, list[str]] = {}
    for family in f.spec.families:
        for shown in dict.fromkeys(_shown(f, family)):
            found.setdefault(shown, []).append(f"`{family.name}`")
    lines += [f"{shown} ({joined(families)})." for shown, families in found.items()]
    return " ".join(lines)


def _shown(f: Formulation, family: Family) -> Iterator[str]:
    for _, noun, group in roles_of(f, family):
        if noun in (NODE, PERIOD):
            yield (FLOW if noun == NODE else STOCK).format(group)
    _, sense, limit, *span = sides(family.rule)
    word = sense.value if isinstance(sense, ast.Constant) else ""
    terms = read_terms(f.spec, family.rule, family.scope)
    if family.given or span:
        return
    # Of what stands in a row twice, as at two times, the others are the change, and no miss.
    if word == "=" and len({term.group for term in terms}) == len(terms):
        for first, second in combinations(terms, 2):
            if _missed(f, first, second):
                yield MISS.format(first.group, second.group)
    if word not in ("<=", ">=") or constant(limit) != 0:
        return
    less = [term for term in terms if term.minus ^ (word == ">=")]
    more = [term for term in terms if term not in less]
    if len(less) == 1 and more and _aim(f, less[0]):
        yield MAXIMUM.format(less[0].group)
    elif len(less) == len(more) == 1 and _opens(f, family, less[0], more[0]):
        yield (OPENINGS if less[0].loops else OPENING).format(more[0].group, less[0].group)


def _missed(f: Formulation, first: Summand, second: Summand) -> bool:
    """Whether two amounts of opposite signs stand in these rows alone, and each has its cost."""
    spec, pair = f.spec, (first, second)
    index, other = (list(map(ast.unparse, one.at)) for one in pair)
    alike = first.minus != second.minus and index == other
    if first.group == second.group or not alike or any(one.loops or one.factor for one in pair):
        return False
    costs = read_terms(spec, spec.objective.rule)
    every = [one for one in costs if one.loops or not one.at]
    paid = [one.group for one in every if not one.minus and positive(f, one.factor)]
    used = [one.group for each in spec.families for one in read_terms(spec, each.rule)]
    return spec.objective.sense == "minimize" and all(
        _from_zero(spec, one) and one.group in paid and used.count(one.group) == 1 for one in pair
    )


def _aim(f: Formulation, term: Summand) -> bool:
    """Whether a term is the one variable that the objective minimizes."""
    costs = read_terms(f.spec, f.spec.objective.rule)
    alone = len(costs) == 1 and costs[0].group == term.group and not costs[0].minus
    free = not term.at and term.factor is None and f.spec.objective.sense == "minimize"
    return alone and free and positive(f, costs[0].factor)


def _from_zero(spec: Spec, term: Summand) -> bool:
    lower = spec.group(term.group).lower
    return bool(lower) and constant(parse(lower)) == 0


def _opens(f: Formulation, family: Family, gate: Summand, gated: Summand) -> bool:
    """Whether each of a group, at least zero, is zero where a yes or no is no."""
    return (
        gate.group != gated.group
        and f.spec.group(gate.group).domain == "binary"
        and _from_zero(f.spec, gated)
        and positive(f, gated.factor)
        and _every(f, family, gated)
    )


def _every(f: Formulation, family: Family, term: Summand) -> bool:
    """Whether each variable of a term's group stands in some row of a family."""
    scope = f.spec.group(term.group).scope
    whole = {loop.over for loop in loops(scope)} >= {ast.unparse(loop.iter) for loop in term.loops}
    letters, own = [ast.unparse(at) for at in term.at], indices(family.scope)
    free = {letter for loop in term.loops for letter in stored(loop.target)}
    if term.tests or not whole or not {*letters} <= {*own, *free}:
        return False
    group, rows = f.units[term.group], f.units[family.name]
    known = [(k, own.index(letter)) for k, letter in enumerate(letters) if letter in own]
    return within([(group.fields[k], rows.fields[at]) for k, at in known], group.size, rows.size)


def positive(f: Formulation, factor: ast.expr | None) -> bool:
    """Whether a factor is above zero whatever its indices."""
    if factor is None:
        return True
    name = ast.unparse(factor.value if isinstance(factor, ast.Subscript) else factor)
    known = {one.name: one for one in f.spec.parameters}
    if name not in known:
        return (constant(factor) or 0.0) > 0
    table = known[name].table if known[name].over else PARAMETERS
    every = all(value > 0 for value in f.tables[table][name])
    return every and known[name].default is None


def story(f: Formulation, match: Recognition, numbers: NamedNumbers) -> str:
    """The problem's own scene, and what each group and family is in it."""
    if not match.whole:
        return match.text(f.spec)
    title, scene = match.known.title, match.known.scene(match.lacks)
    lines = [f'This is the problem "{title}"{match.without}.', scene]
    for group in f.spec.groups:
        at = _alone(match.columns[f.units[group.name].items])
        if at is not None:
            lines.append(f"`{group.name}` is the {measured(match.spec.groups[at])}.")
    for family in f.spec.families:
        at = _alone(match.rows[f.units[family.name].items])
        if at is None:
            continue
        meaning = match.spec.families[at].meaning
        for key, (value,) in match.tables[PARAMETERS].items():
            if f"{{{key}}}" in meaning:
                meaning = meaning.replace(f"{{{key}}}", _figure(f, family, key, value, numbers))
        lines.append(f"`{family.name}` says: {meaning}.")
    goal = match.spec.objective
    # A model whose objective is turned round says the opposite, of the negative.
    if goal.sense == f.spec.objective.sense:
        lines.append(f"The aim is to {goal.sense} {measured(goal)}.")
    return " ".join(lines)


def _figure(f: Formulation, family: Family, key: str, value: float, numbers: NamedNumbers) -> str:
    """A number of the problem by the name that the family's rule has for it, if for it alone."""
    scalars = f.tables.get(PARAMETERS, {})
    same = [name for name in names_in(parse(family.rule)) if list(scalars.get(name, ())) == [value]]
    own = numbers.scalar(same[0]) if len(same) == 1 else None
    return own or numbers.put(key, value)


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
