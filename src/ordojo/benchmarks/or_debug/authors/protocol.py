"""How the authors' code asks: their prompt, their actions, their reward.

Source: github.com/Archer222arc/LLM-for-OR at c16b9eb, src/agents/prompts.py (the prompt and the
form of the state), src/environments (actions and reward), src/solvers/gurobi_interface.py (what a
repair changes). Every reply is a step; the model is solved and its IIS found after each. A policy
sees names alone: no algebra, no description.
"""

import json
import re
from dataclasses import replace
from typing import Any, NamedTuple

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, Invalid, parse_action
from ordojo.benchmarks.or_debug.elements import Element, ElementKind
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment, clean
from ordojo.benchmarks.or_debug.perform import Done
from ordojo.benchmarks.or_debug.prompts import named
from ordojo.benchmarks.or_debug.repairs import Change
from ordojo.benchmarks.or_debug.rewards import Transition
from ordojo.core.environment import Message
from ordojo.core.readers.turn import after_thinking
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, Model

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

_KINDS = {
    "get_iis": ActionKind.GET_IIS,
    "check_slack": ActionKind.CHECK_SLACK,
    "drop_constraint": ActionKind.DROP,
    "relax_constraint": ActionKind.RELAX,
    "update_rhs": ActionKind.REWRITE,
    "update_bounds": ActionKind.REWRITE,
    "reset": ActionKind.RESTART,
    "submit": ActionKind.SUBMIT,
}
_TARGETED = frozenset(
    {"check_slack", "drop_constraint", "relax_constraint", "update_rhs", "update_bounds"}
)
_VALUED = frozenset({"relax_constraint", "update_rhs", "update_bounds"})
_OBJECT = re.compile(r"\{[^{}]*\}", re.DOTALL)
_CALL = re.compile(r"Action:\s*(\w+)(?:\(([^()\n]*)\))?")
_READ = 50_000


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
    text = after_thinking(text)[-_READ:]
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
    lower, upper = float(model.row_lower[i]), float(model.row_upper[i])
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
