"""Comparing two models: the same problem, another one, or not known.

The idea: both are brought to a normal form by exact reductions (repeated rows, rows that bound one
column, fixed columns, slacks), become graphs of rows and columns coloured by what cannot change,
and are matched by refinement and individualisation (McKay 1981). A match is turned into a mapping
that is checked from the two models alone. Without one, a difference is looked for that can be
checked as well: another optimum, a point that one of them allows, another worst objective.
Isomorphism is hard in general, and so is the optimum: what the time does not settle is UNKNOWN.
"""

from time import perf_counter

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.milp.model import Model
from ordojo.solvers.equivalence.answers import (
    Comparison,
    EquivalenceVerdict,
    Ground,
    ModelMapping,
    Witness,
)
from ordojo.solvers.equivalence.containment import contain_each_other
from ordojo.solvers.equivalence.form import Numbers, StandardForm, form_of
from ordojo.solvers.equivalence.mapping import check_mapping, mapping_of, near
from ordojo.solvers.equivalence.points import check_point, find_point
from ordojo.solvers.equivalence.reduce import ReducedModel, reduce
from ordojo.solvers.equivalence.search import NodePartition, graph_of, match, refined
from ordojo.solvers.equivalence.values import Left, compare_values

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
    start = perf_counter()
    deadline = start + time_limit
    implications = None
    found, mapping = find_mapping(one, other, by_name, start + _SEARCH_SHARE * time_limit)

    def left() -> float:
        return deadline - perf_counter()

    def answer(
        verdict: EquivalenceVerdict, reason: str, witness: Witness | None = None
    ) -> Comparison:
        seconds = perf_counter() - start
        proof = mapping if verdict == EquivalenceVerdict.EQUAL else None
        return Comparison(verdict, reason, proof, witness, found, seconds, implications)

    if mapping is not None:
        kept = f"{len(mapping.columns)} columns and {len(mapping.rows)} rows"
        return answer(EquivalenceVerdict.EQUAL, f"the models match, {kept} one to one")
    implications = contain_each_other(one, other, left)
    if implications is not None:
        return answer(EquivalenceVerdict.EQUAL, _CONTAINED)
    witness = _witness(one, other, by_name, left)
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
    start = perf_counter()

    def left() -> float:
        return start + time_limit - perf_counter()

    shown = contain_each_other(one, other, left)
    if shown is not None:
        return Comparison(
            EquivalenceVerdict.EQUAL, _CONTAINED, seconds=time_limit - left(), implications=shown
        )
    witness = find_point(one, other, left, optima=False)
    verdict = EquivalenceVerdict.DIFFERENT if witness else EquivalenceVerdict.UNKNOWN
    reason = witness.text if witness else "neither proof nor point was found"
    return Comparison(verdict, reason, witness=witness, seconds=time_limit - left())


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


def _witness(one: Model, other: Model, by_name: bool, left: Left) -> Witness | None:
    """The strongest evidence of difference that is found in time."""
    found = compare_values(one, other, Ground.OPTIMUM, left)
    if found is None and by_name:
        found = find_point(one, other, left)
    if found is None:
        found = compare_values(one, other, Ground.WORST, left)
    return found


def check_witness(one: Model, other: Model, witness: Witness, time_limit: float) -> bool:
    """Whether the evidence of difference holds, from the two models alone.

    A point is put into both models; figures are found anew.
    """
    deadline = perf_counter() + time_limit

    def left() -> float:
        return deadline - perf_counter()

    if witness.ground == Ground.POINT:
        return check_point(one, other, witness)
    return compare_values(one, other, witness.ground, left) is not None
