import dataclasses
import os
import signal
import threading

import numpy as np
import pytest

from ordojo.compat import transport
from ordojo.compat.messages import pack, unpack
from ordojo.compat.service import Cache, Service, SolverLimits, problem_hash
from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.model import INF, Model
from ordojo.sandbox import channel
from ordojo.solvers.answers import Status
from ordojo.solvers.problem import CallbackReply, Event, Problem, Settings
from tests.compat.hard_models import hard
from tests.compat.service_problems import beyond_best, make, salesman
from tests.docs.pages import DOCS


def bag(maximize: bool = True, room: float = 11.0) -> Problem:
    """max 8a + 11b + 6c + 4d with 5a + 7b + 4c + 3d <= room: 21 for a room of 14."""
    model = Model(
        name="bag",
        maximize=maximize,
        objective=np.array([8.0, 11.0, 6.0, 4.0]),
        offset=0.0,
        col_names=("a", "b", "c", "d"),
        col_lower=np.zeros(4),
        col_upper=np.ones(4),
        types=np.full(4, 2, np.uint8),
        row_names=("room",),
        row_lower=np.array([-INF]),
        row_upper=np.array([room]),
        starts=np.array([0, 4], np.int32),
        index=np.arange(4, dtype=np.int32),
        value=np.array([5.0, 7.0, 4.0, 3.0]),
    )
    return Problem(model)


def test_a_solve_is_recorded() -> None:
    with Service() as service:
        found = service.solve(bag(room=14.0))
        assert found.status == Status.OPTIMAL and found.objective == pytest.approx(21.0)
        (record,) = service.records
    assert (record.rows, record.columns, record.nonzeros) == (1, 4, 4)
    assert record.is_mip and record.maximize and record.ending == "optimal"
    assert record.objective == found.objective and record.solver == "highs" and not record.cached
    assert record.hash == problem_hash(bag(room=14.0))
    assert service.problems[-1][0].model.row_names == ("room",)
    assert record.to_json()["bound"] == pytest.approx(21.0)


def test_eight_equal_samples_cost_one_solve() -> None:
    cache = Cache()
    services = [Service(cache=cache) for _ in range(8)]
    problem = dataclasses.replace(hard("agents", 1, 0.6), settings=Settings(mip_gap=0.5))
    threads = [threading.Thread(target=service.solve, args=(problem,)) for service in services]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (cache.misses, cache.hits) == (1, 7)
    assert sorted(service.records[0].cached for service in services) == [False] + [True] * 7
    assert len({service.records[0].objective for service in services}) == 1
    other = Service(cache=cache)
    other.solve(dataclasses.replace(problem, settings=Settings(mip_gap=0.4)))
    assert not other.records[0].cached


def test_a_shorter_limit_is_not_taken_for_a_longer_one() -> None:
    cache = Cache()
    slow = hard("selection", 0)
    for seconds, misses in ((0.0, 1), (0.0, 1), (0.01, 2)):
        limited = slow.settings._replace(time_limit=seconds)
        found = Service(cache=cache).solve(dataclasses.replace(slow, settings=limited))
        assert found.status == Status.TIME_LIMIT
        assert cache.misses == misses


def request(problem: Problem, **more: object) -> bytes:
    return pack({"kind": "solve", "problem": problem, "interactive": False, **more})


def test_an_answer_from_the_cache_looks_like_any_other() -> None:
    """What a program is told and charged, to the byte; that its clock shows it, the page says."""
    cache, shown = Cache(), []
    slow = dataclasses.replace(hard("agents", 1, 0.6), settings=Settings(mip_gap=0.5))
    for _ in range(2):
        with Service(SolverLimits(total_seconds=100.0), cache) as service:
            shown.append(service.handle(request(slow)))
            (record,) = service.records
            assert record.cached == (len(shown) == 2)
            assert 100.0 - service._left >= record.seconds > 0
    assert shown[0] == shown[1]
    assert "Its wall clock alone can tell" in (DOCS / "benchmarks/nl2opt.md").read_text("utf-8")


