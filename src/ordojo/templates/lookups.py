"""Loops over a part of a set, `for (i, j) in A if i == n`, as look-ups instead of searches."""

import ast
from types import CodeType
from typing import Any

from ordojo.templates.algebra import names, parse
from ordojo.templates.spec import Spec


class Elements(list[Any]):
    """A set's elements, with those that share a part found at once."""

    def __init__(self, elements: list[Any]) -> None:
        super().__init__(elements)
        self.by: dict[int, dict[Any, list[Any]]] = {}


def where(elements: Elements, part: int, value: Any) -> list[Any]:
    """The elements whose part number `part` is `value`, in the set's order."""
    if part not in elements.by:
        found: dict[Any, list[Any]] = {}
        for element in elements:
            found.setdefault(element[part], []).append(element)
        elements.by[part] = found
    return elements.by[part].get(value, [])


def narrowed(spec: Spec, text: str) -> ast.expr:
    """An expression in which `for (i, j) in A if i == n` reads `for (i, j) in where(A, 0, n)`."""
    several = frozenset(item.name for item in spec.sets if len(item.key) > 1)
    tree = ast.parse(ast.unparse(parse(text)), mode="eval")
    changed: ast.Expression = _Narrow(several).visit(tree)
    return ast.fix_missing_locations(changed).body


def compiled(spec: Spec, text: str) -> CodeType:
    """The code of an expression, narrowed."""
    return compile(ast.Expression(narrowed(spec, text)), "<rule>", "eval")


class _Narrow(ast.NodeTransformer):
    def __init__(self, several: frozenset[str]) -> None:
        self.several = several

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Turn the first test `part == value` of a loop over tuples into a look-up."""
        self.generic_visit(node)
        over, own = node.iter, names(node.target)
        if not (isinstance(over, ast.Name) and over.id in self.several):
            return node
        for test in node.ifs:
            match test:
                case ast.Compare(ast.Name(id=name), [ast.Eq()], [value]) if name in own:
                    used = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
                    if used & set(own):
                        continue
                    place = ast.Constant(own.index(name))
                    called = ast.Name("where", ast.Load())
                    node.iter = ast.Call(called, [over, place, value], [])
                    node.ifs = [other for other in node.ifs if other is not test]
                    break
        return node
