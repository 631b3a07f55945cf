"""Crop planning: crops share land, water and work, with contracts and rotation.

A hidden plan of areas lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A farm divides its land among crops. Water and work are short, some crops are sold "
        "in advance, and rotation ties the area of one crop to that of another."
    ),
    sets=(
        Set("C", "crop", "crops", table="crops", key=("crop",),
            names=("wheat", "barley", "potatoes", "beets", "clover", "maize", "flax", "onions",
                   "rapeseed", "rye")),
        Set("D", "crop sold in advance", "crops sold in advance", table="contracts", key=("crop",)),
        Set("E", "early crop", "early crops", table="early", key=("crop",)),
        Set("Q", "rotation", "rotations", table="rotations", key=("crop", "other"),
            parts=("C", "C")),
    ),
    parameters=(
        Parameter("land", "land that there is", "hectares"),
        Parameter("canal", "water that the canal gives", "units"),
        Parameter("hands", "work that there is", "days"),
        Parameter("subsidy_area", "least area sown for the subsidy", "hectares"),
        Parameter("sowing", "most area of early crops that can be sown in time", "hectares"),
        Parameter("margin", "margin of a hectare", "dollars", ("C",), "crops"),
        Parameter("water", "water for a hectare", "units", ("C",), "crops"),
        Parameter("work", "work on a hectare", "days", ("C",), "crops"),
        Parameter("sown", "area sown already", "hectares", ("C",), "crops"),
        Parameter("suited", "area of suitable soil", "hectares", ("C",), "crops"),
        Parameter("sold", "area sold in advance", "hectares", ("D",), "contracts"),
        Parameter("factor", "most hectares of the first crop for each hectare of the second", "",
                  ("Q",), "rotations"),
    ),
    groups=(
        Group("grow", "for c in C", "area of the crop", "continuous", "hectares",
              lower="sown[c]", upper="suited[c]"),
        Group("land_used", "", "land used", "continuous", "hectares", upper="land"),
    ),
    objective=Objective(
        "maximize", "sum(margin[c] * grow[c] for c in C)", "the margin of all crops", "dollars"
    ),
    families=(
        Family("land_sum", "", "land_used == sum(grow[c] for c in C)",
               "the land used is the area of all crops together", Semantic.AGGREGATION,
               Scaffold.GLOBAL),
        Family("canal_water", "", "sum(water[c] * grow[c] for c in C) <= canal",
               "all crops together need at most {canal} of water", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
        Family("work_days", "", "sum(work[c] * grow[c] for c in C) <= hands",
               "all crops together need at most {hands} of work", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
        Family("contract", "for c in D", "grow[c] >= sold[c]",
               "at least the area sold in advance is grown", Semantic.LOWER_BOUND,
               Scaffold.SINGLE_LOOP),
        Family("subsidy_minimum", "", "sum(grow[c] for c in C) >= subsidy_area",
               "at least {subsidy_area} are sown in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
        Family("rotation_rule", "for (c, d) in Q", "grow[c] <= factor[c, d] * grow[d]",
               "the area of the first crop is at most that of the second times the hectares "
               "allowed for each of its hectares", Semantic.COMPARISON, Scaffold.PAIRWISE),
        Family("early_sowing", "", "sum(grow[c] for c in E) <= sowing",
               "at most {sowing} of early crops are sown", Semantic.UPPER_SUM, Scaffold.GLOBAL),
    ),
    files={
        "early": "the crops that are sown early", "rotations": "which crops rotation ties together",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden plan."""
    n = int(knobs["n_crops"])
    plan = 5 * rng.integers(2, 11, n)
    water, work = rng.integers(2, 10, n), rng.integers(3, 13, n)
    order = rng.permutation(n)
    due, early = np.sort(order[: max(1, n // 3)]), np.sort(order[-max(2, n // 3) :])
    sold = np.maximum(5, under(plan[due] * rng.uniform(0.75, 0.95, len(due))))
    one, two = order[0 : max(2, n // 2) : 2], order[1 : max(2, n // 2) : 2]
    pairs = [(int(a), int(b)) for a, b in zip(one, two, strict=False)]
    return {
        "crops": {
            "crop": ids(n),
            "margin": plain(5 * rng.integers(4, 19, n)),
            "water": plain(water),
            "work": plain(work),
            "sown": plain(np.where(rng.random(n) < 0.3, under(plan * 0.4), 0)),
            "suited": plain(above(plan * rng.uniform(1.15, 1.5, n))),
        },
        "contracts": {"crop": plain(due + 1), "sold": plain(sold)},
        "early": {"crop": plain(early + 1)},
        "rotations": {
            "crop": [a + 1 for a, _ in pairs],
            "other": [b + 1 for _, b in pairs],
            "factor": [max(2, int(-(-plan[a] // plan[b]))) for a, b in pairs],
        },
        "parameters": row(
            land=int(above(plan.sum() * rng.uniform(1.0, 1.06))),
            canal=int(above(water @ plan * rng.uniform(1.0, 1.06), 10)),
            hands=int(above(work @ plan * rng.uniform(1.0, 1.06), 10)),
            subsidy_area=max(5, int(under(sold.sum() * rng.uniform(0.75, 0.95)))),
            sowing=int(above(plan[early].sum() * rng.uniform(1.0, 1.1))),
        ),
    }


TEMPLATE = Template(
    "crop_planning",
    "Crop planning with contracts and rotation",
    ("Assignment and Resource Allocation Optimization", "Resource Allocation Problem"),
    (Knob("n_crops", "number of crops", (6, 15, 3000), 3, 100_000),),
    SPEC,
    draw,
)
