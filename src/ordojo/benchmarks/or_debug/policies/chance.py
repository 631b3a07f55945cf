"""Chance: valid actions on what stands in the code."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, REPAIR, Action, Invalid, Kind
from ordojo.benchmarks.or_debug.policies.replies import program, reply, script
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.core.seeds import generator
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, Model

KINDS = tuple(kind for kind in Kind if kind in DIAGNOSTIC | REPAIR)


@dataclass(frozen=True)
class Chance:
    """Draws an action, and what it needs, uniformly: a row, a column, a loosening of its side.

    A shift is a whole number, at most the side's size, so that whole numbers stay whole. Asked
    for the whole program, it gives back the one that it was shown.
    """

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Seed the episode by (seed, instance, epoch)."""
        rng = generator(seed, f"random-policy/{instance.id}", epoch)
        model: Model = instance.problem.model
        return script(_replies(model, rng), lambda: program(model))


def _replies(model: Model, rng: np.random.Generator) -> Iterator[str]:
    while True:
        action = _draw(model, rng)
        yield reply(str(action))
        after = apply_action(model, action) if action.kind in REPAIR else model
        model = model if isinstance(after, Invalid) else after


def _draw(model: Model, rng: np.random.Generator) -> Action:
    kind = KINDS[int(rng.integers(len(KINDS)))]
    rows = [i for i in range(model.m) if model.is_live(i)]
    if kind is Kind.GET_IIS or not rows:
        return Action(Kind.GET_IIS)
    if kind is Kind.CHECK_BOUND:
        return Action(kind, model.col_names[int(rng.integers(model.n))])
    i = rows[int(rng.integers(len(rows)))]
    name = model.row_names[i]
    lower, upper = float(model.row_lower[i]), float(model.row_upper[i])
    side = upper if upper < INF else lower
    size = math.ceil(rng.integers(1, 101) / 100 * max(1.0, abs(side)))
    shift = float(size if upper < INF else -size)
    if kind is Kind.RELAX:
        return Action(kind, name, shift)
    if kind is Kind.REWRITE:
        moved = model.with_row_bounds(i, lower + shift, upper + shift)
        return Action(kind, name, expr=row_text(moved, i))
    return Action(kind, name)
