"""Doing what an action says, and what to answer; algorithm 1 guesses it without a solver.

It is done on the workbench: the model under repair, the code's present form, its status, its IIS,
the solver that says so. Of a model that does not fit into a prompt an `excerpt` is shown, its
conflict and what lies around it. Whatever is said stays within `BUDGET` characters a turn, about
8,000 tokens of numbers and names at two characters each.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, REPAIR, Action, ActionKind, Invalid
from ordojo.benchmarks.or_debug.elements import Element, ElementKind, find_column, unknown
from ordojo.benchmarks.or_debug.repairs import Change, plan
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.errors import SolverError
from ordojo.core.seeds import generator
from ordojo.milp.algebra import bound_text, number, row_text
from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.source import gurobipy_column, gurobipy_row
from ordojo.milp.tolerances import PRIMAL
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.choose import get_oracle
from ordojo.solvers.elastic import stretch
from ordojo.solvers.farkas import apart, by_member
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.protocol import Oracle, SolverSession

START = SolveResult(Status.INFEASIBLE)

LARGE_LIMIT = 60.0
"""Seconds at least for the first solve of a large model."""

TABLE_18 = {"IISMethod": 1, "Threads": 4, "MIPGap": 0.01}
"""The paper's settings of Gurobi (B.5); its 10 seconds are `time_limit`'s default."""


def oracle_of(options: OrDebugOptions) -> Oracle:
    """The oracle that is asked for, Gurobi set as in the paper; SolverError where it is missing."""
    if options.oracle != "gurobi":
        return get_oracle(options.oracle)
    from ordojo.solvers.gurobi import GurobiOracle

    return GurobiOracle(TABLE_18)


class Workbench:
    """Holds one model at a time and solves it after each change.

    The first answer of an episode is the instance's own, found by HiGHS, or that of the oracle
    where it is another one; else the solver is loaded at the first change.
    A model that the policy has made unsolvable has status ERROR, and `error` says why.
    """

    def __init__(self, oracle: Oracle, time_limit: float, simulated: bool = False) -> None:
        self._oracle, self._time_limit = oracle, time_limit
        self._recorded = simulated or oracle.name == HighsOracle.name
        self._session: SolverSession | None = None
        self._aside: SolverSession | None = None
        self._loaded = False
        self.problem: Debugging
        self.model: Model
        self.solution = START
        self.rows: tuple[str, ...] = ()
        self.bounds: tuple[str, ...] = ()
        self.error = ""
        self.told: tuple[object, str] = None, ""
        """What was asked last of a conflict, and the answer."""

    @property
    def status(self) -> Status:
        """The status of the model as it stands."""
        return self.solution.status

    @property
    def optimum(self) -> float | None:
        """The objective of the model as it stands, None unless it is OPTIMAL."""
        return self.solution.objective if self.status == Status.OPTIMAL else None

    def begin(self, problem: Debugging) -> None:
        """Take up the sabotaged model, with its IIS; also what RESTART does.

        A silently wrong model is solved. Raises SolverError where the oracle does not find an
        infeasible model infeasible, or a silently wrong one optimal.
        """
        self.problem, self.model = problem, problem.model
        self.solution, self.error, self._loaded = START, "", False
        self.rows, self.bounds = problem.iis_rows, problem.iis_bounds
        if problem.is_silent:
            self._solve_first()
        elif not self._recorded:
            solver = self._oracle.name, self._time_limit
            self.rows, self.bounds = problem.once(("iis", solver), self._own_iis)

    @property
    def _first_limit(self) -> float:
        """Seconds for a model that no policy has changed: a large one takes some."""
        return max(self._time_limit, LARGE_LIMIT) if self.problem.is_recipe else self._time_limit

    def _solve_first(self) -> None:
        """Solve a model that is not infeasible; raises SolverError where it has no optimum."""
        session = self._session = self._session or self._oracle.session()
        session.load(self.model)
        self._loaded = True
        self.solution = session.solve(self._first_limit)
        if self.status != Status.OPTIMAL:
            raise SolverError(
                f"{self._oracle.name} finds the model of {self.problem.split} {self.problem.type} "
                f"{self.problem.index} {self.status.value}, not OPTIMAL; raise time_limit"
            )

    def apply(self, change: Change) -> None:
        """Change the model and solve it."""
        self.model = change.on_model(self.model)
        self.rows = self.bounds = ()
        self.error = ""
        session = self._session = self._session or self._oracle.session()
        try:
            if self._loaded:
                change.on_session(session)
            else:
                session.load(self.model)
                self._loaded = True
            self.solution = session.solve(self._time_limit)
            if self.status == Status.INFEASIBLE:
                iis = session.iis(self._time_limit)
                self.rows, self.bounds = iis.row_names(self.model), iis.bound_names(self.model)
        except SolverError as error:
            # Only the policy's changes stand between the verified instance and this model.
            self.solution, self.error = SolveResult(Status.ERROR), str(error)
            self._loaded = False

    def suppose(self, status: Status, iis: tuple[str, ...], change: Change) -> None:
        """Change the model without a solver, and believe this status and IIS."""
        self.model = change.on_model(self.model)
        self.solution = SolveResult(status)
        self.rows = tuple(name for name in iis if name in self.model.rows)
        self.bounds = tuple(name for name in iis if name not in self.model.rows)

    def take(self, model: Model | None, solution: SolveResult) -> None:
        """Put a model solved elsewhere in the place of this one; None: there is none to change to.

        The IIS of an infeasible one is found here; where the solver cannot, there is none.
        """
        self.rows = self.bounds = ()
        self.solution, self.error, self._loaded = solution, "", False
        if model is None:
            return
        self.model = model
        if self.status != Status.INFEASIBLE:
            return
        session = self.aside()
        try:
            session.load(model)
            if session.solve(self._time_limit).status == Status.INFEASIBLE:
                iis = session.iis(self._time_limit)
                self.rows, self.bounds = iis.row_names(model), iis.bound_names(model)
        except SolverError as error:
            self.error = str(error)

    def _own_iis(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The oracle's own IIS of the sabotaged model."""
        session = self.aside()
        session.load(self.model)
        status = session.solve(self._time_limit).status
        if status != Status.INFEASIBLE:
            raise SolverError(
                f"{self._oracle.name} finds the sabotaged model of {self.problem.split} "
                f"{self.problem.type} {self.problem.index} {status.value}, not INFEASIBLE; "
                "raise time_limit, or take oracle=highs"
            )
        iis = session.iis(self._time_limit)
        return iis.row_names(self.model), iis.bound_names(self.model)

    def original_optimum(self) -> Floats:
        """The optimum (n) of the original model, found once."""
        return self.problem.once(("x", self._oracle.name, self._time_limit), self._original_optimum)

    def _original_optimum(self) -> Floats:
        session = self.aside()
        session.load(self.problem.original_model)
        found = session.solve(self._first_limit).x
        if found is None:
            raise SolverError(
                f"the original model of {self.problem.split} {self.problem.type} "
                f"{self.problem.index} was not solved in {self._time_limit:g} s; "
                "run `ordojo verify` on its file"
            )
        return found

    def aside(self) -> SolverSession:
        """A second session, for questions about other models."""
        self._aside = self._aside or self._oracle.session()
        return self._aside

    def close(self) -> None:
        """Free the solvers; any number of times."""
        for session in (self._session, self._aside):
            if session is not None:
                session.close()
        self._session = self._aside = None
        self._loaded = False


