"""Shift staffing: whoever starts in a period also works the next one, around the day.

A hidden roster covers the needs.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, plain, row

SPEC = Spec(
    scenario=(
        "A call center plans how many agents start in each period of the day. Whoever starts in a "
        "period also works the next one; after the last period comes the first again."
    ),
    sets=(
        Set("T", "period", "periods", size="n_periods"),
        Set("A", "first aid period", "first aid periods", table="aid", key=("period",)),
    ),
    parameters=(
        Parameter("n_periods", "number of periods"),
        Parameter("crew", "most agents that can be employed", "agents"),
        Parameter("agreed", "fewest agents, by agreement", "agents"),
        Parameter("paid", "most hours that can be paid", "hours"),
        Parameter("wage", "wage of an agent", "dollars", ("T",), "periods"),
        Parameter("hours", "paid hours of an agent", "hours", ("T",), "periods"),
        Parameter("lockers", "most agents who can start", "agents", ("T",), "periods"),
        Parameter("need", "agents needed", "agents", ("T",), "periods"),
        Parameter("trained", "agents trained in first aid who must start", "agents", ("A",), "aid"),
    ),
    groups=(
        Group("start", "for t in T", "number of agents who start", "integer", "agents",
              upper="lockers[t]"),
    ),
    objective=Objective(
        "minimize", "sum(wage[t] * start[t] for t in T)", "the wages of all agents", "dollars"
    ),
    families=(
        Family("cover", "for t in T", "start[(t - 2) % n_periods + 1] + start[t] >= need[t]",
               "those who start in this period and in the one before, which is the last one for "
               "the first, are at least the agents needed", Semantic.LOWER_SUM, Scaffold.CYCLIC),
        Family("crew_size", "", "sum(start[t] for t in T) <= crew",
               "at most {crew} start in all", Semantic.UPPER_SUM, Scaffold.GLOBAL),
        Family("agreed_jobs", "", "sum(start[t] for t in T) >= agreed",
               "at least {agreed} start in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
        Family("paid_hours", "", "sum(hours[t] * start[t] for t in T) <= paid",
               "the paid hours of all agents are at most {paid}", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
        Family("first_aid", "for t in A", "start[t] >= trained[t]",
               "at least the agents trained in first aid start", Semantic.LOWER_BOUND,
               Scaffold.SINGLE_LOOP),
    ),
    files={"periods": "the periods", "aid": "the periods with rules on first aid"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Needs and limits around a hidden roster."""
    n = int(knobs["n_periods"])
    plan = rng.integers(3, 10, n)
    need = plan + np.roll(plan, 1) - rng.integers(0, 2, n)
    hours = rng.integers(6, 10, n)
    aid = np.sort(rng.permutation(n)[: max(1, n // 5)])
    return {
        "periods": {
            **cross(period=n),
            "wage": plain(5 * rng.integers(16, 31, n)),
            "hours": plain(hours),
            "lockers": plain(plan + rng.integers(1, 5, n)),
            "need": plain(need),
        },
        "aid": {
            "period": plain(aid + 1),
            "trained": plain(np.maximum(2, plan[aid] - rng.integers(0, 3, len(aid)))),
        },
        "parameters": row(
            n_periods=n,
            crew=int(plan.sum() + rng.integers(0, 3)),
            agreed=int(need.sum() // 2 - rng.integers(2, 5)),
            paid=int(above(hours @ plan * rng.uniform(1.04, 1.1))),
        ),
    }


TEMPLATE = Template(
    "shift_staffing",
    "Staffing of overlapping shifts",
    ("Assignment and Resource Allocation Optimization", "Staff Scheduling Problem"),
    (Knob("n_periods", "number of periods", (5, 24, 2000), 3, 100_000),),
    SPEC,
    draw,
)
