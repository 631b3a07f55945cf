"""A declaration as model.md, in plain mathematics: `sum over j in J of a[i, j] x[i, j] <= b[i]`."""

import ast
from collections.abc import Iterator

from ordojo.formulation.algebra import conjuncts, indices, named, names_in, parse
from ordojo.formulation.letters import (
    Sum,
    comprehensions,
    elements,
    is_existence,
    lettered,
    stored,
)
from ordojo.formulation.spec import SETS, Family, Group, Parameter, Set, Spec
from ordojo.formulation.terms import sides, summands
from ordojo.formulation.words import scope_words, sentence

_SIGNS = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.Gt: ">",
    ast.In: "in",
}  # fmt: skip
_DOMAINS = {"binary": "in {0, 1}", "continuous": "real", "semiinteger": "semi-integer"}


def model_md(spec: Spec, title: str, lead: str = "", scalars: str = "column") -> str:
    """The index-explicit formulation as Markdown; parts of sets where it mentions them.

    `lead` stands below the title; `scalars` is what their table has for each, a column or a row.
    """
    used = named(spec)
    sets = [one for one in spec.sets if not one.within or one.name in used]
    lines = [f"# {title}", "", *([lead, ""] if lead else []), "## Sets", ""]
    lines += [f"- **{one.name}**: the {one.many}{_range(one)}" for one in sets] or ["None."]
    lines += ["", "## Parameters", ""]
    lines += [_given(spec, one, scalars) for one in spec.parameters] or ["None."]
    return "\n".join([*lines, "", *statement(spec)])


def _range(one: Set) -> str:
    if one.size:
        return f", 1..{one.size}"
    whole = f", a part of {one.within}" if one.within else ""
    whole += f", some of {' x '.join(one.parts)}" if one.parts else ""
    columns = [] if one.table == SETS else [f"`{column}`" for column in one.key]
    return f"{whole}, from {', '.join([f'`data/{one.table}.csv`', *columns])}"


def _given(spec: Spec, one: Parameter, scalars: str) -> str:
    index = f"[{', '.join(spec.key(one))}]" if one.over else ""
    unit = f" ({one.unit})" if one.unit else ""
    rest = "" if one.default is None else f", {one.default:g} where not listed"
    column = f"`data/{one.table}.csv`, {'column' if one.over else scalars} `{one.name}`"
    return f"- **{one.name}**{index}: {one.meaning}{unit}{rest}; {column}"


def statement(spec: Spec) -> list[str]:
    """The lines for variables, objective and constraints, with what is known of their meaning."""
    lines = ["## Variables", ""]
    for group in spec.groups:
        meaning = f": {group.meaning}" if group.meaning else ""
        lines.append(f"- **{heading(spec, group)[0]}** {domain(spec, group)}{meaning}")
    goal = spec.objective
    told = [sentence(f"{goal.sense} {goal.meaning}"), ""] if goal.meaning else []
    rule = f"{goal.sense} {' '.join(_sum(spec, parse(goal.rule)))}"
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
    loops = comprehensions(one.scope)
    tests = [_plain(spec, test) for loop in loops for test in loop.ifs]
    over = ", ".join(_member(spec, loop) for loop in loops) + _clause(" with ", tests)
    return f"{one.name}[{', '.join(indices(one.scope))}]", f" for all {over}"


def domain(spec: Spec, group: Group) -> str:
    """What a group's variables may be, and for which indices; its name apart."""
    name, over = heading(spec, group)
    known = group.domain.isidentifier() and group.domain not in {p.name for p in spec.parameters}
    kind = _DOMAINS.get(group.domain, group.domain) if known else f"of type {group.domain}"
    low, up = (_plain(spec, parse(end)) if end else "" for end in (group.lower, group.upper))
    if group.domain == "binary":
        return f"{kind}{over}"
    if not low and not up:
        return f"{kind}, free{over}"
    if not up:
        return f"{kind}, {name} >= {low}{over}"
    return f"{kind}, {f'{low} <= ' if low else ''}{name} <= {up}{over}"


def constraint(spec: Spec, family: Family) -> list[str]:
    """A family's rule in lines: what it needs, a line for each term, and the right side."""
    left, sense, right, *span = sides(family.rule)
    sign = str(sense.value) if isinstance(sense, ast.Constant) else _plain(spec, sense)
    side = "no limit" if sign == "free" else f"{sign} {_plain(spec, right)}"
    side += "".join(f", the other side {_plain(spec, one)} apart" for one in span)
    lead = []
    for text in family.given:
        match parse(text):
            case ast.IfExp(test, then):
                lead.append(f"if {_plain(spec, then)} (for {_plain(spec, test)}):")
            case whole:
                lead.append(f"if {_plain(spec, whole)}:")
    return [*lead, *_sum(spec, left), side]