SUCCESS: Mapping[ActionKind, float] = {
    ActionKind.RELAX: 0.9,
    ActionKind.DROP: 0.7,
    ActionKind.REWRITE: 0.9,
}
"""How probably a repair of a sabotaged element ends in OPTIMAL. Algorithm 1 says nothing of
REWRITE; as some errors can be mended by it alone, it is treated as RELAX."""

SHRINK = 0.5
"""How probably a repair of another element of the IIS takes that element out of it (algorithm
1)."""


class Simulated(NamedTuple):
    """The simulated next state."""

    status: Status
    iis: tuple[str, ...]


def simulate(
    kind: ActionKind,
    target: str,
    status: Status,
    iis: Sequence[str],
    targets: Sequence[str],
    seed: int,
    instance: str,
    turn: int,
) -> Simulated:
    """The next state after an action on `target`; pure, drawn by (seed, instance's id, turn).

    `iis` is the current IIS by names, `targets` the sabotaged elements. An IIS of one element
    stays as it is.
    """
    now = tuple(iis)
    if kind in DIAGNOSTIC or kind not in SUCCESS:
        return Simulated(status, now)
    chance = float(generator(seed, f"or-debug-simulator/{instance}", turn).random())
    if target in targets:
        if chance < SUCCESS[kind]:
            return Simulated(Status.OPTIMAL, ())
        return Simulated(status, now)
    if target in now:
        if chance < SHRINK and len(now) > 1:
            now = tuple(name for name in now if name != target)
        return Simulated(status, now)
    return Simulated(Status.INFEASIBLE, now)


