"""Decisions of one number: their environment, judge and figures (EOQ and base stock)."""

from collections.abc import Mapping, Sequence

import numpy as np

from ordojo.benchmarks.or_bias.beyond.common import Decision, near, read
from ordojo.benchmarks.or_bias.metrics import regression
from ordojo.benchmarks.or_bias.stories import CHAT_TOKENS, COMPLETION_TOKENS, STOP
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Verdict
from ordojo.core.records import SampleRecord
from ordojo.core.resampling import bootstrap_figures, mean_of
from ordojo.core.statistics import Estimate, mean_interval


class OneShot(Environment[Decision]):
    """Asks for one number; the reward is 1 for a right one under `rule`."""

    def __init__(self, chat: bool, rule: str) -> None:
        self._chat, self._rule = chat, rule
        self._problem: Decision | None = None

    def reset(self, instance: Instance[Decision], seed: int) -> Observation:
        """Show the story; nothing depends on `seed`."""
        self._problem = instance.problem
        return observe(instance.problem.text, instance.problem.ask, self._chat)

    def step(self, text: str) -> Step:
        """Take the answer."""
        problem, self._problem = self._problem, None
        if problem is None:
            raise BenchmarkError("or-bias: step() before reset(), or after the episode's end")
        reading = read(problem, text)
        right = reading.outcome == "correct" and near(problem, reading.quantity or 0.0, self._rule)
        return Step(None, reward=float(right), terminated=True)


def observe(text: str, ask: str, chat: bool, fresh: bool = True) -> Observation:
    """Ask for a number called `ask`, in the newsvendor's two ways."""
    end = f'\n\nEnd with one line of the form "{ask}: <number>".' if chat else f"\n\n{ask}:"
    return Observation(
        messages=(Message("user", text + end),),
        style="chat" if chat else "completion",
        fresh=fresh or not chat,
        max_tokens=CHAT_TOKENS if chat else COMPLETION_TOKENS,
        stop=() if chat else STOP,
    )


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
        for record in records
        if (verdict := record.verdict("rational")) is not None and verdict.metrics
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
    found = [(record, verdict) for record in records if (verdict := record.verdict(rule))]
    values = [float(verdict.outcome == outcome) for _, verdict in found]
    return mean_interval(values, [record.cluster for record, _ in found])
