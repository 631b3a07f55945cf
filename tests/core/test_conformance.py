"""The suite that every benchmark passes finds each kind of fault."""

from collections.abc import Callable
from itertools import count

import pytest

from ordojo.core.conformance import ConformanceError, check_environment
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Certificate, Instance

ASKED = Observation((Message("user", "Why?"),), choices=("yes", "no"))
ITEMS = [Instance("one", "toy", "1", 0, Certificate("closed-form", {}))]


class Sound(Environment[int]):
    """Asks one question."""

    def __init__(self) -> None:
        self.open = False

    def reset(self, instance: Instance[int], seed: int) -> Observation:
        self.open = True
        return ASKED

    def step(self, text: str) -> Step:
        if not self.open:
            raise BenchmarkError("toy: step() out of turn")
        self.open = False
        return Step(None, reward=float(text == "yes"), terminated=True)


def asking(observation: Observation) -> type[Sound]:
    class Asking(Sound):
        def reset(self, instance: Instance[int], seed: int) -> Observation:
            super().reset(instance, seed)
            return observation

    return Asking


class Endless(Sound):
    def step(self, text: str) -> Step:
        if not self.open:
            raise BenchmarkError("toy: step() out of turn")
        return Step(ASKED)


class AfterTheEnd(Sound):
    def step(self, text: str) -> Step:
        if not self.open:
            raise BenchmarkError("toy: step() before reset()")
        return Step(None, terminated=True)


class BeforeTheStart(Sound):
    def __init__(self) -> None:
        self.open = True


class Moody(Sound):
    numbers = count()

    def step(self, text: str) -> Step:
        super().step(text)
        return Step(None, terminated=True, info={"mood": next(self.numbers)})


class Ruinous(Sound):
    def step(self, text: str) -> Step:
        super().step(text)
        return Step(None, reward=float("nan"), terminated=True)


def test_a_sound_environment_passes() -> None:
    check_environment(Sound, ITEMS)


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (Endless, "no end"),
        (AfterTheEnd, r"step\(\) after the episode's end must raise"),
        (BeforeTheStart, r"step\(\) before reset\(\) must raise"),
        (Moody, "differ on the same seed"),
        (Ruinous, "the reward is nan"),
        (asking(Observation(())), "says nothing"),
        (asking(Observation((Message("user", "?"),), max_tokens=0)), "no token"),
        (asking(Observation((Message("system", "?"),), style="completion")), "raw prompt"),
        (asking(Observation((Message("user", "?"),), choose=True)), "without choices"),
        (asking(Observation((Message("user", "?"),), choices=("a", "a"))), "listed twice"),
    ],
    ids=str,
)
def test_every_fault_is_named(make: Callable[[], Environment[int]], fault: str) -> None:
    with pytest.raises(ConformanceError, match=fault):
        check_environment(make, ITEMS)
