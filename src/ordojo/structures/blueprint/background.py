"""What a model is about, where its rows prove it: flows, stocks, openings, misses, a maximum."""

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations

from ordojo.formulation.algebra import indices, loops, parse
from ordojo.formulation.letters import stored
from ordojo.formulation.spec import PARAMETERS, Family, Spec
from ordojo.formulation.terms import Summand, read_terms, sides
from ordojo.formulation.words import joined
from ordojo.structures.arrays import within
from ordojo.structures.blueprint.roles import NODE, PERIOD, roles_of
from ordojo.structures.blueprint.words import constant
from ordojo.structures.formulation import Formulation

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
    alike = first.minus != second.minus and _index(first) == _index(second)
    if first.group == second.group or not alike or any(one.loops or one.factor for one in pair):
        return False
    every = [one for one in _costs(spec) if one.loops or not one.at]
    paid = [one.group for one in every if not one.minus and positive(f, one.factor)]
    used = [one.group for each in spec.families for one in read_terms(spec, each.rule)]
    return spec.objective.sense == "minimize" and all(
        _from_zero(spec, one) and one.group in paid and used.count(one.group) == 1 for one in pair
    )


def _index(term: Summand) -> list[str]:
    return [ast.unparse(at) for at in term.at]


def _costs(spec: Spec) -> Sequence[Summand]:
    return read_terms(spec, spec.objective.rule)


def _aim(f: Formulation, term: Summand) -> bool:
    """Whether a term is the one variable that the objective minimizes."""
    costs = _costs(f.spec)
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
