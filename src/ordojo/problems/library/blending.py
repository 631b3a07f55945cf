"""Blending with least and most shares of the ingredients in each blend.

A hidden blend of each product obeys the shares; supplies cover it.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A coffee roaster mixes its blends from beans of several origins. For taste, each origin "
        "must make up a share of each blend that is neither too small nor too large."
    ),
    sets=(
        Set("I", "origin", "origins", table="origins", key=("origin",)),
        Set("B", "blend", "blends", table="blends", key=("blend",)),
    ),
    parameters=(
        Parameter("most_caffeine", "most caffeine in all blends together", "grams"),
        Parameter("sack_size", "amount of beans in a sack", "kilograms"),
        Parameter("supply", "beans on offer", "kilograms", ("I",), "origins"),
        Parameter("price", "price of beans", "dollars per kilogram", ("I",), "origins"),
        Parameter("caffeine", "caffeine of beans", "grams per kilogram", ("I",), "origins"),
        Parameter("order", "amount ordered", "kilograms", ("B",), "blends"),
        Parameter("revenue", "revenue", "dollars per kilogram", ("B",), "blends"),
        Parameter("least_share", "least share of the origin", "", ("I", "B"), "shares"),
        Parameter("most_share", "largest share of the origin", "", ("I", "B"), "shares"),
    ),
    groups=(
        Group("used", "for i in I for b in B", "amount of beans used in a blend", "continuous",
              "kilograms"),
        Group("made", "for b in B", "amount of a blend that is made", "continuous", "kilograms"),
        Group("bought", "for i in I", "number of sacks bought", "integer", "sacks"),
    ),
    objective=Objective(
        "maximize",
        "sum(revenue[b] * made[b] for b in B) - sum(price[i] * used[i, b] for i in I for b in B)"
        " - sum(bought[i] for i in I)",
        "the revenue from all blends minus the price of the beans used, and minus a dollar for "
        "each sack bought", "dollars",
    ),
    families=(
        Family("blend_made", "for b in B", "made[b] == sum(used[i, b] for i in I)",
               "the amount made is the sum of the beans of all origins used in it",
               Semantic.AGGREGATION, Scaffold.SINGLE_LOOP),
        Family("share_floor", "for i in I for b in B",
               "used[i, b] >= least_share[i, b] * sum(used[k, b] for k in I)",
               "the beans of the origin are at least their least share of all beans in the blend",
               Semantic.LOWER_PROPORTION, Scaffold.NESTED_LOOP),
        Family("share_cap", "for i in I for b in B",
               "used[i, b] <= most_share[i, b] * sum(used[k, b] for k in I)",
               "the beans of the origin are at most their largest share of all beans in the blend",
               Semantic.UPPER_PROPORTION, Scaffold.NESTED_LOOP),
        Family("order_met", "for b in B", "made[b] >= order[b]",
               "at least the amount ordered is made", Semantic.LOWER_BOUND, Scaffold.SINGLE_LOOP),
        Family("supply_limit", "for i in I", "sum(used[i, b] for b in B) <= supply[i]",
               "no more beans are used in all blends than are on offer", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("sacks", "for i in I", "sum(used[i, b] for b in B) <= sack_size * bought[i]",
               "the beans used come out of the sacks bought, of {sack_size} kilograms each",
               Semantic.LOWER_PROPORTION, Scaffold.SINGLE_LOOP),
        Family("caffeine_limit", "",
               "sum(caffeine[i] * used[i, b] for i in I for b in B) <= most_caffeine",
               "all blends together hold at most {most_caffeine} of caffeine",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
    ),
    files={"shares": "the shares of each origin in each blend"},
)  # fmt: skip

WORDS = Words(
    who="a coffee roaster",
    tellings=(
        "In a blend of coffee, taste is a matter of proportion: a coffee roaster may give each "
        "origin of beans neither too small nor too large a part of any blend.",
    ),
    nouns=("origin region plantation estate farm", "blend mixture label roast"),
    goals=(
        Objective("minimize", "sum(price[i] * used[i, b] for i in I for b in B)",
                  "the price of all beans"),
        Objective("maximize", "sum(revenue[b] * made[b] for b in B)",
                  "the revenue from all blends"),
        Objective("maximize", "sum(made[b] for b in B)", "the amount of all blends that are made"),
        Objective("minimize", "sum(bought[i] for i in I)", "the number of all sacks bought"),
    ),
    rules={
        "blend_made": ("amounts made", "the amount made minus the beans that are used in it"),
        "share_cap": ("largest shares",),
        "sacks": ("sacks",),
        "share_floor": ("least shares",),
        "order_met": ("orders", "the amount that is made", "the amount ordered"),
        "supply_limit": ("supply", "the amount of the origin's beans that goes into all blends",
                         "the beans on offer"),
        "caffeine_limit": ("caffeine", "the caffeine in all blends together",
                           "{most_caffeine} of caffeine"),
    },
    optional=("caffeine_limit", "sacks"),
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Shares around a hidden recipe."""
    n, m = int(knobs["n_ingredients"]), int(knobs["n_blends"])
    recipe = rng.dirichlet(np.full(n, 3.0), m).T
    least = np.floor(recipe * rng.uniform(0.3, 0.8, (n, m)) * 100) / 100
    most = np.ceil(np.minimum(recipe * rng.uniform(1.2, 2.0, (n, m)), 1.0) * 100) / 100
    order = rng.integers(20, 81, m)
    need = recipe @ order
    caffeine = rng.integers(8, 25, n)
    return {
        "origins": {
            "origin": ids(n),
            "supply": plain(np.ceil(need * rng.uniform(1.0, 1.6, n)).astype(np.int64)),
            "price": plain(rng.integers(4, 12, n)),
            "caffeine": plain(caffeine),
        },
        "blends": {
            "blend": ids(m),
            "order": plain(order),
            "revenue": plain(rng.integers(10, 25, m)),
        },
        "shares": {
            **cross(origin=n, blend=m),
            "least_share": plain(least),
            "most_share": plain(most),
        },
        "parameters": row(most_caffeine=int(np.ceil(caffeine @ need * 1.2)), sack_size=25),
    }


TEMPLATE = Template(
    "blending",
    "Blending with shares",
    ("Cutting and Packing Optimization", "Blending Problem"),
    (
        Knob("n_ingredients", "number of ingredients", (4, 8, 20), 2, 1000),
        Knob("n_blends", "number of blends", (3, 6, 15), 1, 1000),
    ),
    SPEC,
    draw,
    words=WORDS,
)
