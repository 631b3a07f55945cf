import dataclasses

import numpy as np
import pytest

from ordojo.core.errors import UsageError
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.equivalence import (
    EquivalenceVerdict,
    Ground,
    check_mapping,
    compare,
)
from ordojo.solvers.equivalence.reduce import InvalidStepError, ReducedModel
from tests.milp.builder import ModelBuilder

from .equivalence_cases import REWRITES, permuted
from .evidence import check_implications, check_witness


def bakery() -> Model:
    b = ModelBuilder("bakery", maximize=True, offset=2.0)
    b.col("bread", 3.0, 0.0, 40.0)
    b.col("cake", 5.0, 0.0, INF, VarType.INTEGER)
    b.col("open", -4.0, 0.0, 1.0, VarType.BINARY)
    b.row("oven", {"bread": 2.0, "cake": 3.0}, "<=", 60.0)
    b.row("flour", {"bread": 1.0, "cake": 4.0, "open": -30.0}, "<=", 0.0)
    b.row("promise", {"bread": 1.0, "cake": 1.0}, ">=", 2.0)
    return b.build()


def cover(n: int, rings: int) -> Model:
    """The edges of rings of n / rings nodes each: every node has two, and all look alike."""
    size = n // rings
    b = ModelBuilder("cover")
    for j in range(n):
        b.col(f"x{j}", 1.0, 0.0, 1.0, VarType.BINARY)
    for j in range(n):
        start = j // size * size
        b.row(f"r{j}", {f"x{j}": 1.0, f"x{start + (j - start + 1) % size}": 1.0}, ">=", 1.0)
    return b.build()


@pytest.mark.parametrize("name", REWRITES)
def test_each_rewrite_is_seen_through_and_the_certificate_holds(name: str) -> None:
    for k in range(5):
        other = REWRITES[name](bakery(), generator(3, name, k))
        for one, two in ((bakery(), other), (other, bakery())):
            found = compare(one, two, 10.0)
            assert found.verdict == EquivalenceVerdict.EQUAL, found.reason
            assert found.same_form
            assert found.mapping is not None
            assert check_mapping(one, two, found.mapping)


def test_a_certificate_holds_for_its_own_pair_only() -> None:
    other = permuted(bakery(), generator(0, "own", 0))
    mapping = compare(bakery(), other, 10.0).mapping
    assert mapping is not None
    assert not check_mapping(bakery().with_row_bounds(0, -INF, 60.0001), other, mapping)
    assert not check_mapping(bakery().with_col_bounds(0, 0.0, 39.0), other, mapping)
    assert not check_mapping(bakery().with_type(1, VarType.CONTINUOUS), other, mapping)
    assert not check_mapping(dataclasses.replace(bakery(), offset=3.0), other, mapping)
    assert not check_mapping(dataclasses.replace(bakery(), maximize=False), other, mapping)
    first, *rest = mapping.columns
    for columns in (tuple(rest), (first, *rest, first), ((first[0], first[1], 2.0, 0.0), *rest)):
        assert not check_mapping(bakery(), other, dataclasses.replace(mapping, columns=columns))
    short = dataclasses.replace(mapping, rows=mapping.rows[1:])
    assert not check_mapping(bakery(), other, short)
    lies = dataclasses.replace(mapping, steps_one=(("idle", 0, -1),))
    assert not check_mapping(bakery(), other, lies)


@pytest.mark.parametrize(
    "step",
    [
        ("idle", 0, -1),
        ("empty", 0, -1),
        ("false", 0, -1),
        ("bound", 0, -1),
        ("copy", 0, 0),
        ("copy", 0, 1),
        ("copy", 0, 99),
        ("fix", 0, -1),
        ("slack", 0, 0),
        ("slack", 0, 99),
        ("idle", 99, -1),
        ("nonsense", 0, -1),
    ],
)
def test_no_step_changes_the_problem(step: tuple[str, int, int]) -> None:
    state = ReducedModel(bakery())
    with pytest.raises(InvalidStepError):
        state.apply(step)
    assert len(state.rows) == 3


def test_the_optimum_is_a_witness() -> None:
    other = permuted(bakery().with_row_bounds(0, -INF, 50.0), generator(0, "optimum", 0))
    found = compare(bakery(), other, 10.0)
    assert found.verdict == EquivalenceVerdict.DIFFERENT
    assert found.witness is not None
    assert found.witness.ground == Ground.OPTIMUM
    assert found.witness.one is not None
    assert found.witness.other is not None
    assert found.witness.one > found.witness.other
    assert check_witness(bakery(), other, found.witness, 10.0)
    assert not check_witness(bakery(), bakery(), found.witness, 10.0)


