"""An agent of Inspect's at work on files, judged by the file that it leaves, with what it cost."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from statistics import fmean
from time import perf_counter
from typing import Any

import anyio.to_thread
from inspect_ai import Task
from inspect_ai.agent import AgentSubmit, react
from inspect_ai.dataset import Sample
from inspect_ai.model._model import sample_model_usage
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolDef, ToolParam, ToolParams, tool
from inspect_ai.util import store

from ordojo.compat.capture import lent_sandbox, run_captured
from ordojo.core.benchmark import AnyBenchmark, Errand
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.records import SampleRecord, Usage
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.engine.ask import (
    REPLIES,
    item_of,
    register,
    replayed,
    score_of,
    session_of,
    spec_of,
)
from ordojo.evaluation.engine.run import task_function, task_of
from ordojo.evaluation.session import EvaluationSession
from ordojo.sandbox import Execution, ProgramOutcome, Sandbox
from ordojo.sandbox.channel import PROGRAM

SECONDS = 60.0
"""Wall and processor time of a program; its solves have as much again."""

_MOST, _COUNT = 64 << 20, 1_000
"""Bytes of all files together, which each program is given anew, and their number."""


class Desk:
    """The files of one instance, the programs that were run over them, and the time since.

    `solve` is the most seconds that a solve of a program may take. Raises SandboxError, at the
    first program, where none can be contained.
    """

    def __init__(
        self, errand: Errand, instance: Instance[Any], isolation: str, solve: float
    ) -> None:
        self.files = {name: text.encode() for name, text in errand.files(instance).items()}
        self._errand = errand
        self.calls = 0
        self.said = ""
        self._isolation, self._solve = isolation, solve
        self._sandbox: Sandbox | None = None
        self._held = ExitStack()
        self._began = perf_counter()

    @property
    def seconds(self) -> float:
        """Wall time since the beginning."""
        return perf_counter() - self._began

    def run(self, program: str) -> str:
        """Run a program, keep what it wrote, and give what it printed."""
        self.calls += 1
        if self._sandbox is None:
            self._sandbox = self._held.enter_context(lent_sandbox(self._isolation, SECONDS))
        printed = bytearray()
        done = run_captured(
            self._sandbox,
            program,
            self._solve,
            SECONDS,
            files={**self.files},
            keep=True,
            echo=lambda to_stderr, data: printed.extend(data),
        ).execution
        notes = [printed.decode(errors="replace"), _ending(done), self._keep(done.written)]
        return "\n".join(note for note in notes if note) or "The program printed nothing."

    def _keep(self, written: Mapping[str, bytes]) -> str:
        """Take up what a program wrote; a file that is a folder now, or lay in one, is gone."""
        folders = {parent for name in written for parent in _parents(name)}
        held = {
            name: data
            for name, data in self.files.items()
            if name not in folders and not _parents(name) & written.keys()
        }
        held |= {name: data for name, data in written.items() if name != PROGRAM}
        if sum(map(len, held.values())) > _MOST or len(held) > _COUNT:
            return f"Its files are not kept: a folder has at most {_COUNT} of {_MOST >> 20} MB."
        self.files = held
        return ""

    def reply(self) -> str:
        """The file that is judged, with what was said of it, as a reply; "" where there is none."""
        errand = self._errand
        if errand.answer not in self.files:
            return ""
        text = self.files[errand.answer].decode(errors="replace")
        said = " ".join(self.said.split())
        told = f"{errand.asks.capitalize()}: {said}\n" if said else ""
        return f"```{errand.language}\n{text}\n```\n{told}"

    def close(self) -> None:
        """Give the sandbox back."""
        self._held.close()


def _parents(name: str) -> set[str]:
    parts = name.split("/")
    return {"/".join(parts[:k]) for k in range(1, len(parts))}


def _ending(done: Execution) -> str:
    """How a program ended that neither came to its end nor said why not."""
    if done.ok or done.exception:
        return ""
    why = done.detail or done.outcome.value.replace("_", " ")
    lost = "" if done.outcome is ProgramOutcome.EXITED else ", and what it wrote is lost"
    return f"The program was ended: {why}{lost}."


MESSAGES, TOKENS, TIME = 100, 1_000_000, 1_800
"""The most of a sample, the time in seconds, unless Inspect's own limits are given."""

SCORER = "ordojo/handed_in"
"""The name of the scorer in a log."""

_DESK, _SPENT = "desk", "spent"
_DESKS: dict[str, Desk] = {}
"""What is being worked on, by the sample's uuid."""


class BrokenDeskError(Exception):
    """The sandbox failed, not the agent's program: an error of the sample."""


def _desk() -> Desk:
    return _DESKS[store().get(_DESK)]


@tool(parallel=False)
def python() -> Tool:
    """The tool that runs programs, as many at once as there are cores."""
    free = anyio.CapacityLimiter(os.cpu_count() or 1)

    async def execute(code: str) -> str:
        """Run a Python program in your working folder, and see what it prints.

        Each call is a fresh process of at most a minute, without a network. Files that it writes
        stay for the next one; files that it deletes are there again. There are gurobipy and coptpy
        (over open solvers), highspy, numpy and scipy, and mostly pandas, pulp and pyomo.

        Args:
            code: The program.
        """
        try:
            return await anyio.to_thread.run_sync(_desk().run, code, limiter=free)
        except Exception as error:
            # Of some errors Inspect would tell the agent, as if they were its own.
            raise BrokenDeskError(f"the program could not be run: {error!r}") from error

    return execute


