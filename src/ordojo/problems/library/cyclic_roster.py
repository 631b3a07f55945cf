"""A cyclic roster: rest after each watch, and a limit in every window around the cycle.

A hidden roster is drawn first, watch by watch; the staff needed are those that it has.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, cross, plain, row

SPEC = Spec(
    scenario=(
        "A mountain rescue station draws up a roster of watches that repeats without end: after "
        "the last slot of the cycle the first one follows again. Each rescuer has told how much "
        "he or she dislikes each slot."
    ),
    sets=(
        Set("I", "rescuer", "rescuers", size="n_staff"),
        Set("T", "slot", "slots", size="n_slots"),
    ),
    parameters=(
        Parameter("n_staff", "number of rescuers"),
        Parameter("n_slots", "number of slots in the cycle"),
        Parameter("window", "number of successive slots in which watches are limited", "slots"),
        Parameter("most_in_window", "most watches of a rescuer in these slots", "watches"),
        Parameter("most_in_cycle", "most watches of a rescuer in a cycle", "watches"),
        Parameter("needed", "number of rescuers needed", "rescuers", ("T",), "slots"),
        Parameter("dislike", "points of dislike", "points", ("I", "T"), "dislikes"),
    ),
    groups=(
        Group("watch", "for i in I for t in T", "decision whether a rescuer is on watch in a slot",
              "binary"),
    ),
    objective=Objective(
        "minimize", "sum(dislike[i, t] * watch[i, t] for i in I for t in T)",
        "the total points of dislike of all watches", "points",
    ),
    families=(
        Family("staffing", "for t in T", "sum(watch[i, t] for i in I) >= needed[t]",
               "at least the rescuers needed are on watch", Semantic.LOWER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("rest", "for i in I for t in T", "watch[i, t] + watch[i, t % n_slots + 1] <= 1",
               "the rescuer is on watch in at most one of this slot and the next, where the first "
               "slot comes next after the last", Semantic.AT_MOST_ONE, Scaffold.CYCLIC),
        Family("window_load", "for i in I for t in T",
               "sum(watch[i, (t + k - 1) % n_slots + 1] for k in range(window)) <= most_in_window",
               "the rescuer has at most {most_in_window} watches in the {window} successive slots "
               "that begin with this one, going around the end of the cycle", Semantic.UPPER_SUM,
               Scaffold.WINDOW),
        Family("cycle_load", "for i in I", "sum(watch[i, t] for t in T) <= most_in_cycle",
               "the rescuer has at most {most_in_cycle} watches in the cycle", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
    ),
    files={"slots": "the slots", "dislikes": "how much each rescuer dislikes each slot"},
)  # fmt: skip

WORDS = Words(
    who="a mountain rescue station",
    tellings=(
        "At a mountain rescue station the watches go round in a cycle: the slot after the last is "
        "the first again. Which slots they would rather not have, the rescuers have put in points.",
    ),
    nouns=("rescuer medic mountaineer ranger guide", "watch/watches duty/duties shift"),
    goals=(
        Objective("minimize", "sum(watch[i, t] for i in I for t in T)",
                  "the number of all watches"),
        Objective("maximize", "sum(watch[i, 1] for i in I)", "the number of watches in slot one"),
        Objective("minimize", "sum(dislike[1, t] * watch[1, t] for t in T)",
                  "the points of dislike of the watches of the first rescuer on the list"),
    ),
    rules={
        "staffing": ("staffing", "the number of rescuers on watch",
                     "the number of rescuers needed"),
        "rest": ("rest", "the number of the rescuer's watches in a slot and the next"),
        "window_load": ("runs of slots", "the number of the rescuer's watches in a run of slots"),
        "cycle_load": ("load", "the number of the rescuer's watches in a cycle", "{most_in_cycle}"),
    },
    optional=("cycle_load", "rest"),
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Needs that a hidden roster meets."""
    n, slots = int(knobs["n_staff"]), int(knobs["n_slots"])
    window, most = int(knobs["window"]), int(knobs["most_in_window"])
    watch = np.zeros((n, slots), np.int64)
    for t in rng.permutation(slots).tolist():
        free = []
        for i in range(n):
            beside = watch[i, t - 1] + watch[i, (t + 1) % slots]
            around = watch[i, np.arange(t - window + 1, t + window) % slots]
            busy = max(int(around[k : k + window].sum()) for k in range(window))
            if not beside and busy < most:
                free.append(i)
        load = watch[free].sum(1)
        want = max(2, round(0.7 * n * most / window))
        order = np.lexsort((rng.random(len(free)), load))[:want]
        watch[np.array(free, np.int64)[order], t] = 1
    return {
        "slots": {**cross(slot=slots), "needed": plain(watch.sum(0))},
        "dislikes": {
            **cross(rescuer=n, slot=slots),
            "dislike": plain(rng.integers(1, 21, (n, slots))),
        },
        "parameters": row(
            n_staff=n,
            n_slots=slots,
            window=window,
            most_in_window=most,
            most_in_cycle=int(watch.sum(1).max()),
        ),
    }


TEMPLATE = Template(
    "cyclic_roster",
    "Cyclic roster with rest and window limits",
    ("Transportation and Routing Optimization", "Operations Optimization"),
    (
        Knob("n_staff", "number of rescuers", (6, 9, 15), 2, 2000),
        Knob("n_slots", "number of slots in the cycle", (14, 21, 42), 5, 5000),
        Knob("window", "length of the window", (5, 6, 7), 3, 100),
        Knob("most_in_window", "most watches in a window", (2, 2, 3), 1, 50),
    ),
    SPEC,
    draw,
    lambda knobs: (
        ""
        if knobs["n_slots"] >= 2 * knobs["window"]
        and 2 * knobs["most_in_window"] <= knobs["window"] + 1
        else "let n_slots be at least twice the window, and most_in_window half of it at most"
    ),
    words=WORDS,
)
