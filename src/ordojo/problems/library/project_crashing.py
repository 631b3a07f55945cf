"""Project crashing: activities in a partial order, shortened for money, by a deadline.

With every activity as short as it can be the deadline is kept.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, ids, plain, row

SPEC = Spec(
    scenario=(
        "A builder has promised a house by a deadline. Some activities have to wait for others, "
        "and each can be shortened, to a degree and for money."
    ),
    sets=(
        Set("J", "activity", "activities", table="activities", key=("activity",)),
        Set("P", "precedence", "precedences", table="precedences", key=("before", "after"),
            parts=("J", "J")),
    ),
    parameters=(
        Parameter("deadline", "time by which all has to be done", "days"),
        Parameter("overhead", "cost of the site", "dollars per day"),
        Parameter("duration", "usual duration", "days", ("J",), "activities"),
        Parameter("most_cut", "most days by which the activity can be shortened", "days", ("J",),
                  "activities"),
        Parameter("cut_cost", "cost of shortening by a day", "dollars per day", ("J",),
                  "activities"),
    ),
    groups=(
        Group("start", "for j in J", "start of the activity", "continuous", "days"),
        Group("cut", "for j in J", "number of days by which the activity is shortened",
              "continuous", "days", upper="most_cut[j]"),
        Group("finish", "", "time at which all is done", "continuous", "days"),
    ),
    objective=Objective("minimize", "sum(cut_cost[j] * cut[j] for j in J) + overhead * finish",
                        "the cost of shortening activities plus the cost of the site until all is "
                        "done", "dollars"),
    families=(
        Family("one_after_other", "for (i, j) in P", "start[j] >= start[i] + duration[i] - cut[i]",
               "the later activity starts only when the earlier one, shortened as it is, is done",
               Semantic.COMPARISON, Scaffold.PAIRWISE),
        Family("all_done", "for j in J", "finish >= start[j] + duration[j] - cut[j]",
               "all is done no earlier than this activity", Semantic.COMPARISON,
               Scaffold.SINGLE_LOOP),
        Family("on_time", "", "finish <= deadline", "all is done by day {deadline}",
               Semantic.UPPER_BOUND, Scaffold.GLOBAL),
    ),
    files={"precedences": "which activity has to be done before which other one starts"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """A deadline between the shortest and the usual course of the project."""
    n = int(knobs["n_activities"])
    pairs = {(int(rng.integers(max(0, j - 4), j)), j) for j in range(1, n) for _ in range(2)}
    before, after = np.array(sorted(pairs)).T
    duration = rng.integers(3, 16, n)
    most = (duration * rng.uniform(0.1, 0.5, n)).astype(np.int64)
    ends = {}
    for kind, lasts in (("usual", duration), ("short", duration - most)):
        end = lasts.copy()
        for i, j in sorted(pairs, key=lambda pair: pair[1]):
            end[j] = max(end[j], end[i] + lasts[j])
        ends[kind] = int(end.max())
    return {
        "activities": {
            "activity": ids(n),
            "duration": plain(duration),
            "most_cut": plain(most),
            "cut_cost": plain(10 * rng.integers(5, 40, n)),
        },
        "precedences": {"before": plain(before + 1), "after": plain(after + 1)},
        "parameters": row(
            deadline=(ends["usual"] + ends["short"] + 1) // 2,
            overhead=int(10 * rng.integers(5, 20)),
        ),
    }


TEMPLATE = Template(
    "project_crashing",
    "Project crashing by a deadline",
    ("Project Scheduling Optimization", "Time-Cost Tradeoff Problem"),
    (Knob("n_activities", "number of activities", (6, 15, 1500), 3, 20_000),),
    SPEC,
    draw,
)
