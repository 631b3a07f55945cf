"""What trainers ask of or-debug: problems by type, scripted teachers, rewards, the curriculum."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from ordojo.benchmarks.or_debug.actions import REPAIR, Action, ActionKind, Invalid, parse_action
from ordojo.benchmarks.or_debug.adversaries import mends
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element, name_elements
from ordojo.benchmarks.or_debug.examples import lesson
from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.rewards import EPISODE_RULES, PARTS, RewardWeights
from ordojo.benchmarks.or_debug.schema import (
    DEFAULT_REWARD,
    DIFFICULTY,
    FARMED,
    SPLITS,
    TYPES,
    Debugging,
    OrDebugOptions,
    make_instance,
)
from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import parse_options
from ordojo.core.policy import Act, Policy
from ordojo.core.seeds import generator
from ordojo.core.teaching import (
    BRIEF,
    EXPERT,
    Bound,
    Course,
    Criterion,
    Made,
    Making,
    RewardRule,
    ShortForm,
    Teaching,
    Wanted,
)
from ordojo.core.trajectory import Trajectory
from ordojo.milp.algebra import number, row_text
from ordojo.milp.model import Model


@dataclass(frozen=True)
class Brief:
    """Acts without reasons.

    Each sabotaged row or bound is dropped, though a fix that is a RELAX or a new type is taken as
    it is. With probability `doubt` an episode drops the first row of the IIS instead, whatever it
    is: what is learnt from such a teacher leaves something to reinforcement.

    Called "restated" it writes each element as it should be: what is learnt is to copy out of the
    description and the program, and not to subtract. Called "shortest" it first names the
    constraints of the IIS, and drops an element where the solver shows that this is a full success,
    else restates it.
    """

    doubt: float = 0.0
    name: str = "brief"

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Plan the replies; raises UsageError for an instance of another benchmark."""
        problem = instance.problem
        if not isinstance(problem, Debugging):
            raise UsageError(f"{instance.id} is no model to repair")
        actions = _PLANS[self.name](problem)
        if generator(seed, f"brief-policy/{instance.id}", epoch).random() < self.doubt:
            actions = [f"DROP({name})" for name in problem.iis_rows[:1]]
        replies = iter(actions)
        named = problem.iis_rows if self.name == "shortest" else ()

        def act(asked: Observation) -> str:
            nonlocal named
            head, named = f"Diagnosis: {', '.join(named)}\n" if named else "", ()
            return f"{head}Action: {next(replies, 'SUBMIT()')}"

        return act


def _short(fix: str, problem: Debugging) -> str:
    """A fix of the ground truth, with DROP in the place of a row written anew."""
    action = parse_action(fix, problem.model)
    rewrites = isinstance(action, Action) and action.kind is ActionKind.REWRITE
    if isinstance(action, Action) and rewrites and not action.target.endswith(".type"):
        return f"DROP({action.target})"
    return fix


def _restated(fix: str, problem: Debugging) -> str:
    """A fix of the ground truth, with REWRITE in the place of RELAX, in the program's algebra."""
    action = parse_action(fix, problem.model)
    if not isinstance(action, Action) or action.kind not in (ActionKind.RELAX, ActionKind.REWRITE):
        return fix
    model = problem.original_model
    element = find_element(model, action.target)
    assert element is not None
    if action.target.endswith(".type"):
        return fix
    if element.part is ElementKind.ROW:
        row = row_text(model, element.number)
        # As in the program, where coefficients stand before "*".
        return f"REWRITE({action.target}, {_PRODUCT.sub('*', row)})"
    bounds = model.col_lower if action.target.endswith(".lb") else model.col_upper
    return f"REWRITE({action.target}, {number(float(bounds[element.number]))})"


def _shortest(problem: Debugging) -> list[str]:
    """The restated fix, with DROP in the place of what may go."""
    actions = [_restated(fix, problem) for fix in problem.fix]
    for place, fix in enumerate(problem.fix):
        action = parse_action(fix, problem.model)
        if isinstance(action, Action) and not action.target.endswith(".type"):
            dropped = [*actions[:place], f"DROP({action.target})", *actions[place + 1 :]]
            if mends(problem, *dropped):
                actions = dropped
    return actions


