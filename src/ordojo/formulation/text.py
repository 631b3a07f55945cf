"""A declaration as model.md, in plain mathematics: `sum over j in J of a[i, j] x[i, j] <= b[i]`."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ordojo.formulation.algebra import conjuncts, indices, named, names_in, parse
from ordojo.formulation.spec import SETS, Family, Group, Parameter, Set, Spec
from ordojo.formulation.terms import (
    Sum,
    comprehensions,
    elements,
    is_existence,
    lettered,
    memberships,
    sides,
    stored,
    summands,
)
from ordojo.formulation.words import scope_words, sentence

_SIGNS = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.Gt: ">",
    ast.In: "in",
}  # fmt: skip
_DOMAINS = {"binary": "in {0, 1}", "continuous": "real", "semiinteger": "semi-integer"}


def model_md(spec: Spec, title: str, lead: str = "") -> str:
    """The index-explicit formulation as Markdown; parts of sets where it mentions them.

    `lead` stands below the title.
    """
    used = named(spec)
    sets = [one for one in spec.sets if not one.within or one.name in used]
    lines = [f"# {title}", "", *([lead, ""] if lead else []), "## Sets", ""]
    lines += [f"- **{one.name}**: the {one.many}{_range(one)}" for one in sets] or ["None."]
    lines += ["", "## Parameters", ""]
    lines += [_given(spec, one) for one in spec.parameters] or ["None."]
    return "\n".join([*lines, "", *statement(spec)])


def _range(one: Set) -> str:
    if one.size:
        return f", 1..{one.size}"
    whole = f", a part of {one.within}" if one.within else ""
    whole += f", some of {' x '.join(one.parts)}" if one.parts else ""
    columns = [] if one.table == SETS else [f"`{column}`" for column in one.key]
    return f"{whole}, from {', '.join([f'`data/{one.table}.csv`', *columns])}"


def _given(spec: Spec, one: Parameter) -> str:
    index = f"[{', '.join(spec.key(one))}]" if one.over else ""
    unit = f" ({one.unit})" if one.unit else ""
    rest = "" if one.default is None else f", {one.default:g} where not listed"
    column = f"`data/{one.table}.csv`, {'column' if one.over else 'row'} `{one.name}`"
    return f"- **{one.name}**{index}: {one.meaning}{unit}{rest}; {column}"


def statement(spec: Spec) -> list[str]:
    """The lines for variables, objective and constraints, with what is known of their meaning."""
    lines = ["## Variables", ""]
    for group in spec.groups:
        meaning = f": {group.meaning}" if group.meaning else ""
        lines.append(f"- **{heading(spec, group)[0]}** {domain(spec, group)}{meaning}")
    goal = spec.objective
    told = [sentence(f"{goal.sense} {goal.meaning}"), ""] if goal.meaning else []
    rule = f"{goal.sense} {' '.join(_sum(_Where(spec), parse(goal.rule)))}"
    lines += ["", "## Objective", "", *told, rule, "", "## Constraints", ""]
    for family in spec.families:
        lines += ["### " + "".join(heading(spec, family)), ""]
        if family.meaning:
            lines += [sentence(scope_words(spec, family) + family.meaning), ""]
        # Markdown breaks a line after two blanks.
        lines += ["  \n".join(constraint(spec, family)), ""]
    return lines


def heading(spec: Spec, one: Group | Family) -> tuple[str, str]:
    """A name with its indices, and for all of which they are: "x[i, t]", " for all i in I, ..."."""
    if not one.scope:
        return one.name, ""
    where, loops = _Where(spec), comprehensions(one.scope)
    tests = [_plain(where, test) for loop in loops for test in loop.ifs]
    over = ", ".join(_member(where, loop) for loop in loops) + _clause(" with ", tests)
    return f"{one.name}[{', '.join(indices(one.scope))}]", f" for all {over}"


def domain(spec: Spec, group: Group) -> str:
    """What a group's variables may be, and for which indices; its name apart."""
    name, over = heading(spec, group)
    known = group.domain.isidentifier() and group.domain not in {p.name for p in spec.parameters}
    kind = _DOMAINS.get(group.domain, group.domain) if known else f"of type {group.domain}"
    ends = (parse(end) if end else None for end in (group.lower, group.upper))
    low, up = ("" if end is None else _plain(_Where(spec), end) for end in ends)
    if group.domain == "binary":
        return f"{kind}{over}"
    if not low and not up:
        return f"{kind}, free{over}"
    if not up:
        return f"{kind}, {name} >= {low}{over}"
    return f"{kind}, {f'{low} <= ' if low else ''}{name} <= {up}{over}"


def constraint(spec: Spec, family: Family) -> list[str]:
    """A family's rule in lines: what it needs, a line for each term, and the right side."""
    where = _Where(spec, frozenset(memberships(spec, comprehensions(family.scope))))
    left, sense, right, *span = sides(family.rule)
    sign = str(sense.value) if isinstance(sense, ast.Constant) else _plain(where, sense)
    side = "no limit" if sign == "free" else f"{sign} {_plain(where, right)}"
    side += "".join(f", the other side {_plain(where, one)} apart" for one in span)
    lead = []
    for text in family.given:
        match parse(text):
            case ast.IfExp(test, then):
                lead.append(f"if {_plain(where, then)} (for {_plain(where, test)}):")
            case whole:
                lead.append(f"if {_plain(where, whole)}:")
    return [*lead, *_sum(where, left), side]


