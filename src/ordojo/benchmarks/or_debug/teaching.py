"""What trainers ask of or-debug: problems by type, teachers, rewards, the paper's curriculum."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ordojo.benchmarks.or_debug.episode_rewards import RULES
from ordojo.benchmarks.or_debug.injection.generate import generate
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
from ordojo.benchmarks.or_debug.teachers import LOOKS, Brief, Debugger
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import parse_options
from ordojo.core.policy import Policy
from ordojo.core.teaching import (
    BRIEF,
    EXPERT,
    Course,
    Criterion,
    Made,
    Making,
    RewardRule,
    Teaching,
    Wanted,
)

LEVELS = ("easy", "medium", "hard")
"""The stages of the curriculum: the types of each of table 7's levels."""

EQUATION_4 = Criterion("full", 5, 0.5)
"""Solved with the objective kept, in at most 5 steps, diagnostic accuracy at least 0.5."""


class DebugTeaching(Teaching):
    """See `core.teaching.Teaching`."""

    figures: Mapping[str, str] = {"rr@5": "RR@5", "da": "DA", "steps": "steps"}
    criterion = EQUATION_4
    default_reward = DEFAULT_REWARD
    course = "debugging"

    @property
    def rewards(self) -> Mapping[str, RewardRule]:
        """Equation 5 in three readings, and algorithm 9."""
        return RULES

    def warnings(self, rule: str) -> Sequence[str]:
        """How a rule as published can be farmed."""
        if rule not in FARMED:
            return []
        return list(parse_options(OrDebugOptions, {"reward": rule}, "the reward").warnings())

    def problems(self, wanted: Wanted) -> Made:
        """`count` problems of the types `kinds`, in turn, in the split `set`."""
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

    def check_course(self, course: Course) -> None:
        """Its types are known, and none of its stages is without one."""
        if strange := sorted(set(course.kinds) - set(TYPES)):
            raise UsageError(f"kinds: there is no type '{strange[0]}'")
        if empty := [number for number in course.stages if not _kinds_of(course, number)]:
            raise UsageError(f"kinds={course.kinds} leaves stage {empty[0]} without a type")

    def stage(self, course: Course, number: int) -> Made:
        """100 problems of a level's types, or `count`."""
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

    def ground_truth(self, instance: Instance[Debugging]) -> Any:
        """D.10's fields."""
        problem = instance.problem
        return {"key_constraint": problem.targets[0], "expected_fix": "; ".join(problem.fix)}


def _kinds_of(course: Course, number: int) -> str:
    """The error types of a stage."""
    kinds = course.kinds or "".join(TYPES)
    return "".join(kind for kind in kinds if DIFFICULTY[kind] == LEVELS[number - 1])


def _making(split: str, seed: int, kinds: str, count: int, robust: bool = True) -> Making:
    return Making(
        split, (split, seed, kinds, robust), count, partial(_make, split, seed, kinds, robust)
    )


def _make(split: str, seed: int, kinds: str, robust: bool, place: int) -> Instance[Debugging]:
    return make_instance(generate(split, seed, place, kinds[place % len(kinds)], robust), {})
