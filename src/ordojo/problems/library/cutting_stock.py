"""Cutting stock over given patterns, with a least use of some and a limit on waste.

Patterns are drawn at random; a hidden number of runs of each gives the demand.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, ids, plain, row

SPEC = Spec(
    scenario=(
        "A paper mill cuts jumbo rolls into narrower widths. The knives can be set to a number of "
        "patterns, each of which says how many rolls of each width come out of one jumbo roll "
        "and how much is left over as trim."
    ),
    sets=(
        Set("W", "width", "widths", table="widths", key=("width",)),
        Set("P", "pattern", "patterns", table="patterns", key=("pattern",)),
        Set("Y", "yield", "yields", table="yields", key=("width", "pattern"), parts=("W", "P")),
    ),
    parameters=(
        Parameter("most_trim", "most trim that may be left over in all", "centimeters"),
        Parameter("demand", "rolls of a width that are ordered", "rolls", ("W",), "widths"),
        Parameter("cost", "cost of cutting a jumbo roll", "dollars", ("P",), "patterns"),
        Parameter("trim", "trim of a pattern", "centimeters", ("P",), "patterns"),
        Parameter("most_runs", "most jumbo rolls cut to a pattern", "rolls", ("P",), "patterns"),
        Parameter("rolls", "rolls of the width in the pattern", "rolls", ("Y",), "yields"),
    ),
    groups=(
        Group("runs", "for p in P", "number of jumbo rolls cut to a pattern", "integer", "rolls"),
    ),
    objective=Objective(
        "minimize", "sum(cost[p] * runs[p] for p in P)", "the cost of cutting all jumbo rolls",
        "dollars",
    ),
    families=(
        Family("orders_met", "for w in W",
               "sum(rolls[v, p] * runs[p] for (v, p) in Y if v == w) >= demand[w]",
               "at least the rolls of this width that are ordered are cut",
               Semantic.LOWER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("run_limit", "for p in P", "runs[p] <= most_runs[p]",
               "no more jumbo rolls are cut to this pattern than allowed", Semantic.UPPER_BOUND,
               Scaffold.SINGLE_LOOP),
        Family("trim_limit", "", "sum(trim[p] * runs[p] for p in P) <= most_trim",
               "all trim together is at most {most_trim}", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
    ),
    files={"yields": "how many rolls of a width come out of a pattern"},
)  # fmt: skip

WORDS = Words(
    who="a paper mill",
    tellings=(
        "Customers of a paper mill order rolls of several widths, which are cut from jumbo rolls. "
        "How the knives can be set is fixed in a list of patterns: each gives certain rolls of "
        "certain widths, and some trim.",
    ),
    nouns=("width format gauge grade", "pattern layout knife_setting cutting_scheme"),
    goals=(
        Objective("minimize", "sum(runs[p] for p in P)", "the number of jumbo rolls cut"),
        Objective("minimize", "sum(trim[p] * runs[p] for p in P)", "the trim of all patterns"),
        Objective("maximize", "sum(rolls[w, p] * runs[p] for (w, p) in Y)",
                  "the number of narrow rolls that are cut"),
    ),
    rules={
        "orders_met": ("orders", "the number of rolls of the width that are cut", "the demand"),
        "run_limit": ("runs", "the number of jumbo rolls cut to the pattern",
                      "the number of runs agreed for it"),
        "trim_limit": ("trim", "all trim taken together", "{most_trim}"),
    },
    pairs={"Y": "pattern and each width that it yields"},
    optional=("trim_limit",),
    scenes={
        "trim_limit": (" and how much is left over as trim", ""),
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Patterns with up to four widths, demand from hidden runs."""
    n, m = int(knobs["n_widths"]), int(knobs["n_patterns"])
    made = np.zeros((n, m), np.int64)
    for p in range(m):
        chosen = rng.permutation(n)[: int(rng.integers(1, min(n, 4) + 1))]
        made[chosen, p] = rng.integers(1, 5, len(chosen))
    for w in np.flatnonzero(made.sum(1) == 0):
        made[w, int(rng.integers(m))] = int(rng.integers(1, 5))
    runs = rng.integers(0, 9, m)
    most = runs + rng.integers(1, 9, m)
    trim = rng.integers(0, 13, m)
    pairs = np.argwhere(made)
    return {
        "widths": {"width": ids(n), "demand": plain(np.maximum(made @ runs, 1))},
        "patterns": {
            "pattern": ids(m),
            "cost": plain(rng.integers(40, 90, m)),
            "trim": plain(trim),
            "most_runs": plain(most),
        },
        "yields": {
            "width": plain(pairs[:, 0] + 1),
            "pattern": plain(pairs[:, 1] + 1),
            "rolls": plain(made[pairs[:, 0], pairs[:, 1]]),
        },
        "parameters": row(most_trim=int(trim @ (runs + 1))),
    }


TEMPLATE = Template(
    "cutting_stock",
    "Cutting stock over given patterns",
    ("Cutting and Packing Optimization", "Cutting Stock Problem"),
    (
        Knob("n_widths", "number of widths", (6, 12, 20), 1, 10_000),
        Knob("n_patterns", "number of patterns", (14, 30, 50), 1, 100_000),
    ),
    SPEC,
    draw,
    words=WORDS,
)
