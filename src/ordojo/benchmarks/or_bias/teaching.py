"""What trainers ask of or-bias: scenarios by set and stage, teachers, closeness as a reward."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar, Literal

from ordojo.benchmarks.or_bias import sets
from ordojo.benchmarks.or_bias.distributions import IQR
from ordojo.benchmarks.or_bias.schema import VERSION, Scenario, make_instance
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options
from ordojo.core.policy import Act, Policy
from ordojo.core.teaching import (
    Course,
    Made,
    Parts,
    RewardedEpisode,
    RewardRule,
    Teaching,
    Wanted,
)


def _asked(name: str, instance: Instance[Any]) -> Scenario:
    if isinstance(instance.problem, Scenario):
        return instance.problem
    raise UsageError(f"{name} answers newsvendor scenarios; {instance.id} is none")


@dataclass(frozen=True)
class BriefOrder:
    """Gives the optimum as a whole number, and nothing else."""

    name: str = "brief"

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Plan the reply; raises UsageError for other decisions than a newsvendor's."""
        scenario = _asked(self.name, instance)
        return lambda asked: f"Order quantity: {round(scenario.optimum)}"


@dataclass(frozen=True)
class Newsvendor:
    """The optimal order of or-bias, with its reasons: critical ratio, side of the mean, quantile.

    A raw prompt is continued by the quantity alone. With `think` the reasons stand in `<think>`.
    With `steps` the order of a normal demand is worked out on rounded numbers, as a small model
    can: one difference, quotient, product or sum a line.
    """

    digits: int = 1
    think: bool = False
    name: str = "expert-newsvendor"
    steps: bool = False

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Work the order out once; raises UsageError for other decisions than a newsvendor's."""
        scenario = _asked(self.name, instance)
        answer = f"{scenario.optimum:.{self.digits}f}"
        if self.steps and scenario.family == "normal" and not self.think:
            worked = "\n".join(_steps(scenario))
            return lambda asked: worked if asked.style == "chat" else f" {answer}"
        reasons = "\n".join(_order(scenario, answer))
        if self.think:
            reasons = f"<think>\n{reasons}\n</think>"
        chat = f"{reasons}\nOrder quantity: {answer}"
        return lambda asked: chat if asked.style == "chat" else f" {answer}"


def _order(s: Scenario, answer: str) -> Iterator[str]:
    ratio, mean = s.critical_ratio, s.demand.mean
    yield (
        f"Critical ratio: ({s.price:g} - {s.cost:g}) / ({s.price:g} - {s.salvage:g}) = {ratio:.3f}."
    )
    side = "above" if s.optimum > mean else "below" if s.optimum < mean else "at"
    yield f"The demand's mean is {mean:g}, and the best order lies {side} it."
    yield f"The {s.family} demand stays at or under {answer} with probability {ratio:.3f}."


def _steps(s: Scenario) -> Iterator[str]:
    """Whole numbers, a ratio of two digits and a score of one: within 5% of the optimum in 95.5%.

    With money to a tenth and the score to a hundredth it would be 99.8%, of arithmetic that a
    model of 135 million parameters does not learn in an hour of two cores.
    """
    price, mean, spread = round(s.price), round(s.demand.mean), round(s.demand.std)
    if s.percentiles:
        shown = dict(s.percentiles)
        low, high = round(shown[0.25]), round(shown[0.75])
        spread = round((high - low) / 1.35)
        yield f"{high}-{low}={high - low}"
        yield f"{high - low}/1.35={spread}"
    under, total = price - round(s.cost), price - round(s.salvage)
    ratio = min(max(round(under / total, 2), 0.01), 0.99)
    score = round(NormalDist().inv_cdf(ratio), 1)
    change = round(score * spread)
    yield f"{price}-{round(s.cost)}={under}"
    yield f"{price}-{round(s.salvage)}={total}"
    yield f"{under}/{total}={ratio:.2f} z={score + 0.0:.1f}"
    yield f"{score + 0.0:.1f}*{spread}={change}"
    yield f"{mean}{change:+d}={mean + change}"
    yield f"Order quantity: {mean + change}"


