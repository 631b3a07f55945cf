"""What the trained newsvendor reads: `python -m perf.newsvendor [--count N]`.

Its training saw the benchmark's own tellings with other numbers. Here the same scenarios are told
in three ways that are nowhere in the package, the third with the money in another order; what is
left of the share within 5% of the optimum is what it reads rather than remembers.
"""

from dataclasses import replace
from typing import Any

import click

import ordojo
from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.instance import Instance
from ordojo.core.statistics import mean_interval
from ordojo.evaluation.providers.embedded import EmbeddedModel

TELLINGS = (
    "{demand} We pay {cost:.2f} for one and get {price:.2f} for it. One that is left over still "
    "brings {salvage:.2f}. How many should we buy?",
    "You stock a stall once, before it opens. Units are bought for ${cost:.2f} and sold for "
    "${price:.2f}. At closing time the rest goes for ${salvage:.2f} each. {demand} Choose the "
    "quantity.",
    "At the end of the season a unit is worth {salvage:.2f} euros; during it, {price:.2f} euros; "
    "the factory asks {cost:.2f} euros. {demand} What is the best order?",
)
END = '\n\nEnd with one line of the form "Order quantity: <number>".'
MODELS = ("smollm2", "smollm2-newsvendor")


def retold(scenario: Scenario, telling: str) -> str:
    """A normal scenario's numbers in other words; remarks beside the point are left out."""
    if scenario.percentiles:
        low, middle, high = (value for _, value in scenario.percentiles)
        demand = f"Demand is normal, its quartiles P25 = {low:g}, P50 = {middle:g}, P75 = {high:g}."
    else:
        mean, spread = scenario.parameters["mean"], scenario.parameters["std"]
        demand = f"Demand is normal: {mean:.1f} on average, with a standard deviation of {spread}."
    money = {"price": scenario.price, "cost": scenario.cost, "salvage": scenario.salvage}
    return telling.format(demand=demand, **money) + END


@click.command()
@click.option("--count", default=60, help="Scenarios of the evaluation set, evenly taken.")
@click.option("--model", "models", multiple=True, default=MODELS, help="Embedded models.")
@click.option("--threads", default=2)
def main(count: int, models: tuple[str, ...], threads: int) -> None:
    """Print the share within 5% of the optimum of each telling, for each model."""
    every: list[Instance[Any]] = list(ordojo.load("or-bias"))
    chosen = every[:: max(1, len(every) // count)][:count]
    environment = ordojo.make("or-bias", mode="chat")
    print(f"{len(chosen)} scenarios of the evaluation set; within 5% of the optimum, 95% interval")
    for name in models:
        model = EmbeddedModel(name, threads)
        for place, telling in enumerate(("", *TELLINGS)):
            scores = []
            for instance in chosen:
                asked = environment.reset(instance, 0).messages
                if telling:
                    asked = (replace(asked[-1], content=retold(instance.problem, telling)),)
                reply = model.chat(asked, {"max_tokens": 120}).text
                scores.append(environment.step(reply).reward)
            share = mean_interval(scores)
            what = f"telling {place} of ours" if telling else "the benchmark's"
            print(f"{name}, {what}: {share.value:.3f} ({share.low:.3f} to {share.high:.3f})")


if __name__ == "__main__":
    main()
