"""A program written anew: found in the reply, run, its model held up to the right one."""

from dataclasses import dataclass, field

from ordojo.benchmarks.or_debug.sameness import Sameness, changes, sameness
from ordojo.benchmarks.or_debug.workbench import Workbench
from ordojo.compat.capture import Captured, beyond_linear, linear_model, run_captured
from ordojo.compat.service import Cache
from ordojo.core.canonical import Json
from ordojo.core.errors import SolverError
from ordojo.core.programs import FoundProgram, find_program
from ordojo.milp.model import Model
from ordojo.sandbox import Sandbox
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.equivalence import Verdict
from ordojo.solvers.problem import Problem

PROGRAM = "PROGRAM"
"""The action of a turn that has a program."""

_TOTAL = 5
"""How many solves at their time limit a program may have."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of a reply.

    `run` is None where it has no program; `reason` says why no model was solved, "" where one was.
    `same` is what is known of that model beside the original, `changed` the elements that it
    changes in the sabotaged one, and `said` what the agent is told beside status and IIS.
    """

    found: FoundProgram
    run: Captured | None = None
    reason: str = ""
    said: str = ""
    same: Sameness = field(default_factory=lambda: Sameness(Verdict.UNKNOWN, "no model was solved"))
    changed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The entry "program" of a turn's info: nothing in it depends on the time taken."""
        found: dict[str, Json] = {"found": self.found.how, "problem": self.found.problem}
        if self.run is not None:
            done = self.run.execution
            found |= {
                "outcome": done.outcome.value,
                "exception": done.exception,
                "message": done.message[:300],
                "detail": done.detail,
                "solves": self.run.solves,
                "isolation": done.isolation,
            }
        return found


def run_reply(
    text: str, bench: Workbench, sandbox: Sandbox, time_limit: float, cache: Cache
) -> Rewritten:
    """Run the program of a reply, and put the last model that it solves on the workbench.

    Without a program the workbench stays as it is; a program that solves nothing leaves ERROR.
    """
    found = find_program(text)
    if found.program is None:
        return Rewritten(found, None, found.problem, f"No program was found: {found.problem}.")
    run = run_captured(sandbox, found.program, time_limit, _TOTAL * time_limit, cache=cache)
    if not run.problems:
        bench.take(None, SolveResult(Status.ERROR))
        reason = "the program solved no model"
        if not run.execution.ok:
            reason = f"the program failed before it solved a model ({run.failure})"
        return Rewritten(found, run, reason, f"{reason[0].upper()}{reason[1:]}.")
    return _taken(found, run, bench, *run.problems[-1], time_limit)


def _taken(
    found: FoundProgram,
    run: Captured,
    bench: Workbench,
    problem: Problem,
    result: SolveResult,
    time_limit: float,
) -> Rewritten:
    """Put a solved problem on the workbench, and compare it with the original."""
    asked = bench.problem
    original = asked.original_model
    beyond = beyond_linear(problem)
    model = None if beyond else linear_model(problem)
    status = result.status.told
    if result.status == Status.INFEASIBLE_OR_UNBOUNDED and model is not None:
        status = _decided(bench, model, time_limit)
    objective = result.objective if status == Status.OPTIMAL else None
    if objective is not None and problem.model.maximize != original.maximize:
        objective = 0.0 - objective  # min of the negative: the same aim
    bench.take(model, SolveResult(status, objective, x=result.x))
    said = f"The solver ended with: {result.status.word}." if status == Status.ERROR else ""
    if model is None:
        reason = f"the model has {beyond}, and only linear models are compared"
        same = Sameness(Verdict.UNKNOWN, reason, unknown=status == Status.OPTIMAL)
        note = f"The model has {beyond}: there is no IIS of it."
        return Rewritten(found, run, "", f"{said}\n{note}".strip(), same)
    if status != Status.OPTIMAL or result.x is None:
        changed = changes(model, asked.model).elements
        return Rewritten(found, run, "", said, _unsolved(status), changed)
    session, best = bench.aside(), bench.original_optimum()
    try:
        same = sameness(model, result.x, original, best, asked.targets, session, time_limit)
    except SolverError as error:
        # The original is verified: the solver's trouble is with the numbers of this model.
        same = Sameness(Verdict.UNKNOWN, f"the solver failed on it: {error}", unknown=True)
    if same.verdict == Verdict.EQUAL:
        return Rewritten(found, run, "", said, same, asked.targets)
    return Rewritten(found, run, "", said, same, changes(model, asked.model).elements)


def _decided(bench: Workbench, model: Model, time_limit: float) -> Status:
    session = bench.aside()
    try:
        session.load(model)
        status = session.solve(time_limit).status
    except SolverError:
        return Status.ERROR
    return status if status in (Status.INFEASIBLE, Status.UNBOUNDED) else Status.ERROR


def _unsolved(status: Status) -> Sameness:
    if status in (Status.INFEASIBLE, Status.UNBOUNDED):
        word = status.value.lower()
        return Sameness(Verdict.DIFFERENT, f"the model is {word}, and the original is not")
    return Sameness(Verdict.UNKNOWN, f"the model was not solved ({status.value})")
