"""The declaration as model.md: sets, parameters, variables, objective and families in LaTeX."""

import ast

from ordojo.formulation.algebra import loops, names, parse
from ordojo.formulation.spec import Family, Group, Spec
from ordojo.formulation.words import scope_words, sentence

_SIGNS = {
    ast.LtE: r"\le",
    ast.GtE: r"\ge",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.In: r"\in",
}
_DOMAINS = {
    "binary": r"\{0, 1\}",
    "integer": r"\mathbb{Z}",
    "continuous": r"\mathbb{R}",
    # Zero, or within the bounds.
    "semicontinuous": r"\{0\} \cup \mathbb{R}",
    "semiinteger": r"\{0\} \cup \mathbb{Z}",
}


def model_md(spec: Spec, title: str) -> str:
    """The index-explicit formulation as Markdown with LaTeX."""
    letters = index_letters(spec)
    lines = [f"# {title}", "", "## Sets", ""]
    lines += [f"- ${item.name}$: the {item.many}{_range(spec, item.name)}" for item in spec.sets]
    lines += ["", "## Parameters", ""]
    for parameter in spec.parameters:
        over = ",".join(letters.get(name, name.lower()) for name in parameter.over)
        index = f"_{{{over}}}" if over else ""
        unit = f" ({parameter.unit})" if parameter.unit else ""
        source = f"`data/{parameter.table}.csv`, column `{parameter.name}`"
        lines.append(f"- ${_word(parameter.name)}{index}$: {parameter.meaning}{unit}; {source}")
    lines += ["", "## Variables", ""]
    lines += [f"- {_group(group)}: {group.meaning}" for group in spec.groups]
    goal = spec.objective
    lines += ["", "## Objective", "", f"{sentence(f'{goal.sense} {goal.meaning}')}", "", "$$"]
    lines += [rf"\{goal.sense[:3]} \quad {latex(goal.rule)}", "$$", "", "## Constraints", ""]
    for family in spec.families:
        lines += [f"### {family.name}", ""]
        lines += [sentence(scope_words(spec, family) + family.meaning), "", "$$"]
        given = [rf"{latex(when)} \Rightarrow " for when in family.given]
        lines += ["".join([*given, latex(family.rule), _scope(family)]), "$$", ""]
    return "\n".join(lines)


def index_letters(spec: Spec) -> dict[str, str]:
    """By set, the index names with which it is looped over first: {"A": "i,j"}."""
    found: dict[str, str] = {}
    scopes = [family.scope for family in spec.families] + [group.scope for group in spec.groups]
    rules = [spec.objective.rule, *(family.rule for family in spec.families)]
    for text in [*(f"[0 {scope}]" for scope in scopes if scope), *rules]:
        for node in ast.walk(parse(text)):
            if isinstance(node, ast.comprehension):
                found.setdefault(ast.unparse(node.iter), ",".join(names(node.target)))
    return found


def latex(rule: str) -> str:
    """An expression or relation in LaTeX."""
    return _tex(parse(rule))


def _range(spec: Spec, name: str) -> str:
    item = spec.set(name)
    if item.size:
        return rf", $\{{1, \ldots, {_word(item.size)}\}}$"
    where = ", ".join(f"`{column}`" for column in item.key)
    whole = r" \times ".join(item.parts)
    inside = rf" $\subseteq {whole}$" if whole else ""
    return f"{inside}, from `data/{item.table}.csv`, {where}"


def _group(group: Group) -> str:
    found = loops(group.scope)
    index = ",".join(name for loop in found for name in loop.indices)
    symbol = f"{_word(group.name)}_{{{index}}}" if index else _word(group.name)
    parts = [rf"{symbol} \in {_DOMAINS.get(group.domain) or latex(group.domain)}"]
    if group.domain != "binary":
        low = rf"{latex(group.lower)} \le " if group.lower else ""
        up = rf" \le {latex(group.upper)}" if group.upper else ""
        parts += [f"{low}{symbol}{up}"] if low or up else []
    scope = rf" \quad {_for_all(group.scope)}" if found else ""
    return f"${', '.join(parts)}{scope}$"


def _scope(family: Family) -> str:
    return rf" \qquad {_for_all(family.scope)}" if family.scope else ""


