"""Policies: what answers an environment without a language-model library."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ordojo.core.environment import Observation
from ordojo.core.episode import spoken
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator

Act = Callable[[Observation], str]
"""The policy's side of one episode: an observation in, a text out."""

Caller = Callable[[Observation], str | None]
"""Whoever answers from outside, a person or a model of the caller's; None is silence (`spoken`)."""


class Generate(Protocol):
    """A language model as a plain callable, handed to builders from above."""

    def __call__(
        self, prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        """Continue or answer `prompt`."""
        ...


class Policy(Protocol):
    """A scripted player: deterministic given the instance, the seed and the epoch."""

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start an episode and return the function that plays it."""
        ...


@dataclass(frozen=True)
class NoOp:
    """Says nothing, ever: the floor that every environment must score below 1."""

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Ignore the instance."""
        return lambda observation: ""


@dataclass(frozen=True)
class Person:
    """Somebody at a terminal: `act` shows the observation and returns what they typed."""

    act: Caller

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Play every episode with the same person."""
        return lambda asked: spoken(self.act(asked))


@dataclass(frozen=True)
class Random:
    """Picks uniformly from the closed set of answers, from `others` where there is none.

    Without `others` it says nothing there.
    """

    others: Sequence[str] = ()

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Seed the episode by (seed, instance, epoch)."""
        rng = generator(seed, f"random-policy/{instance.id}", epoch)

        def act(asked: Observation) -> str:
            answers = asked.choices or self.others
            return answers[int(rng.integers(len(answers)))] if answers else ""

        return act


@dataclass(frozen=True)
class Answerer:
    """Gives `answer(instance)` where a closed answer is asked, and `aside(instance)` elsewhere."""

    answer: Callable[[Instance[Any]], str]
    aside: Callable[[Instance[Any]], str] = lambda instance: ""

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Look the answer up once."""
        answer, aside = self.answer(instance), self.aside(instance)
        return lambda asked: answer if asked.choices else aside


def baselines(
    instances: Sequence[Instance[Any]], gold: Callable[[Instance[Any]], str], closed: bool = True
) -> Mapping[str, Policy]:
    """The four baselines of a benchmark whose answers are texts.

    "majority" is the most frequent gold answer of `instances` (ties: the alphabetically first).
    Where the set of answers is closed, they speak only where an observation has choices; where it
    is not, always, and "random" gives the gold answer of an instance drawn at random.
    """
    counts: dict[str, int] = {}
    for instance in instances:
        counts[gold(instance)] = counts.get(gold(instance), 0) + 1
    majority = min(counts, key=lambda answer: (-counts[answer], answer), default="")

    def most(instance: Instance[Any]) -> str:
        return majority

    return {
        "gold": Answerer(gold) if closed else Answerer(gold, gold),
        "noop": NoOp(),
        "random": Random() if closed else Random([gold(instance) for instance in instances]),
        "majority": Answerer(most) if closed else Answerer(most, most),
    }
