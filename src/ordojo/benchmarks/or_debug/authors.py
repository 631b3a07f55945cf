"""OR-Debug-Bench as its authors published it: their instances, and how their code asks.

The original models were not published, only their optima. So the evidence of an instance is: the
model is infeasible; the recorded IIS is infeasible, irreducible or not; and, as a witness for the
recorded optimum, a repair that reaches it, where one is found. The repair is looked for where the
recorded prose says, then among the rows of the IIS.

Their protocol is a prompt, actions, a reward. Source: github.com/Archer222arc/LLM-for-OR at
c16b9eb, src/agents/prompts.py (prompt, and the form of the state), src/environments (actions and
reward), src/solvers/gurobi_interface.py (what a repair changes). Every reply is a step; the model
is solved and its IIS found after each. A policy sees names alone: no algebra, no description.
"""

import json
import logging
import math
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.actions import READ, Action, ActionKind, Invalid, parse_action
from ordojo.benchmarks.or_debug.certificate import check_record, recorded_part
from ordojo.benchmarks.or_debug.elements import Element, ElementKind
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment, clean
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.perform import Done
from ordojo.benchmarks.or_debug.prompts import named
from ordojo.benchmarks.or_debug.repairs import Change, apply_fix
from ordojo.benchmarks.or_debug.rewards import Transition
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging, make_instance
from ordojo.core.canonical import Json
from ordojo.core.environment import Message
from ordojo.core.errors import DataError, SolverError
from ordojo.core.instance import Instance
from ordojo.core.readers.turn import after_thinking
from ordojo.datasets.or_debug_authors import PREFIX, models_of, rows_of
from ordojo.datasets.store import locate
from ordojo.milp.algebra import row_text
from ordojo.milp.files import read_model
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, SAME
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle, HighsSession

NAMES = 10
"""How many names of rows the state lists, and twice how many of the last actions."""

SYSTEM = """\
You are an expert Operations Research debugger. Your task is to diagnose and repair infeasible \
optimization models.

## Your Goal
Transform an INFEASIBLE model into an OPTIMAL one by identifying and fixing constraint conflicts.

## Available Actions

### Diagnosis Actions (gather information)
- GET_IIS: Compute the Irreducible Infeasible Subsystem - a minimal set of conflicting constraints
- CHECK_SLACK(constraint): Check the slack value for a specific constraint

### Repair Actions (modify the model)
- DROP_CONSTRAINT(constraint): Remove a constraint from the model
- RELAX_CONSTRAINT(constraint, epsilon): Relax constraint bounds by epsilon
- UPDATE_RHS(constraint, value): Update the right-hand side value of a constraint
- UPDATE_BOUNDS(variable, lb, ub): Update variable bounds

### Meta Actions
- RESET: Reset the model to its original state
- SUBMIT: Submit the current model as your solution

## Strategy
1. First, use GET_IIS to identify the conflicting constraints
2. Analyze which constraint is most likely incorrect
3. Apply a targeted repair action
4. Check if the model is now feasible
5. Repeat until OPTIMAL, then SUBMIT

## Response Format
Always respond with a valid JSON object:
```json
{
    "reasoning": "Brief explanation of your decision (1-2 sentences)",
    "action": "ACTION_NAME",
    "target": "constraint_or_variable_name",
    "value": 0.0,
    "value2": 0.0
}
```

Notes:
- "target" is required for CHECK_SLACK, DROP_CONSTRAINT, RELAX_CONSTRAINT, UPDATE_RHS, UPDATE_BOUNDS
- "value" is required for RELAX_CONSTRAINT (epsilon), UPDATE_RHS (new_rhs), UPDATE_BOUNDS (lb)
- "value2" is required for UPDATE_BOUNDS (ub)
- For GET_IIS, RESET, SUBMIT: only "action" and "reasoning" are needed
"""
"""Their system prompt, as it stands in src/agents/prompts.py."""

_VALUED = {
    "relax_constraint": ActionKind.RELAX,
    "update_rhs": ActionKind.REWRITE,
    "update_bounds": ActionKind.REWRITE,
}
_TARGETED = {**_VALUED, "check_slack": ActionKind.CHECK_SLACK, "drop_constraint": ActionKind.DROP}
_BARE = {"get_iis": ActionKind.GET_IIS, "reset": ActionKind.RESTART, "submit": ActionKind.SUBMIT}
_KINDS = {**_TARGETED, **_BARE}
_OBJECT = re.compile(r"\{[^{}]*\}", re.DOTALL)
_CALL = re.compile(r"Action:\s*(\w+)(?:\(([^()\n]*)\))?")