def test_messages_that_are_none_are_refused_and_the_next_is_answered() -> None:
    with Service() as service:
        for data in (b"", b"x" * 100, pack({}), pack({"kind": "solve"}), pack({"kind": "fly"}),
                     pack({"kind": "reply", "token": "t", "reply": {}}),
                     request(bag(), interactive=3)):  # fmt: skip
            assert unpack(service.handle(data))["kind"] == "refused"
        assert unpack(service.handle(request(bag())))["result"]["status"] == "OPTIMAL"


def test_sizes_and_numbers_of_solves_are_limited() -> None:
    with Service(SolverLimits(columns=3)) as service, pytest.raises(SolverError, match="3 columns"):
        service.solve(bag())
    with Service(SolverLimits(solves=1)) as service:
        service.solve(bag())
        with pytest.raises(SolverError, match="more than 1"):
            service.solve(bag())


def test_a_long_solve_ends_at_the_services_limit() -> None:
    with Service(SolverLimits(seconds=0.3)) as service:
        found = service.solve(hard("selection", 0))
    assert found.status == Status.TIME_LIMIT and found.seconds < 5


@pytest.mark.parametrize(
    ("blow", "ending"), [(signal.SIGSTOP, Status.TIME_LIMIT), (signal.SIGKILL, Status.MEMORY)]
)
def test_a_stuck_or_dead_solver_is_an_ending(blow: signal.Signals, ending: Status) -> None:
    with Service(SolverLimits(seconds=0.2, grace=0.5)) as service:

        def strike(event: Event) -> CallbackReply:
            (session,) = service._sessions.values()
            os.killpg(session.process._process.pid, blow)
            return CallbackReply()

        found = service.solve(bag(), strike)
        assert found.status == ending
        service.limits = SolverLimits()
        assert service.solve(bag()).status == Status.OPTIMAL


def test_a_callback_sees_points_and_may_end_the_solve() -> None:
    seen: list[Event] = []

    def watch(event: Event) -> CallbackReply:
        seen.append(event)
        return CallbackReply(terminate=event.where == "mipsol")

    with Service() as service:
        found = service.solve(hard("agents", 1), watch)
    assert found.status == Status.INTERRUPTED
    points = [event for event in seen if event.where == "mipsol"]
    assert points and points[0].x is not None and points[0].objective == points[0].best


@pytest.mark.parametrize("inline", [True, False])
def test_a_callbacks_error_passes_through(inline: bool) -> None:
    def fail(event: Event) -> CallbackReply:
        raise KeyError("mine")

    with Service(inline=inline) as service:
        with pytest.raises(KeyError, match="mine"):
            service.solve(bag(), fail)
        assert service.solve(bag()).status == Status.OPTIMAL