SHOWN = 200
"""How many rows or columns an answer lists."""


def conflict(bench: Workbench, with_bounds: bool) -> str:
    """The IIS, one member a line; why there is none, where the model is not infeasible."""
    if bench.status != Status.INFEASIBLE:
        return f"There is no IIS: the status is {bench.status.value}."
    model, asked = bench.model, (bench.model, bench.rows, bench.bounds, with_bounds)
    if bench.told[0] != asked:  # it is asked for again and again
        names = [f"{name}: {row_text(model, model.rows[name])}" for name in bench.rows]
        if with_bounds:
            names += [f"{name}: {_bound_value(model, name)}" for name in bench.bounds]
        text = "\n".join(["These cannot hold together:", *(f"  {name}" for name in names)])
        none = "No constraint is in the IIS: the bounds of variables contradict each other."
        bench.told = asked, text if names else none
    return bench.told[1]


def slacks(bench: Workbench, row: int | None, time_limit: float) -> str:
    """The slack of one row, or of all; violations where the model is infeasible.

    Slacks exist at a feasible point alone, so an infeasible model's rows are shown at the point
    that violates them least in total, bounds and types kept.
    """
    model, solution = bench.model, bench.solution
    if solution.activity is not None:
        lines = [_slack(model, i, solution.activity) for i in _chosen(model, row)]
        head = "At the optimum:" if bench.status == Status.OPTIMAL else "At the best point found:"
        return "\n".join([head, *lines])
    if bench.status != Status.INFEASIBLE:
        return f"There are no slacks: the status is {bench.status.value}."
    price = by_member(np.ones((2, model.m)), np.full((2, model.n), INF))
    try:
        found = stretch(model, price, time_limit)
    except SolverError:
        return "There are no slacks: no point that violates the rows least was found in the time."
    if found is None:
        return "There are no slacks: no point lies within the bounds and types of the variables."
    short = apart(found.moved, model.m)[0].sum(axis=0)
    lines = []
    for i in _chosen(model, row):
        by = short.item(i)
        said = "satisfied" if by <= PRIMAL else f"violated by {_rounded(by)}"
        lines.append(f"  {model.row_names[i]}: {said if model.is_live(i) else _OUT}")
    head = (
        "There are no slacks, as no point satisfies all constraints. "
        "Where they are violated least in total:"
    )
    return "\n".join([head, *lines])


def slack_lines(model: Model, activity: Floats) -> list[str]:
    """A line a row of its slack at a point's `activity` (m)."""
    return [_slack(model, i, activity) for i in _chosen(model, None)]


def bounds(bench: Workbench, column: int | None) -> str:
    """Bounds and type of one column, or of all, with its value at an optimum."""
    model, x = bench.model, bench.solution.x
    columns = range(min(model.n, SHOWN)) if column is None else (column,)
    lines = []
    for j in columns:
        value = "" if x is None else f" (now {_rounded(x.item(j))})"
        kind = "" if model.types.item(j) else ", continuous"
        lines.append(f"  {bound_text(model, j)}{kind}{value}")
    if column is None and model.n > SHOWN:
        lines.append(f"  ... and {model.n - SHOWN} more")
    return "\n".join(lines)


def _chosen(model: Model, row: int | None) -> list[int]:
    if row is not None:
        return [row]
    return [i for i in range(model.m) if model.is_live(i)][:SHOWN]


_OUT = "out of the model"


def _slack(model: Model, i: int, activity: Floats) -> str:
    name, value = model.row_names[i], activity.item(i)
    if not model.is_live(i):
        return f"  {name}: {_OUT}"
    lower, upper = model.sides(i)
    room = min(value - lower, upper - value)
    slack = "binding" if room <= PRIMAL * max(1.0, abs(value)) else f"slack {_rounded(room)}"
    return f"  {name}: {slack} (left-hand side {_rounded(value)})"