class Scenarios(Wanted):
    """`count` scenarios of a set; "pool", which is meant where none is named, is of any size."""

    set: str = ""


class NewsvendorCourse(Course):
    """Table 27; `training` are the critical ratios, "table-4" all in [0.3, 0.7]."""

    usual: ClassVar[bool] = True

    stages: tuple[int, ...] = (1, 2, 3)
    training: Literal["stages", "table-4"] = "stages"


class NewsvendorTeaching(Teaching):
    """See `core.teaching.Teaching`."""

    figures: Mapping[str, str] = {
        "rationality": "rational",
        "within_5pct": "within 5%",
        "relative_error": "relative error",
        "bias_difference/ID": "bias ID",
        "bias_difference/OOD": "bias OOD",
        "id_to_ood": "change",
    }
    curves: Mapping[str, str] = {"rational": "rational", "within-5pct": "within-5pct"}
    course = "newsvendor"
    wanted = Scenarios
    coursing = NewsvendorCourse

    @property
    def rewards(self) -> Mapping[str, RewardRule]:
        """`closeness`."""
        return {"closeness": closeness}

    def problems(self, wanted: Any) -> Made:
        """See `Scenarios`."""
        name = wanted.set or "pool"
        if name == "pool":
            if wanted.count is None:
                raise UsageError("count: say how many scenarios to make")
            made = sets.pool(wanted.seed, wanted.count)
        elif name in sets.SETS:
            made = sets.SETS[name](wanted.seed, "normal", IQR)[: wanted.count]
        else:
            raise UsageError(f"set: '{name}' is none of pool, {', '.join(sets.SETS)}")
        return [make_instance(scenario, VERSION) for scenario in made]

    def teacher(self, name: str, doubt: float = 0.0) -> Policy | None:
        """`BriefOrder`, and `Newsvendor` with or without "-steps"."""
        if name == BriefOrder.name:
            return BriefOrder()
        if name in (Newsvendor.name, f"{Newsvendor.name}-steps"):
            return Newsvendor(name=name, steps=name != Newsvendor.name)
        return super().teacher(name, doubt)

    def stage(self, course: Any, number: int) -> Made:
        """Table 27's scenarios of a stage, the first `count` of them."""
        made = sets.curriculum(course.seed, training=course.training)
        chosen = [scenario for scenario in made if scenario.stage == number]
        return [make_instance(scenario, VERSION) for scenario in chosen[: course.count]]

    def paper_record(self, instance: Instance[Any]) -> Mapping[str, Any]:
        """The record of D.10; of a newsvendor's scenario alone."""
        if not isinstance(instance.problem, Scenario):
            return super().paper_record(instance)
        return _record(instance.problem)

    def ground_truth(self, instance: Instance[Any]) -> Any:
        """D.10's fields of a newsvendor's scenario."""
        scenario = isinstance(instance.problem, Scenario)
        return _record(instance.problem) if scenario else super().ground_truth(instance)


def _record(scenario: Scenario) -> dict[str, Any]:
    demand: dict[str, Any] = {"mean": scenario.demand.mean}
    if "std" in scenario.parameters:
        demand["std"] = scenario.parameters["std"]
    return {
        "scenario": {
            "price": scenario.price,
            "cost": scenario.cost,
            "salvage": scenario.salvage,
            **demand,
            "CR": scenario.critical_ratio,
        },
        "optimal_Q": scenario.optimum,
        "stage": scenario.stage,
    }


def closeness(episode: RewardedEpisode, how: Options) -> Parts:
    """100 times one minus the order's relative error, 0 beyond twice the optimum."""
    error = episode.trajectory.headline.metrics.get("relative_error")
    return {"outcome": 0.0 if error is None else 100.0 * max(0.0, 1.0 - error)}
