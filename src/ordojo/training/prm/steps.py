"""Steps with their labels: what was asked, what was answered, and how much it was worth."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ordojo.core.errors import DataError
from ordojo.evaluate.compact import Rendering
from ordojo.training.rollouts.trajectory import Exchange, Trajectory

SPLITS = 1_000_000


@dataclass(frozen=True)
class LabelledStep:
    """A step's text, its label in [0, 1], and the instance that it belongs to."""

    text: str
    label: float
    instance: str


def text_of(turn: Exchange, show: Rendering) -> str:
    """A step as the model reads it: the state that was shown, then the reply."""
    shown = "\n".join(message.content for message in show(turn.messages))
    return f"{shown}\n=> {turn.completion}"


def labelled(trajectories: Iterable[Trajectory], show: Rendering) -> list[LabelledStep]:
    """Every step that has a label (algorithm 10); raises DataError where none has one."""
    found = [
        LabelledStep(text_of(turn, show), float(label), one.instance)
        for one in trajectories
        for turn in one.turns
        if isinstance(label := turn.info.get("label"), int | float)
    ]
    if not found:
        raise DataError("no step of the trajectories has a label; those of or-debug have them")
    return found


def part_of(
    steps: Sequence[LabelledStep], share: float, name: str
) -> tuple[list[LabelledStep], list[LabelledStep]]:
    """The steps outside and inside a share of the instances, drawn by their ids and `name`."""
    sides: tuple[list[LabelledStep], list[LabelledStep]] = ([], [])
    for step in steps:
        number = hashlib.sha256(f"{name}/{step.instance}".encode()).digest()[:8]
        sides[int.from_bytes(number, "big") % SPLITS < share * SPLITS].append(step)
    return sides


def divided(
    steps: Sequence[LabelledStep], holdout: float, seed: int
) -> tuple[list[LabelledStep], list[LabelledStep]]:
    """Steps to learn from and steps held out, cut by instance so that none is in both.

    Raises DataError where one of them is empty.
    """
    kept, held = part_of(steps, holdout, str(seed))
    if not kept or not held:
        raise DataError(
            f"{len(steps)} steps are too few to hold some out; collect trajectories of more "
            "instances"
        )
    return kept, held