def _bound_value(model: Model, name: str) -> str:
    column, _, part = name.rpartition(".")
    side = model.effective_bounds[part == "ub"].item(model.cols[column])
    return f"{column} {'<=' if part == 'ub' else '>='} {number(side)}"


def _rounded(value: float) -> str:
    return f"{value + 0.0:.6g}"


Guess = Callable[[ActionKind, str], Simulated]
"""What stands in for the solver: from an action's kind and target to the next state."""


class Done(NamedTuple):
    """An action that was taken: what to say, what changed, and the part of the state it filled."""

    said: str
    change: Change | None = None
    slacks: str = ""
    bounds: str = ""


def perform(
    bench: Workbench,
    action: Action,
    element: Element | None,
    options: OrDebugOptions,
    guess: Guess | None,
) -> Done | Invalid:
    """Take `action`, whose target is `element`; where it cannot be taken, nothing is changed."""
    if action.kind in REPAIR:
        change = plan(bench.model, action)
        if isinstance(change, Invalid):
            return change
        if guess is None:
            bench.apply(change)
        else:
            bench.suppose(*guess(action.kind, change.element.name), change)
        write = gurobipy_row if change.element.part is ElementKind.ROW else gurobipy_column
        chat = options.history == "chat"
        line = write(bench.model, change.element.number) if chat else ""
        return Done(f"Done. The line now reads:\n{line}", change)
    match action.kind:
        case ActionKind.GET_IIS:
            return Done(conflict(bench, options.iis == "rows+bounds"))
        case ActionKind.CHECK_SLACK:
            return _check_slack(bench, action, element, options, guess is not None)
        case ActionKind.CHECK_BOUND:
            return _check_bound(bench, action)
        case ActionKind.RESTART:
            bench.begin(bench.problem)
            return Done("The model is again as you first saw it.")
    return Done("Submitted.")


def _check_slack(
    bench: Workbench,
    action: Action,
    element: Element | None,
    options: OrDebugOptions,
    simulated: bool,
) -> Done | Invalid:
    if action.target and element is None:
        if "*" in action.target:
            found = looked_up(bench.model, action.target, columns=False)
            return Done(found, slacks=found)
        return Invalid(unknown(bench.model, action.target))
    if element is not None and element.part is not ElementKind.ROW:
        return Invalid(f"'{element.name}' is no constraint: CHECK_BOUND shows bounds")
    if simulated:
        return Done("Slacks are not simulated.")
    row = element.number if element is not None else None
    found = slacks(bench, row, options.time_limit)
    return Done(found, slacks=found)


def _check_bound(bench: Workbench, action: Action) -> Done | Invalid:
    column = find_column(bench.model, action.target) if action.target else None
    if column is None and "*" in action.target:
        found = looked_up(bench.model, action.target, columns=True)
        return Done(found, bounds=found)
    if action.target and column is None:
        a_row = action.target in bench.model.rows
        why = "is a constraint: CHECK_SLACK shows it" if a_row else "is none"
        return Invalid(f"CHECK_BOUND takes a variable, and '{action.target[:60]}' {why}")
    found = bounds(bench, column)
    return Done(found, bounds=found)


BUDGET = 16_000
"""Characters of a turn."""

_CONFLICT, _AROUND, SAID = 5_000, 2_500, 2_000
"""Shares of it: the IIS in algebra, its neighbours, and each other thing that is said."""

_NUMBERS = re.compile(r"\d+")
_TERMS, _NEIGHBOURS, _FOUND = 12, 10, 40
"""Terms of a row, rows beside the IIS, and matches of a name that are shown: chosen without a fit,
so that a row is a line or two and an answer a page. More can be asked for."""


def is_large(problem: Debugging) -> bool:
    """Whether the program is beyond half of `BUDGET`.

    One that is by nonzeros, rows and columns is not written for that.
    """
    model = problem.model
    guess = 12 * model.nonzeros + 40 * (model.m + model.n)
    return guess > BUDGET // 2 or len(problem.code) > BUDGET // 2


def excerpt(model: Model, rows: Sequence[str], bounds: Sequence[str]) -> str:
    """Size, the IIS given by names in algebra, the rows that share most columns with it.

    Without an IIS, one row and one column of each name. Ends in how to look for more.
    """
    whole, aim = int((model.types > 0).sum()), "maximize" if model.maximize else "minimize"
    return "\n".join(
        [
            f"The model is too large to show: {model.m} rows, {model.n} columns, {whole} of them "
            f"integer, {model.nonzeros} coefficients, to {aim}.",
            *(_around(model, rows, bounds) if rows or bounds else _kinds(model)),
            "CHECK_SLACK(cap*) lists the constraints with such names, CHECK_BOUND(x_1*) the "
            "variables, with the constraints that they stand in.",
        ]
    )