def _sum(spec: Spec, tree: ast.expr) -> list[str]:
    """The terms with their signs, that of the first only where it is minus."""
    found = [f"{'-' if minus else '+'} {_plain(spec, one)}" for minus, one in _pulled(tree)]
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


def _plain(spec: Spec, tree: ast.expr) -> str:
    match tree:
        case ast.Subscript(base, index):
            return f"{_plain(spec, base)}[{', '.join(_plain(spec, k) for k in elements(index))}]"
        case ast.BinOp(left, op, right):
            return _operation(spec, left, op, right)
        case ast.UnaryOp(ast.USub(), part):
            return f"-{_plain(spec, part)}"
        case ast.BoolOp(ast.And(), values):
            return ", ".join(_plain(spec, one) for one in values)
        case ast.Compare(left, ops, others):
            return _comparison(spec, left, ops, others)
        case ast.Tuple(parts):
            return f"({', '.join(_plain(spec, one) for one in parts)})"
        case ast.IfExp(test, then):
            groups = {group.name: group for group in spec.groups}
            rest = [t for t in conjuncts(test) if not is_existence(t, groups)]
            note = _only(spec, rest) if rest else " (where it exists)"
            return f"{_plain(spec, then)}{note}"
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp() as inner]):
            return _total(spec, lettered(spec, inner))
        case ast.Call(ast.Name("range"), [end]):
            return f"0..{_plain(spec, end)} - 1"
        case ast.Call(ast.Name("range"), [low, ast.BinOp(high, ast.Add(), ast.Constant(1))]):
            return f"{_plain(spec, low)}..{_plain(spec, high)}"
    return ast.unparse(tree)


def _total(spec: Spec, told: Sum) -> str:
    own = {letter for loop in told.loops for letter in stored(loop.target)}
    heads, limits = [], []
    for loop in told.loops:
        mine = stored(loop.target)
        if len(mine) == len(elements(loop.target)):
            heads.append(_member(spec, loop))
        else:
            heads.append(", ".join(mine))
            limits.append(_member(spec, loop))
    limits += [_plain(spec, test) for test in told.tests if names_in(test) & own]
    body = _plain(spec, told.body)
    if heads:
        sums = isinstance(told.body, ast.BinOp) and isinstance(told.body.op, ast.Add | ast.Sub)
        body = f"({body})" if sums else body
        body = f"sum over {', '.join(heads)}{_clause(' with ', limits)} of {body}"
    return body + _only(spec, [test for test in told.tests if not names_in(test) & own])


def _member(spec: Spec, loop: ast.comprehension) -> str:
    return f"{_plain(spec, loop.target)} in {_plain(spec, loop.iter)}"


def _clause(word: str, parts: list[str]) -> str:
    return word + ", ".join(parts) if parts else ""


def _only(spec: Spec, tests: list[ast.expr]) -> str:
    return f" (only for {', '.join(_plain(spec, test) for test in tests)})" if tests else ""


def _comparison(spec: Spec, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> str:
    signs = [_SIGNS[type(op)] for op in ops]
    match left, signs, others:
        case ast.BinOp(a, ast.Mod(), m), ["="], [ast.BinOp(b, ast.Mod())]:
            return f"{_plain(spec, a)} = {_plain(spec, b)} modulo {_plain(spec, m)}"
        case _, ["=" | "<="], [ast.Name() as name] if not isinstance(left, ast.Name):
            left, others, signs = name, [left], [{"<=": ">="}.get(signs[0], "=")]
    ends = zip(signs, others, strict=True)
    return _plain(spec, left) + "".join(f" {sign} {_plain(spec, one)}" for sign, one in ends)


def _operation(spec: Spec, left: ast.expr, op: ast.operator, right: ast.expr) -> str:
    a, b = _plain(spec, left), _plain(spec, right)
    if isinstance(op, ast.Add | ast.Sub):
        sums = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add | ast.Sub)
        b = f"({b})" if sums and isinstance(op, ast.Sub) else b
        return f"{a} {'+' if isinstance(op, ast.Add) else '-'} {b}"
    a, b = (f"({text})" if isinstance(one, ast.BinOp) and not isinstance(one.op, ast.Mult)
            else f"[{text}]" if isinstance(one, ast.Compare) else text
            for one, text in ((left, a), (right, b)))  # fmt: skip
    return f"{a} mod {b}" if isinstance(op, ast.Mod) else f"{a} {b}"
