"""What decisions beyond the newsvendor share: their shape, sets, reading and judging."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from ordojo.benchmarks.or_bias.judges import ABSURD, ROUND_OFF, TOLERANCES, regression
from ordojo.benchmarks.or_bias.reading import read_quantity_by
from ordojo.benchmarks.or_bias.schema import compare
from ordojo.core.canonical import digest
from ordojo.core.episode import Episode
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.judge import Outcome, Verdict
from ordojo.core.records import SampleRecord, judged, share
from ordojo.core.seeds import generator
from ordojo.core.statistics import Estimate, bootstrap_figures, mean_of

SETS: Mapping[str, Mapping[str, int]] = {
    "eval": {"ID": 100, "OOD": 50},
    "full": {"ID": 500, "OOD": 500},
    "id": {"ID": 500},
    "ood": {"OOD": 500},
    "train": {"train": 400},
}
"""Instances of each split in each set; those of "eval" are the first of "full"."""

Ends = tuple[float, float]


@dataclass(frozen=True)
class Decision(ABC):
    """A problem with one right number in every reply.

    `name` is the decision, `ask` what the number is called on the last line of a reply; `index` its
    place in its split (ID, OOD or train), `text` the story and the question.
    """

    name: ClassVar[str]
    ask: ClassVar[str]
    index: int
    split: str
    text: str = field(default="", kw_only=True)

    @property
    @abstractmethod
    def optimum(self) -> float:
        """The right number."""

    @property
    @abstractmethod
    def anchor(self) -> float:
        """A number of the story to which an answer may be pulled: a mean demand."""

    def absurd(self, quantity: float) -> bool:
        """Whether no buyer would say so, of a number that is not negative."""
        return quantity > ABSURD * self.anchor

    @abstractmethod
    def shown(self) -> Sequence[str]:
        """Every number as the text shows it."""

    @abstractmethod
    def facts(self) -> Mapping[str, float | str]:
        """What the optimum follows from, for the certificate."""

    @abstractmethod
    def best_numerically(self) -> float:
        """The optimum, found by search instead of the formula."""

    @abstractmethod
    def shortfall(self, quantity: float) -> float:
        """By what share `quantity` is worse than the optimum, at least 0."""

    @abstractmethod
    def check(self) -> None:
        """Raise DataError, naming the field that is missing or impossible."""


def make_instance(problem: Decision, version: str) -> Instance[Decision]:
    """Wrap a decision as an instance; its id is apart from those of the newsvendor's."""
    name = f"{problem.name}-{problem.split}-{problem.index:05d}"
    return Instance(
        id=name,
        benchmark="or-bias",
        version=version,
        problem=problem,
        certificate=certificate(problem),
        cluster=name,
        labels={"decision": problem.name, "split": problem.split},
    )


def certificate(problem: Decision) -> Certificate:
    """The certificate: the optimum, what it follows from, and a digest of what is asked."""
    return Certificate(
        "closed-form",
        {"optimum": problem.optimum, **problem.facts(), "asked": digest(problem.text)},
    )


def verify(instance: Instance[Decision]) -> None:
    """Check the fields, the text, the certificate, and the optimum by numerical search."""
    problem = instance.problem
    problem.check()
    for number in problem.shown():
        if number not in problem.text:
            raise DataError(f"{instance.id}: the text does not show the number {number}")
    compare(instance.id, instance.certificate, certificate(problem))
    found = problem.best_numerically()
    if not problem.shortfall(found) <= 1e-9 or abs(found - problem.optimum) > 1e-3 * abs(
        problem.optimum
    ):
        raise DataError(
            f"{instance.id}: the optimum is {problem.optimum}, but a search finds {found}"
        )


class QuantityReading(NamedTuple):
    """The number of a reply; "correct" says that it is rational, "wrong" that it is not."""

    quantity: float | None
    outcome: Outcome
    reason: str


_SHORT = 200
_read_short = lru_cache(maxsize=4096)(read_quantity_by)
"""The environment and three judges read each reply of an episode; once is enough."""


