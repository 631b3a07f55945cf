"""The service: problems in, results out, everything recorded for the judge."""

import threading
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from ordojo.compat import analysis, answers, messages
from ordojo.compat.analysis import Analysis
from ordojo.compat.events import Callback, Event, Reply
from ordojo.compat.fields import Fields
from ordojo.compat.hashing import problem_hash
from ordojo.compat.problem import Problem, Result
from ordojo.compat.service.cache import Cache
from ordojo.compat.service.limits import Limits
from ordojo.compat.service.pool import Lost
from ordojo.compat.service.records import SolveRecord
from ordojo.compat.service.session import Session, Terms, pack_reply
from ordojo.compat.service.simplex import analyse
from ordojo.compat.service.work import conflict, perform
from ordojo.compat.wire import BadMessage, Refused, pack, unpack
from ordojo.core.errors import SolverError, UsageError
from ordojo.oracle.answers import Iis

SOLVERS = ("open", "highs", "scip", "gurobi")
IIS_SECONDS = 60.0
NESTED = 4
"""Solves that may be under way at once, one in the callback of another."""


class Service:
    """Answers one program: `handle` for the sandbox's channel, `solve` and `iis` in this process.

    It knows no gold: whatever a program can see is the same for every gold. `cache` is shared by
    the samples of an item; whether an answer came from it is recorded, charged alike, and not
    told. `solver` is "open" (HiGHS, and SCIP for what it lacks), one of the two, or "gurobi" (the
    real one). Solves run in a process of their own that is ended when it overruns, unless
    `inline`, where they run here and only the solver's own limit holds. `records` has every solve,
    `problems` the problems behind the last of them, `faults` what was sent that is no request.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        cache: Cache | None = None,
        solver: str = "open",
        inline: bool = False,
    ) -> None:
        if solver not in SOLVERS:
            raise UsageError(f"there is no solver '{solver}'; choose one of {', '.join(SOLVERS)}")
        self.limits = limits or Limits()
        self.cache = cache
        self.solver = solver
        self.records: list[SolveRecord] = []
        self.problems: list[tuple[Problem, Result]] = []
        self.faults: list[str] = []
        self.kept = 4
        # In a process where our gurobipy stands in for the real one, only another has the real one.
        self._inline = inline and solver != "gurobi"
        self._spent = 0.0
        # Entered again where a callback solves another problem.
        self._lock = threading.RLock()
        self._sessions: dict[str, Session] = {}

    def handle(self, data: bytes) -> bytes:
        """Answer one message of a program; whatever is wrong with it is part of the answer.

        SolverError where the service itself fails.
        """
        with self._lock:
            try:
                request = Fields(unpack(data), "the request")
                kind = request.text("kind")
                if kind == "solve":
                    return self._solve_message(request)
                if kind == "reply":
                    return self._reply_message(request)
                if kind == "iis":
                    problem = messages.read_problem(request.raw("problem"))
                    self._admit(problem)
                    found = self._iis(problem)
                    return pack({"kind": "iis", "iis": found and answers.write_iis(found)})
                if kind == "analysis":
                    problem = messages.read_problem(request.raw("problem"))
                    said = analysis.write(self.analyse(problem))
                    return pack({"kind": kind, "analysis": said})
                raise BadMessage("the request is of no known kind")
            except BadMessage as error:
                self.faults.append(str(error))
                return pack({"kind": "refused", "message": str(error)})
            except Refused as error:
                return pack({"kind": "refused", "message": str(error)})

    def solve(self, problem: Problem, callback: Callback | None = None) -> Result:
        """Solve a problem from this process; raises SolverError where it is refused."""
        with self._lock:
            self._admit(problem)
            if callback is None:
                return self._solve(problem)
            if self._inline:
                seconds = self._seconds(problem)
                result = perform(problem, seconds, callback, self.solver)
                return self._record(problem, problem_hash(problem), result)
            session = self._open(problem)
            found = self._advance(session, None)
            while isinstance(found, Event):
                try:
                    reply = callback(found)
                except BaseException:
                    self._drop(session)
                    raise
                found = self._advance(session, reply)
            return self._finish(session, found)

    def iis(self, problem: Problem) -> Iis | None:
        """An IIS, None for a problem that has solutions; raises SolverError where it is refused."""
        with self._lock:
            self._admit(problem)
            return self._iis(problem)

    def analyse(self, problem: Problem) -> Analysis:
        """What simplex's last basis says; raises SolverError for what is no LP."""
        with self._lock:
            self._admit(problem)
            seconds = self._seconds(problem)
            if self._inline:
                return analyse(problem, seconds)
            return analysis.read(self._ask(problem, seconds, "analysis")["analysis"])

    def close(self) -> None:
        """End what a program left unfinished."""
        with self._lock:
            for session in list(self._sessions.values()):
                self._drop(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _admit(self, problem: Problem) -> None:
        limits, model = self.limits, problem.model
        if len(self._sessions) >= NESTED:
            raise Refused(f"the program has {NESTED} solves under way, each in a callback")
        if len(self.records) >= limits.solves:
            raise Refused(f"the program may not solve more than {limits.solves} models")
        for what, has, most in (
            ("rows", model.m, limits.rows),
            ("columns", model.n, limits.columns),
            ("nonzeros", model.nonzeros, limits.nonzeros),
        ):
            if has > most:
                raise Refused(f"a model may not have more than {most} {what}; this has {has}")

    def _seconds(self, problem: Problem) -> float:
        allowed = min(self.limits.seconds, max(self.limits.total_seconds - self._spent, 0.0))
        own = problem.settings.time_limit
        return allowed if own is None else min(allowed, max(own, 0.0))

    def _terms(self) -> Terms:
        return Terms(self.limits.memory, self.limits.grace, self.solver)

    def _solve_message(self, request: Fields) -> bytes:
        problem = messages.read_problem(request.raw("problem"))
        self._admit(problem)
        if not request.flag("interactive"):
            return answers.write_result(replace(self._solve(problem), cached=False))
        session = self._open(problem)
        return self._told(session, self._advance(session, None))

    def _reply_message(self, request: Fields) -> bytes:
        session = self._sessions.get(request.text("token"))
        if session is None:
            raise BadMessage("a callback's reply belongs to no solve that is under way")
        if request.has("dropped"):
            self._drop(session)
            return pack({"kind": "dropped"})
        # Read here so that what is damaged is refused before the solver's process sees it.
        reply = answers.read_reply(request.raw("reply"), session.problem.model.n)
        return self._told(session, self._advance(session, reply))

    def _told(self, session: Session, found: Event | Result) -> bytes:
        if isinstance(found, Event):
            return pack({"kind": "event", "token": session.token, "event": found})
        return answers.write_result(self._finish(session, found))

    def _solve(self, problem: Problem) -> Result:
        key, seconds = problem_hash(problem), self._seconds(problem)

        def run() -> Result:
            if self._inline:
                return perform(problem, seconds, None, self.solver)
            session = Session(self._terms(), problem, False, seconds)
            found = session.go_on(None)
            assert isinstance(found, Result)
            return found

        if self.cache is None:
            result = run()
        else:
            result = self.cache.get_or_solve(f"{self.solver} {key}", seconds, run)
        self._spent += result.seconds
        return self._record(problem, key, result)

    def _open(self, problem: Problem) -> Session:
        session = Session(self._terms(), problem, True, self._seconds(problem))
        self._sessions[session.token] = session
        return session

    def _advance(self, session: Session, reply: Reply | None) -> Event | Result:
        try:
            return session.go_on(None if reply is None else pack_reply(reply))
        except SolverError:
            # Its process is back with the others already.
            self._sessions.pop(session.token, None)
            raise

    def _finish(self, session: Session, result: Result) -> Result:
        self._sessions.pop(session.token, None)
        self._spent += result.seconds
        return self._record(session.problem, problem_hash(session.problem), result)

    def _drop(self, session: Session) -> None:
        self._sessions.pop(session.token, None)
        session.process.kill()

    def _iis(self, problem: Problem) -> Iis | None:
        seconds = min(IIS_SECONDS, self._seconds(problem))
        if self._inline:
            return conflict(problem, seconds)
        found = self._ask(problem, seconds, "iis")
        return answers.read_iis(found["iis"]) if found.get("iis") else None

    def _ask(self, problem: Problem, seconds: float, kind: str) -> dict[str, Any]:
        """A process's one answer to a question that is no solve."""
        try:
            return Session(self._terms(), problem, False, seconds, kind).message(None)
        except Lost as lost:
            raise Refused(f"the solver gave no {kind}: {lost}") from None

    def _record(self, problem: Problem, key: str, result: Result) -> Result:
        model = problem.model
        self.records.append(
            SolveRecord(
                hash=key,
                rows=model.m + len(problem.quadratic_rows),
                columns=model.n,
                nonzeros=model.nonzeros,
                is_mip=model.is_mip,
                maximize=model.maximize,
                ending=str(result.ending),
                objective=result.objective,
                bound=result.bound,
                seconds=result.seconds,
                solver=result.solver,
                cached=result.cached,
                detail=result.detail,
                ignored=problem.settings.ignored,
            )
        )
        self.problems = [*self.problems, (problem, result)][-self.kept :]
        return result