class ExchangeReply(NamedTuple):
    """What a reply asks for: a name in lower case, a target, and two values."""

    name: str
    target: str
    value: float | None
    value2: float | None

    def __str__(self) -> str:
        if self.target and self.value:
            return f"{self.name}({self.target}, {self.value})"
        return f"{self.name}({self.target})"


def read_reply(text: str) -> ExchangeReply | Invalid:
    """The first JSON object, or, as their teaching data write it, `Action: DROP_CONSTRAINT(c1)`."""
    text = after_thinking(text)[-READ:]
    fields: dict[str, Any] = {}
    if found := _OBJECT.search(text):
        try:
            fields = _object(text, found)
        except (ValueError, RecursionError):
            return Invalid("the JSON object cannot be read")
    elif found := _CALL.search(text):
        parts = [found[1], *(part.strip() for part in (found[2] or "").split(","))]
        fields = dict(zip(("action", "target", "value", "value2"), parts, strict=False))
    if "action" not in fields:
        return Invalid("there is no JSON object with an 'action'")
    name = str(fields["action"]).strip().lower()
    if name not in _KINDS:
        return Invalid(f"there is no action '{clean(name[:40])}'")
    target = str(fields.get("target") or "")
    if name in _TARGETED and not target:
        return Invalid(f"{name} needs a 'target'")
    try:
        value, value2 = (
            None if fields.get(key) in (None, "") else float(fields[key])
            for key in ("value", "value2")
        )
    except (TypeError, ValueError, OverflowError):
        return Invalid(f"{name} has a value that is no number")
    if name in _VALUED and value is None:
        return Invalid(f"{name} needs a 'value'")
    return ExchangeReply(name, target, value, value2)


def _object(text: str, found: re.Match[str]) -> dict[str, Any]:
    """The object that was found, or, where braces in a name cut it, the one that encloses it."""
    try:
        return dict(json.loads(found[0]))
    except ValueError:
        whole, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
        return dict(whole)


def translated(reply: ExchangeReply, model: Model) -> Action | Change | Invalid:
    """What a reply does to `model`: one of our actions, or new bounds.

    RELAX_CONSTRAINT loosens by the size of its value: that is added to a `<=` and taken from a
    `>=`; to an equality it is added with its sign. UPDATE_RHS moves the sides that there are.
    UPDATE_BOUNDS without value2 keeps the upper bound.
    """
    kind, target, value = _KINDS[reply.name], reply.target, reply.value
    if reply.name == "update_bounds":
        j = model.cols.get(target)
        if j is None:
            return Invalid(f"Variable '{clean(target)}' not found")
        upper = float(model.col_upper[j]) if reply.value2 is None else reply.value2
        lower = float(model.col_lower[j]) if value is None else value
        return Change(Element(ElementKind.LB, j, f"{target}.lb"), lower, upper)
    if reply.name not in _TARGETED:
        return Action(kind)
    i = model.rows.get(target)
    if i is None or not (model.is_live(i) or value is not None):
        return Invalid(f"Constraint '{clean(target)}' not found")
    lower, upper = model.sides(i)
    if reply.name == "relax_constraint" and value is not None:
        if lower != upper:
            value = abs(value) if upper < INF else -abs(value)
        return Action(kind, target, value)
    if reply.name == "update_rhs" and value is not None:
        sides = (value if lower > -INF else lower, value if upper < INF else upper)
        return Action(kind, target, expr=row_text(model.with_row_bounds(i, *sides), i))
    return Action(kind, target)