def read(problem: Decision, text: str) -> QuantityReading:
    """Read a reply by the newsvendor's reader; below 0 and absurd is not rational."""
    quantity, how = (_read_short if len(text) <= _SHORT else read_quantity_by)(text)
    if quantity is None or not math.isfinite(quantity):
        return QuantityReading(None, "unparsed", f"no number could be read: {how}")
    if quantity < 0:
        return QuantityReading(quantity, "wrong", "a negative number")
    if problem.absurd(quantity):
        return QuantityReading(quantity, "wrong", "an absurd number")
    return QuantityReading(quantity, "correct", f"the quantity is read by the rule '{how}'")


def near(problem: Decision, quantity: float, rule: str) -> bool:
    """Whether a rational quantity is right under `rule`."""
    tolerance = TOLERANCES[rule]
    error = abs(quantity - problem.optimum)
    return tolerance is None or error <= (tolerance + ROUND_OFF) * problem.optimum


Make = Callable[[np.random.Generator, str, int], Decision]


def generate(
    make: Make, name: str, wanted: str, seed: int, version: str
) -> list[Instance[Decision]]:
    """The instances of a set; item `index` of a split depends on seed, split and index alone."""
    return [
        make_instance(
            make(generator(seed, f"or-bias/{name}/{split}", index), split, index), version
        )
        for split, size in SETS[wanted].items()
        for index in range(size)
    ]


def between(rng: np.random.Generator, ends: Ends) -> float:
    """Uniform on `ends`."""
    return float(rng.uniform(*ends))


def log_between(rng: np.random.Generator, ends: Ends) -> float:
    """Log-uniform on `ends`, for what spans orders of magnitude."""
    return math.exp(rng.uniform(math.log(ends[0]), math.log(ends[1])))


def pick(rng: np.random.Generator, options: Sequence[str]) -> str:
    """One of `options`."""
    return options[int(rng.integers(len(options)))]


def money(amount: float) -> str:
    """An amount as texts show it, "$1,234.50"."""
    return f"${amount:,.2f}"


def judge(rule: str, instance: Instance[Decision], episode: Episode) -> Verdict:
    """The verdict by `rule` on the last reply.

    Metrics of a rational answer: "q", "optimum", "anchor" (the mean of the story), "ratio"
    (q / optimum), "relative_error" and "cost_ratio" (cost of the answer over least cost, 1 or
    more).
    """
    problem = instance.problem
    quantity, outcome, reason = read(problem, episode.last_reply)
    if quantity is None or outcome != "correct":
        return Verdict(rule, outcome, 0.0, quantity, reason)
    right = near(problem, quantity, rule)
    best = problem.optimum
    figures = {
        "q": quantity,
        "optimum": best,
        "anchor": problem.anchor,
        "ratio": quantity / best,
        "relative_error": abs(quantity - best) / best,
        "cost_ratio": 1 + problem.shortfall(quantity),
    }
    return Verdict(rule, "correct" if right else "wrong", float(right), quantity, reason, figures)


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Rationality first; shares within 5% and 1%; means over rational answers; anchoring.

    "anchoring_weight" is the slope of (q - q*) on (anchor - q*), both over q*, through the origin.
    """
    figures = {
        name: _share(records, by)
        for name, by in (
            ("rationality", "rational"),
            ("within_5pct", "within-5pct"),
            ("within_1pct", "within-1pct"),
        )
    }
    rows = [
        (record.cluster, verdict.metrics)
        for record, verdict in judged(records, "rational")
        if verdict.metrics
    ]
    names = sorted({cluster for cluster, _ in rows})
    groups = np.asarray([names.index(cluster) for cluster, _ in rows], dtype=np.intp)
    every = np.ones(len(rows), dtype=bool)

    def column(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.asarray([values[name] for _, values in rows], dtype=np.float64)

    means = {
        name: mean_of(column(name), every) for name in ("cost_ratio", "relative_error", "ratio")
    }
    figures.update(bootstrap_figures(means, groups))
    best = column("optimum")
    pull = [(column("anchor") - best) / best]
    figures["anchoring_weight"] = regression((column("q") - best) / best, pull, groups)[0]
    figures["unparsed_rate"] = _share(records, "rational", "unparsed")
    return figures


def _share(records: Sequence[SampleRecord], rule: str, outcome: str = "correct") -> Estimate:
    return share(judged(records, rule), lambda verdict: float(verdict.outcome == outcome))
