"""Product mix: products share resources, with orders below and markets above.

A hidden plan lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A workshop plans how much to make of each of its products. They share resources; signed "
        "orders have to be met, and the market takes only so much."
    ),
    sets=(
        Set("I", "product", "products", table="products", key=("product",),
            names=("chair", "table", "shelf", "desk", "bench", "stool", "cradle", "chest")),
        Set("R", "resource", "resources", table="resources", key=("resource",),
            names=("lathe", "oak", "paint", "assembly", "packing", "glue")),
    ),
    parameters=(
        Parameter("least_output", "least output of all products together, by the lease", "pieces"),
        Parameter("most_output", "most pieces that the store holds", "pieces"),
        Parameter("profit", "profit of a piece", "dollars", ("I",), "products"),
        Parameter("ordered", "pieces ordered", "pieces", ("I",), "products"),
        Parameter("market", "most pieces that the market takes", "pieces", ("I",), "products"),
        Parameter("available", "amount of the resource that there is", "units", ("R",),
                  "resources"),
        Parameter("use", "use of the resource by a piece", "units", ("R", "I"), "uses"),
    ),
    groups=(
        Group("make", "for i in I", "number of pieces made", "continuous", "pieces",
              upper="market[i]"),
    ),
    objective=Objective(
        "maximize", "sum(profit[i] * make[i] for i in I)", "the profit of all pieces", "dollars"
    ),
    families=(
        Family("resource_limit", "for r in R",
               "sum(use[r, i] * make[i] for i in I) <= available[r]",
               "all products together use no more of the resource than there is",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("order_met", "for i in I", "make[i] >= ordered[i]",
               "at least the pieces ordered are made", Semantic.LOWER_BOUND, Scaffold.SINGLE_LOOP),
        Family("lease_minimum", "", "sum(make[i] for i in I) >= least_output",
               "by the lease of the hall at least {least_output} are made in all",
               Semantic.LOWER_SUM, Scaffold.GLOBAL),
        Family("store_room", "", "sum(make[i] for i in I) <= most_output",
               "the store holds at most {most_output} in all",
               Semantic.UPPER_SUM, Scaffold.GLOBAL),
    ),
    files={"uses": "what a piece of each product uses of each resource"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Orders below a hidden plan, markets and resources above it."""
    n, m = int(knobs["n_products"]), int(knobs["n_resources"])
    plan = 5 * rng.integers(4, 13, n)
    use = rng.integers(1, 7, (m, n))
    ordered = np.maximum(5, under(plan * rng.uniform(0.6, 0.9, n)))
    return {
        "products": {
            "product": ids(n),
            "profit": plain(rng.integers(6, 41, n)),
            "ordered": plain(ordered),
            "market": plain(above(plan * rng.uniform(1.15, 1.5, n))),
        },
        "resources": {
            "resource": ids(m),
            "available": plain(above(use @ plan * rng.uniform(1.02, 1.12, m), 10)),
        },
        "uses": {**cross(resource=m, product=n), "use": plain(use)},
        "parameters": row(
            least_output=int(under(ordered.sum() * rng.uniform(0.75, 0.95))),
            most_output=int(above(plan.sum() * rng.uniform(1.05, 1.2))),
        ),
    }


TEMPLATE = Template(
    "product_mix",
    "Product mix with orders and markets",
    ("Production Planning and Scheduling Optimization", "Production Planning Problem"),
    (
        Knob("n_products", "number of products", (5, 12, 1500), 1, 100_000),
        Knob("n_resources", "number of resources", (3, 6, 40), 1, 10_000),
    ),
    SPEC,
    draw,
)
