"""A round trip through all stops, with the order of visits (Miller, Tucker and Zemlin).

Any order of the stops is feasible.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A courier leaves the depot, calls once at every customer and comes back. Depot and "
        "customers are the stops; the depot is the first of them."
    ),
    sets=(
        Set("N", "stop", "stops", table="stops", key=("stop",)),
        Set("C", "customer", "customers", table="customers", key=("stop",)),
        Set("A", "leg", "legs", table="legs", key=("start", "goal"), parts=("N", "N")),
    ),
    parameters=(
        Parameter("last", "largest place that a customer can have in the order of visits"),
        Parameter("minutes", "time of driving a leg", "minutes", ("A",), "legs"),
    ),
    groups=(
        Group("driven", "for (i, j) in A", "decision whether a leg is driven", "binary"),
        Group("place", "for i in C", "place of a customer in the order of visits", "continuous",
              upper="last"),
    ),
    objective=Objective("minimize", "sum(minutes[i, j] * driven[i, j] for (i, j) in A)",
                        "the time of driving all legs", "minutes"),
    families=(
        Family("left_once", "for n in N", "sum(driven[i, j] for (i, j) in A if i == n) == 1",
               "exactly one leg that starts there is driven", Semantic.EXACTLY_ONE,
               Scaffold.SUBSET),
        Family("reached_once", "for n in N", "sum(driven[i, j] for (i, j) in A if j == n) == 1",
               "exactly one leg that ends there is driven", Semantic.EXACTLY_ONE, Scaffold.SUBSET),
        Family("in_order", "for i in C for j in C if i != j",
               "place[j] >= place[i] + 1 - last * (1 - driven[i, j])",
               "if the leg from the first to the second is driven, the second comes at least one "
               "place later; otherwise the rule is lifted by {last}", Semantic.INDICATOR,
               Scaffold.PAIRWISE, "for each customer and each other customer"),
    ),
    files={
        "stops": "the depot and the customers",
        "legs": "the legs between all stops, in both directions",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Stops in the plane."""
    n = int(knobs["n_customers"]) + 1
    at = rng.integers(0, 61, (n, 2))
    far = np.rint(np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))).astype(np.int64) + 1
    one, two = (np.array(column) for column in cross(one=n, two=n).values())
    apart = one != two
    return {
        "stops": {"stop": ids(n)},
        "customers": {"stop": plain(np.arange(2, n + 1))},
        "legs": {
            "start": plain(one[apart]),
            "goal": plain(two[apart]),
            "minutes": plain(far.ravel()[apart]),
        },
        "parameters": row(last=n - 1),
    }


TEMPLATE = Template(
    "round_trip",
    "Round trip with the order of visits",
    ("Network Flow Optimization", "Traveling Salesman Problem"),
    (Knob("n_customers", "number of customers", (5, 8, 30), 2, 200),),
    SPEC,
    draw,
)
