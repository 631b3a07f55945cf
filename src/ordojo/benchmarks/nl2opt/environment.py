"""NL2Opt's environment: asks for a program, runs it in the sandbox, asks again after an error.

The programs of answers are run in warm sandboxes, with solved models, that environments share. No
gold comes there: a program in the sandbox reaches the solver service alone, which knows none.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ordojo.benchmarks.nl2opt.items import equivalence
from ordojo.benchmarks.nl2opt.judge import DEFAULT, judge_with
from ordojo.benchmarks.nl2opt.prompts import prompt, repair_prompt
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, AnswerReading, read_run, read_turn
from ordojo.benchmarks.nl2opt.rules import variants
from ordojo.benchmarks.nl2opt.schema import Nl2OptOptions, WordProblem
from ordojo.compat.capture import listening, open_sandbox, solved_again
from ordojo.compat.declared import declared_versions
from ordojo.compat.service import Cache, Service, SolveRecord, SolverLimits
from ordojo.core.canonical import Json, finite
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import BenchmarkError, SandboxError
from ordojo.core.instance import Instance
from ordojo.core.programs import find_program
from ordojo.core.records import lacks
from ordojo.sandbox import Execution, Sandbox
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Problem

_ITEMS = 64
_KEPT = 20_000
_MODELS = 8
"""Models that libraries wrote which are kept of a program: it may solve in a loop."""

Key = tuple[str, int, float, str]


@dataclass(frozen=True)
class Run:
    """A program's end, its solves as JSON, and the last models with their results."""

    execution: Execution
    solves: list[dict[str, Json]]
    problems: list[tuple[Problem, SolveResult]]

    def to_json(self) -> dict[str, Json]:
        """What a turn keeps of the execution; outputs by their ends."""
        done = self.execution
        return {
            "outcome": done.outcome.value,
            "exception": done.exception,
            "message": done.message[:_KEPT],
            "detail": done.detail,
            "stdout": done.stdout[-_KEPT:],
            "stderr": done.stderr[-_KEPT:],
            "log": done.log[-_KEPT:],
            "seconds": round(done.wall, 6),
            "isolation": done.isolation,
        }