def _for_all(scope: str) -> str:
    return r"\forall " + _domain(parse(f"[0 {scope}]"))


def _domain(tree: ast.expr) -> str:
    """The loops of a comprehension: `i \\in I, j \\in J : i < j`."""
    assert isinstance(tree, ast.ListComp | ast.GeneratorExp)
    ins, tests = [], []
    for part in tree.generators:
        target = ", ".join(names(part.target))
        shown = f"({target})" if isinstance(part.target, ast.Tuple) else target
        ins.append(rf"{shown} \in {_tex(part.iter)}")
        tests += [_tex(test) for test in part.ifs]
    return ", ".join(ins) + (" : " + ", ".join(tests) if tests else "")


def _word(name: str) -> str:
    escaped = name.replace("_", r"\_")
    return name if len(name) == 1 else rf"\mathrm{{{escaped}}}"


def _tex(tree: ast.expr) -> str:
    match tree:
        case ast.Constant(value):
            return rf"\text{{{value}}}" if isinstance(value, str) else str(value)
        case ast.Name(name):
            return _word(name)
        case ast.Subscript(base, index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            return f"{_tex(base)}_{{{','.join(map(_tex, parts))}}}"
        case ast.BinOp(left, op, right):
            return _operation(left, op, right)
        case ast.UnaryOp(ast.USub(), part):
            return f"-{_tex(part)}"
        case ast.BoolOp(ast.And(), values):
            return ", ".join(map(_tex, values))
        case ast.Compare(left, ops, others):
            ends = (f" {_SIGNS[type(op)]} {_tex(one)}" for op, one in zip(ops, others, strict=True))
            return _tex(left) + "".join(ends)
        case ast.Tuple(elements):
            return f"({', '.join(map(_tex, elements))})"
        case ast.IfExp(test, then):
            return rf"\mathbf{{1}}[{_tex(test)}] \, {_tex(then)}"
        case ast.Call(ast.Name("row"), [left, sense, right, *span]):
            return _row(left, sense, right, span)
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp(elt) as inner]):
            body = _tex(elt)
            if isinstance(elt, ast.BinOp) and isinstance(elt.op, ast.Add | ast.Sub):
                body = rf"\left({body}\right)"
            return rf"\sum_{{{_domain(inner)}}} {body}"
        case ast.Call(ast.Name("range"), [end]):
            return rf"\{{0, \ldots, {_tex(end)} - 1\}}"
    raise TypeError(f"no LaTeX for {ast.unparse(tree)}")


def _row(left: ast.expr, sense: ast.expr, right: ast.expr, span: list[ast.expr]) -> str:
    """A row as an MPS file says one; what its sense is may stand in the data."""
    known = {"<=": r"\le", ">=": r"\ge", "=": "="}
    sign = _tex(sense)
    if isinstance(sense, ast.Constant):
        if sense.value not in known:
            return rf"{_tex(left)} \text{{ free}}"
        sign = known[sense.value]
    range_ = "".join(rf" \text{{ (range }} {_tex(one)} \text{{)}}" for one in span)
    return f"{_tex(left)} {sign} {_tex(right)}{range_}"


def _operation(left: ast.expr, op: ast.operator, right: ast.expr) -> str:
    additive = (ast.Add, ast.Sub)
    a, b = _tex(left), _tex(right)
    if isinstance(op, ast.Mult | ast.Mod):
        a, b = (
            rf"({text})"
            if isinstance(part, ast.BinOp) and isinstance(part.op, (*additive, ast.Mod))
            else text
            for part, text in ((left, a), (right, b))
        )
        # A comparison as a factor is 1 where it holds and 0 elsewhere.
        a, b = (
            rf"\mathbf{{1}}[{text}]" if isinstance(part, ast.Compare) else text
            for part, text in ((left, a), (right, b))
        )
        return rf"{a} \bmod {b}" if isinstance(op, ast.Mod) else rf"{a} \, {b}"
    if isinstance(op, ast.Sub) and isinstance(right, ast.BinOp) and isinstance(right.op, additive):
        b = f"({b})"
    return f"{a} {'+' if isinstance(op, ast.Add) else '-'} {b}"