_PLANS: Mapping[str, Callable[[Debugging], list[str]]] = {
    "brief": lambda problem: [_short(fix, problem) for fix in problem.fix],
    "restated": lambda problem: [_restated(fix, problem) for fix in problem.fix],
    "shortest": _shortest,
}
_PRODUCT = re.compile(r"(?<=[0-9]) (?=[^\W\d])")


LOOKS = {
    ActionKind.GET_IIS: "First see which constraints contradict each other.",
    ActionKind.CHECK_SLACK: "See by how much each constraint is violated.",
    ActionKind.CHECK_BOUND: "See between which bounds the variables lie.",
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
                return self._said(LOOKS[ActionKind(look)], f"Action: {look}()")
            reply = base(asked)
            action = parse_action(reply, model)
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
    members = [name for name in name_elements(model, action.diagnosis) if name in model.rows]
    if members:
        yield f"{len(members)} constraints cannot hold together:"
        for name in members:
            yield f"  {name}: {row_text(model, model.rows[name])}"
    if action.kind in LOOKS:
        yield LOOKS[action.kind]
    elif knows and action.kind in REPAIR:
        yield lesson(problem, str(action))
    elif action.kind is ActionKind.RELAX and action.target in model.rows:
        old, by = row_text(model, model.rows[action.target]), number(action.delta or 0.0)
        yield f"{action.target} says {old}; its right-hand side must move by {by}."
    elif action.kind is ActionKind.DROP:
        yield f"Nothing in the description asks for {action.target}, so it goes."
    elif action.kind in REPAIR:
        yield f"{action.target} contradicts the description."


_STATE = re.compile(r"^(Status|IIS): ?(.*)$", re.MULTILINE)

LEVELS = ("easy", "medium", "hard")
"""The stages of the curriculum: the types of each of table 7's levels."""

EQUATION_4 = Criterion(
    "full",
    (
        Bound("steps", "steps", most=5, stated="2.3"),
        Bound("da", "diagnostic accuracy", least=0.5, form=".1%", stated="68%"),
    ),
    "696 of 1,247, 55.8%",
)
"""Solved with the objective kept, in at most 5 steps, diagnostic accuracy at least 0.5.

Stated is what the paper accepted of its three teachers (4.2).
"""


class Repairs(Wanted):
    """`count` problems of the types `kinds` (all), in turn, in the split `set` ("train").

    `injectors` are the robust ones or the paper's basic ones (C.1).
    """

    set: str = ""
    kinds: str = ""
    injectors: Literal["robust", "basic"] = "robust"


class DebugCourse(Course):
    """100 problems a stage, or `count`, of those of the types `kinds` that are of its level."""

    stages: tuple[int, ...] = (1, 2, 3)
    kinds: str = ""


class DebugTeaching(Teaching):
    """See `core.teaching.Teaching`."""

    figures: Mapping[str, str] = {"rr@5": "RR@5", "da": "DA", "steps": "steps"}
    curves: Mapping[str, str] = {"rr@5": "RR@5", "mean da": "DA"}
    criterion = EQUATION_4
    default_reward = DEFAULT_REWARD
    course = "debugging"
    wanted = Repairs
    coursing = DebugCourse
    paying = RewardWeights
    parts = PARTS

    @property
    def renderings(self) -> Mapping[str, ShortForm]:
        """See `renderings`."""
        # With some twenty patterns, which only small models' readers need.
        from ordojo.benchmarks.or_debug.renderings import compact, focused

        return {"compact": compact, "focused": focused}

    @property
    def rewards(self) -> Mapping[str, RewardRule]:
        """Equation 5 in three readings, and algorithm 9."""
        return EPISODE_RULES

    def warnings(self, rule: str) -> Sequence[str]:
        """How a rule as published can be farmed."""
        if rule not in FARMED:
            return []
        return list(parse_options(OrDebugOptions, {"reward": rule}, "the reward").warnings())

    def problems(self, wanted: Any) -> Made:
        """See `Repairs`."""
        kinds, split = wanted.kinds or "".join(TYPES), wanted.set or "train"
        if unknown := [kind for kind in kinds if kind not in TYPES]:
            raise UsageError(f"kinds: there is no type '{unknown[0]}'; they are {', '.join(TYPES)}")
        if split not in SPLITS:
            raise UsageError(f"set: '{split}' is none of {', '.join(SPLITS)}")
        if wanted.count is None:
            raise UsageError("count: say how many problems to make")
        return _making(split, wanted.seed, kinds, wanted.count, wanted.injectors == "robust")

    def teacher(self, name: str, doubt: float = 0.0) -> Policy | None:
        """`Brief`, or "expert-BASE" with looks, as in "expert-gold-GET_IIS-CHECK_SLACK-plain"."""
        if name in BRIEF:
            return Brief(doubt, name)
        if not name.startswith(EXPERT):
            return None
        words = name.removeprefix(EXPERT)
        plain = words.endswith("-plain")
        words = words.removesuffix("-plain")
        looks: list[str] = []
        while (tail := words.rpartition("-"))[2] in LOOKS:
            words = tail[0]
            looks.insert(0, tail[2])
        return Debugger(words, tuple(looks), not plain)

    def check_course(self, course: Any) -> None:
        """Its types are known, and none of its stages is without one."""
        if strange := sorted(set(course.kinds) - set(TYPES)):
            raise UsageError(f"kinds: there is no type '{strange[0]}'")
        if empty := [number for number in course.stages if not _kinds_of(course, number)]:
            raise UsageError(f"kinds={course.kinds} leaves stage {empty[0]} without a type")

    def stage(self, course: Any, number: int) -> Made:
        """See `DebugCourse`."""
        return _making("train", course.seed, _kinds_of(course, number), course.count or 100)

    def paper_record(self, instance: Instance[Debugging]) -> Mapping[str, Any]:
        """Prompt and ground truth as in D.10."""
        names = ", ".join(f"'{name}'" for name in instance.problem.iis_rows)
        status = "OPTIMAL" if instance.problem.is_silent else "INFEASIBLE"
        return {
            "prompt": "Debug the infeasible model.\n"
            f"Problem: {instance.id}\nStatus: {status}\nIIS: [{names}]",
            "ground_truth": self.ground_truth(instance),
        }

    def paper_turns(self, trajectory: Trajectory) -> Iterator[Mapping[str, Any]]:
        """Instruction, short state and completion as in D.10."""
        for turn in trajectory.turns:
            text = "\n".join(m.content for m in turn.messages if m.role != "system")
            state = dict(_STATE.findall(text))
            shown = [f"{name}: {state[name]}" for name in ("Status", "IIS") if name in state]
            yield {
                "instruction": "Debug the infeasible optimization model.",
                "input": "\n".join([f"Problem: {trajectory.id}", *shown]),
                "output": turn.reply,
            }

    def ground_truth(self, instance: Instance[Debugging]) -> Any:
        """D.10's fields."""
        problem = instance.problem
        return {"key_constraint": problem.targets[0], "expected_fix": "; ".join(problem.fix)}


def _kinds_of(course: DebugCourse, number: int) -> str:
    """The error types of a stage."""
    kinds = course.kinds or "".join(TYPES)
    return "".join(kind for kind in kinds if DIFFICULTY[kind] == LEVELS[number - 1])


def _making(split: str, seed: int, kinds: str, count: int, robust: bool = True) -> Making:
    return Making(
        split, (split, seed, kinds, robust), count, partial(_make, split, seed, kinds, robust)
    )


def _make(split: str, seed: int, kinds: str, robust: bool, place: int) -> Instance[Debugging]:
    return make_instance(generate(split, seed, place, kinds[place % len(kinds)], robust), {})
