"""How far one gets in a set of questions without understanding it: counters, matchers, learners.

Each guesser scores the four options of a question and takes the best. What learns (the words of
right options, which way a cue points) learns from other contexts than it is measured on.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.build.balance import MATCHERS, Text, alike, grams, tokens
from ordojo.benchmarks.orqa.schema import QUESTION_TYPES, Question
from ordojo.core.canonical import digest
from ordojo.core.statistics import Estimate, mean_interval

CEILING, CEILING_OF_TYPE = 0.35, 0.5
"""What a guesser may reach over all questions, and in any type."""
FOLDS = 5
Scores = NDArray[np.float64]
Cue = Callable[[Question], Scores]
Guesser = Cue
"""Scores of a question's options."""


def _matched(matcher: Callable[[Text, str], float]) -> Cue:
    def cue(question: Question) -> Scores:
        text = _text(question.context)
        return np.array([matcher(text, option) for option in question.options])

    return cue


@lru_cache(maxsize=256)
def _text(context: str) -> Text:
    return Text(context)


def _asked(question: Question) -> Scores:
    """The words that an option shares with the question."""
    there = set(tokens(question.question))
    return np.array([len(set(tokens(option)) & there) for option in question.options], float)


def _alike(question: Question) -> Scores:
    return np.array(alike(question.options))


def _length(question: Question) -> Scores:
    return np.array([len(option) for option in question.options], float)


CUES: Mapping[str, Cue] = {
    "length": _length,
    **{name: _matched(matcher) for name, matcher in MATCHERS.items()},
    "words shared with the question": _asked,
    "words shared with other options": _alike,
}

Trainer = Callable[[Sequence[Question]], Guesser]


def directed(cue: Cue) -> Trainer:
    """The options with most or least of a cue, whichever was better in the type."""

    def train(questions: Sequence[Question]) -> Guesser:
        gain: dict[str, float] = defaultdict(float)
        for question in questions:
            scores = cue(question)
            gain[question.type] += _hit(scores, question.answer) - _hit(-scores, question.answer)
        return lambda question: math.copysign(1, gain[question.type]) * cue(question)

    return train


def letters(questions: Sequence[Question]) -> Guesser:
    """The commonest letter."""
    count = Counter(question.answer for question in questions)
    return lambda question: np.array([count[place] for place in range(4)], float)


def bag_of_words(questions: Sequence[Question]) -> Guesser:
    """Naive Bayes over an option's words and pairs of words, for each type."""
    right: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        for place, option in enumerate(question.options):
            side = right if place == question.answer else wrong
            side[question.type].update(grams(option))

    def odds(kind: str, gram: str) -> float:
        return math.log((right[kind][gram] + 0.5) / (wrong[kind][gram] / 3 + 0.5))

    return lambda question: np.array(
        [sum(odds(question.type, gram) for gram in grams(o)) for o in question.options]
    )


def together(questions: Sequence[Question]) -> Guesser:
    """All cues and the bag of words, weighted in each type by a softmax regression."""
    inner: dict[int, Guesser] = {
        k: bag_of_words([q for q in questions if _fold(q) % 2 != k]) for k in (0, 1)
    }
    bag = bag_of_words(questions)
    data: dict[str, list[tuple[Scores, int]]] = defaultdict(list)
    for question in questions:
        data[question.type].append(
            (_features(question, inner[_fold(question) % 2]), question.answer)
        )
    weights = {kind: _softmax(rows) for kind, rows in data.items()}
    unknown = np.zeros(len(CUES) + 1)
    return lambda question: _features(question, bag) @ weights.get(question.type, unknown)


def _features(question: Question, bag: Guesser) -> Scores:
    columns = [cue(question) for cue in (*CUES.values(), bag)]
    return np.stack([(c - c.mean()) / (c.std() or 1.0) for c in columns], axis=1)


def _softmax(rows: Sequence[tuple[Scores, int]], steps: int = 300, decay: float = 0.02) -> Scores:
    """Weights of a conditional logit, by gradient ascent with a ridge."""
    x, y = np.stack([row for row, _ in rows]), np.array([answer for _, answer in rows])
    weights = np.zeros(x.shape[2])
    for _ in range(steps):
        z = x @ weights
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        slope = (x[np.arange(len(y)), y] - np.einsum("no,nof->nf", p, x)).mean(axis=0)
        weights += 0.5 * (slope - decay * weights)
    return weights


GUESSERS: Mapping[str, Trainer] = {
    "majority letter": letters,
    **{name: directed(cue) for name, cue in CUES.items()},
    "bag of words": bag_of_words,
    "all together": together,
}


@dataclass(frozen=True)
class Guessed:
    """A guesser's accuracy over all questions and by type."""

    overall: Estimate
    by_type: Mapping[str, float]

    @property
    def low(self) -> bool:
        """Whether it stays below the ceilings."""
        return self.overall.value < CEILING and max(self.by_type.values()) < CEILING_OF_TYPE


def guessed(
    questions: Sequence[Question], others: Sequence[Question] | None = None
) -> Mapping[str, Guessed]:
    """What each guesser reaches: trained on `others`, or else cross-validated by context.

    Nothing where there is one context only, so that nothing can be learned elsewhere.
    """
    pairs = [(others, questions)] if others else list(_folds(questions))
    found: dict[str, Guessed] = {}
    for name, trainer in GUESSERS.items() if pairs else ():
        hits: dict[str, list[float]] = {kind: [] for kind in QUESTION_TYPES}
        for train, test in pairs:
            guesser = trainer(train)
            for question in test:
                hits[question.type].append(_hit(guesser(question), question.answer))
        overall = mean_interval([hit for mine in hits.values() for hit in mine])
        by_type = {kind: float(np.mean(mine)) for kind, mine in hits.items() if mine}
        found[name] = Guessed(overall, by_type)
    return found


def _folds(
    questions: Sequence[Question],
) -> Iterable[tuple[list[Question], list[Question]]]:
    contexts = list(dict.fromkeys(question.context for question in questions))
    for fold in range(FOLDS):
        mine = set(contexts[fold::FOLDS])
        test = [q for q in questions if q.context in mine]
        train = [q for q in questions if q.context not in mine]
        if test and train:
            yield train, test


def _fold(question: Question) -> int:
    """Questions of one context are in one fold."""
    return int(digest(question.context)[:8], 16) % FOLDS


def _hit(scores: Scores, answer: int) -> float:
    """The chance of a right guess, ties broken at random."""
    best = np.flatnonzero(scores >= scores.max() - 1e-12)
    return float(answer in best) / len(best)