@pytest.mark.parametrize("way", ["inline", "process", "channel"])
def test_a_callback_may_solve_another_problem(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inner: list[float | None] = []

    def nested(event: Event) -> CallbackReply:
        inner.append(solve(bag(room=14.0)).objective)
        return CallbackReply()

    with Service(inline=way == "inline") as service:
        solve = service.solve
        if way == "channel":
            monkeypatch.setattr(channel, "is_open", lambda: True)
            monkeypatch.setattr(channel, "call", service.handle)
            solve = transport.solve
        found = solve(bag(), nested)
    assert found.status == Status.OPTIMAL and inner == [pytest.approx(21.0)] * len(inner)
    assert [record.objective for record in service.records][-1] == found.objective


def test_a_callbacks_error_over_the_channel_frees_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(event: Event) -> CallbackReply:
        raise KeyError("mine")

    with Service() as service:
        monkeypatch.setattr(channel, "is_open", lambda: True)
        monkeypatch.setattr(channel, "call", service.handle)
        for _ in range(6):
            with pytest.raises(KeyError, match="mine"):
                transport.solve(bag(), fail)
        assert not service._sessions
        assert transport.solve(bag()).status == Status.OPTIMAL


def test_over_the_channel_everything_is_as_within_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem, forbid, best = salesman(7, 5)
    infeasible = Problem(dataclasses.replace(bag().model, row_lower=np.array([10.0])))
    infeasible = Problem(infeasible.model.with_col_bounds(1, 0.0, 0.0).with_col_bounds(0, 0.0, 0.0))
    outside = transport.ask("iis", infeasible)
    with Service() as service:
        monkeypatch.setattr(channel, "is_open", lambda: True)
        monkeypatch.setattr(channel, "call", service.handle)
        assert transport.solve(problem, forbid).objective == pytest.approx(best)
        assert transport.solve(bag(room=14.0)).objective == pytest.approx(21.0)
        inside = transport.ask("iis", infeasible)
        assert inside is not None and inside == outside
        assert transport.ask("iis", bag()) is None
        rich = beyond_best(make("indicator", 1))
        found = transport.ask("iis", rich)
        monkeypatch.setattr(channel, "is_open", lambda: False)
        assert found is not None and found.parts and found == transport.ask("iis", rich)
        monkeypatch.setattr(channel, "is_open", lambda: True)
        service.limits = SolverLimits(rows=0)
        with pytest.raises(SolverError, match="0 rows"):
            transport.solve(bag())


def test_starts_pools_targets_and_cutoffs() -> None:
    with Service() as service:
        pool = service.solve(
            dataclasses.replace(hard("agents", 1), settings=Settings(mip_gap=0.2, pool_solutions=5))
        ).pool
        assert pool and [value for value, _ in pool] == sorted(value for value, _ in pool)
        cut = service.solve(dataclasses.replace(bag(), settings=Settings(cutoff=50.0)))
        assert cut.status == Status.CUTOFF
        begun = dataclasses.replace(bag(), start=np.array([1.0, np.nan, np.nan, 0.0]))
        assert service.solve(begun).status == Status.OPTIMAL
        relaxed = service.solve(dataclasses.replace(bag(), settings=Settings(relaxed=True)))
        assert relaxed.row_dual is not None and relaxed.objective == pytest.approx(17.5, abs=0.3)


@pytest.mark.parametrize(
    ("low", "up", "ending"),
    [(-INF, INF, Status.UNBOUNDED), (5.0, 4.0, Status.INFEASIBLE), (-1e30, 3.0, Status.OPTIMAL)],
)
@pytest.mark.parametrize("kind", [0, 1])
def test_unbounded_and_infeasible_are_told_apart(
    low: float, up: float, ending: Status, kind: int
) -> None:
    model = dataclasses.replace(
        bag().model, types=np.full(4, kind, np.uint8), col_upper=np.full(4, INF)
    )
    model = dataclasses.replace(model, row_lower=np.array([-INF]), row_upper=np.array([INF]))
    model = dataclasses.replace(
        model, objective=np.array([1.0, 0, 0, 0]), col_lower=np.array([low, 0, 0, 0])
    ).with_col_bounds(0, low, up)
    with Service() as service:
        assert service.solve(Problem(model)).status == ending


def test_a_model_without_columns_or_rows() -> None:
    empty = np.zeros(0)
    whole = np.zeros(0, np.int32)
    none = Model("none", False, empty, 3.0, (), empty, empty, np.zeros(0, np.uint8), ("r",),
                 np.array([1.0]), np.array([2.0]), np.zeros(2, np.int32), whole, empty)  # fmt: skip
    with Service() as service:
        assert service.solve(Problem(none)).status == Status.INFEASIBLE
        freed = dataclasses.replace(none, row_lower=np.array([0.0]))
        assert service.solve(Problem(freed)).objective == 3.0


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(UsageError, match="no solver 'cplex'"):
        Service(solver="cplex")


def test_the_real_gurobi_can_be_asked_for() -> None:
    pytest.importorskip("gurobipy")
    with Service(solver="gurobi") as service:
        assert service.solve(bag(room=14.0)).objective == pytest.approx(21.0)
        assert service.records[0].solver == "gurobi"