class AuthorsEnvironment(OrDebugEnvironment):
    """The same episodes, asked as the authors' code asks; `info` is that of the paper's protocol.

    A reply in the paper's form (`Action: DROP(c)`) is taken, too, for the scripted policies. What
    cannot be read is a step that changes nothing; the authors' code asks three times, then takes
    GET_IIS.
    """

    def _read(self, text: str) -> Action | Invalid:
        reply = read_reply(text)
        self._change: Change | None = None
        if isinstance(reply, Invalid):
            ours = parse_action(text, self._bench.model)
            if isinstance(ours, Invalid):
                self._said, self._kind = "no action", None
                return reply
            self._said, self._kind = str(ours), ours.kind
            return ours
        self._said, self._kind = str(reply), _KINDS[reply.name]
        found = translated(reply, self._bench.model)
        if isinstance(found, Change):
            self._change = found
            return Action(ActionKind.REWRITE, found.element.name)
        return found

    def _take(self, asked: Action, element: Element | None) -> Done | Invalid:
        if self._change is None:
            return super()._take(asked, element)
        self._bench.apply(self._change)
        return Done("", self._change)

    def _keep(self, action: Action, done: Done, target: str) -> str:
        said = super()._keep(action, done, target)
        self._history[-1] = f"  Step {self._turn + 1}: {self._said} -> success"
        return said

    def _refuse(self, asked: Action | Invalid, reason: str) -> str:
        self._history.append(f"  Step {self._turn + 1}: {self._said} -> error: {reason}")
        return ""

    def _transition(self, t: Transition) -> Transition:
        """Sizes by columns, as they count, and a repair also where it could not be done."""
        return replace(t, kind=self._kind, counted=True)

    def _whole(self) -> tuple[Message, ...]:
        bench = self._bench
        model = bench.model
        live = [name for i, name in enumerate(model.row_names) if model.is_live(i)]
        lines = ["## Current State", f"- Solver Status: {bench.status.value}"]
        lines += [f"- Step: {self._turn}"]
        if bench.rows or bench.bounds:
            lines += ["", "## IIS (Irreducible Infeasible Subsystem)"]
            columns = tuple(dict.fromkeys(bound[:-3] for bound in bench.bounds))
            lines += [f"- Conflicting Constraints: {named(bench.rows)}"] * bool(bench.rows)
            lines += [f"- Conflicting Bounds: {named(columns)}"] * bool(columns)
        first = "" if len(live) <= NAMES else " (first 10)"
        lines += [
            "",
            "## Model Structure",
            f"- Total Constraints: {len(live)}",
            f"- Total Variables: {model.n}",
            f"- Constraint Names{first}: {named(live[:NAMES])}",
        ]
        if self._history:
            lines += ["", "## Recent Actions", *self._history[-NAMES // 2 :]]
        lines += ["", "What action should be taken next?"]
        return Message("system", SYSTEM), Message("user", "\n".join(lines))


CLOSE = {False: OBJECTIVE, True: 1e-4}
"""Greatest relative distance from the recorded optimum, of LPs and of MIPs: Gurobi, with which it
was found, stops a branch and bound at a gap of 1e-4."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_FROM_TO = re.compile(r"from (-?[\d.]+\d|-?\d+) (?:back )?to (-?[\d.]+\d|-?\d+)")
_COEFFICIENT = re.compile(r"coefficient of (\w+) in (\w+) from \S+ back to ([-+.\deE]+)")
_TYPE = re.compile(r"Change (\w+) back to INTEGER with UB=([\d.]+)")

log = logging.getLogger("ordojo")


@lru_cache(maxsize=9)
def load(name: str) -> tuple[Instance[Debugging], ...]:
    """The instances of a set, such as "hard-da", in its order. What is none is left out, and said.

    Raises DataError where the files are not here or are not those of the revision.
    """
    located = locate(PREFIX + name)
    instances, refused = [], []
    for found in read(name, located.files["problems"], located.files["models"]):
        if isinstance(found, str):
            refused.append(found)
            log.warning("%s%s: left out: %s", PREFIX, name, found)
        else:
            instances.append(found)
    if not instances:
        raise DataError(f"{PREFIX}{name} has no instance that can be asked: {refused[0]}")
    return tuple(instances)


def read(name: str, problems: Path, models: Path) -> Iterator[Instance[Debugging] | str]:
    """Each problem of a set as an instance, or, in a sentence, why it is none; raises DataError."""
    solvers = {"highs": HighsOracle().version}
    held = read_models(models)
    session = HighsSession()
    for row in rows_of(problems):
        where = row.get("problem_id", "a problem without a problem_id")
        try:
            yield _instance(name, row, held, session, solvers)
        except (DataError, SolverError) as error:
            yield f"{where}: {error}"
    session.close()


def read_models(path: Path) -> Mapping[str, Model | str]:
    """Every model of a packed folder by its file's name, or why it cannot be read."""
    found: dict[str, Model | str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in models_of(path):
            file = Path(folder) / name
            file.write_bytes(data)
            try:
                found[name] = read_model(file)
            except DataError as error:
                found[name] = str(error)
            file.unlink()
    return found


def certify(problem: Debugging, session: HighsSession) -> tuple[Debugging, dict[str, Json]]:
    """The problem with its IIS's bounds by side, and what was found true of what is recorded.

    "iis": "irreducible", or "infeasible", with the members that are "spare"; "by_type": the bounds
    of binary columns that take part, which Gurobi does not list. "witness": whether the fix reaches
    the recorded optimum. Raises DataError where the model is not infeasible, or a recorded IIS is
    not of this model or not infeasible.
    """
    model = problem.model
    session.load(model)
    if (status := session.solve().status) != Status.INFEASIBLE:
        raise DataError(f"the model is {status.value}, not INFEASIBLE")
    part = recorded_part(problem, model)
    session.load(part)
    if session.solve().status != Status.INFEASIBLE:
        # To Gurobi the bounds of a binary column are its type, and types are in every IIS.
        binary = model.types == VarType.BINARY
        low, up = model.effective_bounds
        part = replace(
            part,
            col_lower=np.where(binary, low, part.col_lower),
            col_upper=np.where(binary, up, part.col_upper),
        )
        session.load(part)
        if session.solve().status != Status.INFEASIBLE:
            raise DataError("the recorded IIS is not infeasible")
    iis = session.iis()
    rows, bounds = iis.row_names(part), iis.bound_names(part)
    columns = {bound[:-3] for bound in bounds}
    recorded = dict.fromkeys(bound[:-3] for bound in problem.iis_bounds)
    spare = [name for name in problem.iis_rows if name not in rows]
    spare += [name for name in recorded if name not in columns]
    by_type = [bound for bound in bounds if bound[:-3] not in recorded]
    found: dict[str, Json] = {
        "iis": "infeasible" if spare else "irreducible",
        "spare": list(spare),
        "by_type": list(by_type),
        "witness": bool(problem.fix) and _reaches(problem, problem.fix, session),
    }
    return (problem if spare else with_model(problem, iis_bounds=bounds)), found


def verify(instance: Instance[Debugging]) -> None:
    """Find everything again that is said of an instance; raises DataError naming what fails."""
    session = HighsSession()
    try:
        check_record(instance)
        stored: Any = instance.certificate.data["found"]
        listed = [x for x in instance.problem.iis_bounds if x not in stored.get("by_type", ())]
        problem, found = certify(replace(instance.problem, iis_bounds=tuple(listed)), session)
        for one in stored.get("menu", ()):
            if not _reaches(
                replace(problem, objective=float(one["objective"])), one["fix"], session
            ):
                raise DataError(f"the repair {one['fix']} has not the optimum {one['objective']!r}")
        for name, value in found.items():
            if stored.get(name) != value:
                raise DataError(f"{name} is {stored.get(name)!r}, found was {value!r}")
        if problem.iis_bounds != instance.problem.iis_bounds:
            raise DataError("iis_bounds are not those that take part")
    except (DataError, SolverError) as error:
        raise DataError(f"{instance.id}: {error}") from None
    finally:
        session.close()


def _instance(
    name: str,
    row: Mapping[str, Any],
    models: Mapping[str, Model | str],
    session: HighsSession,
    solvers: Mapping[str, str],
) -> Instance[Debugging]:
    file = str(row["model_file"]).rpartition("/")[2]
    model = models.get(file, "there is no such file in the set")
    if isinstance(model, str):
        raise DataError(f"the model {file}: {model}")
    if row["error_type"] not in TYPES:
        raise DataError(f"its error_type is {row['error_type']!r}")
    unknown = [x for x in row["iis_constraints"] if x not in model.rows]
    unknown += [x for x in row["iis_bounds"] if x not in model.cols]
    if unknown:
        raise DataError(
            f"the recorded IIS has '{unknown[0]}', which {file} has not; "
            "problems and models are of two versions"
        )
    low, up = model.effective_bounds
    number = re.search(r"\d+$", row["problem_id"])
    problem = Debugging(
        index=int(number[0]) if number else 0,
        split=f"authors/{name}",
        type=row["error_type"],
        family=row["problem_id"].partition("_")[0],
        text=row["problem_nl"],
        original={},
        sabotaged=model.to_json(),
        targets=tuple(_targets(row["target_name"], row["error_type"], model)),
        fix=(),
        iis_rows=tuple(row["iis_constraints"]),
        iis_bounds=tuple(
            f"{x}.{part}"
            for x in row["iis_bounds"]
            for part, side in (("lb", low), ("ub", up))
            if np.isfinite(side[model.cols[x]])
        ),
        objective=float(row["original_objective"]),
        method=row["problem_id"],
    )
    problem.__dict__["model"] = model
    fix = _witness(problem, _repairs(problem, row["ground_truth_fix"]), session)
    problem, found = certify(with_model(problem, fix=fix), session)
    return make_instance(problem, solvers, found)


def with_model(problem: Debugging, **changed: Any) -> Debugging:
    """A copy with other fields, which keeps the model that was read."""
    copy = replace(problem, **changed)
    copy.__dict__["model"] = problem.model
    return copy


def _targets(named: str, kind: str, model: Model) -> Iterator[str]:
    """The elements that the recorded target means."""
    for name in named.split(","):
        row = name.partition(":")[0]
        if row in model.rows:
            yield row
        elif row in model.cols:
            yield f"{row}.type" if kind == "B" else f"{row}.lb"


def _repairs(problem: Debugging, prose: str) -> Iterator[tuple[str, ...]]:
    """Repairs to try, shortest first of each kind: what the prose says, then drops.

    The rest of the prose's sense is in the names of rows, each of which is dropped.
    """
    model = problem.model
    named = [x for x in dict.fromkeys((*problem.targets, *_WORD.findall(prose))) if x in model.rows]
    drops = [f"DROP({x})" for x in named]
    numbers = _FROM_TO.search(prose)
    if problem.type == "A" and named:
        i = model.rows[named[0]]
        lower, upper = model.sides(i)
        turned = model.with_row_bounds(
            i, -INF if upper == INF else upper, lower if upper == INF else INF
        )
        yield (f"REWRITE({named[0]}, {row_text(turned, i)})",)
    elif problem.type == "B" and (found := _TYPE.search(prose)):
        for kind in ("INTEGER", "CONTINUOUS"):
            back = (f"REWRITE({found[1]}.type, {kind})", f"REWRITE({found[1]}.ub, {found[2]})")
            yield back
            yield (*back, *drops)
    elif problem.type == "C" and (found := _COEFFICIENT.search(prose)):
        i, j = model.rows[found[2]], model.cols[found[1]]
        index, value = model.row(i)
        right = np.where(index == j, float(found[3]), value)
        back_model = model.with_row(i, index.tolist(), right.tolist())
        yield (f"REWRITE({found[2]}, {row_text(back_model, i)})",)
    elif problem.type in "HI" and numbers and problem.targets:
        if problem.targets[0] in model.rows:
            i = model.rows[problem.targets[0]]
            moved = model.with_row_bounds(i, float(model.row_lower[i]), float(numbers[1]))
            yield (f"REWRITE({problem.targets[0]}, {row_text(moved, i)})",)
        else:
            yield (f"REWRITE({problem.targets[0]}, {numbers[1]})",)
    yield from ((drop,) for drop in drops)
    yield from ((f"DROP({x})",) for x in problem.iis_rows if x not in named)
    if 1 < len(drops) <= 4:  # of more all orders would be tried
        yield tuple(drops)


def _witness(
    problem: Debugging, fixes: Iterable[tuple[str, ...]], session: HighsSession
) -> tuple[str, ...]:
    """The first repair that reaches the recorded optimum, in an order that an episode does not cut.

    An episode ends at the first OPTIMAL; so no part may be feasible, unless it keeps the objective.
    """
    cut: tuple[str, ...] = ()
    for fix in fixes:
        if not _reaches(problem, fix, session):
            continue
        for order in permutations(fix):
            parts = [order[:k] for k in range(1, len(order))]
            if all(_preserved(problem, part, session) > FULL for part in parts):
                return order
        cut = cut or fix
    return cut


def _preserved(problem: Debugging, fix: Iterable[str], session: HighsSession) -> float:
    """OP after some actions; 1 where the model is still infeasible."""
    session.load(apply_fix(problem.model, tuple(fix)))
    found = session.solve().objective
    return 1.0 if found is None else preservation(found, problem.objective)


def _reaches(problem: Debugging, fix: Iterable[str], session: HighsSession) -> bool:
    """Whether a repair is one, and has the recorded optimum."""
    try:
        repaired = apply_fix(problem.model, tuple(fix))
    except DataError:
        return False
    session.load(repaired)
    found = session.solve()
    return found.objective is not None and math.isclose(
        found.objective, problem.objective, rel_tol=CLOSE[repaired.is_mip], abs_tol=SAME
    )
