"""Maximal coverage: a few masts, as many people within reach as possible.

No mast and nobody reached is feasible.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, ids, plain, row

SPEC = Spec(
    scenario=(
        "A phone company may put up a few masts on candidate sites. Each site reaches certain "
        "villages, and a village counts as served once a mast reaches it."
    ),
    sets=(
        Set("J", "site", "sites", table="sites", key=("site",)),
        Set("I", "village", "villages", table="villages", key=("village",)),
        Set("R", "reach", "reaches", table="reach", key=("village", "site"), parts=("I", "J")),
    ),
    parameters=(
        Parameter("most_masts", "most masts that can be put up", "masts"),
        Parameter("budget", "money for masts", "thousand dollars"),
        Parameter("cost", "cost of a mast", "thousand dollars", ("J",), "sites"),
        Parameter("people", "people who live there", "people", ("I",), "villages"),
    ),
    groups=(
        Group("built", "for j in J", "decision whether a mast is put up", "binary"),
        Group("served", "for i in I", "decision whether a village counts as served", "binary"),
    ),
    objective=Objective("maximize", "sum(people[i] * served[i] for i in I)",
                        "the number of people in villages that are served", "people"),
    families=(
        Family("reached", "for i in I", "served[i] <= sum(built[j] for (v, j) in R if v == i)",
               "the village counts as served only if a mast is put up on a site that reaches it",
               Semantic.IMPLICATION, Scaffold.SUBSET),
        Family("mast_limit", "", "sum(built[j] for j in J) <= most_masts",
               "at most {most_masts} are put up", Semantic.UPPER_SUM, Scaffold.GLOBAL),
        Family("money", "", "sum(cost[j] * built[j] for j in J) <= budget",
               "all masts together cost at most {budget}", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
    ),
    files={"sites": "the candidate sites", "reach": "which site reaches which village"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Reach at random; each village is reached from somewhere."""
    n, m = int(knobs["n_sites"]), int(knobs["n_villages"])
    reach = rng.random((m, n)) < min(0.5, 4 / n)
    reach[np.arange(m), rng.integers(0, n, m)] = True
    village, site = np.nonzero(reach)
    cost = rng.integers(20, 61, n)
    most = max(1, n // 3)
    return {
        "sites": {"site": ids(n), "cost": plain(cost)},
        "villages": {"village": ids(m), "people": plain(rng.integers(50, 901, m))},
        "reach": {"village": plain(village + 1), "site": plain(site + 1)},
        "parameters": row(most_masts=most, budget=int(cost.mean() * most * 0.95)),
    }


TEMPLATE = Template(
    "coverage_location",
    "Maximal coverage with few sites",
    ("Location and Covering Optimization", "Maximal Covering Location Problem"),
    (
        Knob("n_sites", "number of candidate sites", (5, 12, 150), 2, 5000),
        Knob("n_villages", "number of villages", (8, 30, 1500), 2, 50_000),
    ),
    SPEC,
    draw,
)
