"""Scripted teachers that think aloud: what stands in the IIS, what is wrong with it, what to do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.benchmarks.or_debug.actions import REPAIR, Action, Invalid, Kind, parse_action
from ordojo.benchmarks.or_debug.examples import lesson
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, Policy
from ordojo.milp.algebra import number, row_text
from ordojo.milp.model import Model

LOOKS = {
    Kind.GET_IIS: "First see which constraints contradict each other.",
    Kind.CHECK_SLACK: "See by how much each constraint is violated.",
    Kind.CHECK_BOUND: "See between which bounds the variables lie.",
}
"""Why a diagnostic action is taken, in a sentence."""


@dataclass(frozen=True)
class Debugger:
    """A scripted policy of or-debug that gives its reasons before every action.

    `base` is the policy's name; "gold" knows the right model and says what departs from the
    description, the others say what they see in the code. `looks` are diagnostic actions taken
    first, as GET_IIS and CHECK_SLACK. With `think` the reasons stand in `<think>` (D.10), else
    plainly before the two lines that the prompt asks for.
    """

    base: str = "gold"
    looks: tuple[str, ...] = ()
    think: bool = True

    def __post_init__(self) -> None:
        if self.base not in policies():
            raise UsageError(
                f"there is no scripted policy '{self.base}' of or-debug; choose from "
                f"{', '.join(policies())}"
            )
        for look in self.looks:
            if look not in LOOKS:
                raise UsageError(
                    f"'{look}' is no diagnostic action; choose from {', '.join(LOOKS)}"
                )

    @property
    def name(self) -> str:
        """What the teacher is called in records."""
        return "-".join(["expert", self.base, *self.looks, *([] if self.think else ["plain"])])

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start an episode with a model of its own, which every repair changes too."""
        base = policies()[self.base].begin(instance, seed, epoch)
        problem: Debugging = instance.problem
        looks = iter(self.looks)
        model = problem.model

        def act(asked: Observation) -> str:
            nonlocal model
            look = next(looks, None)
            if look is not None:
                return self._said(LOOKS[Kind(look)], f"Action: {look}()")
            reply = base(asked)
            action = parse_action(reply)
            if isinstance(action, Invalid):
                return reply
            reasons = "\n".join(_reasons(problem, model, action, knows=self.base == "gold"))
            if action.kind in REPAIR:
                after = apply_action(model, action)
                model = model if isinstance(after, Invalid) else after
            return self._said(reasons, reply) if reasons else reply

        return act

    def _said(self, reasons: str, reply: str) -> str:
        return f"<think>\n{reasons}\n</think>\n{reply}" if self.think else f"{reasons}\n{reply}"


def _reasons(problem: Debugging, model: Model, action: Action, knows: bool) -> Iterator[str]:
    members = [name for name in action.diagnosis if name in model.rows]
    if members:
        yield f"{len(members)} constraints cannot hold together:"
        for name in members:
            yield f"  {name}: {row_text(model, model.rows[name])}"
    if action.kind in LOOKS:
        yield LOOKS[action.kind]
    elif knows and action.kind in REPAIR:
        yield lesson(problem, str(action))
    elif action.kind is Kind.RELAX and action.target in model.rows:
        old = row_text(model, model.rows[action.target])
        yield f"{action.target} says {old}; its right-hand side must move by {number(_by(action))}."
    elif action.kind is Kind.DROP:
        yield f"Nothing in the description asks for {action.target}, so it goes."
    elif action.kind in REPAIR:
        yield f"{action.target} contradicts the description."


def _by(action: Action) -> float:
    return action.delta or 0.0


@dataclass(frozen=True)
class Newsvendor:
    """The optimal order of or-bias, with its reasons: critical ratio, side of the mean, quantile.

    A raw prompt is continued by the quantity alone. With `think` the reasons stand in `<think>`.
    """

    digits: int = 1
    think: bool = False
    name: str = "expert-newsvendor"

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Work the order out once; raises UsageError for other decisions than a newsvendor's."""
        scenario = instance.problem
        if not isinstance(scenario, Scenario):
            raise UsageError(f"{self.name} answers newsvendor scenarios; {instance.id} is none")
        answer = f"{scenario.optimum:.{self.digits}f}"
        reasons = "\n".join(_order(scenario, answer))
        if self.think:
            reasons = f"<think>\n{reasons}\n</think>"
        chat = f"{reasons}\nOrder quantity: {answer}"
        return lambda asked: chat if asked.style == "chat" else f" {answer}"


def _order(s: Scenario, answer: str) -> Iterator[str]:
    ratio, mean = s.critical_ratio, s.demand.mean
    yield (
        f"Critical ratio: ({s.price:g} - {s.cost:g}) / ({s.price:g} - {s.salvage:g}) = {ratio:.3f}."
    )
    side = "above" if s.optimum > mean else "below" if s.optimum < mean else "at"
    yield f"The demand's mean is {mean:g}, and the best order lies {side} it."
    yield f"The {s.family} demand stays at or under {answer} with probability {ratio:.3f}."


def expert(name: str) -> Policy:
    """A teacher by name: "expert-newsvendor", or "expert-BASE" with looks and "plain" behind it.

    As in "expert-gold-GET_IIS-CHECK_SLACK-plain". Raises UsageError.
    """
    if name == Newsvendor.name:
        return Newsvendor()
    words = name.removeprefix("expert-")
    plain = words.endswith("-plain")
    words = words.removesuffix("-plain")
    looks: list[str] = []
    while (tail := words.rpartition("-"))[2] in LOOKS:
        words = tail[0]
        looks.insert(0, tail[2])
    return Debugger(words, tuple(looks), not plain)
