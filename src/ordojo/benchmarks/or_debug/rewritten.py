"""Whether a model written anew is the original problem: found in the reply, solved, compared."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from ordojo.benchmarks.or_debug import outcome
from ordojo.benchmarks.or_debug.perform import Workbench
from ordojo.compat.capture import Captured, linear_model, run_captured
from ordojo.compat.service import Cache
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, SolverError
from ordojo.core.programs import FoundProgram, code_blocks, find_program
from ordojo.core.readers.turn import after_thinking
from ordojo.milp.files import read_model
from ordojo.milp.model import Floats, Model
from ordojo.milp.problem import beyond_linear
from ordojo.sandbox import Sandbox
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.equivalence import EquivalenceVerdict, compare
from ordojo.solvers.problem import Problem
from ordojo.solvers.protocol import SolverSession


@dataclass(frozen=True, slots=True)
class Sameness:
    """What is known of a model beside the original; see `Ending.info` for the parts of "drift".

    `unknown`: neither the comparison nor the solutions say whether it is the same problem.
    """

    verdict: EquivalenceVerdict
    reason: str
    drifted: bool = False
    cut_off: bool = False
    relaxed: bool = False
    unknown: bool = False
    changed: tuple[str, ...] = ()
    collateral: tuple[str, ...] = ()

    @property
    def comparison(self) -> dict[str, Json]:
        """The entry "comparison" of a turn's info."""
        return {"verdict": self.verdict.value, "reason": self.reason}

    @property
    def drift(self) -> dict[str, Json]:
        """The entry "drift" of the final state."""
        return {
            "drifted": self.drifted,
            "cut_off": self.cut_off,
            "relaxed": self.relaxed,
            "changed": list(self.changed),
            "collateral": list(self.collateral),
            "unknown": self.unknown,
        }


def changes(model: Model, base: Model) -> tuple[str, ...]:
    """The elements of `base` that say something else in `model`, by their names there.

    A row or column that it leaves out is changed, too, unless it may have another name now.
    """
    new: set[str] = set()
    lost: list[str] = []
    live = [[m.row_names[i] for i in range(m.m) if m.is_live(i)] for m in (model, base)]
    for mine, old, part in ((*live, ""), (model.col_names, base.col_names, ".type")):
        extra = set(mine).difference(old)
        if not extra:
            lost += [f"{name}{part}" for name in old if name not in mine]
        new |= extra
    found = (
        name
        for name in outcome.differences(model, base)
        if name not in new and name.rpartition(".")[0] not in new
    )
    return tuple(dict.fromkeys([*found, *lost]))


def sameness(
    model: Model,
    x: Floats,
    original: Model,
    best: Floats,
    targets: tuple[str, ...],
    session: SolverSession,
    time_limit: float,
) -> Sameness:
    """Hold a model with its optimum `x` against the original with its optimum `best`.

    Where the comparison is undecided, the solutions decide: another problem is one that forbids
    the original optimum, has an optimum that the original forbids, or values it differently. Where
    they agree, it is not known. `targets` are the sabotaged elements.
    """
    named = set(original.col_names) <= set(model.col_names)
    found = compare(model, original, time_limit, by_name=named)
    if found.verdict == EquivalenceVerdict.EQUAL:
        return Sameness(found.verdict, found.reason)
    changed = changes(model, original)
    collateral = tuple(name for name in changed if name not in targets)
    cut_off = relaxed = other = False
    if named:
        back = outcome.moved(x, model, original)
        relaxed = not outcome.holds_at(original, back)
        cut_off = not _allows(model, original, best, session, time_limit)
        value, there = model.value_at(x), original.value_at(back)
        value = -value if model.maximize != original.maximize else value
        far = abs(value - there) > outcome.EQUAL * max(1.0, abs(value), abs(there))
        other = far and not relaxed
    drifted = found.verdict == EquivalenceVerdict.DIFFERENT or cut_off or relaxed or other
    return Sameness(
        found.verdict, found.reason, drifted, cut_off, relaxed, not drifted, changed, collateral
    )


