"""What trainers ask of or-bias: scenarios by set and stage, teachers, closeness as a reward."""

from collections.abc import Mapping
from typing import Any

from ordojo.benchmarks.or_bias import sets
from ordojo.benchmarks.or_bias.distributions import IQR
from ordojo.benchmarks.or_bias.schema import VERSION, Scenario, make_instance
from ordojo.benchmarks.or_bias.teachers import BriefOrder, Newsvendor
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.policy import Policy
from ordojo.core.teaching import (
    Composite,
    Course,
    Made,
    Parts,
    RewardedEpisode,
    RewardRule,
    Teaching,
    Wanted,
)


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
    course = "newsvendor"

    @property
    def rewards(self) -> Mapping[str, RewardRule]:
        """`closeness`."""
        return {"closeness": closeness}

    def problems(self, wanted: Wanted) -> Made:
        """`count` scenarios of a set; "pool" is of any size."""
        name = wanted.set or "pool"
        if wanted.kinds:
            raise UsageError(f"{self.benchmark.name} has no kinds")
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

    def stage(self, course: Course, number: int) -> Made:
        """Table 27's scenarios of a stage, the first `count` of them."""
        training: sets.Training = "table-4" if course.training == "table-4" else "stages"
        made = sets.curriculum(course.seed, training=training)
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


def closeness(episode: RewardedEpisode, how: Composite) -> Parts:
    """100 times one minus the order's relative error, 0 beyond twice the optimum."""
    error = episode.trajectory.verdict.metrics.get("relative_error")
    return {"outcome": 0.0 if error is None else 100.0 * max(0.0, 1.0 - error)}