def test_an_infeasible_or_unbounded_model_differs_from_a_solvable_one() -> None:
    for other in (bakery().with_row_bounds(2, 99.0, INF), bakery().without_row(0).without_row(1)):
        loose = other.with_col_bounds(0, 0.0, INF)
        found = compare(bakery(), loose, 10.0)
        assert found.verdict == EquivalenceVerdict.DIFFERENT
        assert found.witness is not None
        assert found.witness.one is not None
        assert found.witness.other is None


def test_the_worst_objective_is_a_witness() -> None:
    other = permuted(bakery().with_row_bounds(2, 3.0, INF), generator(0, "worst", 0))
    found = compare(bakery(), other, 10.0)
    assert found.verdict == EquivalenceVerdict.DIFFERENT
    assert found.witness is not None
    assert found.witness.ground == Ground.WORST
    assert check_witness(bakery(), other, found.witness, 10.0)


def test_an_objective_variable_is_seen_through() -> None:
    b = ModelBuilder("by total", maximize=True)
    b.col("total", 1.0, -INF)
    b.col("x", 0.0, 0.0, 4.0)
    b.col("y", 0.0, 0.0, 4.0)
    b.row("sum", {"total": 1.0, "x": -3.0, "y": -2.0}, "==", 1.0)
    b.row("both", {"x": 1.0, "y": 1.0}, "<=", 5.0)
    c = ModelBuilder("direct", maximize=True, offset=1.0)
    c.col("x", 3.0, 0.0, 4.0)
    c.col("y", 2.0, 0.0, 4.0)
    c.row("both", {"x": 1.0, "y": 1.0}, "<=", 5.0)
    assert compare(b.build(), c.build(), 10.0).verdict == EquivalenceVerdict.EQUAL


def test_a_redundant_row_follows_from_the_others_by_names() -> None:
    other = bakery().with_new_row("spare", [0, 1], [1.0, 1.0], -INF, 1000.0)
    found = compare(bakery(), other, 10.0)
    assert found.verdict == EquivalenceVerdict.EQUAL
    assert found.mapping is None
    assert found.implications
    assert check_implications(bakery(), other, found.implications)
    assert not check_implications(bakery(), other, ())
    tight = bakery().with_new_row("spare", [0, 1], [1.0, 1.0], -INF, 20.0)
    assert not check_implications(bakery(), tight, found.implications)


def test_a_redundant_row_under_other_names_is_unknown_and_never_called_different() -> None:
    other = bakery().with_new_row("spare", [0, 1], [1.0, 1.0], -INF, 1000.0)
    other = permuted(other, generator(0, "redundant", 0))
    for by_name in (False, True):
        found = compare(bakery(), other, 10.0, by_name)
        assert found.verdict == EquivalenceVerdict.UNKNOWN
        assert found.same_form is False
        assert found.mapping is None
        assert found.witness is None


def test_look_alikes_that_refinement_cannot_tell_apart_are_never_called_equal() -> None:
    assert compare(cover(12, 2), permuted(cover(12, 2), generator(0, "c", 0)), 10.0).verdict == (
        EquivalenceVerdict.EQUAL
    )
    # Six nodes a ring or twelve: the same colours, the same best and worst.
    found = compare(cover(12, 1), cover(12, 2), 10.0)
    assert found.verdict == EquivalenceVerdict.UNKNOWN
    assert found.same_form is False
    # Rings of five need three each.
    assert compare(cover(10, 1), cover(10, 2), 10.0).verdict == EquivalenceVerdict.DIFFERENT


def test_by_name_columns_keep_their_meaning() -> None:
    b = ModelBuilder("two", maximize=True)
    b.col("x", 1.0, 0.0, 4.0)
    b.col("y", 1.0, 0.0, 4.0)
    b.row("more", {"x": 1.0, "y": 2.0}, "<=", 9.0)
    model = b.build()
    swapped = model.renamed(cols={"x": "y", "y": "x"})
    assert compare(model, swapped, 10.0).verdict == EquivalenceVerdict.EQUAL
    found = compare(model, swapped, 10.0, by_name=True)
    assert found.verdict == EquivalenceVerdict.DIFFERENT
    assert found.witness is not None
    assert found.witness.ground == Ground.POINT
    assert check_witness(model, swapped, found.witness, 10.0)
    bent = dataclasses.replace(found.witness, point={"x": 0.0, "y": 0.0})
    assert not check_witness(model, swapped, bent, 10.0)
    assert compare(model, model, 10.0, by_name=True).verdict == EquivalenceVerdict.EQUAL


