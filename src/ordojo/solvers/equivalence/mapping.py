"""The certificate of equality: made from a match of nodes, and checked from the models alone."""

import math

from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.equivalence.answers import ModelMapping
from ordojo.solvers.equivalence.form import StandardForm
from ordojo.solvers.equivalence.reduce import (
    ROUNDING,
    TOLERANCE,
    InvalidStepError,
    ReducedModel,
    times,
)
from ordojo.solvers.equivalence.search import Graph


def mapping_of(
    states: tuple[ReducedModel, ReducedModel],
    forms: tuple[StandardForm, StandardForm],
    graph: Graph,
    pairs: dict[int, int],
) -> ModelMapping:
    """The mapping that a match of the graph's nodes stands for; not checked here."""
    one, other = forms
    n, m = graph.n, graph.m
    columns = []
    for j in range(n):
        k = pairs[j] - graph.half
        scale = float(one.scale[j] / other.scale[k])
        # Scales that stand for one another to rounding are written as such.
        scale = float(round(scale)) if abs(scale - round(scale)) < ROUNDING else scale
        shift = float(one.shift[j] - scale * other.shift[k])
        size = max(abs(float(one.shift[j])), abs(scale * float(other.shift[k])))
        shift = 0.0 if abs(shift) <= ROUNDING * size else shift
        columns.append((int(one.cols[j]), int(other.cols[k]), scale, shift))
    image = {j: (k, scale) for j, k, scale, _ in columns}
    rows = []
    for i in range(m):
        k = pairs[n + i] - graph.half - n
        if k >= m:
            k = int(graph.two_faced[1][k - m])
        mine, yours = int(one.rows[i]), int(other.rows[k])
        factor = _factor(states[0].rows[mine], states[1].rows[yours], image)
        rows.append((mine, yours, factor))
    return ModelMapping(tuple(states[0].steps), tuple(states[1].steps), tuple(columns), tuple(rows))


def _factor(
    mine: dict[int, float], yours: dict[int, float], image: dict[int, tuple[int, float]]
) -> float:
    if not mine:
        return 1.0
    j = max(mine, key=lambda j: abs(mine[j] * image[j][1]))
    k, scale = image[j]
    return mine[j] * scale / yours.get(k, math.inf)


def check_mapping(one: Model, other: Model, mapping: ModelMapping) -> bool:
    """Whether the certificate shows that both are the same problem.

    Takes every reduction again, each checked for itself, and compares what is left number by
    number, to a relative 1e-9. It trusts nothing of the search that found the mapping.
    """
    states = ReducedModel(one), ReducedModel(other)
    try:
        for state, steps in zip(states, (mapping.steps_one, mapping.steps_other), strict=True):
            for step in steps:
                state.apply(step)
    except InvalidStepError:
        return False
    return _columns_agree(*states, mapping) and _rows_agree(*states, mapping)


def near(a: float, b: float, size: float = 0.0) -> bool:
    """Whether two numbers agree to a relative 1e-9, and to the rounding of terms of a size."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a == b
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) + ROUNDING * size


def _columns_agree(one: ReducedModel, other: ReducedModel, mapping: ModelMapping) -> bool:
    if {j for j, *_ in mapping.columns} != one.cols.keys() or len(mapping.columns) != len(one.cols):
        return False
    if {k for _, k, *_ in mapping.columns} != other.cols.keys():
        return False
    if len(one.cols) != len(other.cols):
        return False
    offset, size = one.offset, one.offset_size
    cost_size = max((abs(one.cost[j]) for j in one.cols), default=0.0)
    for j, k, scale, shift in mapping.columns:
        kind = one.kind[j]
        if kind != other.kind[k] or not math.isfinite(scale) or not math.isfinite(shift):
            return False
        if scale == 0 or (kind != VarType.CONTINUOUS and (abs(scale) != 1 or shift % 1)):
            return False
        if kind >= VarType.SEMICONTINUOUS and (scale != 1 or shift != 0):
            return False
        low, up = (end + shift for end in times(scale, other.low[k], other.up[k]))
        size_k = max([abs(shift), *(abs(end) for end in (low, up) if abs(end) < INF)])
        if not (near(one.low[j], low, size_k) and near(one.up[j], up, size_k)):
            return False
        if not near(one.cost[j] * scale, other.cost[k], abs(scale) * cost_size):
            return False
        offset += one.cost[j] * shift
        size = max(size, abs(one.cost[j] * shift))
    return near(offset, other.offset, max(size, other.offset_size))


def _rows_agree(one: ReducedModel, other: ReducedModel, mapping: ModelMapping) -> bool:
    if {i for i, *_ in mapping.rows} != one.rows.keys() or len(mapping.rows) != len(one.rows):
        return False
    if {k for _, k, _ in mapping.rows} != other.rows.keys() or len(one.rows) != len(other.rows):
        return False
    image = {j: (k, scale, shift) for j, k, scale, shift in mapping.columns}
    for i, k, factor in mapping.rows:
        mine, yours = one.rows[i], other.rows[k]
        if len(mine) != len(yours) or not math.isfinite(factor) or factor == 0:
            return False
        moved, size = 0.0, one.size[i]
        for j, a in mine.items():
            at, scale, shift = image[j]
            if at not in yours or not near(a * scale, factor * yours[at]):
                return False
            moved += a * shift
            size = max(size, abs(a * shift))
        size = max(size, abs(factor) * other.size[k])
        low, up = times(factor, other.row_low[k], other.row_up[k])
        if not (near(one.row_low[i] - moved, low, size) and near(one.row_up[i] - moved, up, size)):
            return False
    return True
