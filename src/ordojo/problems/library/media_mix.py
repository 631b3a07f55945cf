"""Media mix: slots in channels that reach audiences within a budget.

A hidden plan of slots lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "An agency books advertising slots in several channels. The budget binds them, every "
        "audience has to be reached often enough, and outdoor channels may not be overdone."
    ),
    sets=(
        Set("C", "channel", "channels", table="channels", key=("channel",),
            names=("radio", "cinema", "posters", "magazines", "podcasts", "newspapers", "buses",
                   "search", "television", "flyers")),
        Set("G", "audience", "audiences", table="audiences", key=("audience",),
            names=("students", "parents", "pensioners", "commuters", "gardeners", "cyclists")),
        Set("O", "outdoor channel", "outdoor channels", table="outdoor", key=("channel",)),
    ),
    parameters=(
        Parameter("budget", "money that can be spent", "thousand dollars"),
        Parameter("least_slots", "fewest slots by the agency's contract", "slots"),
        Parameter("most_outdoor", "most slots in outdoor channels", "slots"),
        Parameter("response", "response to a slot", "points", ("C",), "channels"),
        Parameter("price", "price of a slot", "thousand dollars", ("C",), "channels"),
        Parameter("on_sale", "most slots on sale", "slots", ("C",), "channels"),
        Parameter("target", "contacts that the audience needs", "contacts", ("G",), "audiences"),
        Parameter("reach", "contacts with the audience by a slot", "contacts", ("G", "C"),
                  "reaches"),
    ),
    groups=(
        Group("book", "for c in C", "number of slots booked", "continuous", "slots",
              upper="on_sale[c]"),
        Group("total_spend", "", "total money spent", "continuous", "thousand dollars",
              upper="budget"),
    ),
    objective=Objective(
        "maximize", "sum(response[c] * book[c] for c in C)", "the response to all slots", "points"
    ),
    families=(
        Family("spend_sum", "", "total_spend == sum(price[c] * book[c] for c in C)",
               "the total money spent is the price of all slots booked",
               Semantic.AGGREGATION, Scaffold.GLOBAL),
        Family("audience_reached", "for g in G",
               "sum(reach[g, c] * book[c] for c in C) >= target[g]",
               "all slots together make at least the contacts that the audience needs",
               Semantic.LOWER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("agency_minimum", "", "sum(book[c] for c in C) >= least_slots",
               "at least {least_slots} are booked in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
        Family("outdoor_limit", "", "sum(book[c] for c in O) <= most_outdoor",
               "at most {most_outdoor} are booked in outdoor channels", Semantic.UPPER_SUM,
               Scaffold.GLOBAL),
    ),
    files={
        "outdoor": "the channels that are outdoors",
        "reaches": "which contacts a slot makes with each audience",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Targets below and the budget above a hidden plan."""
    n, m = int(knobs["n_channels"]), int(knobs["n_audiences"])
    plan = rng.integers(4, 13, n)
    price, reach = rng.integers(2, 16, n), rng.integers(1, 10, (m, n))
    outdoor = np.sort(rng.permutation(n)[: max(2, n // 3)])
    target = under(reach @ plan * rng.uniform(0.85, 0.97, m))
    # So many slots are needed anyway, for no slot makes more contacts than the best one.
    needed = float((target / reach.max(1)).max())
    return {
        "channels": {
            "channel": ids(n),
            "response": plain(5 * rng.integers(2, 13, n)),
            "price": plain(price),
            "on_sale": plain(plan + rng.integers(1, 6, n)),
        },
        "audiences": {"audience": ids(m), "target": plain(target)},
        "outdoor": {"channel": plain(outdoor + 1)},
        "reaches": {**cross(audience=m, channel=n), "reach": plain(reach)},
        "parameters": row(
            budget=int(above(price @ plan * rng.uniform(1.0, 1.05))),
            least_slots=max(1, int(needed * rng.uniform(0.8, 0.97))),
            most_outdoor=int(plan[outdoor].sum() + rng.integers(0, 3)),
        ),
    }


TEMPLATE = Template(
    "media_mix",
    "Media mix within a budget",
    ("Assignment and Resource Allocation Optimization", "Resource Allocation Problem"),
    (
        Knob("n_channels", "number of channels", (6, 15, 800), 2, 100_000),
        Knob("n_audiences", "number of audiences", (3, 8, 1000), 1, 10_000),
    ),
    SPEC,
    draw,
)
