import math
from typing import Any

import numpy as np
import pytest

from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.answers import Iis, Shift, Side, SolveResult, Status
from ordojo.solvers.elastic import Stretch
from ordojo.solvers.farkas import sides_of
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.repair import _Alone, _prices, _Search, apply_shifts, menu, minimal_repairs
from ordojo.solvers.search import Search
from tests.milp.builder import ModelBuilder

from .cases import affine_plane, random_models

ORACLE = HighsOracle()


def bakery(kind: VarType = VarType.CONTINUOUS) -> Model:
    b = ModelBuilder("bakery", maximize=True)
    b.col("bread", 3.0, 0.0, 4.0, kind)
    b.row("orders", {"bread": 2.0}, ">=", 11.0)
    return b.build()


def test_the_menu_of_a_small_model() -> None:
    repairs = minimal_repairs(bakery())
    assert [r.shifts for r in repairs] == [
        (Shift("bread.ub", Side.UPPER, 4.0, 5.5),),
        (Shift("orders", Side.LOWER, 11.0, 8.0),),
    ]
    assert [r.cost for r in repairs] == [pytest.approx(1.5), pytest.approx(3.0)]
    assert [r.objective for r in repairs] == [pytest.approx(16.5), pytest.approx(12.0)]
    assert minimal_repairs(bakery(VarType.INTEGER))[0].shifts[0].new == 6.0


def test_weights_and_firm_bounds() -> None:
    (first, *_) = minimal_repairs(bakery(), weights={"bread.ub": 10.0})
    assert (first.shifts[0].target, first.cost) == ("orders", pytest.approx(3.0))
    firm = {f"{name}.{end}": math.inf for name in bakery().col_names for end in ("lb", "ub")}
    assert len(minimal_repairs(bakery(), weights=firm)) == 1
    assert minimal_repairs(bakery(), weights={**firm, "orders": math.inf}) == []
    for name, weight in (("nobody", 1.0), ("orders", -1.0), ("orders", math.nan)):
        with pytest.raises(UsageError):
            minimal_repairs(bakery(), weights={name: weight})


def test_sides_that_cross_and_a_feasible_model() -> None:
    crossed = bakery().with_row_bounds(0, 6.0, 4.0)
    shifts = {r.shifts for r in minimal_repairs(crossed)}
    assert (Shift("orders", Side.LOWER, 6.0, 4.0),) in shifts
    assert (Shift("orders", Side.UPPER, 4.0, 6.0),) in shifts
    with pytest.raises(SolverError, match="no side has to move"):
        minimal_repairs(crossed.with_row_bounds(0, 4.0, 6.0))
    pressed = bakery().with_col_bounds(0, 8.0, 6.0)
    assert minimal_repairs(pressed)[0].cost == pytest.approx(2.0)


@pytest.mark.parametrize("mip", [False, True])
def test_repairs_are_verified_and_the_first_is_the_cheapest(mip: bool) -> None:
    tried = 0
    for model in random_models(25, mip, "repair"):
        if ORACLE.solve(model).status != Status.INFEASIBLE:
            continue
        repairs = minimal_repairs(model, limit=4)
        tried += 1
        assert 1 <= len(repairs) <= 4
        assert [r.cost for r in repairs] == sorted(r.cost for r in repairs)
        for repair in repairs:
            assert repair.verified
            status = ORACLE.solve(apply_shifts(model, list(repair.shifts))).status
            assert status in (Status.OPTIMAL, Status.UNBOUNDED)
        # A tenth less of any one shift of the cheapest no longer does.
        best = repairs[0]
        for k, shift in enumerate(best.shifts):
            short = Shift(
                shift.target, shift.side, shift.old, shift.new + 0.1 * (shift.old - shift.new)
            )
            shifts = [*best.shifts[:k], short, *best.shifts[k + 1 :]]
            assert ORACLE.solve(apply_shifts(model, shifts)).status == Status.INFEASIBLE
    assert tried >= 10


def whole(free: bool) -> Model:
    """Whole numbers whose row lies between two values that it can take."""
    b = ModelBuilder("whole")
    b.col("x", 3.0, -math.inf if free else 0.0, math.inf, VarType.INTEGER)
    b.col("y", 3.0, 0.0, math.inf, VarType.INTEGER)
    b.row("r", {"x": 0.2, "y": 0.4}, "==", 0.5)
    b.row("s", {"x": 3.0, "y": 1.0}, ">=", -8.0)
    return b.build()


