"""What a template's questions need beyond its declaration: other words, paraphrases, false claims.

False claims come with their rule in the template's algebra, so that they can be proved false.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Words = tuple[str, str]
"""A noun and its plural."""


class Slot(NamedTuple):
    """A noun of the template's texts and what may stand for it."""

    noun: Words
    others: tuple[Words, ...]

    @property
    def choices(self) -> tuple[Words, ...]:
        """The noun itself first."""
        return (self.noun, *self.others)


class Goal(NamedTuple):
    """An objective that the model does not have."""

    sense: str
    rule: str
    text: str


class False_(NamedTuple):  # noqa: N801 - the name False is taken
    """A constraint that the model does not have; the scope is the true one's where None."""

    rule: str
    text: str
    scope: str | None = None


class Rule(NamedTuple):
    """A family in other words than the context's: its topic, its content, false contents.

    `text` says the content twice, the shorter text last.
    """

    topic: str
    text: tuple[str, str]
    false: tuple[False_, ...]


class Left(NamedTuple):
    """An expression in words; the left-hand side of `family`, or of none."""

    text: str
    expression: str
    scope: str
    family: str = ""


@dataclass(frozen=True)
class Story:
    """The words of one template.

    `who` opens the scenario. `extras` are things that the context mentions and the model does not
    have (singular nouns), `sides` data of that kind. `goal` is the objective three times, the
    shortest text first. `optional` families may be left out; `pairs` says what an element of a set
    of tuples is.
    """

    template: str
    who: str
    slots: tuple[Slot, ...]
    extras: tuple[str, ...]
    sides: tuple[str, ...]
    category: str
    goal: tuple[str, str, str]
    goals: tuple[Goal, ...]
    rules: Mapping[str, Rule]
    lefts: tuple[Left, ...]
    pairs: Mapping[str, str] = field(default_factory=dict)
    optional: tuple[str, ...] = ()


def rule(topic: str, text: tuple[str, str], *false: tuple[str, ...]) -> Rule:
    """A Rule from plain tuples."""
    return Rule(topic, text, tuple(False_(*one) for one in false))


def slot(noun: str, *others: str) -> Slot:
    """A Slot of "one/many" texts."""
    pairs = [(one, many or f"{one}s") for one, _, many in (n.partition("/") for n in others)]
    one, _, many = noun.partition("/")
    return Slot((one, many or f"{one}s"), tuple(pairs))