class Workshop:
    """Sandboxes, one for each program that runs at the same time, and caches, one for each item.

    The first sandbox is opened at once, so that it is known before anything is asked whether
    programs can be contained: SandboxError. Any number of threads.
    """

    def __init__(self, options: Nl2OptOptions) -> None:
        with Service(solver=options.solver):  # refuses a solver that it does not have
            pass
        self._options = options
        self._lock = threading.Lock()
        self._most = threading.Semaphore(max(1, os.cpu_count() or 1))
        self._closed = False
        self._caches: OrderedDict[str, Cache] = OrderedDict()
        self._idle = [self._open()]
        self.isolation = self._idle[0].isolation

    def run(self, name: str, program: str, inputs: Mapping[str, Path | bytes]) -> Run:
        """Run a program with a solver service behind it.

        Where the solve that is read was told by a library whose model was sent, the service solves
        that again when the program has ended.
        Programs with one `name` share the results of equal models; those with "" share nothing.
        """
        options = self._options
        limits = SolverLimits(seconds=options.time_limit, total_seconds=options.time_limit)
        models: dict[int, bytes] = {}
        with self._most:
            sandbox = self._borrow()
            try:
                with Service(limits, self._cache(name), options.solver) as service:

                    def hear(model: bytes) -> None:
                        models[len(service.records)] = model
                        while len(models) > _MODELS:
                            del models[min(models)]

                    done = sandbox.run(program, files=inputs, handler=listening(service, hear))
            except BaseException:
                sandbox.close()
                raise
            self._give_back(sandbox)
            solves = [finite(self._confirmed(r).to_json()) for r in service.records]
            run = Run(done, solves, list(service.problems))
            chosen = read_run(run.to_json(), solves).solve
            place = next((k for k, solve in enumerate(solves) if solve is chosen), -1)
            if place in models and service.records[place].told:
                with Service(limits, self._cache(name), options.solver) as again:
                    record = solved_again(again, service.records[place], models[place])
                solves[place] = finite(record.to_json())
                run.problems.extend(again.problems)
        return run

    def _confirmed(self, record: SolveRecord) -> SolveRecord:
        """The record; where it says that a library is lacking, only if our own check says so."""
        if record.ending != Status.LACKING.word:
            return record
        versions = declared_versions(self._options.isolation)
        if lacks(versions.get(record.library, "")):
            return record
        detail = f"{record.library} cannot be loaded beside what the program had loaded"
        return replace(record, ending=Status.UNSUPPORTED.word, detail=detail)

    def close(self) -> None:
        """Take the sandboxes down."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for sandbox in idle:
            sandbox.close()

    def _open(self) -> Sandbox:
        options = self._options
        limit, memory = options.program_limit, options.memory
        return open_sandbox(options.isolation, limit, memory, models=True)

    def _borrow(self) -> Sandbox:
        with self._lock:
            if self._closed:
                raise SandboxError("the sandboxes are closed: make another environment")
            if self._idle:
                return self._idle.pop()
        return self._open()

    def _give_back(self, sandbox: Sandbox) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(sandbox)
                return
        sandbox.close()

    def _cache(self, name: str) -> Cache | None:
        if not name:
            return None
        with self._lock:
            cache = self._caches.pop(name, None) or Cache()
            self._caches[name] = cache
            while len(self._caches) > _ITEMS:
                self._caches.popitem(last=False)
        return cache


_shared: dict[Key, tuple[Workshop, int]] = {}
_guard = threading.Lock()


def _key(options: Nl2OptOptions) -> Key:
    limits = options.memory, options.program_limit
    return options.isolation, *limits, f"{options.solver} {options.time_limit}"


def take(options: Nl2OptOptions) -> Workshop:
    """The workshop that environments of these options share; SandboxError where none can be."""
    key = _key(options)
    with _guard:
        workshop, users = _shared.get(key) or (Workshop(options), 0)
        _shared[key] = (workshop, users + 1)
    return workshop


def leave(options: Nl2OptOptions) -> None:
    """Give back what `take` gave; the last one to leave closes it."""
    key = _key(options)
    with _guard:
        workshop, users = _shared.pop(key)
        if users > 1:
            _shared[key] = (workshop, users - 1)
            return
    workshop.close()


_TAIL = 2000
"""Characters of the traceback and of the output that are shown."""

_SAID: Mapping[AnswerOutcome, str] = {
    AnswerOutcome.INFEASIBLE: "The solver says that the model is infeasible.",
    AnswerOutcome.UNBOUNDED: "The solver says that the model is unbounded.",
    AnswerOutcome.NO_SOLUTION: "The program ended without an optimal solution.",
    AnswerOutcome.PRINTED: "The program printed an answer without solving a model.",
    AnswerOutcome.TIME_LIMIT: "The time limit was reached.",
}


_OUTPUTS = (("Its error output", "stderr"), ("The solver's log", "log"), ("Its output", "stdout"))


def fault(reading: AnswerReading, info: Mapping[str, Any]) -> str:
    """What went wrong with an answer, as the next turn tells it; "" for one that has an optimum.

    Whether that optimum is the right one is not told: only what running the program shows.
    """
    if info["program"] is None:
        return f"No program was run: {info['program_problem']}."
    if reading.outcome in {None, AnswerOutcome.WRONG, AnswerOutcome.OTHERWISE}:
        return ""
    execution = info["execution"]
    parts = [_SAID.get(reading.outcome, "")]
    if reading.outcome not in _SAID:
        parts = [f"It ended as follows: {reading.detail or reading.outcome.value}."]
    elif reading.detail and reading.source == "model":
        parts.append(f"({reading.detail})")
    for title, key in _OUTPUTS:
        if shown := str(execution.get(key) or "").strip():
            parts.append(f"{title} ends with:\n{shown[-_TAIL:]}")
    return "\n\n".join(part for part in parts if part)


class Nl2OptEnvironment(Environment[WordProblem]):
    """Asks once, runs the program of the reply, and ends; with repair turns, up to `repair` more.

    Raises SandboxError, before anything is asked, where programs cannot be contained.

    Each turn's `info`: "program" (None without one, and then "program_problem"), "found" (how it
    was found), "execution" (outcome, exception, message, stdout, stderr, log, seconds, isolation),
    "solves" (the service's records), "repairs" (turns allowed). Where there is a reference model
    and something was solved, "equivalence"; where asked for, "retries" of edited programs if the
    answer is not right, for the leaking rules. The reward of a turn is its score under the rule
    that the options name, the strict one by default.
    """

    waits = True

    def __init__(self, options: Nl2OptOptions) -> None:
        self._options = options
        self._judge, self._reward = judge_with(DEFAULT), judge_with(options.reward)
        self._workshop: Workshop | None = take(options)
        self._instance: Instance[WordProblem] | None = None
        self._turn = 0

    def reset(self, instance: Instance[WordProblem], seed: int) -> Observation:
        """Ask; the prompt does not depend on `seed`."""
        if self._workshop is None:
            self._workshop = take(self._options)
        self._instance, self._turn = instance, 0
        return self._observe(prompt(instance.problem, self._options), fresh=True)

    def step(self, text: str) -> Step:
        """Run the program that `text` proposes."""
        instance, place = self._instance, self._workshop
        if instance is None or place is None:
            raise BenchmarkError("nl2opt: step() before reset(), or after the episode's end")
        self._turn += 1
        info: dict[str, Json] = {"repairs": self._options.repair}
        info |= self._try(text, instance, place)
        if self._turn <= self._options.repair and (what := fault(read_turn(info), info)):
            return Step(self._observe(repair_prompt(what), fresh=False), 0.0, info=info)
        self._instance = None
        episode = Episode((Turn((), "chat", text, 0.0, info),))
        reward = self._reward(instance, episode).score or 0.0
        return Step(None, reward, terminated=True, info=info)

    def close(self) -> None:
        """Let the sandboxes go; any number of times."""
        self._instance = None
        if self._workshop is not None:
            self._workshop = None
            leave(self._options)

    def _try(self, text: str, instance: Instance[WordProblem], place: Workshop) -> dict[str, Json]:
        """Find the program, run it, and put what happened into JSON."""
        found = find_program(text)
        if found.program is None:
            retries: dict[str, Json] = {"retries": []} if self._options.leaks else {}
            return {"program": None, "program_problem": found.problem, **retries}
        problem, options, inputs = instance.problem, self._options, instance.problem.inputs
        # A right program's models must not be answered sooner to others: that would name them.
        is_right = found.program.strip() == problem.program.strip()
        name = instance.content_hash + " right" * is_right
        run = place.run(name, found.program, inputs)
        info: dict[str, Json] = {
            "program": found.program,
            "program_problem": "",
            "found": found.how,
            "execution": run.to_json(),
            "solves": run.solves,
        }
        if problem.reference is not None and run.problems:
            wanted = str(read_turn(info).solve.get("hash", ""))
            info["equivalence"] = equivalence(problem.reference.place, run.problems, wanted)
        if options.leaks:
            edits = variants(found.program) if self._missed(instance, info) else ()
            info["retries"] = [
                {"edit": edit.name, "execution": again.to_json(), "solves": again.solves}
                for edit in edits
                for again in [place.run("", edit.program, inputs)]  # only on a miss: no cache
            ]
        return info

    def _missed(self, instance: Instance[WordProblem], info: Mapping[str, Json]) -> bool:
        episode = Episode((Turn((), "chat", "", 0.0, info),))
        return self._judge(instance, episode).outcome != "correct"

    def _observe(self, text: str, fresh: bool) -> Observation:
        options = self._options
        return Observation(
            (Message("user", text),),
            fresh=fresh,
            max_tokens=options.max_tokens,
            temperature=options.temperature,
        )
