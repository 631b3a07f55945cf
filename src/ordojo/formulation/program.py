"""A readable solve.py: reads data/ and builds the model by loops, with HiGHS."""

import ast
import re
from collections.abc import Iterable

from ordojo.formulation.algebra import indices, loops, mentioned, narrowed, tuple_of
from ordojo.formulation.spec import PARAMETERS, Family, Group, Spec
from ordojo.formulation.words import scope_words, sentence, tables_of

WIDTH = 96
_SIGNS = {ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=="}


def solver_tree(spec: Spec, rule: str) -> ast.expr:
    """The rule with `h.qsum` for every sum over variables, and look-ups for loops over parts."""
    groups = {group.name for group in spec.groups}

    class Sums(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            inner = groups & set(mentioned(ast.unparse(node)))
            self.generic_visit(node)
            if isinstance(node.func, ast.Name) and node.func.id == "sum" and inner:
                node.func = ast.Attribute(ast.Name("h", ast.Load()), "qsum", ast.Load())
            return node

    changed: ast.expr = Sums().visit(narrowed(spec, rule))
    return ast.fix_missing_locations(changed)


def source(tree: ast.AST) -> str:
    """The tree as Python, without the second brackets around a sum's only argument."""
    text = ast.unparse(tree)
    at = 0
    while (at := text.find("sum((", at)) >= 0:
        at += 4
        depth, end = 0, at
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if not depth:
                break
            end += 1
        text = text[:at] + text[at + 1 : end] + text[end + 1 :]
    return text


def call(tree: ast.expr, before: str, rest: tuple[str, ...] = (), pad: str = "") -> list[str]:
    """The lines of a call `before(tree, *rest)`, indented by `pad`."""
    flat = f"{pad}{before}({', '.join([source(tree), *rest])})"
    if len(flat) <= WIDTH:
        return [flat]
    lines = _relation(tree, WIDTH - len(pad) - 5)
    lines[-1] += "," if rest else ""
    ends = [f"{part}," for part in rest]
    return [f"{pad}{before}(", *(f"{pad}    {line}" for line in [*lines, *ends]), f"{pad})"]


def _relation(tree: ast.expr, width: int) -> list[str]:
    if not isinstance(tree, ast.Compare):
        return _summands(tree, width)
    if len(source(tree)) <= width:
        return [source(tree)]
    sign = _SIGNS[type(tree.ops[0])]
    left, right = _summands(tree.left, width), _summands(tree.comparators[0], width)
    if isinstance(tree.left, ast.BinOp) and len(left) > 1:
        left = ["(", *(f"    {line}" for line in left), ")"]
    if len(right) > 1:
        return [*left, f"{sign} (", *(f"    {line}" for line in right), ")"]
    return [*left, f"{sign} {right[0]}"]


def _summands(tree: ast.expr, width: int) -> list[str]:
    text = source(tree)
    if len(text) <= width:
        return [text]
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub):
        sign = "+" if isinstance(tree.op, ast.Add) else "-"
        right = _summands(tree.right, width - 2)
        if isinstance(tree.right, ast.BinOp) and isinstance(tree.right.op, ast.Add | ast.Sub):
            right = ["(", *(f"    {line}" for line in right), ")"]
        return [*_summands(tree.left, width), f"{sign} {right[0]}", *right[1:]]
    if isinstance(tree, ast.Call) and isinstance(tree.args[0], ast.GeneratorExp):
        inner = tree.args[0]
        lines = [source(inner.elt)]
        for part in inner.generators:
            lines.append(f"for {names(part.target)} in {source(part.iter)}")
            lines += [f"if {source(test)}" for test in part.ifs]
        return [f"{source(tree.func)}(", *(f"    {line}" for line in lines), ")"]
    return [text]


def names(target: ast.expr) -> str:
    """A loop's target without brackets."""
    return source(target).strip("()")


_HEAD = '''"""{title}.

Reads the tables in data/, builds the model by loops, solves it with HiGHS and prints the optimum.
"""

import csv

import highspy

INF = highspy.kHighsInf
REAL, WHOLE = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger


def number(text):
    """A whole number as int, another one as float."""
    return int(text) if text.lstrip("-").isdigit() else float(text)


def read(name):
    """The rows of data/NAME.csv, each by its columns."""
    with open(f"data/{{name}}.csv", newline="") as file:
        rows = csv.DictReader(file)
        return [{{key: number(text) for key, text in row.items()}} for row in rows]

'''
_WHERE = '''
FOUND = {}


def where(elements, part, value):
    """The elements whose part number `part` is `value`."""
    key = id(elements), part
    if key not in FOUND:
        FOUND[key] = {}
        for element in elements:
            FOUND[key].setdefault(element[part], []).append(element)
    return FOUND[key].get(value, [])

'''
_TAIL = """h.setOptionValue("output_flag", False)
h.setOptionValue("mip_rel_gap", 0.0)
{objective}

status = h.getModelStatus()
if status == highspy.HighsModelStatus.kOptimal:
    print(f"optimal_value = {{h.getInfo().objective_function_value}}")
else:
    print(f"status: {{h.modelStatusToString(status)}}")
"""


def solve_py(spec: Spec, title: str) -> str:
    """The program; run in an instance's folder it prints `optimal_value = ...`."""
    body = [
        "# Data",
        *_data(spec),
        "",
        "h = highspy.Highs()",
        "",
        "# Variables",
        *(line for group in spec.groups for line in _group(group)),
        "",
        "# Constraints",
        *(line for family in spec.families for line in _family(spec, family)),
    ]
    text = "\n".join(body) + "\n"
    objective = call(solver_tree(spec, spec.objective.rule), f"h.{spec.objective.sense}")
    goal = [*_comment(f"{spec.objective.sense} {spec.objective.meaning}"), *objective]
    tail = _TAIL.format(objective="\n".join(goal))
    whole = text + tail
    if re.search(r"\bfor [\w, ]*\bh\b[\w, ]* in ", text):  # an index would hide the model
        whole = re.sub(r"\bh(?=\.[a-zA-Z]| = highspy)", "highs", whole)
    helper = _WHERE if "where(" in whole else ""
    return _HEAD.format(title=title) + helper + "\n" + whole


def _data(spec: Spec) -> Iterable[str]:
    for table in tables_of(spec):
        yield f'{_rows(table)} = read("{table}")'
    for parameter in spec.parameters:
        if parameter.over:
            key = tuple_of([f'row["{name}"]' for name in spec.key(parameter)])
            rest = f'row["{parameter.name}"] for row in {_rows(parameter.table)}'
            yield f"{parameter.name} = {{{key}: {rest}}}"
        else:
            yield f'{parameter.name} = {_rows(PARAMETERS)}[0]["{parameter.name}"]'
    for item in spec.sets:
        if item.size:
            yield f"{item.name} = range(1, {item.size} + 1)  # {item.many}"
        else:
            key = tuple_of([f'row["{name}"]' for name in item.key])
            yield f"{item.name} = [{key} for row in {_rows(item.table)}]  # {item.many}"


def _rows(table: str) -> str:
    return f"{table}_rows"


def _group(group: Group) -> Iterable[str]:
    kind = "REAL" if group.domain == "continuous" else "WHOLE"
    low = group.lower or "-INF"
    up = group.upper or ("1" if group.domain == "binary" else "INF")
    made = f"h.addVariable({low}, {up}, type={kind}, name={label(group.name, group.scope)})"
    yield from _comment(group.meaning)
    if not group.scope:
        yield f"{group.name} = {made}"
        return
    yield f"{group.name} = {{"
    yield f"    {tuple_of(list(indices(group.scope)))}: {made}"
    for loop in loops(group.scope):
        yield f"    for {', '.join(loop.indices)} in {loop.over}"
        yield from (f"    if {test}" for test in loop.conditions)
    yield "}"


def _family(spec: Spec, family: Family) -> Iterable[str]:
    yield from _comment(f"{scope_words(spec, family)}{family.meaning}")
    over = headers(family.scope)
    yield from over
    name = f"name={label(family.name, family.scope)}"
    yield from call(solver_tree(spec, family.rule), "h.addConstr", (name,), "    " * len(over))
    yield ""


def headers(scope: str) -> list[str]:
    """The loops and tests of a scope as statements, each within the one before."""
    lines: list[str] = []
    for loop in loops(scope):
        lines.append(f"for {', '.join(loop.indices)} in {loop.over}:")
        lines += [f"if {' and '.join(loop.conditions)}:"] * bool(loop.conditions)
    return ["    " * depth + line for depth, line in enumerate(lines)]


def _comment(text: str) -> Iterable[str]:
    line = "#"
    for word in sentence(text).split():
        if len(line) + len(word) >= WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def label(name: str, scope: str) -> str:
    """The name of a variable or row as Python: a text with its indices filled in."""
    found = indices(scope)
    return f'f"{name}[{",".join("{" + index + "}" for index in found)}]"' if found else f'"{name}"'
