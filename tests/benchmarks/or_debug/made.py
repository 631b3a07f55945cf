"""Hand-made instances, turns, episodes and runs of OR-Debug-Bench, by the contract of infos."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from ordojo.benchmarks.or_debug import adversaries
from ordojo.benchmarks.or_debug.judges import RULES, judge_with
from ordojo.benchmarks.or_debug.published import DATASET
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging, OrDebugOptions, make_instance
from ordojo.core.episode import Episode, Turn
from ordojo.core.instance import Instance
from ordojo.core.records import RunHeader, RunView, SampleRecord, Usage
from ordojo.milp.model import Model, VarType
from tests.milp.builder import ModelBuilder

JUDGES = {rule: judge_with(rule) for rule in RULES}


@contextmanager
def fitted_to_all() -> Iterator[None]:
    """While it lasts, adversaries are fitted to as many problems a kind as builds have."""
    cached = adversaries._learnt, adversaries.trust
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adversaries, "FITTED", 8)
        for fitted in cached:
            fitted.cache_clear()
        yield
    for fitted in cached:
        fitted.cache_clear()


def bakery(need: float, kind: VarType = VarType.CONTINUOUS) -> Model:
    """Two goods, one oven; infeasible where `need` is above 60."""
    b = ModelBuilder("bakery", maximize=True)
    b.col("bread", cost=3.0, upper=40.0, kind=kind)
    b.col("cake", cost=5.0, upper=40.0)
    b.row("oven", {"bread": 1.0, "cake": 1.0}, "<=", 60.0)
    b.row("orders", {"bread": 1.0, "cake": 1.0}, ">=", need)
    return b.build()


def instance(kind: str = "A", index: int = 0, mip: bool = False) -> Instance[Debugging]:
    """The bakery whose orders are too high."""
    sort = VarType.INTEGER if mip else VarType.CONTINUOUS
    problem = Debugging(
        index=index,
        split="eval",
        type=kind,
        family="production",
        text="A bakery.",
        original=bakery(50.0, sort).to_json(),
        sabotaged=bakery(70.0, sort).to_json(),
        targets=("orders",),
        fix=("RELAX(orders, -20)",),
        iis_rows=("oven", "orders"),
        iis_bounds=(),
        objective=260.0,
    )
    return make_instance(problem, {"HiGHS": "1.15.1"})


def turn(
    action: str,
    target: str = "",
    *,
    step: int,
    status: str = "INFEASIBLE",
    iis: Sequence[str] = ("oven", "orders"),
    bounds: Sequence[str] = (),
    valid: bool = True,
    **more: Any,
) -> Turn:
    """One turn; `more` goes into its info."""
    info = {
        "action": action or None,
        "target": target,
        "valid": valid,
        "reason": "" if valid else "no such constraint",
        "status": status,
        "iis": [] if status == "OPTIMAL" else list(iis),
        "iis_bounds": [] if status == "OPTIMAL" else list(bounds),
        "iis_size": 0 if status == "OPTIMAL" else len(iis) + len(bounds),
        "objective": None,
        "op": None,
        "step": step,
        "diagnosis": [],
        "known": True,
        "rewards": {"algorithm-9": 0.0, "equation-5": 0.0, "equation-5-no-drift": 0.0},
        "label": 0.0,
        **more,
    }
    return Turn((), "chat", f"{action}({target})", 0.0, info)


def episode(
    *turns: Turn,
    outcome: str = "failure",
    op: float | None = None,
    end: str = "",
    da: tuple[float, float, float, bool] = (0.0, 0.0, 0.0, False),
    drifted: bool = False,
    collateral: Sequence[str] = (),
) -> Episode:
    """The turns with the last one's ending: outcome, DA (recorded, precision, verified, named)."""
    last = turns[-1]
    status = last.info["status"]
    info = {
        **last.info,
        "end": end or ("optimal" if status == "OPTIMAL" else "limit"),
        "final": {
            "status": status,
            "objective": None,
            "op": op,
            "outcome": outcome,
            "drift": {
                "drifted": drifted,
                "cut_off": drifted,
                "relaxed": False,
                "changed": list(collateral),
                "collateral": list(collateral),
            },
        },
        "da": dict(zip(("recorded", "precision", "verified", "named"), da, strict=True)),
    }
    closed = Turn(last.messages, last.style, last.reply, last.reward, info)
    return Episode((*turns[:-1], closed), truncated=info["end"] == "limit")


def solved(step: int = 1, op: float = 1.0, **more: Any) -> Episode:
    """A diagnosis, `step` - 1 repairs of the wrong row, then the right one."""
    wrong = [turn("RELAX", "oven", step=k) for k in range(1, step)]
    outcome = "full" if op > 0.95 else "partial" if op > 0.8 else "failure"
    return episode(
        turn("GET_IIS", step=0),
        *wrong,
        turn("RELAX", "orders", step=step, status="OPTIMAL"),
        outcome=outcome,
        op=op,
        **{"da": (0.5, 1.0, 0.5, True), **more},
    )


def idle() -> Episode:
    """Nothing but SUBMIT."""
    return episode(turn("SUBMIT", step=1), end="submit")


def lost(*turns: Turn, **more: Any) -> Episode:
    """Repairs to no avail."""
    return episode(*(turns or [turn("RELAX", "oven", step=k) for k in range(1, 51)]), **more)


def record(
    asked: Instance[Debugging], played: Episode, epoch: int = 1, tokens: tuple[int, int] = (0, 0)
) -> SampleRecord:
    """The record of an episode, as the judges leave it."""
    return SampleRecord(
        id=asked.id,
        epoch=epoch,
        content_hash=asked.content_hash,
        cluster=asked.cluster,
        labels=asked.labels,
        gold=list(asked.problem.fix),
        episode=played,
        verdicts={rule: judge(asked, played) for rule, judge in JUDGES.items()},
        usage=Usage(*tokens),
    )


@cache
def instances(each: int = 4) -> tuple[Instance[Debugging], ...]:
    """So many instances of every type, every other one a MIP."""
    return tuple(instance(kind, k, mip=k % 2 == 1) for kind in TYPES for k in range(each))


def records(
    play: Callable[[Instance[Debugging], int], Episode],
    epochs: int = 1,
    tokens: tuple[int, int] = (0, 0),
) -> list[SampleRecord]:
    """Every instance played in every epoch."""
    return [
        record(asked, play(asked, epoch), epoch, tokens)
        for epoch in range(1, epochs + 1)
        for asked in instances()
    ]


def view(
    model: str,
    found: Sequence[SampleRecord],
    name: str = "",
    items: int | None = None,
    **options: Any,
) -> RunView:
    """A run of these records, which are all that there is unless `items` says more."""
    header = RunHeader(
        benchmark="or-debug",
        benchmark_version="2",
        model=model,
        options=OrDebugOptions(**options).model_dump(),
        dataset={"id": DATASET, "sha256": "0" * 64},
        rule="rr@5",
        seed=0,
        epochs=max((record.epoch for record in found), default=1),
        limit=None,
        items=len(found) if items is None else items,
    )
    return RunView(name or model, header, found)
