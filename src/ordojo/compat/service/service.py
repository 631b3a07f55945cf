"""The service: problems in, results out, everything recorded for the judge."""

import hashlib
import struct
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, Self

import numpy as np

from ordojo.compat import messages
from ordojo.compat.messages import BadMessage, Fields, Refused, pack, unpack
from ordojo.compat.service.processes import Lost, RequestTerms, SolverConversation
from ordojo.compat.service.work import NO_TIME, QUESTIONS, perform
from ordojo.core.errors import SolverError, UsageError
from ordojo.core.extras import need
from ordojo.core.ranges import SECONDS
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import (
    Callback,
    CallbackReply,
    Event,
    Indicator,
    Problem,
    QuadraticRow,
    Settings,
)
from ordojo.solvers.tightening import follows_from_bounds


def problem_hash(problem: Problem) -> str:
    """SHA-256 over what a problem means: everything but its names and its time limit."""
    state = hashlib.sha256()

    def add(*parts: Any) -> None:
        for part in parts:
            data = part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
            state.update(struct.pack("<Q", len(data)))
            state.update(data)

    model, settings = problem.model, problem.settings
    add(model.n, model.m, model.maximize, float(model.offset), model.objective)
    add(model.col_lower, model.col_upper, model.types, model.row_lower, model.row_upper)
    add(model.starts, model.index, model.value)
    for q in (problem.quadratic, *(row.quadratic for row in problem.quadratic_rows)):
        add(*((q.first, q.second, q.value) if q else ("none",)))
    rows: tuple[QuadraticRow | Indicator, ...] = (*problem.quadratic_rows, *problem.indicators)
    for row in rows:
        add(row.index, row.value, float(row.lower), float(row.upper))
    for indicator in problem.indicators:
        add(indicator.binary, indicator.active)
    for sos in problem.sos:
        add(sos.kind, sos.index, sos.weights)
    for general in problem.general:
        add(str(general.function), general.result, general.operands, general.numbers)
    for goal in problem.objectives:
        add(goal.priority, goal.weight, goal.abs_tol, goal.rel_tol, goal.offset, goal.coefficients)
    add(problem.start if problem.start is not None else "none")
    add(
        *(
            getattr(settings, name)
            for name in Settings._fields
            if name not in ("time_limit", "ignored")
        )
    )
    return state.hexdigest()


GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class SolverLimits:
    """`seconds` for one solve and `total_seconds` for all of a program; sizes of a model.

    `memory` in bytes is for the solver's process; `grace` seconds after its limit it is killed.
    """

    seconds: float = 3600.0
    total_seconds: float = 36000.0
    rows: int = 5_000_000
    columns: int = 5_000_000
    nonzeros: int = 50_000_000
    solves: int = 10_000
    memory: int = 16 * GIB
    grace: float = 15.0

    def __post_init__(self) -> None:
        for name in ("seconds", "total_seconds"):
            SECONDS.check(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class SolveRecord:
    """One solve as it was: the model's hash and size, and how it ended.

    `objective` is that of the point found, None without one; `detail` says what was unsupported
    or went wrong. `seconds` are those of the solve itself, also where its result came from the
    cache. `ignored` names the parameters that the program set without effect. `library` is "" for
    what the program asked the service to solve; else the record is what the program's own process
    told of a library, without hash and size (`told`), or the service's own, of a model that the
    library wrote. `trivial` is an answer that follows from bounds and constants alone.
    """

    hash: str = ""
    rows: int = 0
    columns: int = 0
    nonzeros: int = 0
    is_mip: bool = False
    maximize: bool = False
    ending: str = ""
    objective: float | None = None
    bound: float | None = None
    seconds: float = 0.0
    solver: str = ""
    cached: bool = False
    detail: str = ""
    ignored: tuple[str, ...] = ()
    library: str = ""
    told: bool = False
    trivial: bool = False

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON."""
        return asdict(self)


class Cache:
    """Results by hash, shared by the samples of an item; any number of threads.

    Whoever asks while an equal problem is being solved waits for that solve. A result that a time
    limit ended is used again only where no more time is allowed now. The oldest of more than
    `size` results go. What is held is what programs asked for, never what a gold or a reference
    model needed: else the time that an answer takes would tell of it.
    """

    def __init__(self, size: int = 256) -> None:
        self.hits = 0
        self.misses = 0
        self._size = size
        self._lock = threading.Lock()
        self._held: OrderedDict[str, list[tuple[float, SolveResult]]] = OrderedDict()
        self._running: dict[str, threading.Lock] = {}

    def get_or_solve(
        self, key: str, seconds: float, solve: Callable[[], SolveResult]
    ) -> SolveResult:
        """The result under `key`, by `solve` where there is none; `cached` says which."""
        with self._lock:
            mine = self._running.setdefault(key, threading.Lock())
        with mine:
            found = self._find(key, seconds)
            if found is not None:
                return found._replace(cached=True)
            result = solve()
            with self._lock:
                self.misses += 1
                self._held.setdefault(key, []).append((seconds, result))
                self._held.move_to_end(key)
                while len(self._held) > self._size:
                    gone, _ = self._held.popitem(last=False)
                    self._running.pop(gone, None)
            return result

    def _find(self, key: str, seconds: float) -> SolveResult | None:
        with self._lock:
            for allowed, result in self._held.get(key, ()):
                if result.status == Status.TIME_LIMIT and allowed < seconds:
                    continue
                self.hits += 1
                self._held.move_to_end(key)
                return result
        return None


SOLVERS = ("open", "highs", "scip", "gurobi")
IIS_SECONDS = 60.0
"""What one question for an IIS may take, whatever time the program has left to go on with."""
NESTED = 4
"""Solves that may be under way at once, one in the callback of another."""
LATE = 16
"""Requests that are still answered when the time is used up: enough to see it, and to end."""
SMALL = 1 << 20
"""Bytes of a request that is still read then, which takes milliseconds."""


class Service:
    """Answers one program: `handle` for the sandbox's channel, `solve` and `ask` in this process.

    It knows no gold: whatever a program can see is the same for every gold. `cache` is shared by
    the samples of an item; whether an answer came from it is recorded, charged alike, and not
    told. `solver` is "open" (HiGHS, and SCIP for what it lacks), one of the two, or "gurobi" (the
    real one). Solves run in a process of their own that is ended when it overruns, unless
    `inline`, where they run here and only the solver's own limit holds. Whatever is done for the
    program is charged to its time: solves, other questions, refused and dropped ones, and reading
    them. `records` has every solve, `problems` the problems behind the last of them.
    """

    def __init__(
        self,
        limits: SolverLimits | None = None,
        cache: Cache | None = None,
        solver: str = "open",
        inline: bool = False,
    ) -> None:
        if solver not in SOLVERS:
            raise UsageError(f"there is no solver '{solver}'; choose one of {', '.join(SOLVERS)}")
        if solver in ("gurobi", "scip"):
            need(solver, f"the solver '{solver}'", SolverError)
        self.limits = limits or SolverLimits()
        self.cache = cache
        self.solver = solver
        self.records: list[SolveRecord] = []
        self.problems: list[tuple[Problem, SolveResult]] = []
        self.kept = 4
        # In a process where our gurobipy stands in for the real one, only another has the real one.
        self._inline = inline and solver != "gurobi"
        self._owner = object()
        self._asked = self._late = self._heard = 0
        self._spent = self._since = 0.0
        self._depth = 0
        # Entered again where a callback solves another problem.
        self._lock = threading.RLock()
        self._sessions: dict[str, SolverConversation] = {}

    def handle(self, data: bytes) -> bytes:
        """Answer one message of a program; whatever is wrong with it is part of the answer.

        TimeoutError where a program goes on asking when its time is used up: it is to be ended.
        SolverError where the service itself fails.
        """
        with self._lock, self._charged():
            try:
                self._admit_late(len(data))
                request = Fields(unpack(data), "the request")
                kind = request.text("kind")
                if kind == "solve":
                    return self._solve_message(request, data)
                if kind == "reply":
                    return self._reply_message(request)
                if kind in QUESTIONS:
                    problem = messages.read_problem(request.raw("problem"))
                    return pack({"kind": kind, kind: self._ask(kind, problem, data)})
                if kind == "told":
                    self._take_told(request)
                    return pack({"kind": kind})
                raise BadMessage("the request is of no known kind")
            except (BadMessage, Refused) as error:
                return pack({"kind": "refused", "message": str(error)})

    def solve(self, problem: Problem, callback: Callback | None = None) -> SolveResult:
        """Solve a problem from this process; raises SolverError where it is refused."""
        with self._lock, self._charged():
            self._admit(problem)
            if callback is None:
                return self._solve(problem, None)
            if self._inline:
                seconds = self._seconds(problem)
                result = perform(problem, seconds, callback, self.solver)
                return self._record(problem, problem_hash(problem), result)
            session = self._open(problem, None)
            found = self._advance(session, None)
            while isinstance(found, Event):
                try:
                    reply = callback(found)
                except BaseException:
                    self._drop(session)
                    raise
                found = self._advance(session, reply)
            return self._finish(session, found)

    def ask(self, kind: str, problem: Problem) -> Any:
        """The answer to a question that is no solve; raises SolverError where it is refused.

        "iis": an `Iis`, None for a problem that has solutions; "analysis": an `Analysis`.
        """
        with self._lock, self._charged():
            return self._ask(kind, problem)

    def close(self) -> None:
        """End what a program left unfinished."""
        with self._lock:
            for session in list(self._sessions.values()):
                self._drop(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def _charged(self) -> Iterator[None]:
        """Charge to the program what is done inside, however it ends."""
        if not self._depth:
            self._since = monotonic()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._spent += monotonic() - self._since

    @property
    def _left(self) -> float:
        """Seconds of the program's time that are not used up."""
        running = monotonic() - self._since if self._depth else 0.0
        return self.limits.total_seconds - self._spent - running

    def _admit_late(self, size: int) -> None:
        if self._left > 0:
            return
        self._late += 1
        said = f"the program's {self.limits.total_seconds:g} s of the solver's time are used up"
        if self._late > LATE:
            raise TimeoutError(said)
        if size > SMALL:
            raise Refused(said)

    def _admit(self, problem: Problem) -> None:
        limits, model = self.limits, problem.model
        self._asked += 1
        if len(self._sessions) >= NESTED:
            raise Refused(f"the program has {NESTED} solves under way, each in a callback")
        if self._asked > limits.solves:
            raise Refused(f"the program may not solve more than {limits.solves} models")
        for what, has, most in (
            ("rows", model.m, limits.rows),
            ("columns", model.n, limits.columns),
            ("nonzeros", model.nonzeros, limits.nonzeros),
        ):
            if has > most:
                raise Refused(f"a model may not have more than {most} {what}; this has {has}")

    def _seconds(self, problem: Problem) -> float:
        allowed = min(self.limits.seconds, max(self._left, 0.0))
        own = problem.settings.time_limit
        return allowed if own is None else min(allowed, max(own, 0.0))

    def _terms(self, seconds: float) -> RequestTerms:
        limits = self.limits
        # A tenth of the time for a solver to come to its end, as HiGHS looks at its clock seldom.
        grace = min(limits.grace, max(1.0, 0.1 * limits.total_seconds))
        return RequestTerms(self._owner, self.solver, limits.memory, seconds, grace)

    def _solve_message(self, request: Fields, data: bytes) -> bytes:
        problem = messages.read_problem(request.raw("problem"))
        self._admit(problem)
        if not request.flag("interactive"):
            return messages.write_result(self._solve(problem, data)._replace(cached=False))
        session = self._open(problem, data)
        return self._told(session, self._advance(session, None))

    def _reply_message(self, request: Fields) -> bytes:
        session = self._sessions.get(request.text("token"))
        if session is None:
            raise BadMessage("a callback's reply belongs to no solve that is under way")
        if request.has("dropped"):
            self._drop(session)
            return pack({"kind": "dropped"})
        # Read here so that what is damaged is refused before the solver's process sees it.
        reply = messages.read_reply(request.raw("reply"), session.problem.model.n)
        return self._told(session, self._advance(session, reply))

    def _told(self, session: SolverConversation, found: Event | SolveResult) -> bytes:
        if isinstance(found, Event):
            return pack({"kind": "event", "token": session.token, "event": found})
        return messages.write_result(self._finish(session, found))

    def _solve(self, problem: Problem, request: bytes | None) -> SolveResult:
        key, seconds, started = problem_hash(problem), self._seconds(problem), monotonic()

        def run() -> SolveResult:
            if self._inline or seconds < NO_TIME:
                return perform(problem, seconds, None, self.solver)
            found = SolverConversation(self._terms(seconds), problem, request).go_on(None)
            assert isinstance(found, SolveResult)
            return found

        if self.cache is None:
            result = run()
        else:
            result = self.cache.get_or_solve(f"{self.solver} {key}", seconds, run)
        if result.cached:
            self._spent += max(result.seconds - (monotonic() - started), 0.0)
        return self._record(problem, key, result)

    def _open(self, problem: Problem, request: bytes | None) -> SolverConversation:
        session = SolverConversation(
            self._terms(self._seconds(problem)), problem, request, interactive=True
        )
        self._sessions[session.token] = session
        return session

    def _advance(
        self, session: SolverConversation, reply: CallbackReply | None
    ) -> Event | SolveResult:
        try:
            return session.go_on(reply)
        except Refused:
            # Its process is back with the others already.
            self._sessions.pop(session.token, None)
            raise

    def _finish(self, session: SolverConversation, result: SolveResult) -> SolveResult:
        self._sessions.pop(session.token, None)
        return self._record(session.problem, problem_hash(session.problem), result)

    def _drop(self, session: SolverConversation) -> None:
        self._sessions.pop(session.token, None)
        session.process.kill()

    def _ask(self, kind: str, problem: Problem, request: bytes | None = None) -> Any:
        """The answer to a question that is no solve."""
        self._admit(problem)
        seconds = self._seconds(problem)
        if kind == "iis":
            seconds = min(IIS_SECONDS, seconds)
        if self._inline:
            return QUESTIONS[kind](problem, seconds)
        if seconds < NO_TIME:
            raise Refused(f"there was no time for the {kind}")
        session = SolverConversation(self._terms(seconds), problem, request, kind=kind)
        try:
            found = session.message(None)
        except Lost as lost:
            raise Refused(f"the solver gave no {kind}: {lost}") from None
        return messages.READERS[kind](found[kind]) if found.get(kind) else None

    def _take_told(self, request: Fields) -> None:
        """Keep what the program's own process says of a library's solve, import or lack."""
        try:
            ending = Status(request.text("ending"))
        except ValueError:
            raise BadMessage("what was told has no known ending") from None
        told = SolveRecord(
            maximize=request.flag("maximize"),
            ending=ending.word,
            objective=request.maybe("objective", request.number),
            detail=request.text("detail")[:300],
            library=request.text("library")[:40] or "?",
            told=True,
        )
        if self._heard >= self.limits.solves and self.records[-1].library:
            self.records.pop()  # the last one counts
            self._heard -= 1
        self._heard += 1
        self.records.append(told)

    def _record(self, problem: Problem, key: str, result: SolveResult) -> SolveResult:
        model = problem.model
        self.records.append(
            SolveRecord(
                hash=key,
                rows=model.m + len(problem.quadratic_rows),
                columns=model.n,
                nonzeros=model.nonzeros,
                is_mip=model.is_mip,
                maximize=model.maximize,
                ending=result.status.word,
                objective=result.objective,
                bound=result.bound,
                seconds=result.seconds,
                solver=result.solver,
                cached=result.cached,
                detail=result.detail,
                ignored=problem.settings.ignored,
                trivial=follows_from_bounds(problem, result.status, result.objective),
            )
        )
        self.problems = [*self.problems, (problem, result)][-self.kept :]
        return result