@dataclass(frozen=True)
class _Where:
    """Where an expression stands, and the memberships that are said there already."""

    spec: Spec
    known: frozenset[str] = frozenset()


def _sum(where: _Where, tree: ast.expr) -> list[str]:
    """The terms with their signs, that of the first only where it is minus."""
    found = [f"{'-' if minus else '+'} {_plain(where, one)}" for minus, one in _pulled(tree)]
    return [found[0].removeprefix("+ "), *found[1:]]


def _pulled(tree: ast.expr) -> Iterator[tuple[bool, ast.expr]]:
    """The summands; one whose sum is of something negative is subtracted."""
    for minus, one in summands(tree):
        match one:
            case ast.Call(ast.Name("sum") as name, [ast.GeneratorExp(elt, loops)]):
                match list(summands(elt)):
                    case [(True, inner)]:
                        yield not minus, ast.Call(name, [ast.GeneratorExp(inner, loops)], [])
                        continue
        yield minus, one


def _plain(where: _Where, tree: ast.expr) -> str:
    match tree:
        case ast.Subscript(base, index):
            return f"{_plain(where, base)}[{', '.join(_plain(where, k) for k in elements(index))}]"
        case ast.BinOp(left, op, right):
            return _operation(where, left, op, right)
        case ast.UnaryOp(ast.USub(), part):
            return f"-{_plain(where, part)}"
        case ast.BoolOp(ast.And(), values):
            return ", ".join(_plain(where, one) for one in values)
        case ast.Compare(left, ops, others):
            return _comparison(where, left, ops, others)
        case ast.Tuple(parts):
            return f"({', '.join(_plain(where, one) for one in parts)})"
        case ast.IfExp(test, then):
            groups = {group.name: group for group in where.spec.groups}
            tests = conjuncts(test)
            rest = [t for t in tests if not is_existence(t, groups)]
            return f"{_plain(where, then)}{_only(where, rest, len(rest) < len(tests))}"
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp() as inner]):
            return _total(where, lettered(where.spec, inner, where.known))
        case ast.Call(ast.Name("range"), [end]):
            return f"0..{_plain(where, end)} - 1"
        case ast.Call(ast.Name("range"), [low, ast.BinOp(high, ast.Add(), ast.Constant(1))]):
            return f"{_plain(where, low)}..{_plain(where, high)}"
    return ast.unparse(tree)


def _total(where: _Where, told: Sum) -> str:
    own = {letter for loop in told.loops for letter in stored(loop.target)}
    heads, limits = [], []
    for loop in told.loops:
        mine = stored(loop.target)
        if len(mine) == len(elements(loop.target)):
            heads.append(_member(where, loop))
        else:
            heads.append(", ".join(mine))
            limits.append(_member(where, loop))
    limits += [_plain(where, test) for test in told.tests if names_in(test) & own]
    body = _plain(where, told.body)
    if heads:
        sums = isinstance(told.body, ast.BinOp) and isinstance(told.body.op, ast.Add | ast.Sub)
        body = f"({body})" if sums else body
        body = f"sum over {', '.join(heads)}{_clause(' with ', limits)} of {body}"
    return body + _only(where, [test for test in told.tests if not names_in(test) & own])


def _member(where: _Where, loop: ast.comprehension) -> str:
    return f"{_plain(where, loop.target)} in {_plain(where, loop.iter)}"


def _clause(word: str, parts: list[str]) -> str:
    return word + ", ".join(parts) if parts else ""


def _only(where: _Where, tests: list[ast.expr], perhaps: bool = False) -> str:
    parts = ["where it exists"] if perhaps else []
    parts += [f"only for {', '.join(_plain(where, test) for test in tests)}"] if tests else []
    return f" ({', '.join(parts)})" if parts else ""


def _comparison(where: _Where, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> str:
    signs = [_SIGNS[type(op)] for op in ops]
    match left, signs, others:
        case ast.BinOp(a, ast.Mod(), m), ["="], [ast.BinOp(b, ast.Mod())]:
            return f"{_plain(where, a)} = {_plain(where, b)} modulo {_plain(where, m)}"
        case _, ["=" | "<="], [ast.Name() as name] if not isinstance(left, ast.Name):
            left, others, signs = name, [left], [{"<=": ">="}.get(signs[0], "=")]
    ends = zip(signs, others, strict=True)
    return _plain(where, left) + "".join(f" {sign} {_plain(where, one)}" for sign, one in ends)


def _operation(where: _Where, left: ast.expr, op: ast.operator, right: ast.expr) -> str:
    a, b = _plain(where, left), _plain(where, right)
    if isinstance(op, ast.Add | ast.Sub):
        sums = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add | ast.Sub)
        b = f"({b})" if sums and isinstance(op, ast.Sub) else b
        return f"{a} {'+' if isinstance(op, ast.Add) else '-'} {b}"
    a, b = (f"({text})" if isinstance(one, ast.BinOp) and not isinstance(one.op, ast.Mult)
            else f"[{text}]" if isinstance(one, ast.Compare) else text
            for one, text in ((left, a), (right, b)))  # fmt: skip
    return f"{a} mod {b}" if isinstance(op, ast.Mod) else f"{a} {b}"