def _around(model: Model, rows: Sequence[str], bounds: Sequence[str]) -> list[str]:
    members = [row_line(model, model.rows[name]) for name in rows]
    members += [f"{name}: {bound_text(model, model.cols[name[:-3]])}" for name in bounds]
    near = [row_line(model, i) for i in _neighbours(model, rows, bounds)]
    return [
        "These cannot hold together:",
        clipped(members, _CONFLICT),
        "The rows nearest to them:",
        clipped(near, _AROUND),
    ]


def _kinds(model: Model) -> list[str]:
    """One row and one column of those that share a name but for its numbers."""
    rows, columns = _alike(model.row_names), _alike(model.col_names)
    return [
        "One row of each kind:",
        clipped([f"{len(k)} as {row_line(model, k[0])}" for k in rows], _AROUND),
        "One variable of each kind:",
        clipped([f"{len(k)} as {_column_line(model, k[0])}" for k in columns], _AROUND),
    ]


def _alike(names: Sequence[str]) -> list[list[int]]:
    found: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        found.setdefault(_NUMBERS.sub("", name), []).append(k)
    return list(found.values())


def clipped(lines: Sequence[str], size: int = SAID) -> str:
    """As many lines as fit, and how many do not."""
    kept: list[str] = []
    left = size
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            kept.append(f"... and {len(lines) - len(kept)} more")
            break
        kept.append(line)
    return "\n".join(kept)


def brief(text: str) -> str:
    """A text of many lines cut to `SAID` characters, each line to a third of it."""
    lines = text.split("\n")
    third = SAID // 3
    return clipped([x if len(x) <= third else f"{x[:third]} ..." for x in lines])


def looked_up(model: Model, pattern: str, columns: bool) -> str:
    """The rows, or columns, whose names fit a pattern with * and ?."""
    names = model.col_names if columns else model.row_names
    literal = pattern.replace("[", "[[]")  # brackets belong to names
    places = [k for k, name in enumerate(names) if fnmatchcase(name, literal)]
    if not places:
        return f"No name fits '{pattern[:60]}'."
    line = _column_line if columns else row_line
    head = f"{len(places)} names fit '{pattern[:60]}'" + ":" * (len(places) <= _FOUND)
    more = f", the first {_FOUND}:" if len(places) > _FOUND else ""
    return "\n".join([head + more, *(line(model, k) for k in places[:_FOUND])])


def row_line(model: Model, i: int) -> str:
    """A row by name in algebra, of a long one the first terms."""
    index, value = model.row(i)
    name = model.row_names[i]
    if len(index) <= _TERMS:
        return f"{name}: {row_text(model, i)}"
    short = model.with_row(i, index[:_TERMS].tolist(), value[:_TERMS].tolist())
    return f"{name}: {row_text(short, i)}, with {len(index) - _TERMS} more terms"


def _column_line(model: Model, j: int) -> str:
    rows = model.entry_rows[model.index == j].tolist()
    names = ", ".join(model.row_names[i] for i in rows[:_TERMS])
    more = f" and {len(rows) - _TERMS} more" if len(rows) > _TERMS else ""
    return (
        f"{bound_text(model, j)}, cost {float(model.objective[j]):g}, in {names or 'no row'}{more}"
    )


def _neighbours(model: Model, rows: Collection[str], bounds: Collection[str]) -> list[int]:
    """Rows outside of an IIS that share most columns with it, the shortest of equals first."""
    members = {model.rows[name] for name in rows}
    columns = {int(j) for i in members for j in model.row(i)[0]}
    columns |= {model.cols[name[:-3]] for name in bounds}
    shared: Counter[int] = Counter()
    for i, j in zip(model.entry_rows.tolist(), model.index.tolist(), strict=True):
        if j in columns and i not in members and model.is_live(i):
            shared[i] += 1
    order = sorted(shared, key=lambda i: (-shared[i], len(model.row(i)[0]), i))
    return order[:_NEIGHBOURS]
