"""Time-indexed scheduling of jobs with modes: resources are busy for as long as a mode takes.

Every job is first placed, in a mode, where the resources are free.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A film studio schedules its shoots over a number of days. A shoot can be done in several "
        "modes, which differ in how many days in a row they last, in the crews and equipment "
        "that they occupy on each of these days, and in what they cost."
    ),
    sets=(
        Set("J", "shoot", "shoots", size="n_shoots"),
        Set("M", "mode", "modes", size="n_modes"),
        Set("R", "resource", "resources", table="resources", key=("resource",)),
        Set("T", "day", "days", size="n_days"),
    ),
    parameters=(
        Parameter("n_shoots", "number of shoots"),
        Parameter("n_modes", "number of modes"),
        Parameter("n_days", "number of days"),
        Parameter("budget", "money that can be spent", "dollars"),
        Parameter("capacity", "amount of a resource", "units", ("R",), "resources"),
        Parameter("duration", "days that the shoot lasts in the mode", "days", ("J", "M"), "modes"),
        Parameter("cost", "cost of the shoot in the mode", "dollars", ("J", "M"), "modes"),
        Parameter("use", "amount of the resource that the shoot occupies in the mode", "units",
                  ("J", "M", "R"), "uses"),
        Parameter("urgency", "urgency of a shoot", "points per day", ("J",), "shoots"),
    ),
    groups=(
        Group("begin", "for j in J for m in M for t in T if t + duration[j, m] <= n_days + 1",
              "decision whether the shoot begins in the mode on the day, for days from which it "
              "is done by the last day", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(urgency[j] * (t + duration[j, m]) * begin[j, m, t] for j in J for m in M for t in T"
        " if t + duration[j, m] <= n_days + 1)",
        "the sum over all shoots of their urgency times the day after their last day", "points",
    ),
    families=(
        Family("once", "for j in J",
               "sum(begin[j, m, t] for m in M for t in T if t + duration[j, m] <= n_days + 1) == 1",
               "the shoot begins exactly once, in one mode on one day", Semantic.EXACTLY_ONE,
               Scaffold.SINGLE_LOOP),
        Family("resource_use", "for r in R for t in T",
               "sum(use[j, m, r] * begin[j, m, s] for j in J for m in M for s in T"
               " if t - duration[j, m] + 1 <= s and s <= t and s + duration[j, m] <= n_days + 1)"
               " <= capacity[r]",
               "the shoots that are under way, those that began on this day or fewer days ago "
               "than they last, occupy no more of the resource than there is",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.WINDOW),
        Family("money", "",
               "sum(cost[j, m] * begin[j, m, t] for j in J for m in M for t in T"
               " if t + duration[j, m] <= n_days + 1) <= budget",
               "all shoots in their modes cost at most {budget} together",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
    ),
    files={
        "shoots": "the shoots", "modes": "the modes of each shoot",
        "uses": "what each shoot occupies in each mode",
    },
)  # fmt: skip

WORDS = Words(
    who="a film studio",
    tellings=(
        "The shoots of a film studio can each be done in one of several modes. A mode fixes how "
        "many days in a row the shoot takes, what it costs, and which crews and equipment are "
        "tied up meanwhile; the days are numbered.",
    ),
    nouns=(
        "shoot recording production commercial", "mode variant setup", "resource department pool",
    ),
    goals=(
        Objective("minimize",
                  "sum(cost[j, m] * begin[j, m, t] for j in J for m in M for t in T"
                  " if t + duration[j, m] <= n_days + 1)", "the cost of all shoots in their modes"),
        Objective("minimize",
                  "sum(t * begin[j, m, t] for j in J for m in M for t in T"
                  " if t + duration[j, m] <= n_days + 1)",
                  "the sum of the days on which shoots begin"),
        Objective("minimize",
                  "sum(duration[j, m] * begin[j, m, t] for j in J for m in M for t in T"
                  " if t + duration[j, m] <= n_days + 1)",
                  "the number of days that all shoots last"),
    ),
    rules={
        "once": ("beginning", "the number of times that the shoot begins"),
        "resource_use": ("resources", "the amount of the resource that is occupied on the day"),
        "money": ("money", "the cost of all shoots together", "{budget}"),
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Capacities and budget around a hidden schedule."""
    n, modes, kinds = (int(knobs[k]) for k in ("n_jobs", "n_modes", "n_resources"))
    days = int(knobs["n_days"])
    longest = max(2, days // 3)
    duration = np.sort(rng.integers(1, longest + 1, (n, modes)), axis=1)
    use = np.sort(rng.integers(1, 7, (n, modes, kinds)), axis=1)[:, ::-1]
    cost = np.sort(rng.integers(10, 81, (n, modes)), axis=1)[:, ::-1]
    chosen = rng.integers(0, modes, n)
    load, spent = np.zeros((kinds, days), np.int64), 0
    for j in range(n):
        m = int(chosen[j])
        long = int(duration[j, m])
        begin = int(rng.integers(0, days - long + 1))
        load[:, begin : begin + long] += use[j, m][:, None]
        spent += int(cost[j, m])
    return {
        "shoots": {"shoot": ids(n), "urgency": plain(rng.integers(1, 10, n))},
        "resources": {
            "resource": ids(kinds),
            "capacity": plain(np.maximum(load.max(1), use.max((0, 1)))),
        },
        "modes": {**cross(shoot=n, mode=modes), "duration": plain(duration), "cost": plain(cost)},
        "uses": {**cross(shoot=n, mode=modes, resource=kinds), "use": plain(use)},
        "parameters": row(n_shoots=n, n_modes=modes, n_days=days, budget=spent),
    }


TEMPLATE = Template(
    "job_mode_time",
    "Time-indexed scheduling of jobs with modes",
    ("Production Planning and Scheduling Optimization", "Job Shop Scheduling Problem"),
    (
        Knob("n_jobs", "number of jobs", (5, 8, 12), 1, 2000),
        Knob("n_modes", "number of modes", (2, 2, 2), 1, 20),
        Knob("n_resources", "number of resources", (2, 2, 2), 1, 50),
        Knob("n_days", "number of days", (10, 14, 24), 3, 2000),
    ),
    SPEC,
    draw,
    words=WORDS,
)
