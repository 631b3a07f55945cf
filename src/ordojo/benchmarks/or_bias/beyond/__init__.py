"""Decisions beyond the single newsvendor: order quantity, base stock, many periods with feedback.

Everything that the benchmark's own class dispatches to, for `decision` other than "newsvendor";
whether an instance is one of these, `beyond.owns(instance)` says.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from ordojo.benchmarks.or_bias.beyond import base_stock, common, eoq, play, repeated, weights
from ordojo.benchmarks.or_bias.beyond.play import policies
from ordojo.benchmarks.or_bias.judges import RULES
from ordojo.benchmarks.or_bias.stories import observe
from ordojo.core.environment import Environment
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.records import SampleRecord
from ordojo.core.single_turn import SingleTurnEnvironment
from ordojo.core.statistics import Estimate

__all__ = [
    "DECISIONS",
    "decision_of",
    "environment",
    "gold",
    "judge_with",
    "load",
    "metrics",
    "owns",
    "policies",
    "verify",
]

DECISIONS = ("eoq", "base-stock", "repeated")


class BeyondOptions(Protocol):
    """Of `OrBiasOptions`, what counts here; `family` only for the repeated decision."""

    @property
    def decision(self) -> str:
        """One of `DECISIONS`."""

    @property
    def set(self) -> str:
        """One of `common.SETS`."""

    @property
    def mode(self) -> str:
        """Completion or chat."""

    @property
    def family(self) -> str:
        """The family of demand."""


def load(
    options: BeyondOptions, seed: int, version: str = common.VERSION
) -> list[Instance[common.Decision]]:
    """The instances of `options.decision`, generated; see `common.SETS` for their number."""
    makers: Mapping[str, common.Make] = {
        "eoq": eoq.make,
        "base-stock": base_stock.make,
        "repeated": partial(repeated.make, family=options.family),
    }
    name = options.decision
    stream = f"repeated/{options.family}" if name == "repeated" else name
    return common.generate(makers[name], stream, options.set, seed, version)


def environment(options: BeyondOptions, seed: int, rule: str = "rational") -> Environment[Any]:
    """Its environment; the reward of an episode is its score under `rule`."""
    chat = options.mode == "chat"
    if options.decision == "repeated":
        return play.Selling(chat, rule)
    return SingleTurnEnvironment(
        "or-bias", lambda problem: observe(problem.text, chat, problem.ask), judge_with(rule)
    )


def judge_with(rule: str) -> Judge:
    """The judge of these instances under one of the newsvendor's rules.

    Raises BenchmarkError for an unknown rule. What the verdict's metrics are, `common.judge`
    and `play.judge` say.
    """
    if rule not in RULES:
        raise BenchmarkError(f"there is no rule '{rule}'; choose from {', '.join(RULES)}")

    def judge(instance: Instance[Any], episode: Episode) -> Verdict:
        turns = isinstance(instance.problem, repeated.Repeated)
        return (play.judge if turns else common.judge)(rule, instance, episode)

    return judge


def gold(instance: Instance[common.Decision]) -> float:
    """The optimum, of every period in the repeated decision."""
    return instance.problem.optimum


def verify(instance: Instance[common.Decision]) -> None:
    """Check the certificate from scratch, and by numerical search; raises DataError."""
    common.verify(instance)


def owns(instance: Instance[Any]) -> bool:
    """Whether an instance belongs here."""
    return isinstance(instance.problem, eoq.EOQ | base_stock.BaseStock | repeated.Repeated)


def decision_of(records: Sequence[SampleRecord]) -> str:
    """The decision that a run's records are of, "newsvendor" if not one of these."""
    return records[0].labels.get("decision", "newsvendor") if records else "newsvendor"


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures of a run of one of these decisions; "rationality" first."""
    if decision_of(records) == "repeated":
        return weights.metrics(records, rule)
    return common.metrics(records, rule)
