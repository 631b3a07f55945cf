"""Comparing two models: the same problem, another one, or not known.

The idea: both are brought to a normal form by exact reductions (repeated rows, rows that bound one
column, fixed columns, slacks), become graphs of rows and columns coloured by what cannot change,
and are matched by refinement and individualisation (McKay 1981). A match is turned into a mapping
that is checked from the two models alone. Without one, a difference is looked for that can be
checked as well: another optimum, a point that one of them allows, another worst objective.
Isomorphism is hard in general, and so is the optimum: what the time does not settle is UNKNOWN.
`compare_points` asks less: of models of the same names whose optima were compared.
"""

import math
from time import perf_counter

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.core.words import amount
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import ROUNDING
from ordojo.solvers.equivalence.answers import (
    Comparison,
    EquivalenceVerdict,
    Ground,
    ModelMapping,
    Witness,
)
from ordojo.solvers.equivalence.containment import contain_each_other
from ordojo.solvers.equivalence.forms import (
    Graph,
    NodePartition,
    Numbers,
    StandardForm,
    form_of,
    graph_of,
    match,
    refined,
)
from ordojo.solvers.equivalence.reduce import (
    InvalidStepError,
    ReducedModel,
    near,
    reduce,
    times,
)
from ordojo.solvers.equivalence.witnesses import compare_values, find_point
from ordojo.solvers.search import Search

_SEARCH_SHARE = 0.5
"""The part of the time that the search for a matching may take."""


def compare(one: Model, other: Model, time_limit: float, by_name: bool = False) -> Comparison:
    """Whether two models are the same problem, with evidence, in `time_limit` seconds.

    EQUAL: their columns and rows match, up to order, names, units and origins of columns, scaled
    rows, min against max, repeated or empty rows, rows that bound one column, fixed columns and
    slacks: so do their feasible points and objective values (offset included). The mapping shows
    it. Or, with columns matched by name, each row and bound of one follows from the other's linear
    ones: the implications show it. DIFFERENT: the witness shows it. UNKNOWN otherwise.
    `by_name`: columns of the same name are the same quantity in the same unit, and match each
    other only. Raises UsageError for a time limit that is not above zero.
    """
    if not time_limit > 0:
        raise UsageError(f"the time limit is {time_limit}; give it seconds above zero")
    clock, implications = Search(time_limit), None
    searched_until = perf_counter() + _SEARCH_SHARE * time_limit
    found, mapping = find_mapping(one, other, by_name, searched_until)

    def answer(
        verdict: EquivalenceVerdict, reason: str, witness: Witness | None = None
    ) -> Comparison:
        proof = mapping if verdict == EquivalenceVerdict.EQUAL else None
        return Comparison(verdict, reason, proof, witness, found, clock.seconds, implications)

    if mapping is not None:
        kept = f"{amount(len(mapping.columns), 'column')} and {amount(len(mapping.rows), 'row')}"
        return answer(EquivalenceVerdict.EQUAL, f"the models match, {kept} one to one")
    implications = contain_each_other(one, other, clock)
    if implications is not None:
        return answer(EquivalenceVerdict.EQUAL, _CONTAINED)
    witness = _witness(one, other, by_name, clock)
    if witness is not None:
        return answer(EquivalenceVerdict.DIFFERENT, witness.text, witness)
    if found is None:
        return answer(EquivalenceVerdict.UNKNOWN, "the search for a matching was not settled")
    reason = "the models have another form, and no difference in what they mean was found"
    return answer(EquivalenceVerdict.UNKNOWN, reason)


def compare_points(one: Model, other: Model, time_limit: float) -> Comparison:
    """Whether two models allow the same points and value them alike, in `time_limit` seconds.

    Columns of the same name are the same quantity. EQUAL: each row and bound of one follows from
    the other's linear ones. DIFFERENT: a point that one of them alone allows. UNKNOWN otherwise.
    This is `compare` for models whose optima were compared, and that have the same names.
    """
    clock, verdict = Search(time_limit), EquivalenceVerdict.EQUAL
    shown = contain_each_other(one, other, clock)
    if shown is not None:
        return Comparison(verdict, _CONTAINED, seconds=clock.seconds, implications=shown)
    witness = find_point(one, other, clock, optima=False)
    verdict = EquivalenceVerdict.DIFFERENT if witness else EquivalenceVerdict.UNKNOWN
    reason = witness.text if witness else "neither proof nor point was found"
    return Comparison(verdict, reason, witness=witness, seconds=clock.seconds)


_CONTAINED = "by names, each row and bound of one model follows from those of the other"


def find_mapping(
    one: Model, other: Model, by_name: bool, deadline: float
) -> tuple[bool | None, ModelMapping | None]:
    """Whether the forms match (None: not settled in time), and the mapping, checked.

    `deadline` is a time of `perf_counter`; nothing is solved.
    """

    def late() -> bool:
        return perf_counter() > deadline

    states = ReducedModel(one), ReducedModel(other)
    shared = set(one.col_names) & set(other.col_names) if by_name else set()
    for model, state in zip((one, other), states, strict=True):
        reduce(state, late, frozenset(model.cols[name] for name in shared))
    if late():
        return None, None
    for name in shared:
        j, k = one.cols[name], other.cols[name]
        gone = j not in states[0].cols, k not in states[1].cols
        if gone[0] != gone[1] or (gone[0] and not near(states[0].low[j], states[1].low[k])):
            return False, None  # fixed in one alone, or at another value
    names = _names(one, other, states, shared) if by_name else None
    rough = False
    for scaled in (False,) if by_name else (False, True):
        forms: tuple[StandardForm, StandardForm] = (
            form_of(states[0], scaled),
            form_of(states[1], scaled),
        )
        size = max(form.offset_size for form in forms)
        graph = graph_of(*forms, names)
        if graph is None or not near(forms[0].offset, forms[1].offset, size):
            return False, None
        colours = refined(graph)
        if colours is None:
            continue
        found, pairs = match(NodePartition(graph, colours[0]), colours[1], late)
        if found is None:
            return None, None
        if found:
            mapping = mapping_of(states, forms, graph, pairs)
            if by_name and not _same_quantities(one, mapping, shared):
                return False, None
            if check_mapping(one, other, mapping):
                return True, mapping
            rough = True  # numbers that nearly agree can be matched in a chain: not known
    return (None if rough else False), None


def _same_quantities(one: Model, mapping: ModelMapping, shared: set[str]) -> bool:
    """Whether every column that both name is matched as it is, unit and origin too."""
    return all(
        (scale, shift) == (1.0, 0.0)
        for j, _, scale, shift in mapping.columns
        if one.col_names[j] in shared
    )


def _names(
    one: Model, other: Model, states: tuple[ReducedModel, ReducedModel], shared: set[str]
) -> Numbers:
    """A colour for each remaining column of both: its name's where both have it, else none."""
    colour = {name: k for k, name in enumerate(sorted(shared))}
    return np.array(
        [
            colour.get(model.col_names[j], -1)
            for model, state in zip((one, other), states, strict=True)
            for j in sorted(state.cols)
        ],
        np.int64,
    )


def _witness(one: Model, other: Model, by_name: bool, clock: Search) -> Witness | None:
    """The strongest evidence of difference that is found in time."""
    found = compare_values(one, other, Ground.OPTIMUM, clock)
    if found is None and by_name:
        found = find_point(one, other, clock)
    if found is None:
        found = compare_values(one, other, Ground.WORST, clock)
    return found


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
