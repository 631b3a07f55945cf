"""Reading scopes and rules: loops, the names that they use, and sets looked up by their parts."""

import ast
from dataclasses import dataclass
from functools import lru_cache

from ordojo.core.errors import GeneratorError
from ordojo.templates.spec import Spec

FUNCTIONS = ("sum", "range")
"""What an expression may call."""


@dataclass(frozen=True)
class Loop:
    """One `for`: its index names, the set or range behind it (as text), and its conditions."""

    indices: tuple[str, ...]
    over: str
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class Uses:
    """The names that a scope and a rule mention, in order of appearance."""

    sets: tuple[str, ...]
    parameters: tuple[str, ...]
    groups: tuple[str, ...]


@lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    """An expression's tree; raises GeneratorError where it is none."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise GeneratorError(f"'{text}' is no expression ({error.msg}); correct it") from None


@lru_cache(maxsize=4096)
def loops(scope: str) -> tuple[Loop, ...]:
    """The loops of a scope, outermost first."""
    if not scope:
        return ()
    tree = parse(f"[0 {scope}]")
    if not isinstance(tree, ast.ListComp):
        raise GeneratorError(f"'{scope}' is no scope; write it as 'for i in I if ...'")
    return tuple(
        Loop(
            names(part.target),
            ast.unparse(part.iter),
            tuple(ast.unparse(test) for test in part.ifs),
        )
        for part in tree.generators
    )


def names(target: ast.expr) -> tuple[str, ...]:
    """The index names of a loop's target."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return tuple(ast.unparse(part) for part in parts)


def indices(scope: str) -> tuple[str, ...]:
    """All index names of a scope, in order."""
    return tuple(name for loop in loops(scope) for name in loop.indices)


def index_sets(scope: str) -> tuple[str, ...]:
    """The sets that a scope loops over, in order."""
    return tuple(loop.over for loop in loops(scope))


@lru_cache(maxsize=4096)
def mentioned(*texts: str) -> tuple[str, ...]:
    """Every name in these scopes and rules, once, in order of appearance."""
    found: dict[str, None] = {}
    for text in texts:
        if not text:
            continue
        tree = parse(f"[0 {text}]" if text.startswith("for ") else text)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            found.setdefault(node.id)
    return tuple(found)


def uses(spec: Spec, *texts: str) -> Uses:
    """What of a declaration the texts mention."""
    found = mentioned(*texts)

    def among(known: list[str]) -> tuple[str, ...]:
        return tuple(name for name in found if name in known)

    return Uses(
        among([item.name for item in spec.sets]),
        among([item.name for item in spec.parameters]),
        among([item.name for item in spec.groups]),
    )
