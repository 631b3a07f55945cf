"""Expressions as Python source for a solver's API, on short lines."""

import ast

from ordojo.templates.algebra import mentioned
from ordojo.templates.lookups import narrowed
from ordojo.templates.spec import Spec

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
