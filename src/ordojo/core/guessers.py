"""Guessers of answers, fitted to other instances than those that they are measured on.

One among options is a conditional logit over features that need no reading.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from ordojo.core.hardness import Shortcut
from ordojo.core.instance import Instance
from ordojo.core.progress import counted
from ordojo.core.seeds import generator
from ordojo.core.statistics import group_index

P = TypeVar("P")
A = TypeVar("A")

Features = Mapping[str, float]
Question = Sequence[Features]
"""The features of each option, by name."""
Scores = NDArray[np.float64]

RIDGE = 1.0
"""Weight of the squared coefficients: features are of size 1, so that what is seen once or twice,
as most words are, moves little."""
FOLDS = 5


def fit(questions: Sequence[Question], answers: Sequence[int]) -> Callable[[Question], Scores]:
    """Fit the probability of each option to the right ones; the result scores the options of one.

    The log-likelihood of the softmax over a question's options, less the ridge, is maximized.
    """
    names: dict[str, int] = {}
    for question in questions:
        for option in question:
            for name in option:
                names.setdefault(name, len(names))
    x = _matrix([option for question in questions for option in question], names)
    sizes = np.array([len(question) for question in questions], dtype=np.intp)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
    right = starts + np.asarray(answers, dtype=np.intp)
    chosen = np.asarray(x[right].sum(axis=0)).ravel()

    def loss(w: Scores) -> tuple[float, Scores]:
        score = x @ w
        top = np.maximum.reduceat(score, starts)
        weight = np.exp(score - np.repeat(top, sizes))
        total = np.add.reduceat(weight, starts)
        share = weight / np.repeat(total, sizes)
        value = float((np.log(total) + top - score[right]).sum() + RIDGE / 2 * (w @ w))
        return value, x.T @ share - chosen + RIDGE * w

    w = np.zeros(len(names))
    if names and len(questions):
        w = minimize(loss, w, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return lambda question: np.asarray(_matrix(question, names) @ w, dtype=np.float64)


def shortcuts(
    instances: Sequence[Instance[P]],
    seen: Sequence[Instance[P]],
    rules: Mapping[str, tuple[str, Callable[[P], A]]],
    guessers: Mapping[str, tuple[str, Callable[[list[P]], Callable[[P], A]]]],
    measure: Callable[[str, str, Sequence[A], bool], Shortcut],
    what: str = "measuring rules",
) -> tuple[Shortcut, ...]:
    """What each fixed rule and each guesser comes to, by name, with what it exploits.

    `measure(name, exploits, guesses, fitted)` holds the guesses against the answers.
    """
    problems, clusters = [i.problem for i in instances], [i.cluster for i in instances]
    learnt = [instance.problem for instance in seen]
    fixed = [
        measure(name, says, [rule(problem) for problem in problems], False)
        for name, (says, rule) in counted(rules.items(), what)
    ]
    fitted = [
        measure(name, says, held_out(problems, clusters, learn, learnt), True)
        for name, (says, learn) in counted(guessers.items(), "fitting guessers")
    ]
    return (*fixed, *fitted)


def held_out(
    items: Sequence[P],
    groups: Sequence[Hashable],
    learn: Callable[[list[P]], Callable[[P], A]],
    seen: Sequence[P] = (),
) -> list[A]:
    """The guess for each item of a guesser that was fitted to the items `seen`.

    Where there are none, it is fitted to the items of other folds, which share no group with it.
    """
    if seen:
        return list(map(learn(list(seen)), items))
    found: dict[int, A] = {}
    for held in folds(groups):
        away = set(held)
        guess = learn([item for i, item in enumerate(items) if i not in away])
        found |= {i: guess(items[i]) for i in held}
    return [found[i] for i in range(len(items))]


def folds(groups: Sequence[Hashable]) -> list[list[int]]:
    """The rows of each of five parts; a group lies in one of them, by chance but always the same.

    Of fewer groups, each is a part.
    """
    numbers = group_index(groups, len(groups))
    count = int(numbers.max(initial=-1)) + 1
    part = generator(0, "folds", count).permutation(count) % min(FOLDS, max(count, 1))
    parts = [np.flatnonzero(part[numbers] == k).tolist() for k in range(min(FOLDS, count))]
    return [rows for rows in parts if rows]


def _matrix(options: Sequence[Features], names: Mapping[str, int]) -> csr_matrix:
    data: list[float] = []
    index: list[int] = []
    starts = [0]
    for option in options:
        for name, value in option.items():
            if name in names:
                data.append(value)
                index.append(names[name])
        starts.append(len(data))
    return csr_matrix((data, index, starts), shape=(len(options), len(names)))
