"""What the saboteur works on and what it makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, Kind, number
from ordojo.benchmarks.or_debug.saboteur.bench import Bench
from ordojo.milp.algebra import row_text
from ordojo.milp.model import Floats, Model, VarType


@dataclass(frozen=True)
class Source:
    """A seed problem that has an optimum: its model, its text, the optimal point and value.

    Rows have their columns in ascending order. `roles` says by names what rows are for.
    """

    family: str
    model: Model
    text: str
    roles: Mapping[str, str]
    point: Floats
    objective: float


@dataclass(frozen=True)
class Candidate:
    """A sabotaged problem before validation.

    `text` tells `original`, the true problem. `targets` are the sabotaged elements and `fix` one
    action for each.
    """

    original: Model
    sabotaged: Model
    text: str
    targets: tuple[str, ...]
    fix: tuple[Action, ...]
    method: str

    def renamed(self, names: Mapping[str, str]) -> "Candidate":
        """The same under other names of rows."""
        return replace(
            self,
            original=self.original.renamed(names),
            sabotaged=self.sabotaged.renamed(names),
            targets=tuple(names.get(target, target) for target in self.targets),
            fix=tuple(replace(a, target=names.get(a.target, a.target)) for a in self.fix),
        )


Injector = Callable[[Source, np.random.Generator, Bench], Candidate | None]
"""Sabotages a seed problem; None where its method finds no target."""


def row_candidate(
    original: Model, sabotaged: Model, text: str, rows: tuple[int, ...], method: str
) -> Candidate:
    """A candidate whose sabotage is in rows, with the fix that restores them one by one."""
    return Candidate(
        original,
        sabotaged,
        text,
        tuple(original.row_names[i] for i in rows),
        tuple(restore_row(original, sabotaged, i) for i in rows),
        method,
    )


def bound_candidate(
    original: Model, sabotaged: Model, j: int, *, text: str, side: str, method: str
) -> Candidate:
    """A candidate whose sabotage is column j's bound "lb" or "ub"."""
    fix = restore_bound(original, sabotaged, j, side)
    return Candidate(original, sabotaged, text, (fix.target,), (fix,), method)


def restore_row(original: Model, sabotaged: Model, i: int) -> Action:
    """The one action that makes row i of `sabotaged` what it was.

    A moved right-hand side is relaxed back where that is exact in floating point, a row that the
    original has not (one without sides) is dropped, any other is rewritten.
    """
    name = original.row_names[i]
    if not original.is_live(i):
        return Action(Kind.DROP, name)
    old = (float(original.row_lower[i]), float(original.row_upper[i]))
    new = (float(sabotaged.row_lower[i]), float(sabotaged.row_upper[i]))
    terms, changed = original.row(i), sabotaged.row(i)
    if np.array_equal(terms[0], changed[0]) and np.array_equal(terms[1], changed[1]):
        moves = {round(a - b, 9) for a, b in zip(old, new, strict=True) if a != b}
        delta = moves.pop()
        if not moves and all(a in (b, b + delta) for a, b in zip(old, new, strict=True)):
            return Action(Kind.RELAX, name, delta)
    return Action(Kind.REWRITE, name, expr=row_text(original, i))


def restore_bound(original: Model, sabotaged: Model, j: int, side: str) -> Action:
    """The one action that makes the bound "lb" or "ub" of column j what it was."""
    target = f"{original.col_names[j]}.{side}"
    old, new = (
        float((model.col_lower if side == "lb" else model.col_upper)[j])
        for model in (original, sabotaged)
    )
    if not np.isfinite(old):
        return Action(Kind.DROP, target)
    delta = round(old - new, 9)
    if new + delta == old:
        return Action(Kind.RELAX, target, delta)
    return Action(Kind.REWRITE, target, expr=number(old))


def restore_type(original: Model, j: int) -> Action:
    """The one action that makes column j of its old type."""
    kind = VarType(int(original.types[j])).name
    return Action(Kind.REWRITE, f"{original.col_names[j]}.type", expr=kind)