@pytest.mark.parametrize("free", [False, True])
def test_a_row_of_whole_numbers_moves_to_what_these_add_up_to(free: bool) -> None:
    repairs = minimal_repairs(whole(free), time_limit=20.0)
    assert [r.shifts for r in repairs] == [
        (Shift("r", Side.LOWER, 0.5, 0.4),),
        (Shift("r", Side.UPPER, 0.5, 0.6),),
    ]
    assert all(r.least and r.verified and r.cost == pytest.approx(0.1) for r in repairs)


def test_a_cap_counts_from_the_side_and_not_from_the_next_step() -> None:
    def moved(cap: float) -> bool:
        search = menu(whole(False), [], caps={"r": cap, "x.lb": 0.0, "y.lb": 0.0, "s": 0.0})
        assert all(one.verified for one in search.repairs) and search.capped is not bool(search[0])
        return bool(search.repairs)

    assert moved(0.11) and moved(0.1) and not moved(0.09)


def test_a_repaired_model_without_end_is_said_to_be_so() -> None:
    b = ModelBuilder("endless", maximize=True)
    b.col("x", 1.0)
    b.row("a", {"x": 1.0}, ">=", 3.0)
    b.col("y", 0.0)
    b.row("b", {"y": 1.0}, "<=", -1.0)
    assert all(one.unbounded and one.objective is None for one in minimal_repairs(b.build()))
    assert not any(one.unbounded for one in minimal_repairs(bakery()))


def test_one_change_goes_before_several_of_the_same_size() -> None:
    b = ModelBuilder("four")
    for k in range(4):
        b.col(f"x{k}", 1.0)
        b.row(f"need({k})", {f"x{k}": 1.0}, ">=", 4.0)
    b.row("cap", {f"x{k}": 1.0 for k in range(4)}, "<=", 10.0)
    model = b.build()
    for limit in (1, 2):
        first = menu(model, [ORACLE.iis(model)], limit=limit).repairs[0]
        assert [shift.target for shift in first.shifts] == ["cap"] and first.fewest
    caps = {f"need({k})": 1.5 for k in range(4)} | {"cap": 0.0}
    told = menu(model, [ORACLE.iis(model)], caps=caps).repairs
    assert len({frozenset(one.shifts) for one in told}) == len(told)


def test_a_large_model_is_priced_to_the_same_distance() -> None:
    b = ModelBuilder("periods")
    for t in range(120):
        b.col(f"make{t}", 1.0, 0.0, 10.0)
        b.col(f"keep{t}", 0.1, 0.0, 15.0)
    for t in range(120):
        flow = {f"make{t}": 1.0, f"keep{t}": -1.0} | ({f"keep{t - 1}": 1.0} if t else {})
        b.row(f"balance{t}", flow, "==", 40.0 if t == 60 else 8.0)
    said: list[str] = []
    model = b.build()
    repairs = menu(model, [ORACLE.iis(model)], progress=said.append).repairs
    assert repairs[0].verified
    # Period 60 wants 40: 10 made then, 15 kept before; the missing 15 come from any side.
    assert repairs[0].cost == pytest.approx(15.0)
    assert said[0] == "elastic program of 120 rows and 240 columns"


def test_sides_that_do_not_suffice_alone_are_refuted_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, exactly, tried = affine_plane(3.0), _Search.exactly, list[int]()

    def counted(self: _Search, member: int, seconds: float, far: float = INF) -> float | None:
        tried.append(member)
        return exactly(self, member, seconds, far)

    monkeypatch.setattr(_Search, "exactly", counted)
    rows = [(0, Side.UPPER), *((i, Side.LOWER) for i in range(1, model.m))]
    every = Iis(tuple(rows), ())
    offered = menu(model, [every])
    assert offered.alone and offered.repairs[0].shifts == (Shift("most", Side.UPPER, 3.0, 5.0),)
    assert tried == [1]  # `most` alone, how far


def test_what_is_refuted_at_once_is_refuted_by_itself() -> None:
    refuted = 0
    for model in random_models(60, True, "at-once"):
        search = _Search(
            model, *_prices(model, {}, {}), clock=Search(INF), progress=None, solver=None
        )
        sides = sides_of(model)[: 2 * model.m]
        found = search.refuted([k for k, side in enumerate(sides.tolist()) if abs(side) < INF])
        assert all(search.exactly(member, 10.0) == INF for member in found)
        refuted += len(found)
    assert refuted > 20