def _allows(
    model: Model, original: Model, best: Floats, session: SolverSession, time_limit: float
) -> bool:
    """Whether the model allows a point of the original, its further columns being free."""
    if len(model.col_names) == len(original.col_names):
        return outcome.holds_at(model, outcome.moved(best, original, model))
    low, up = model.effective_bounds
    held = model
    for name, value in zip(original.col_names, best.tolist(), strict=True):
        j = model.cols[name]
        slack = outcome.FEASIBLE * max(1.0, abs(value))
        # Rounding may have left the optimum a little off a bound, or off a whole number.
        if not low.item(j) - slack <= value <= up.item(j) + slack:
            return False
        near = float(round(value)) if abs(value - round(value)) <= slack else value
        inside = min(max(near, low.item(j)), up.item(j))
        held = held.with_col_bounds(j, inside, inside)
    session.load(held)
    return session.solve(time_limit).status != Status.INFEASIBLE


PROGRAM = "PROGRAM"
"""The action of a turn that has a program."""

_TOTAL = 5
"""How many solves at their time limit a program may have."""

LARGEST = 1_000_000
"""Nonzeros of a model in a reply."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of a reply.

    `run` is None where no program was run; `reason` says why no model was solved, "" where one was.
    `same` is what is known of that model beside the original, `changed` the elements that it
    changes in the sabotaged one, and `said` what the agent is told beside status and IIS.
    """

    found: FoundProgram
    run: Captured | None = None
    reason: str = ""
    said: str = ""
    same: Sameness = field(
        default_factory=lambda: Sameness(EquivalenceVerdict.UNKNOWN, "no model was solved")
    )
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


def read_reply(text: str, bench: Workbench, time_limit: float) -> Rewritten:
    """Read the LP file of a reply, and put its model on the workbench, solved.

    Without a file the workbench stays as it is; one that cannot be read leaves ERROR.
    """
    found = _file_in(text)
    if found.program is None:
        return Rewritten(found, None, found.problem, f"No file was found: {found.problem}.")
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder, "model.lp")
            path.write_text(found.program, encoding="utf-8", errors="replace")
            model = read_model(path, LARGEST)
        session = bench.aside()
        session.load(model)
        result = session.solve(time_limit)
    except (DataError, SolverError) as error:
        bench.take(None, SolveResult(Status.ERROR))
        return Rewritten(found, None, str(error), f"The file holds no model to solve: {error}.")
    return _taken(found, None, bench, Problem(model), result, time_limit)


def _file_in(text: str) -> FoundProgram:
    blocks = [one for one in code_blocks(after_thinking(text)) if one.language in ("", "lp")]
    if not blocks:
        return FoundProgram(None, "there is no block with an LP file in the reply")
    return FoundProgram(blocks[-1].code, "", "last block", len(blocks), not blocks[-1].closed)


def _taken(
    found: FoundProgram,
    run: Captured | None,
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
        same = Sameness(EquivalenceVerdict.UNKNOWN, reason, unknown=status == Status.OPTIMAL)
        note = f"The model has {beyond}: there is no IIS of it."
        return Rewritten(found, run, "", f"{said}\n{note}".strip(), same)
    if status != Status.OPTIMAL or result.x is None:
        changed = changes(model, asked.model)
        same = Sameness(EquivalenceVerdict.UNKNOWN, f"the model was not solved ({status.value})")
        if status in (Status.INFEASIBLE, Status.UNBOUNDED):
            reason = f"the model is {status.value.lower()}, and the original is not"
            same = Sameness(EquivalenceVerdict.DIFFERENT, reason)
        return Rewritten(found, run, "", said, same, changed)
    session, best = bench.aside(), bench.original_optimum()
    try:
        same = sameness(model, result.x, original, best, asked.targets, session, time_limit)
    except SolverError as error:
        # The original is verified: the solver's trouble is with the numbers of this model.
        same = Sameness(
            EquivalenceVerdict.UNKNOWN, f"the solver failed on it: {error}", unknown=True
        )
    if same.verdict == EquivalenceVerdict.EQUAL:
        return Rewritten(found, run, "", said, same, asked.targets)
    return Rewritten(found, run, "", said, same, changes(model, asked.model))


def _decided(bench: Workbench, model: Model, time_limit: float) -> Status:
    session = bench.aside()
    try:
        session.load(model)
        status = session.solve(time_limit).status
    except SolverError:
        return Status.ERROR
    return status if status in (Status.INFEASIBLE, Status.UNBOUNDED) else Status.ERROR