def test_by_name_a_column_in_other_units_is_another_one() -> None:
    model = bakery()
    other = dataclasses.replace(
        model,
        value=model.value * np.where(model.index == 0, 10.0, 1.0),
        objective=model.objective * [10.0, 1.0, 1.0],
        col_upper=model.col_upper / [10.0, 1.0, 1.0],
    )
    found = compare(model, other, 10.0)
    assert found.verdict == EquivalenceVerdict.EQUAL
    assert found.mapping is not None
    assert any(scale != 1 for _, _, scale, _ in found.mapping.columns)
    assert compare(model, other, 10.0, by_name=True).verdict == EquivalenceVerdict.DIFFERENT


def test_by_name_fixed_columns_keep_their_values() -> None:
    model = bakery().with_col_bounds(0, 3.0, 3.0)
    assert compare(model, model.with_type(0, VarType.INTEGER), 10.0, True).verdict == "equal"
    # The same rest, with the bread at four: only the name tells them apart.
    other = bakery().with_col_bounds(0, 4.0, 4.0)
    other = dataclasses.replace(
        other,
        offset=-1.0,
        row_lower=np.add(other.row_lower, [0.0, 0.0, 1.0]),
        row_upper=np.add(other.row_upper, [2.0, 1.0, 0.0]),
    )
    assert compare(model, other, 10.0).verdict == "equal"
    assert compare(model, other, 10.0, by_name=True).verdict == "different"


def test_by_name_integrality_and_objective_differences_have_a_point() -> None:
    b = ModelBuilder("free")
    b.col("x", 0.0, 0.0, 4.0)
    b.col("y", 1.0, 0.0, 4.0)
    b.row("r", {"x": 1.0, "y": 1.0}, "<=", 6.0)
    model = b.build()
    whole = model.with_type(0, VarType.INTEGER)
    found = compare(model, whole, 10.0, by_name=True)
    assert found.verdict == EquivalenceVerdict.DIFFERENT
    assert check_witness(model, whole, found.witness, 10.0) if found.witness else False
    # The same best (0) and worst (4) objective, another one between.
    b = ModelBuilder("square")
    b.col("x", 1.0, 0.0, 4.0)
    b.col("y", 0.0, 0.0, 4.0)
    b.row("r", {"x": 1.0, "y": 1.0}, "<=", 6.0)
    found = compare(model, b.build(), 10.0, by_name=True)
    assert found.verdict == EquivalenceVerdict.DIFFERENT
    assert found.witness is not None
    assert found.witness.ground == Ground.POINT
    assert found.witness.one != found.witness.other


def test_semicontinuous_columns_match_as_they_are() -> None:
    model = bakery().with_type(0, VarType.SEMICONTINUOUS).with_col_bounds(0, 5.0, 40.0)
    other = permuted(model, generator(0, "semi", 0))
    assert compare(model, other, 10.0).verdict == EquivalenceVerdict.EQUAL
    assert compare(model, bakery(), 10.0).verdict != EquivalenceVerdict.EQUAL
    assert (
        compare(model, model.with_col_bounds(0, 6.0, 40.0), 10.0).verdict
        != EquivalenceVerdict.EQUAL
    )


def test_both_infeasible_is_equal_by_form_only() -> None:
    one = bakery().with_row_bounds(2, 99.0, INF)
    assert (
        compare(one, permuted(one, generator(0, "no", 0)), 10.0).verdict == EquivalenceVerdict.EQUAL
    )
    two = bakery().with_row_bounds(2, 98.0, INF)
    assert compare(one, two, 10.0).verdict == EquivalenceVerdict.UNKNOWN


def test_empty_models_and_wrong_limits() -> None:
    empty = Model(
        "empty",
        False,
        *(np.zeros(0), 0.0, ()),
        *(np.zeros(0), np.zeros(0), np.zeros(0, np.uint8)),
        *((), np.zeros(0), np.zeros(0)),
        *(np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0)),
    )
    assert compare(empty, empty, 1.0).verdict == EquivalenceVerdict.EQUAL
    assert compare(empty, dataclasses.replace(empty, offset=1.0), 1.0).verdict == (
        EquivalenceVerdict.DIFFERENT
    )
    loose = empty.with_new_col("x", 0.0, 2.0, cost=1.0)
    assert compare(loose, loose, 1.0).verdict == EquivalenceVerdict.EQUAL
    with pytest.raises(UsageError, match="give it seconds above zero"):
        compare(empty, empty, 0.0)


def test_a_short_time_gives_unknown_not_an_error() -> None:
    other = permuted(bakery(), generator(0, "short", 0))
    found = compare(bakery(), other, 1e-9)
    assert found.verdict == EquivalenceVerdict.UNKNOWN
    assert found.same_form is None
