"""Refining: raw materials yield several products; what is sold comes out of what is run.

A hidden plan of runs lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A refinery runs raw oils, each of which yields several products at once. Products are "
        "sold by contract and on the market; the works and the boiler limit what can be run."
    ),
    sets=(
        Set("R", "raw oil", "raw oils", table="oils", key=("oil",),
            names=("brent", "urals", "bonny", "tapis", "oman", "maya")),
        Set("P", "product", "products", table="products", key=("product",),
            names=("petrol", "diesel", "bitumen", "kerosene", "naphtha")),
    ),
    parameters=(
        Parameter("plant_size", "most barrels that the works can run", "barrels"),
        Parameter("boiler", "steam that the boiler gives", "tons"),
        Parameter("pipeline", "fewest barrels booked on the pipeline", "barrels"),
        Parameter("cost", "cost of a barrel", "dollars", ("R",), "oils"),
        Parameter("steam", "steam for a barrel", "tons", ("R",), "oils"),
        Parameter("standing", "standing order", "barrels", ("R",), "oils"),
        Parameter("offered", "most barrels on offer", "barrels", ("R",), "oils"),
        Parameter("price", "price of a unit", "dollars", ("P",), "products"),
        Parameter("due", "amount due by contract", "units", ("P",), "products"),
        Parameter("market", "most that the market takes", "units", ("P",), "products"),
        Parameter("gain", "yield of the product from a barrel", "units", ("P", "R"), "yields"),
    ),
    groups=(
        Group("run", "for r in R", "number of barrels run", "continuous", "barrels",
              lower="standing[r]", upper="offered[r]"),
        Group("sell", "for p in P", "amount sold", "continuous", "units", upper="market[p]"),
    ),
    objective=Objective(
        "maximize", "sum(price[p] * sell[p] for p in P) - sum(cost[r] * run[r] for r in R)",
        "the price of all that is sold minus the cost of all barrels run", "dollars",
    ),
    families=(
        Family("yield_limit", "for p in P", "sell[p] <= sum(gain[p, r] * run[r] for r in R)",
               "no more is sold than all barrels run yield", Semantic.UPPER_PROPORTION,
               Scaffold.SINGLE_LOOP),
        Family("contract", "for p in P", "sell[p] >= due[p]",
               "at least the amount due by contract is sold", Semantic.LOWER_BOUND,
               Scaffold.SINGLE_LOOP),
        Family("works_size", "", "sum(run[r] for r in R) <= plant_size",
               "at most {plant_size} are run in all", Semantic.UPPER_SUM, Scaffold.GLOBAL),
        Family("boiler_steam", "", "sum(steam[r] * run[r] for r in R) <= boiler",
               "all barrels run need at most {boiler} of steam", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
        Family("pipeline_minimum", "", "sum(run[r] for r in R) >= pipeline",
               "at least {pipeline} are run in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
    ),
    files={"yields": "what a barrel of each oil yields of each product"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Contracts below and limits above what a hidden plan makes."""
    n, m = int(knobs["n_oils"]), int(knobs["n_products"])
    plan = 5 * rng.integers(4, 13, n)
    gain, steam = rng.integers(1, 6, (m, n)), rng.integers(2, 10, n)
    made = gain @ plan
    due = under(made * rng.uniform(0.85, 0.97, m))
    # Even the richest oil alone would have to be run this much for the contracts.
    needed = float((due / gain.max(1)).max())
    return {
        "oils": {
            "oil": ids(n),
            "cost": plain(rng.integers(5, 21, n)),
            "steam": plain(steam),
            "standing": plain(np.where(rng.random(n) < 0.4, under(plan * 0.4), 0)),
            "offered": plain(above(plan * rng.uniform(1.1, 1.4, n))),
        },
        "products": {
            "product": ids(m),
            "price": plain(rng.integers(8, 26, m)),
            "due": plain(due),
            "market": plain(above(made * rng.uniform(1.0, 1.2, m))),
        },
        "yields": {**cross(product=m, oil=n), "gain": plain(gain)},
        "parameters": row(
            plant_size=int(above(plan.sum() * rng.uniform(1.0, 1.06))),
            boiler=int(above(steam @ plan * rng.uniform(1.0, 1.06), 10)),
            pipeline=max(5, int(under(needed * rng.uniform(0.75, 0.95)))),
        ),
    }


TEMPLATE = Template(
    "refining",
    "Refining with yields",
    ("Production Planning and Scheduling Optimization", "Production Planning Problem"),
    (
        Knob("n_oils", "number of raw materials", (4, 6, 400), 1, 100_000),
        Knob("n_products", "number of products", (3, 6, 800), 1, 10_000),
    ),
    SPEC,
    draw,
)
