"""Transshipment: goods pass from plants through hubs to stores, and hubs keep nothing.

A hidden flow lies within all limits.
"""

import numpy as np

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
        "A maker of bicycles sends crates from its plants through hubs to stores. A hub keeps "
        "nothing: what comes in goes out again."
    ),
    sets=(
        Set("P", "plant", "plants", table="plants", key=("plant",), names=TOWNS),
        Set("H", "hub", "hubs", table="hubs", key=("hub",), names=TOWNS),
        Set("S", "store", "stores", table="stores", key=("store",), names=TOWNS),
    ),
    parameters=(
        Parameter("least_sent", "least number of crates sent by all plants", "crates"),
        Parameter("supply", "crates that the plant can send", "crates", ("P",), "plants"),
        Parameter("space", "most crates that can pass through the hub", "crates", ("H",), "hubs"),
        Parameter("need", "crates that the store needs", "crates", ("S",), "stores"),
        Parameter("in_price", "price of a crate from plant to hub", "dollars", ("P", "H"),
                  "inward"),
        Parameter("in_limit", "most crates from plant to hub", "crates", ("P", "H"), "inward"),
        Parameter("out_price", "price of a crate from hub to store", "dollars", ("H", "S"),
                  "outward"),
        Parameter("out_limit", "most crates from hub to store", "crates", ("H", "S"), "outward"),
    ),
    groups=(
        Group("bring", "for p in P for h in H", "number of crates from the plant to the hub",
              "continuous", "crates", upper="in_limit[p, h]"),
        Group("send", "for h in H for s in S", "number of crates from the hub to the store",
              "continuous", "crates", upper="out_limit[h, s]"),
    ),
    objective=Objective(
        "minimize",
        "sum(in_price[p, h] * bring[p, h] for p in P for h in H)"
        " + sum(out_price[h, s] * send[h, s] for h in H for s in S)",
        "the price of all crates moved", "dollars",
    ),
    families=(
        Family("supply_limit", "for p in P", "sum(bring[p, h] for h in H) <= supply[p]",
               "no more crates leave the plant than it can send", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("hub_space", "for h in H", "sum(bring[p, h] for p in P) <= space[h]",
               "no more crates come in than can pass through", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("hub_flow", "for h in H",
               "sum(bring[p, h] for p in P) == sum(send[h, s] for s in S)",
               "as many crates go out as come in", Semantic.EQUALITY, Scaffold.SINGLE_LOOP),
        Family("need_met", "for s in S", "sum(send[h, s] for h in H) >= need[s]",
               "the store gets at least the crates that it needs", Semantic.LOWER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("plants_minimum", "", "sum(bring[p, h] for p in P for h in H) >= least_sent",
               "the plants send at least {least_sent} together", Semantic.LOWER_SUM,
               Scaffold.GLOBAL),
    ),
    files={"inward": "the lanes from plants to hubs", "outward": "the lanes from hubs to stores"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden flow."""
    n, m, k = (int(knobs[name]) for name in ("n_plants", "n_hubs", "n_stores"))
    out = 5 * rng.integers(2, 9, (m, k))
    through = out.sum(1)
    # What a hub passes on is split over the plants, in fives.
    into = np.array([5 * rng.multinomial(total // 5, np.full(n, 1 / n)) for total in through]).T
    need = under(out.sum(0) * rng.uniform(0.92, 1.0, k))
    return {
        "plants": {
            "plant": ids(n), "supply": plain(above(into.sum(1) * rng.uniform(1.0, 1.08, n) + 1))
        },
        "hubs": {"hub": ids(m), "space": plain(above(through * rng.uniform(1.02, 1.12, m)))},
        "stores": {"store": ids(k), "need": plain(need)},
        "inward": {
            **cross(plant=n, hub=m),
            "in_price": plain(rng.integers(2, 13, (n, m))),
            "in_limit": plain(above(into * rng.uniform(1.1, 1.5, (n, m)) + 1)),
        },
        "outward": {
            **cross(hub=m, store=k),
            "out_price": plain(rng.integers(2, 13, (m, k))),
            "out_limit": plain(above(out * rng.uniform(1.1, 1.5, (m, k)))),
        },
        "parameters": row(least_sent=int(under(need.sum() * rng.uniform(0.8, 0.95)))),
    }  # fmt: skip


TEMPLATE = Template(
    "transshipment",
    "Transshipment through hubs",
    ("Transportation and Routing Optimization", "Transportation Problem"),
    (
        Knob("n_plants", "number of plants", (2, 4, 20), 1, 10_000),
        Knob("n_hubs", "number of hubs", (2, 4, 20), 1, 10_000),
        Knob("n_stores", "number of stores", (3, 8, 1000), 1, 10_000),
    ),
    SPEC,
    draw,
)
