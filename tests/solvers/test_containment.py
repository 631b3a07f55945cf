"""Equality by containment: proved for rewritings, never for a change; checked without a solver."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perf.drift import OTHER, SAME, Draft, real

from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.equivalence import EquivalenceVerdict, compare
from tests.milp.builder import ModelBuilder

from .evidence import check_implications


def mill(kind: VarType = VarType.CONTINUOUS) -> Model:
    b = ModelBuilder("mill", maximize=True)
    b.col("rye", 3.0, 0.0, 30.0, kind)
    b.col("oats", 2.0, 1.0, INF, kind)
    b.col("sold", 1.0, 0.0, INF)
    b.row("sale", {"rye": 1.0, "oats": 1.0, "sold": -1.0}, "==", 2.0)
    b.row("field", {"rye": 2.0, "oats": 1.0}, "<=", 61.0)
    b.row("hours", {"rye": 1.0, "oats": 3.0}, "<=", 77.0)
    b.row("least", {"oats": 1.0, "sold": 1.0}, ">=", 4.0)
    return b.build()


@pytest.mark.parametrize("kind", [VarType.CONTINUOUS, VarType.INTEGER])
@pytest.mark.parametrize("name", [name for name in SAME if name != "split"])
def test_a_rewriting_is_proved_the_same(name: str, kind: VarType) -> None:
    draft = Draft.of(mill(kind))
    if not SAME[name](draft, generator(0, name, 0)):
        assert name == "rows as bounds"  # it has none of one column
        return
    found = compare(draft.model(), mill(kind), 10.0)
    assert found.verdict == EquivalenceVerdict.EQUAL, found.reason
    if found.implications is not None:
        assert check_implications(draft.model(), mill(kind), found.implications)


def test_multipliers_hold_for_their_own_pair_only() -> None:
    draft = Draft.of(mill())
    assert SAME["aggregated row"](draft, generator(0, "own", 0))
    other = draft.model()
    shown = compare(mill(), other, 10.0).implications
    assert shown is not None and any(multipliers for *_, multipliers in shown)
    at, up = other.rows["total"], other.row_upper.item(other.rows["total"])
    for changed in (
        other.with_row_bounds(at, -INF, up - 1e-3),
        other.with_type(0, VarType.INTEGER),
        other.with_type(0, VarType.SEMICONTINUOUS),
        dataclasses.replace(other, offset=1.0),
        dataclasses.replace(other, maximize=False),
        dataclasses.replace(other, objective=1.001 * other.objective),
    ):
        assert not check_implications(mill(), changed, shown)
    scaled = [(*head, tuple((k, y * (1 + 1e-6)) for k, y in ys)) for *head, ys in shown]
    assert not check_implications(mill(), other, scaled)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [VarType.CONTINUOUS, VarType.INTEGER])
@given(name=st.sampled_from(sorted(OTHER)), seed=st.integers(0, 10**6))
def test_a_drift_is_never_proved_the_same(kind: VarType, name: str, seed: int) -> None:
    rng, draft = generator(seed, name, 0), Draft.of(mill(kind))
    made = OTHER[name](draft, rng)
    if made and real(draft.model(), mill(kind), rng):
        for by_name in (False, True):
            found = compare(draft.model(), mill(kind), 2.0, by_name)
            assert found.verdict != EquivalenceVerdict.EQUAL
