"""Scheduling on shared machines: of each pair of jobs on a machine, one comes first (big-M).

Any order is feasible, as there are no deadlines.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, ids, plain, row

SPEC = Spec(
    scenario=(
        "A repair yard has several slips, and each vessel is due on a certain slip, where it "
        "stays without a break for as long as its repair takes. A slip holds one vessel at a "
        "time and has to be cleaned between two of them."
    ),
    sets=(
        Set("J", "vessel", "vessels", table="vessels", key=("vessel",)),
        Set("P", "pair", "pairs", table="pairs", key=("one", "other"), parts=("J", "J")),
    ),
    parameters=(
        Parameter("cleaning", "time of cleaning a slip between two vessels", "hours"),
        Parameter("horizon", "time by which everything could be done in any order", "hours"),
        Parameter("duration", "time of the repair", "hours", ("J",), "vessels"),
        Parameter("release", "time at which a vessel arrives", "hours", ("J",), "vessels"),
        Parameter("waiting_cost", "cost of each hour from time zero to the start",
                  "dollars per hour", ("J",), "vessels"),
        Parameter("closing_cost", "cost of keeping the yard open", "dollars per hour"),
    ),
    groups=(
        Group("start", "for j in J", "start of the repair, not before the vessel arrives",
              "continuous", "hours", "release[j]"),
        Group("first", "for (i, j) in P",
              "decision whether the first vessel of a pair goes before the other", "binary"),
        Group("finish", "", "time at which all repairs are done", "continuous", "hours"),
    ),
    objective=Objective(
        "minimize", "sum(waiting_cost[j] * start[j] for j in J) + closing_cost * finish",
        "the cost of all hours from time zero to the starts of the repairs plus the cost of "
        "keeping the yard open from time zero until all repairs are done", "dollars",
    ),
    families=(
        Family("one_before_other", "for (i, j) in P",
               "start[j] >= start[i] + duration[i] + cleaning - horizon * (1 - first[i, j])",
               "if the first vessel goes before the other, the other starts only when the first "
               "is done and the slip is clean; otherwise the rule is lifted by {horizon}",
               Semantic.INDICATOR, Scaffold.PAIRWISE),
        Family("other_before_one", "for (i, j) in P",
               "start[i] >= start[j] + duration[j] + cleaning - horizon * first[i, j]",
               "if the other vessel goes before the first, the first starts only when the other "
               "is done and the slip is clean; otherwise the rule is lifted by {horizon}",
               Semantic.INDICATOR, Scaffold.PAIRWISE),
        Family("all_done", "for j in J", "finish >= start[j] + duration[j]",
               "all repairs are done no earlier than this vessel's", Semantic.COMPARISON,
               Scaffold.SINGLE_LOOP),
    ),
    files={"pairs": "each pair of vessels that are due on the same slip, once"},
)  # fmt: skip

WORDS = Words(
    who="a repair yard",
    tellings=(
        "Vessels come to a repair yard for repairs, each to a slip that is fixed in advance. Once "
        "begun, a repair goes on to its end; nobody else has the slip in that time, and it is "
        "cleaned before the next vessel comes.",
    ),
    nouns=("vessel ship boat ferry/ferries tug", "slip dock berth cradle ramp"),
    goals=(
        Objective("minimize", "finish", "the time at which all repairs are done"),
        Objective("minimize", "sum(start[j] for j in J)", "the sum of all starting times"),
        Objective("minimize", "sum(waiting_cost[j] * start[j] for j in J)",
                  "the cost of all starting times"),
        Objective("maximize", "sum(first[i, j] for (i, j) in P)",
                  "the number of pairs whose first vessel goes first"),
    ),
    rules={
        "other_before_one": ("second vessels",
                             "the time between two starts, plus the lifting if the first goes "
                             "first"),
        "one_before_other": ("first vessels",
                             "the time between two starts, minus the lifting if the first goes "
                             "first"),
        "all_done": ("end", "the time from the start of the repair to the end of all repairs",
                     "the time of the repair"),
    },
    pairs={"P": "pair of vessels due on the same slip"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Jobs spread over machines at random."""
    n, machines = int(knobs["n_jobs"]), int(knobs["n_machines"])
    place = rng.permutation(np.arange(n) % machines)
    pairs = [(i + 1, j + 1) for i in range(n) for j in range(i + 1, n) if place[i] == place[j]]
    duration, release = rng.integers(4, 31, n), rng.integers(0, 4 * n, n)
    cleaning = int(rng.integers(1, 5))
    return {
        "vessels": {
            "vessel": ids(n),
            "duration": plain(duration),
            "release": plain(release),
            "waiting_cost": plain(rng.integers(1, 13, n)),
        },
        "pairs": {"one": [i for i, _ in pairs], "other": [j for _, j in pairs]},
        "parameters": row(
            cleaning=cleaning,
            horizon=int(duration.sum() + release.max() + n * cleaning),
            closing_cost=int(rng.integers(5, 31)),
        ),
    }


TEMPLATE = Template(
    "disjunctive_scheduling",
    "Disjunctive scheduling of pairs on shared machines",
    ("Disjunctive and Pairwise Scheduling", "Pairwise Disjunctive Scheduling"),
    (
        Knob("n_jobs", "number of jobs", (6, 12, 24), 2, 2000),
        Knob("n_machines", "number of machines", (1, 2, 4), 1, 1000),
    ),
    SPEC,
    draw,
    lambda knobs: (
        "" if knobs["n_jobs"] > knobs["n_machines"] else "let there be more jobs than machines"
    ),
    words=WORDS,
)
