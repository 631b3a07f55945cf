"""Where the programs of answers are run: warm sandboxes that environments share.

Models that were solved are kept for each item. No gold comes here: a program in the sandbox reaches
the solver service alone, which knows none.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from ordojo.benchmarks.nl2opt.reading import read_run
from ordojo.benchmarks.nl2opt.schema import Nl2OptOptions
from ordojo.compat.capture import lent_sandbox, listening, solved_again
from ordojo.compat.declared import declared_versions
from ordojo.compat.service import Cache, Service, SolveRecord, SolverLimits
from ordojo.core.canonical import Json, finite
from ordojo.core.errors import SandboxError
from ordojo.core.readers.turn import both_ends
from ordojo.core.records import lacks
from ordojo.sandbox import Execution, Sandbox
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Problem

_ITEMS = 64
"""Items whose solved models are kept, those asked last: memory has an end."""

_KEPT = 20_000
"""Characters kept of a message or an output: a program may print without end."""

_MODELS = 8
"""Models that libraries wrote which are kept of a program: it may solve in a loop."""


@dataclass(frozen=True)
class Run:
    """A program's end, its solves as JSON, and the last models with their results."""

    execution: Execution
    solves: list[dict[str, Json]]
    problems: list[tuple[Problem, SolveResult]]

    def to_json(self) -> dict[str, Json]:
        """What a turn keeps of the execution: of stdout both ends, as an answer may stand first."""
        done = self.execution
        return {
            "outcome": done.outcome.value,
            "exception": done.exception,
            "message": done.message[:_KEPT],
            "detail": done.detail,
            "stdout": both_ends(done.stdout, _KEPT // 2, _KEPT // 2),
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
        self._held = ExitStack()
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
            finally:
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
        """Give the sandboxes back."""
        with self._lock:
            self._closed = True
        self._held.close()

    def _open(self) -> Sandbox:
        options = self._options
        limit, memory = options.program_limit, options.memory
        lent = lent_sandbox(options.isolation, limit, memory, models=True)
        return self._held.enter_context(lent)

    def _borrow(self) -> Sandbox:
        with self._lock:
            if self._closed:
                raise SandboxError("the sandboxes are closed: make another environment")
            if self._idle:
                return self._idle.pop()
        return self._open()

    def _give_back(self, sandbox: Sandbox) -> None:
        with self._lock:
            self._idle.append(sandbox)

    def _cache(self, name: str) -> Cache | None:
        if not name:
            return None
        with self._lock:
            cache = self._caches.pop(name, None) or Cache()
            self._caches[name] = cache
            while len(self._caches) > _ITEMS:
                self._caches.popitem(last=False)
        return cache


_shared: dict[tuple[str | float, ...], tuple[Workshop, int]] = {}

_guard = threading.Lock()


def _key(options: Nl2OptOptions) -> tuple[str | float, ...]:
    limits = options.memory, options.program_limit, options.time_limit
    return options.isolation, options.solver, *limits


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
