"""Vehicle loading: whole crates on vehicles within weight and space, orders covered.

A hidden loading lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A wholesaler loads crates of several goods on its vehicles. Weight and space are short, "
        "and what is ordered has to travel."
    ),
    sets=(
        Set("V", "vehicle", "vehicles", table="vehicles", key=("vehicle",),
            names=("truck", "van", "barge", "railcar", "trailer")),
        Set("C", "good", "goods", table="goods", key=("good",),
            names=("lamps", "tiles", "pumps", "books", "tyres", "drills", "chairs", "fridges",
                   "cables")),
    ),
    parameters=(
        Parameter("toll_minimum", "fewest crates for which the toll pass is valid", "crates"),
        Parameter("bears", "weight that the vehicle bears", "tons", ("V",), "vehicles"),
        Parameter("space", "space in the vehicle", "cubic meters", ("V",), "vehicles"),
        Parameter("value", "value of a crate", "dollars", ("C",), "goods"),
        Parameter("weight", "weight of a crate", "tons", ("C",), "goods"),
        Parameter("volume", "volume of a crate", "cubic meters", ("C",), "goods"),
        Parameter("ordered", "crates ordered", "crates", ("C",), "goods"),
        Parameter("room", "most crates of the good in the vehicle", "crates", ("V", "C"), "rooms"),
    ),
    groups=(
        Group("load", "for v in V for c in C", "number of crates loaded", "integer", "crates",
              upper="room[v, c]"),
    ),
    objective=Objective(
        "maximize", "sum(value[c] * load[v, c] for v in V for c in C)", "the value of all crates",
        "dollars",
    ),
    families=(
        Family("weight_limit", "for v in V", "sum(weight[c] * load[v, c] for c in C) <= bears[v]",
               "its crates weigh no more than the vehicle bears", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.SINGLE_LOOP),
        Family("space_limit", "for v in V", "sum(volume[c] * load[v, c] for c in C) <= space[v]",
               "its crates fill no more than the space in the vehicle",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("order_met", "for c in C", "sum(load[v, c] for v in V) >= ordered[c]",
               "all vehicles together carry at least the crates ordered", Semantic.LOWER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("toll_pass", "", "sum(load[v, c] for v in V for c in C) >= toll_minimum",
               "at least {toll_minimum} travel in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
    ),
    files={"rooms": "how many crates of each good each vehicle has room for"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden loading."""
    n, m = int(knobs["n_vehicles"]), int(knobs["n_goods"])
    plan = rng.integers(2, 9, (n, m))
    weight, volume = rng.integers(2, 13, m), rng.integers(1, 9, m)
    ordered = np.maximum(2, plan.sum(0) - rng.integers(0, 3, m))
    return {
        "vehicles": {
            "vehicle": ids(n),
            "bears": plain(above(plan @ weight * rng.uniform(1.0, 1.08, n))),
            "space": plain(above(plan @ volume * rng.uniform(1.0, 1.08, n), 2)),
        },
        "goods": {
            "good": ids(m),
            "value": plain(5 * rng.integers(2, 13, m)),
            "weight": plain(weight),
            "volume": plain(volume),
            "ordered": plain(ordered),
        },
        "rooms": {
            **cross(vehicle=n, good=m), "room": plain(plan + rng.integers(1, 4, (n, m)))
        },
        "parameters": row(toll_minimum=int(ordered.sum() - rng.integers(1, 5))),
    }  # fmt: skip


TEMPLATE = Template(
    "vehicle_loading",
    "Vehicle loading with orders",
    ("Cutting and Packing Optimization", "Knapsack Problem"),
    (
        Knob("n_vehicles", "number of vehicles", (2, 3, 20), 1, 10_000),
        Knob("n_goods", "number of goods", (4, 8, 60), 1, 10_000),
    ),
    SPEC,
    draw,
)