def test_what_few_rows_need_is_the_least_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordojo.solvers.repair._FEW", 1)
    asked, ways, stretch = list[Model](), [], _Search.stretch

    def counted(self: _Search, model: Model, share: float) -> Stretch | None:
        asked.append(model)
        return stretch(self, model, share)

    monkeypatch.setattr(_Search, "stretch", counted)
    for model in random_models(60, True, "few-rows"):
        if ORACLE.solve(model).status != Status.INFEASIBLE:
            continue
        told = []
        for conflicts in ([ORACLE.iis(model)], []):
            asked.clear()
            search = _Search(model, *_prices(model, {}, {}), Search(INF), None, None)
            told.append(search.least(conflicts))
            ways.append([one is model for one in asked])
        few, every = told
        assert few and every and few.verified and few.least
        assert few.cost == pytest.approx(every.cost, rel=1e-6)
    # Of few rows it was enough, or not and all were asked, or all were asked at once.
    assert all(ways.count(way) >= 5 for way in ([False], [False, True], [True]))


def test_a_point_that_is_known_spares_the_search_for_one() -> None:
    numbers = np.random.default_rng(0).integers(1, 100, (5, 40))
    x = np.random.default_rng(1).integers(0, 2, 40).astype(float)
    b = ModelBuilder("split")
    for j in range(40):
        b.col(f"x{j}", float(j), kind=VarType.BINARY)
    for i, row in enumerate(numbers):
        b.row(f"r{i}", {f"x{j}": float(a) for j, a in enumerate(row)}, "==", float(row @ x))
    model = b.build()
    search = _Search(model, *_prices(model, {}, {}), Search(0.0), None, None)  # no time is left
    assert not search.solved([], None).holds and not search.solved([], 1.0 - x).holds
    assert search.solved([], x).holds


def test_a_family_moves_by_one_amount_where_that_is_less(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, together = [], _Search.together

    def counted(self: _Search, model: Model, *rest: Any) -> SolveResult:
        asked.append(model is self.model)
        return together(self, model, *rest)

    monkeypatch.setattr(_Search, "together", counted)

    def told(most: float, cap: float) -> list[tuple[float, ...]]:
        b = ModelBuilder("family")
        for k in range(4):
            b.col(f"x{k}", 1.0, -math.inf, math.inf if k else most)
            b.row(f"need[{k}]", {f"x{k}": 1.0}, ">=", 4.0)
        b.row("cap", {f"x{k}": 1.0 for k in range(4)}, "<=", cap)
        model = b.build()
        asked.clear()
        repairs = menu(model, [ORACLE.iis(model)]).repairs
        return [tuple(s.new for s in one.shifts) for one in repairs if one.family == "need"]

    assert told(9.0, 14.0) == [(3.5, 3.5, 3.5, 3.5)] and asked == [False, True]
    # All four would move as far as the first has to: its conflict says so.
    assert told(3.0, 99.0) == [] and asked == [False]


def test_of_sides_that_cost_the_least_no_more_are_measured_than_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exactly, tried = _Search.exactly, list[int]()

    def counted(self: _Search, member: int, *rest: float) -> float | None:
        tried.append(member)
        return exactly(self, member, *rest)

    monkeypatch.setattr(_Search, "exactly", counted)
    b = ModelBuilder("chain")
    for k in range(9):
        b.col(f"x{k}", 1.0, -math.inf)
    for k, name in enumerate("abcdefgh"):
        b.row(name, {f"x{k + 1}": 1.0, f"x{k}": -1.0}, ">=", 1.0)
    b.row("all", {"x8": 1.0, "x0": -1.0}, "<=", 7.0)
    model = b.build()
    repairs = menu(model, [ORACLE.iis(model)]).repairs
    assert [one.cost for one in repairs] == [1.0] * 5 and all(one.least for one in repairs)
    assert len({one.shifts[0].target for one in repairs}) == 5 and len(tried) in (4, 5)


@pytest.mark.parametrize("mip", [False, True])
def test_what_goes_not_far_enough_is_refuted_by_warm_steps(mip: bool) -> None:
    refuted = passed = 0
    for model in random_models(40, mip, "far"):
        search = _Search(model, *_prices(model, {}, {}), Search(INF), None, None)
        alone = _Alone(model)
        for member in (k for k in range(2 * model.m) if math.isfinite(search.old[k])):
            least = search.exactly(member, 10.0)
            if least is not None and 1e-9 < least < INF:  # less is rounding
                assert not alone.is_refuted(member, 10.0, 1.001 * least)
                refuted += alone.is_refuted(member, 10.0, 0.9 * least)
                passed += 1
    assert passed >= 10 and (refuted >= 5 if mip else refuted == passed)
