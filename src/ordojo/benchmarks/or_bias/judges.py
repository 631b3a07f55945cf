"""Judging an order quantity, by named rules."""

from collections.abc import Mapping

from ordojo.benchmarks.or_bias.distributions import optimal_profit, regret
from ordojo.benchmarks.or_bias.reading import read_quantity_by
from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict

ABSURD = 100.0
"""An order of more than this many times the mean demand is no rational answer; nor is an
economic order quantity that is so many times off the optimum."""

TOLERANCES: Mapping[str, float | None] = {
    "rational": None,
    "within-5pct": 0.05,
    "within-1pct": 0.01,
}
"""Rules by name. "rational" is the paper's rationality: one number was read, and it is neither
negative nor absurd. The others also ask that it lie within a share of the optimum."""

RULES = tuple(TOLERANCES)

ROUND_OFF = 1e-9
"""By so much an answer may lie outside a tolerance that it was rounded to."""

_latest: tuple[Scenario, float, dict[str, float]] | None = None


def judge_with(rule: str) -> Judge:
    """The judge that reads the quantity in the last reply and decides by `rule`.

    Only a rational answer carries metrics; any other one is counted, and enters no mean.
    """
    if rule not in TOLERANCES:
        raise BenchmarkError(f"there is no rule '{rule}'; choose from {', '.join(RULES)}")
    tolerance = TOLERANCES[rule]

    def judge(instance: Instance[Scenario], episode: Episode) -> Verdict:
        quantity, how = read_quantity_by(episode.last_reply)
        if quantity is None:
            return Verdict(rule, "unparsed", 0.0, reason=f"no quantity could be read: {how}")
        scenario = instance.problem
        mean = scenario.demand.mean
        if quantity < 0:
            return Verdict(rule, "wrong", 0.0, quantity, "a negative order")
        if quantity > ABSURD * mean:
            reason = f"more than {ABSURD:g} times the mean demand"
            return Verdict(rule, "wrong", 0.0, quantity, reason)
        figures = metrics_of(quantity, scenario)
        slack = None if tolerance is None else tolerance + ROUND_OFF
        right = slack is None or figures["relative_error"] <= slack
        return Verdict(
            rule,
            "correct" if right else "wrong",
            float(right),
            quantity,
            f"the quantity is read by the rule '{how}'",
            figures,
        )

    return judge


def metrics_of(quantity: float, scenario: Scenario) -> dict[str, float]:
    """The figures of a rational order.

    "relative_regret" is the regret as a share of the best expected profit, left out where that is
    not above 0. The same mapping serves every rule: do not change it.
    """
    # A reply is judged by each rule in turn, and once more for the reward.
    global _latest
    if _latest is not None and _latest[0] is scenario and _latest[1] == quantity:
        return _latest[2]
    optimum, demand = scenario.optimum, scenario.demand
    terms = (scenario.price, scenario.cost, scenario.salvage, demand)
    lost, best = regret(quantity, *terms), optimal_profit(*terms)
    figures = {
        "q": quantity,
        "optimum": optimum,
        "mean": demand.mean,
        "critical_ratio": scenario.critical_ratio,
        "ratio": quantity / optimum,
        "relative_error": abs(quantity - optimum) / optimum,
        "regret": lost,
    }
    if best > 0:
        figures["relative_regret"] = lost / best
    _latest = (scenario, quantity, figures)
    return figures
