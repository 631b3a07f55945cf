"""Capacitated facility location with single sourcing.

Each customer is first given to a site, and the capacities leave that assignment feasible.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import TOWNS, Knob, Knobs, Rng, Template, Words, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A bakery chain decides which of its candidate kitchens to open and from which kitchen "
        "each shop is supplied. A shop gets everything from a single kitchen."
    ),
    sets=(
        Set("I", "shop", "shops", table="shops", key=("shop",), names=TOWNS),
        Set("J", "kitchen", "kitchens", table="kitchens", key=("kitchen",), names=TOWNS),
    ),
    parameters=(
        Parameter("most_kitchens", "most kitchens that can be opened", "kitchens"),
        Parameter("demand", "daily demand", "trays", ("I",), "shops"),
        Parameter("capacity", "daily capacity", "trays", ("J",), "kitchens"),
        Parameter("opening_cost", "cost of opening a kitchen", "dollars", ("J",), "kitchens"),
        Parameter("supply_cost", "cost of supplying a shop from a kitchen", "dollars", ("I", "J"),
                  "supply_costs"),
    ),
    groups=(
        Group("supplied", "for i in I for j in J",
              "decision whether a shop is supplied from a kitchen", "binary"),
        Group("opened", "for j in J", "decision whether a kitchen is opened", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(opening_cost[j] * opened[j] for j in J)"
        " + sum(supply_cost[i, j] * supplied[i, j] for i in I for j in J)",
        "the cost of opening kitchens plus the cost of supplying all shops", "dollars",
    ),
    families=(
        Family("one_kitchen", "for i in I", "sum(supplied[i, j] for j in J) == 1",
               "the shop is supplied from exactly one kitchen", Semantic.EXACTLY_ONE,
               Scaffold.SINGLE_LOOP),
        Family("kitchen_capacity", "for j in J",
               "sum(demand[i] * supplied[i, j] for i in I) <= capacity[j]",
               "the demand of the shops that the kitchen supplies stays within its capacity",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("only_if_opened", "for i in I for j in J", "supplied[i, j] <= opened[j]",
               "the shop is supplied from the kitchen only if that is opened", Semantic.IMPLICATION,
               Scaffold.NESTED_LOOP),
        Family("kitchen_limit", "", "sum(opened[j] for j in J) <= most_kitchens",
               "at most {most_kitchens} kitchens are opened", Semantic.UPPER_SUM, Scaffold.GLOBAL),
    ),
    files={
        "kitchens": "the candidate kitchens",
        "supply_costs": "what it costs to supply each shop from each kitchen",
    },
)  # fmt: skip

WORDS = Words(
    who="a bakery chain",
    tellings=(
        "Every shop of a bakery chain gets its goods from one kitchen and no other. Which of the "
        "sites for kitchens to open is as open as which shop to supply from where.",
    ),
    nouns=("shop cafe canteen kiosk", "kitchen bakehouse plant hub"),
    goals=(
        Objective("minimize", "sum(opened[j] for j in J)", "the number of kitchens opened"),
        Objective("minimize", "sum(supply_cost[i, j] * supplied[i, j] for i in I for j in J)",
                  "the cost of supplying all shops"),
        Objective("minimize", "sum(opening_cost[j] * opened[j] for j in J)",
                  "the cost of opening kitchens"),
        Objective("maximize", "sum(capacity[j] * opened[j] for j in J)",
                  "the capacity of all kitchens"),
    ),
    rules={
        "one_kitchen": ("supply", "the number of kitchens that supply the shop"),
        "kitchen_capacity": ("capacity", "the demand of the shops that the kitchen supplies",
                             "its capacity"),
        "only_if_opened": ("opened kitchens",),
        "kitchen_limit": ("opening", "the number of all kitchens opened", "{most_kitchens}"),
    },
    optional=("kitchen_capacity",),
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Shops and kitchens on a map; distances are costs."""
    n, m = int(knobs["n_customers"]), int(knobs["n_sites"])
    demand = rng.integers(5, 31, n)
    used = max(1, m // 2)
    given = rng.permutation(np.arange(n) % used)
    load = np.bincount(given, demand, m).astype(np.int64)
    capacity = load + rng.integers(15, 61, m) + np.where(load == 0, int(demand.sum()) // m, 0)
    here, there = rng.random((n, 2)), rng.random((m, 2))
    away = np.linalg.norm(here[:, None] - there[None], axis=2)
    return {
        "shops": {"shop": ids(n), "demand": plain(demand)},
        "kitchens": {
            "kitchen": ids(m),
            "capacity": plain(capacity),
            "opening_cost": plain(rng.integers(60, 181, m)),
        },
        "supply_costs": {
            **cross(shop=n, kitchen=m),
            "supply_cost": plain(1 + np.rint(away * demand[:, None] * 4).astype(np.int64)),
        },
        "parameters": row(most_kitchens=used + int(knobs["spare"])),
    }


TEMPLATE = Template(
    "facility_location",
    "Capacitated facility location with single sourcing",
    ("Facility Location Optimization", "Capacitated Facility Location Problem"),
    (
        Knob("n_customers", "number of customers", (10, 16, 30), 1, 10_000),
        Knob("n_sites", "number of candidate sites", (5, 6, 8), 2, 1000),
        Knob("spare", "sites that may be opened besides those needed", (0, 0, 0), 0, 1000),
    ),
    SPEC,
    draw,
    words=WORDS,
)
