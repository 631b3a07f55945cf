"""How hard a benchmark is for whoever does not read: shortcuts, guessers, and what gives it away.

A benchmark supplies a `Battery`, measured on instances whose answers are known. A shortcut follows
a fixed rule; a guesser is fitted to instances other than those that it is measured on. One that
guesses among options is a conditional logit over features that need no reading.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from ordojo.core.canonical import finite
from ordojo.core.instance import Instance
from ordojo.core.panels import Published
from ordojo.core.progress import counted
from ordojo.core.records import check
from ordojo.core.seeds import generator
from ordojo.core.statistics import NOTHING, Estimate, group_index, mean_interval

SCHEMA = 1
"""Version of a kept `Hardness`."""


@dataclass(frozen=True)
class Shortcut:
    """A way to answer without reading, and how far it gets.

    `exploits` says in a sentence what it lives on. `score` is the headline metric, `by` the same by
    the instances' main label, `also` other metrics. `fitted` tells a guesser from a fixed rule.
    """

    name: str
    exploits: str
    score: Estimate
    fitted: bool = False
    by: Mapping[str, Estimate] = field(default_factory=dict)
    also: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class HardnessFinding:
    """Something that holds of `count` of `of` instances (or pairs, or claims) and should not."""

    name: str
    count: int
    of: int
    says: str


@dataclass(frozen=True)
class Battery:
    """What a benchmark measured: shortcuts under `metric`, findings, scores quoted from papers.

    `quoted` names the metric of the quoted scores where it is another one, found in `also`.
    """

    metric: str
    shortcuts: tuple[Shortcut, ...]
    findings: tuple[HardnessFinding, ...] = ()
    published: tuple[Published, ...] = ()
    quoted: str = ""

    def line(self, metric: str = "") -> tuple[str, Estimate]:
        """The shortcut that gets farthest under a metric: a score below it shows no reading."""
        found = {s.name: s.also.get(metric, NOTHING) if metric else s.score for s in self.shortcuts}
        known = {name: score for name, score in found.items() if not math.isnan(score.value)}
        return max(known.items(), key=lambda pair: pair[1].value, default=("", NOTHING))


@dataclass(frozen=True)
class Hardness:
    """A battery with what it was measured on.

    `title` is the benchmark's; `fitted_on` says where guessers have learnt.
    """

    benchmark: str
    title: str
    version: str
    dataset: str
    sha256: str
    items: int
    fitted_on: str
    battery: Battery
    schema: int = SCHEMA

    @property
    def published(self) -> list[Published]:
        """The quoted scores that are of this dataset: others cannot be held against its line."""
        rows = self.battery.published
        return [p for p in rows if p.dataset == self.dataset and not math.isnan(p.score)]

    @property
    def line(self) -> tuple[str, Estimate]:
        """The best shortcut, under the metric of quoted scores where these have one."""
        return self.battery.line(self.battery.quoted)

    def __str__(self) -> str:
        """The line, and how many published models stay below it."""
        name, score = self.line
        metric = self.battery.quoted or self.battery.metric
        best = {p.model: p.score for p in sorted(self.published, key=lambda p: p.score)}
        said = f"{self.dataset}: without reading, '{name}' has {metric} {score.value:.3f}"
        if best:
            below = sum(value <= score.value for value in best.values())
            model, top = list(best.items())[-1]
            said += (
                f"; {below} of {len(best)} published models have no more, and the best, {model}, "
                f"has {top:.3f}"
            )
        return said + "."

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON; what was not measured is null."""
        found: dict[str, Any] = finite(asdict(self))
        return found

    @classmethod
    def from_json(cls, row: Any) -> "Hardness":
        """Read what `to_json` wrote; raises ValueError, in one line, on anything else."""
        return check(_HARDNESS, _numbers(row))


_HARDNESS = TypeAdapter(Hardness)


def _numbers(value: Any) -> Any:
    """Null stands for NaN, as no field may be without a value."""
    if isinstance(value, dict):
        return {name: _numbers(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_numbers(part) for part in value]
    return math.nan if value is None else value


def measured(
    name: str,
    exploits: str,
    instances: Sequence[Instance[Any]],
    scores: Sequence[float],
    *,
    label: str = "type",
    fitted: bool = False,
    **also: Sequence[float],
) -> Shortcut:
    """A shortcut by its score on each instance, with an interval that respects clusters.

    `label` breaks the score down; `also` holds other metrics, one number an instance.
    """
    clusters = [instance.cluster for instance in instances]
    parts: dict[str, list[int]] = {}
    for place, instance in enumerate(instances):
        if label in instance.labels:
            parts.setdefault(instance.labels[label], []).append(place)

    def mean(values: Sequence[float], places: Sequence[int]) -> Estimate:
        return mean_interval([values[i] for i in places], [clusters[i] for i in places])

    every = range(len(instances))
    return Shortcut(
        name,
        exploits,
        mean(scores, every) if instances else NOTHING,
        fitted,
        {value: mean(scores, places) for value, places in sorted(parts.items())},
        {metric.replace("_", " "): mean(values, every) for metric, values in also.items()},
    )


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
"""A choice without a fit, as usual: each guesser learns on four fifths of what is measured."""


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
