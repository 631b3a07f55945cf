"""How far one gets on word problems without modelling: numbers of the text, and likely answers."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.nl2opt.items import reference_model
from ordojo.benchmarks.nl2opt.judge import DEFAULT
from ordojo.benchmarks.nl2opt.page import AVERAGE, PAPER, published_scores, table
from ordojo.benchmarks.nl2opt.rules import COMPARISONS
from ordojo.benchmarks.nl2opt.schema import WordProblem
from ordojo.core.hardness import Battery, HardnessFinding, Shortcut, measured, shortcuts
from ordojo.core.instance import Instance
from ordojo.core.panels import Published
from ordojo.datasets.duplicates import normalised, twice
from ordojo.datasets.nl2opt.statistics import EVALUATED
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle

Instances = Sequence[Instance[WordProblem]]
Guess = Callable[[WordProblem], float | None]

NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|(?<![\w.])\d+(?:\.\d+)?")
SECONDS = 10.0
"""For a relaxation, which is an LP: what takes longer is not guessed."""


def battery(instances: Instances, seen: Instances) -> Battery:
    """The shortcuts and guessers on the items of the published metric, and what texts give away.

    A guess is compared as the default rule compares a program's objective.
    """
    scored = [instance for instance in instances if instance.problem.scored]
    learnt = [instance for instance in seen if instance.problem.scored]
    models = any(i.problem.reference is not None for i in seen or scored)
    guessers = {
        name: made for name, made in GUESSERS.items() if models or made[1] is not nearest_relaxation
    }
    measure = partial(_measured, scored)
    found = shortcuts(scored, learnt, GUESSES, guessers, measure, "measuring guesses")
    dataset = instances[0].problem.dataset if instances else ""
    return Battery("pass@1", found, _findings(scored), _published(dataset))


def _published(dataset: str) -> tuple[Published, ...]:
    """The paper's row of this dataset; of another one, what it gives for MIPLIB-NL."""
    for name, evaluated in EVALUATED.items():
        if evaluated == dataset:
            return tuple(
                Published(model, name, scores[name], f"{PAPER}, table 1", {}, dataset)
                for model, scores in table("pass@1").items()
                if model != AVERAGE
            )
    return tuple(published_scores())


def _right(guess: float | None, problem: WordProblem) -> bool:
    accepts = COMPARISONS[DEFAULT].right
    return guess is not None and any(accepts(guess, gold) for gold in problem.golds)


def _measured(
    instances: Instances,
    name: str,
    exploits: str,
    guesses: Sequence[float | None],
    fitted: bool,
) -> Shortcut:
    right = [float(_right(g, i.problem)) for g, i in zip(guesses, instances, strict=True)]
    return measured(name, exploits, instances, right, fitted=fitted)


def numbers(problem: WordProblem) -> list[float]:
    """The numbers of the question, in order."""
    return [float(found.replace(",", "")) for found in NUMBER.findall(problem.question)]


def _of(rule: Callable[[list[float]], float]) -> Guess:
    return lambda problem: rule(found) if (found := numbers(problem)) else None


GUESSES: dict[str, tuple[str, Guess]] = {
    "0": ("trivial optima", lambda problem: 0.0),
    "largest number": ("the answer is a capacity or a total of the text", _of(max)),
    "last number": ("the answer is the number that the text ends with", _of(lambda n: n[-1])),
    "how many numbers": ("a count of what is named", _of(lambda n: float(len(n)))),
    "sum of the numbers": ("everything is taken", _of(sum)),
    "two largest multiplied": (
        "the best price times the largest amount",
        _of(lambda n: float(np.prod(sorted(n)[-2:]))),
    ),
}
"""What each fixed guess lives on, and the guess."""


def _frequent(problems: list[WordProblem]) -> Guess:
    counts = Counter(g.value for p in problems for g in p.golds[:1] if g.value is not None)
    most = min(counts, key=lambda value: (-counts[value], value), default=0.0)
    return lambda problem: most


def nearest(problems: list[WordProblem]) -> Callable[[WordProblem], WordProblem | None]:
    """The problem whose words, without numbers, are nearest: the highest cosine of tf-idf."""
    bags = [_bag(problem) for problem in problems]
    held = Counter(word for bag in bags for word in bag)
    place = {word: i for i, word in enumerate(held)}
    weight = np.array([np.log(1 + len(bags) / count) for count in held.values()])

    def vector(bag: Counter[str]) -> NDArray[np.float64]:
        found = np.zeros(len(place))
        for word, count in bag.items():
            if word in place:
                found[place[word]] = (1 + np.log(count)) * weight[place[word]]
        return found / max(float(np.linalg.norm(found)), 1e-12)

    table = np.stack([vector(bag) for bag in bags]) if bags else np.zeros((0, 0))

    def find(problem: WordProblem) -> WordProblem | None:
        return problems[int(np.argmax(table @ vector(_bag(problem))))] if bags else None

    return find


def _bag(problem: WordProblem) -> Counter[str]:
    return Counter(word for word in normalised(problem.question).split() if not word[0].isdigit())


def nearest_answer(problems: list[WordProblem]) -> Guess:
    """The answer of the most similar problem."""
    find = nearest([problem for problem in problems if problem.golds])

    def guess(problem: WordProblem) -> float | None:
        similar = find(problem)
        return None if similar is None else similar.golds[0].value

    return guess


def nearest_relaxation(problems: list[WordProblem]) -> Guess:
    """The optimum of the LP relaxation of the most similar problem that has a reference model."""
    find = nearest([problem for problem in problems if problem.reference is not None])
    return lambda problem: None if (similar := find(problem)) is None else relaxed(similar)


def relaxed(problem: WordProblem) -> float | None:
    """The optimum of the LP relaxation of the reference model, where there is one of either."""
    return _relaxed(problem.reference.place) if problem.reference else None


@lru_cache(maxsize=1024)
def _relaxed(path: Path) -> float | None:
    if (model := reference_model(path)) is None:
        return None
    found = HighsOracle().solve(model.relaxed, SECONDS)
    return found.objective if found.status == Status.OPTIMAL else None


GUESSERS: dict[str, tuple[str, Callable[[list[WordProblem]], Guess]]] = {
    "most frequent answer": ("some answers are right more often than others", _frequent),
    "answer of the nearest problem": ("problems are told twice, with one answer", nearest_answer),
    "relaxation of the nearest problem": (
        "problems are told twice, and integrality does not matter",
        nearest_relaxation,
    ),
}


def _findings(instances: Instances) -> tuple[HardnessFinding, ...]:
    problems = [instance.problem for instance in instances]
    count = len(problems)
    stated = sum(any(_right(n, p) for n in numbers(p)) for p in problems)
    found = [
        HardnessFinding("answer is stated", stated, count, "the answer is a number of the text"),
        twice("questions twice", [p.question for p in problems]),
        twice(
            "templates twice",
            [re.sub(r"\d[\d.,]*", "", p.question) for p in problems],
            "nearly the words of an earlier one, numbers left out",
        ),
    ]
    mixed = [p for p in problems if p.reference is not None]
    if mixed:
        loose = sum(_right(relaxed(p), p) for p in mixed)
        found.append(
            HardnessFinding(
                "integrality does not matter",
                loose,
                len(mixed),
                "the reference model's LP relaxation has the right answer",
            )
        )
    return tuple(found)
