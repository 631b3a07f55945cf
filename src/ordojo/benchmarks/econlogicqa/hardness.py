"""How far one gets on EconLogicQA without reading: places, lengths, dates, words of beginning."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ordojo.benchmarks.econlogicqa.page import published_scores
from ordojo.benchmarks.econlogicqa.schema import LETTERS, Ordering, pairwise_accuracy
from ordojo.core.hardness import (
    Battery,
    Features,
    HardnessFinding,
    Shortcut,
    fit,
    measured,
    shortcuts,
)
from ordojo.core.instance import Instance
from ordojo.datasets.duplicates import normalised, twice

Instances = Sequence[Instance[Ordering]]
Order = tuple[str, ...]
Guess = Callable[[Ordering], Order]

YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


def battery(instances: Instances, seen: Instances) -> Battery:
    """The shortcuts and guessers, and what questions give away."""
    found = shortcuts(instances, seen, RULES, GUESSERS, partial(_measured, instances))
    return Battery("exact match", found, _findings(instances), tuple(published_scores()))


def _measured(
    instances: Instances, name: str, exploits: str, orders: Sequence[Order], fitted: bool
) -> Shortcut:
    rights = [i.problem.order for i in instances]
    return measured(
        name,
        exploits,
        instances,
        [float(said == right) for said, right in zip(orders, rights, strict=True)],
        label="first event",
        fitted=fitted,
        pairwise_accuracy=[
            pairwise_accuracy(said, right) for said, right in zip(orders, rights, strict=True)
        ],
    )


def _by(key: Callable[[Ordering, str], float]) -> Guess:
    """The letters by a number, the least first; equals as they stand."""
    return lambda problem: tuple(
        sorted(LETTERS, key=lambda letter: key(problem, problem.events[LETTERS.index(letter)]))
    )


def asked(problem: Ordering, event: str) -> float:
    """The share of an event's words that stand in the question."""
    there, said = set(normalised(problem.question).split()), normalised(event).split()
    return sum(word in there for word in said) / max(1, len(said))


def _year(problem: Ordering, event: str) -> float:
    years = YEAR.findall(event)
    return float(years[0]) if years else 9999.0


RULES: dict[str, tuple[str, Guess]] = {
    "as given": ("events stand in their order already", lambda problem: LETTERS),
    "reversed": ("events stand in the reverse of their order", lambda problem: LETTERS[::-1]),
    "shortest first": ("causes are told in fewer words", _by(lambda p, e: len(e))),
    "longest first": ("causes are told in more words", _by(lambda p, e: -len(e))),
    "by year": ("the years that events name", _by(_year)),
    "question's words first": (
        "the question tells of the first event",
        _by(lambda p, e: -asked(p, e)),
    ),
    "question's words last": ("the question tells of the last event", _by(asked)),
}
"""What each fixed rule lives on, and the rule."""


def _frequent(problems: list[Ordering]) -> Guess:
    counts = Counter(problem.order for problem in problems)
    most = min(counts, key=lambda order: (-counts[order], order), default=LETTERS)
    return lambda problem: most


def _cues(problem: Ordering) -> list[Features]:
    """Each event's words, place, rank of length, and share of the question's words."""
    lengths = np.array([len(event) for event in problem.events])
    found: list[Features] = []
    for letter, event in zip(LETTERS, problem.events, strict=True):
        words = {f"word:{word}": 1.0 for word in normalised(event).split()}
        shorter = float((lengths < len(event)).mean())
        rest = {f"place:{letter}": 1.0, "shorter": shorter, "asked": asked(problem, event)}
        found.append({**words, **rest})
    return found


def _learnt(problems: list[Ordering]) -> Guess:
    """A Plackett-Luce model: each next event is chosen among those that are left."""
    questions: list[list[Features]] = []
    for problem in problems:
        cues = dict(zip(LETTERS, _cues(problem), strict=True))
        questions += [[cues[letter] for letter in problem.order[start:]] for start in range(3)]
    model = fit(questions, [0] * len(questions))

    def guess(problem: Ordering) -> Order:
        scores = model(_cues(problem))
        return tuple(LETTERS[i] for i in np.argsort(-scores, kind="stable"))

    return guess


GUESSERS: dict[str, tuple[str, Callable[[list[Ordering]], Guess]]] = {
    "most frequent order": ("some orders are right more often than others", _frequent),
    "surface cues": ("words of beginnings and ends, places, lengths", _learnt),
}


def _findings(instances: Instances) -> tuple[HardnessFinding, ...]:
    problems = [instance.problem for instance in instances]
    given = sum(problem.order == LETTERS for problem in problems)
    years = sum(sum(bool(YEAR.search(event)) for event in p.events) >= 2 for p in problems)
    texts = [" ".join([p.question, *sorted(p.events)]) for p in problems]
    count = len(problems)
    return (
        HardnessFinding("in order already", given, count, "A, B, C, D is right; by chance 1 of 24"),
        HardnessFinding("dated", years, count, "two events or more name a year"),
        twice("questions twice", texts),
    )
