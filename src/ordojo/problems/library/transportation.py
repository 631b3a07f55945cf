"""Transportation: stocks to needs over lanes of limited size.

A hidden shipment lies within all limits.
"""

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import (
    TOWNS,
    Knob,
    Knobs,
    Rng,
    Template,
    above,
    cross,
    ids,
    plain,
    row,
    under,
)

SPEC = Spec(
    scenario=(
        "A grain dealer ships from its silos to mills. Each lane carries only so much, and the "
        "contract with the carrier asks for a least freight."
    ),
    sets=(
        Set("I", "silo", "silos", table="silos", key=("silo",), names=TOWNS),
        Set("J", "mill", "mills", table="mills", key=("mill",), names=TOWNS),
    ),
    parameters=(
        Parameter("least_freight", "least freight by the contract", "tons"),
        Parameter("stock", "grain in stock", "tons", ("I",), "silos"),
        Parameter("need", "grain needed", "tons", ("J",), "mills"),
        Parameter("dock", "most grain that the dock takes in", "tons", ("J",), "mills"),
        Parameter("price", "price of shipping a ton", "dollars", ("I", "J"), "lanes"),
        Parameter("lane_limit", "most grain that the lane carries", "tons", ("I", "J"), "lanes"),
    ),
    groups=(
        Group("ship", "for i in I for j in J", "grain shipped", "continuous", "tons",
              upper="lane_limit[i, j]"),
    ),
    objective=Objective(
        "minimize", "sum(price[i, j] * ship[i, j] for i in I for j in J)", "the price of shipping",
        "dollars",
    ),
    families=(
        Family("need_met", "for j in J", "sum(ship[i, j] for i in I) >= need[j]",
               "at least the grain needed arrives", Semantic.LOWER_SUM, Scaffold.SINGLE_LOOP),
        Family("stock_limit", "for i in I", "sum(ship[i, j] for j in J) <= stock[i]",
               "no more grain is shipped than is in stock", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("dock_limit", "for j in J", "sum(ship[i, j] for i in I) <= dock[j]",
               "no more grain arrives than the dock takes in", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("carrier_minimum", "", "sum(ship[i, j] for i in I for j in J) >= least_freight",
               "at least {least_freight} are shipped in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
    ),
    files={"lanes": "the lanes from silos to mills"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden shipment."""
    n, m = int(knobs["n_sources"]), int(knobs["n_sinks"])
    plan = 5 * rng.integers(2, 11, (n, m))
    need = under(plan.sum(0) * rng.uniform(0.9, 1.0, m))
    return {
        "silos": {"silo": ids(n), "stock": plain(above(plan.sum(1) * rng.uniform(1.0, 1.08, n)))},
        "mills": {
            "mill": ids(m),
            "need": plain(need),
            "dock": plain(above(plan.sum(0) * rng.uniform(1.05, 1.2, m))),
        },
        "lanes": {
            **cross(silo=n, mill=m),
            "price": plain(rng.integers(2, 19, (n, m))),
            "lane_limit": plain(above(plan * rng.uniform(1.1, 1.5, (n, m)))),
        },
        "parameters": row(least_freight=int(under(need.sum() * rng.uniform(0.8, 0.95)))),
    }


TEMPLATE = Template(
    "transportation",
    "Transportation over limited lanes",
    ("Transportation and Routing Optimization", "Transportation Problem"),
    (
        Knob("n_sources", "number of sources", (2, 5, 20), 1, 10_000),
        Knob("n_sinks", "number of destinations", (4, 10, 600), 1, 10_000),
    ),
    SPEC,
    draw,
)
