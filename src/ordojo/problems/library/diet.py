"""Diet: the cheapest servings that meet needs, a span of energy and the space to keep them.

A hidden menu meets everything.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A canteen plans its weekly menu from foods of known price. The menu has to meet the needs "
        "for several nutrients, and its energy may be neither too little nor too much."
    ),
    sets=(
        Set("F", "food", "foods", table="foods", key=("food",),
            names=("oats", "lentils", "spinach", "eggs", "rice", "milk", "bread", "tofu", "carrots",
                   "yoghurt", "beans", "apples")),
        Set("N", "nutrient", "nutrients", table="nutrients", key=("nutrient",),
            names=("protein", "iron", "calcium", "fibre", "zinc", "folate")),
        Set("C", "fresh food", "fresh foods", table="fresh", key=("food",)),
    ),
    parameters=(
        Parameter("least_energy", "least energy of the menu", "kilocalories"),
        Parameter("most_energy", "most energy of the menu", "kilocalories"),
        Parameter("cold_space", "most servings of fresh foods that can be kept", "servings"),
        Parameter("price", "price of a serving", "cents", ("F",), "foods"),
        Parameter("energy", "energy of a serving", "kilocalories", ("F",), "foods"),
        Parameter("larder", "most servings that there are", "servings", ("F",), "foods"),
        Parameter("need", "amount of the nutrient that is needed", "units", ("N",), "nutrients"),
        Parameter("content", "content of the nutrient in a serving", "units", ("N", "F"),
                  "contents"),
    ),
    groups=(
        Group("serve", "for f in F", "number of servings", "continuous", "servings",
              upper="larder[f]"),
    ),
    objective=Objective(
        "minimize", "sum(price[f] * serve[f] for f in F)", "the price of the menu", "cents"
    ),
    families=(
        Family("nutrient_need", "for n in N", "sum(content[n, f] * serve[f] for f in F) >= need[n]",
               "the menu has at least the amount of the nutrient that is needed",
               Semantic.LOWER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("energy_floor", "", "sum(energy[f] * serve[f] for f in F) >= least_energy",
               "the energy of all servings is at least {least_energy}",
               Semantic.LOWER_WEIGHTED_SUM, Scaffold.GLOBAL),
        Family("energy_ceiling", "", "sum(energy[f] * serve[f] for f in F) <= most_energy",
               "the energy of all servings is at most {most_energy}",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
        Family("cold_room", "", "sum(serve[f] for f in C) <= cold_space",
               "the cold room keeps at most {cold_space} of fresh foods together",
               Semantic.UPPER_SUM, Scaffold.GLOBAL),
    ),
    files={
        "fresh": "the foods that have to be kept fresh",
        "contents": "what a serving of each food has of each nutrient",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Needs and limits around a hidden menu."""
    n, m = int(knobs["n_foods"]), int(knobs["n_nutrients"])
    plan = rng.integers(3, 13, n)
    energy = 10 * rng.integers(6, 36, n)
    content = rng.integers(1, 10, (m, n))
    fresh = np.sort(rng.permutation(n)[: max(2, n // 4)])
    return {
        "foods": {
            "food": ids(n),
            "price": plain(rng.integers(15, 91, n)),
            "energy": plain(energy),
            "larder": plain(plan + rng.integers(1, 7, n)),
        },
        "nutrients": {
            "nutrient": ids(m),
            "need": plain(under(content @ plan * rng.uniform(0.92, 1.0, m), 2)),
        },
        "fresh": {"food": plain(fresh + 1)},
        "contents": {**cross(nutrient=m, food=n), "content": plain(content)},
        "parameters": row(
            least_energy=int(under(energy @ plan * rng.uniform(0.6, 0.8), 50)),
            most_energy=int(above(energy @ plan * rng.uniform(1.0, 1.06), 50)),
            cold_space=int(plan[fresh].sum()),
        ),
    }


TEMPLATE = Template(
    "diet",
    "Diet with a span of energy",
    ("Cutting and Packing Optimization", "Blending Problem"),
    (
        Knob("n_foods", "number of foods", (6, 15, 800), 2, 100_000),
        Knob("n_nutrients", "number of nutrients", (3, 8, 1000), 1, 10_000),
    ),
    SPEC,
    draw,
)
