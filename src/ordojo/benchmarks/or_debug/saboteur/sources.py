"""Where sabotage begins: a seed problem that suits a type, solved, sometimes with an aside."""

from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.families import FAMILIES
from ordojo.benchmarks.or_debug.saboteur.bench import Bench
from ordojo.benchmarks.or_debug.saboteur.candidate import Source
from ordojo.benchmarks.or_debug.saboteur.columns import retypable
from ordojo.benchmarks.or_debug.saboteur.edits import insert_row, tidy
from ordojo.benchmarks.or_debug.saboteur.figures import beyond
from ordojo.benchmarks.or_debug.saboteur.rows import whole
from ordojo.benchmarks.or_debug.saboteur.wording import at_least, at_most, fresh_name
from ordojo.core.errors import GeneratorError
from ordojo.milp.model import INF
from ordojo.oracle.answers import Status

_DRAWS = 200
_ASIDE = 0.4


def draw(kind: str, rng: np.random.Generator, bench: Bench) -> Source | None:
    """A seed problem of a random family; None where it has no optimum (phase 1 fails).

    Type B needs an INTEGER column that may exceed 1. Some problems get an aside, a stated row which
    the optimum meets with room to spare, so that an added row of type D is not told by its name.
    Raises GeneratorError if no family suits the type.
    """
    names = list(FAMILIES)
    for _ in range(_DRAWS):
        family = names[int(rng.integers(len(names)))]
        seed = FAMILIES[family].make(rng)
        if kind == "B" and not retypable(seed.model):
            continue
        model = tidy(seed.model)
        solved = bench.solve(model)
        if solved.status != Status.OPTIMAL or solved.x is None or solved.objective is None:
            return None
        source = Source(
            family, model, seed.text, seed.roles, solved.x.copy(), float(solved.objective)
        )
        return _with_aside(source, rng) if rng.random() < _ASIDE else source
    raise GeneratorError(f"no family gives a problem for type {kind}; add one that does")


def _with_aside(source: Source, rng: np.random.Generator) -> Source:
    model = source.model
    lengths = np.diff(model.starts)
    i = int(rng.choice(np.flatnonzero(lengths >= 2))) if (lengths >= 2).any() else 0
    columns = [int(j) for j, v in zip(*model.row(i), strict=True) if v > 0]
    if not columns:
        return source
    size = int(rng.integers(1, len(columns) + 1))
    chosen = sorted(rng.permutation(columns)[:size].tolist())
    here = float(source.point[chosen].sum())
    lower = bool(rng.random() < 0.5)
    rhs = beyond(here, not lower, rng, here, whole(model, chosen))
    if rhs <= 0:
        return source
    sides = (rhs, INF) if lower else (-INF, rhs)
    name, at = fresh_name(model, lower, rng), int(rng.integers(model.m + 1))
    say = at_least if lower else at_most
    sentence = say([model.col_names[j] for j in chosen], rhs, rng)
    return replace(
        source,
        model=insert_row(model, at, name, dict.fromkeys(chosen, 1.0), *sides),
        text=f"{source.text} {sentence}",
        roles={**source.roles, name: "minimum" if lower else "maximum"},
    )