def submit(errand: Errand) -> Tool:
    """The tool that ends the work, with what the errand asks for beside the file."""

    async def execute(**kwargs: Any) -> str:
        _desk().said = str(kwargs.get(errand.asks, ""))
        return _desk().said

    asked = {errand.asks: ToolParam(type="string", description=errand.asked)} if errand.asks else {}
    return ToolDef(
        execute,
        "submit",
        "Hand in the file that you have written, which ends your work.",
        ToolParams(properties=asked, required=list(asked)),
        parallel=False,
    ).as_tool()


@solver
def lay_out(session: EvaluationSession, errand: Errand) -> Solver:
    """Give a sample its folder, and the tools to whatever solver comes."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        options: Any = session.options
        instance = session.by_id[item_of(state)[0]]
        _DESKS[state.uuid] = Desk(errand, instance, options.isolation, options.time_limit)
        state.store.set(_DESK, state.uuid)
        state.tools = [python(), submit(errand)]
        return state

    return solve


async def _clear(state: TaskState) -> None:
    if (desk := _DESKS.pop(state.uuid, None)) is not None:
        desk.close()


def _spent(desk: Desk) -> dict[str, float | None]:
    """What the sample took until now; "cost" in dollars, None where prices are not known."""
    used = sample_model_usage().values()
    costs = [one.total_cost for one in used]
    cached = sum(one.input_tokens_cache_read or 0 for one in used)
    stored = sum(one.input_tokens_cache_write or 0 for one in used)
    return {
        "input_tokens": sum(one.input_tokens for one in used) + cached + stored,
        "output_tokens": sum(one.output_tokens for one in used),
        "cached_tokens": cached,
        "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
        "seconds": round(desk.seconds, 3),
        "programs": desk.calls,
    }


@metric(scores="unreduced")
def figures() -> Metric:
    """The benchmark's own figures on the errand, and the means of what samples took."""

    def told(scores: list[SampleScore]) -> Value:
        known = [one.score.metadata for one in scores if one.score.metadata]
        if not known:
            return {}
        benchmark = get_benchmark(known[0]["benchmark"])
        assert benchmark.errand is not None
        records = [SampleRecord.from_json(one["record"]) for one in known]
        found = benchmark.metrics(records, known[0]["rule"])
        values = {n: found[n].value for n in benchmark.errand.figures if n in found}
        return {n: x for n, x in {**values, **_means(known)}.items() if math.isfinite(x)}

    return told


def _means(known: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    names = known[0][_SPENT]
    spent = {name: [x for one in known if (x := one[_SPENT][name]) is not None] for name in names}
    return {name: fmean(values) for name, values in spent.items() if values}


@scorer(metrics=[mean(), stderr(cluster="cluster"), figures()], name=SCORER)
def handed_in(
    benchmark: str,
    options: Mapping[str, Any],
    seed: int = 0,
    limit: int | None = None,
    sample: int | None = None,
) -> Scorer:
    """Score the file that was left, by the benchmark's headline rule.

    Every rule's verdict, and what the sample took, are in the score's metadata. A log keeps the
    file, so that `inspect score` judges it again.
    """

    async def score(state: TaskState, target: Target) -> Score:
        session = session_of(benchmark, options, seed, limit, sample)
        if (desk := _DESKS.get(state.uuid)) is not None:
            state.store.set(REPLIES, [[desk.reply(), "", None]])
            state.store.set(_SPENT, _spent(desk))
        spent = state.store.get(_SPENT)
        if spent is None:
            return Score.unscored(explanation="nothing was handed in before an error")
        record = await replayed(session, state)
        if record.error:
            raise BrokenDeskError(record.traceback or record.error)
        used = {name: spent[name] for name in ("input_tokens", "output_tokens", "cached_tokens")}
        usage = Usage(**used, cost=spent["cost"] or 0.0)
        found = score_of(record, session.rule)
        row = replace(record, usage=usage, seconds=spent["seconds"]).to_json()
        kept = {session.rule: row["verdicts"][session.rule]}
        row |= {"turns": [], "gold": None, "verdicts": kept}
        told = {"benchmark": benchmark, "rule": session.rule, "record": row, _SPENT: spent}
        found.metadata = {**(found.metadata or {}), **told}
        return found

    return score


register(handed_in, SCORER)


def agent_task(session: EvaluationSession, errand: Errand) -> Task:
    """A task over a session's instances, for the solver `react` or another with the same tools.

    Raises SandboxError where programs cannot be contained.
    """
    benchmark = session.benchmark
    isolation = getattr(session.options, "isolation", "auto")
    if isolation == "unsafe":
        raise UsageError(
            f"{benchmark.name} cannot use isolation=unsafe with an agent, whose programs could "
            "read the answers then; leave it out"
        )
    with lent_sandbox(isolation, SECONDS):  # before a model is asked anything
        pass
    samples = [
        Sample(
            input=errand.brief(one),
            target=str(benchmark.gold(one)),
            id=one.id,
            metadata={"instance": one.id, "cluster": one.cluster, **one.labels},
        )
        for one in session.instances
    ]
    return task_of(
        session,
        samples,
        setup=lay_out(session, errand),
        solver=react(tools=[python()], submit=AgentSubmit(tool=submit(errand))),
        cleanup=_clear,
        scorer=handed_in(*spec_of(session)),
        message_limit=MESSAGES,
        token_limit=TOKENS,
        time_limit=TIME,
    )


def agent_function(benchmark: AnyBenchmark, errand: Errand) -> Callable[..., Task]:
    """A function of the benchmark's options that makes the agent's task."""
    return task_function(benchmark, partial(agent_task, errand=errand), errand.settings, "_agent")
