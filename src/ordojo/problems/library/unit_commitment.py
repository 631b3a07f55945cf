"""Unit commitment: which units run in which hour, with starts.

All units together can meet any demand.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, ids, plain, row

SPEC = Spec(
    scenario=(
        "A power company decides hour by hour which of its units run. A unit that runs gives at "
        "least its least output, and bringing it up costs extra; at first no unit runs."
    ),
    sets=(
        Set("U", "unit", "units", table="units", key=("unit",)),
        Set("T", "hour", "hours", size="n_hours"),
    ),
    parameters=(
        Parameter("n_hours", "number of hours"),
        Parameter("reserve", "output that must be free in each hour", "megawatts"),
        Parameter("least_output", "least output of a unit that runs", "megawatts", ("U",), "units"),
        Parameter("most_output", "largest output of a unit", "megawatts", ("U",), "units"),
        Parameter("run_cost", "cost of running a unit for an hour", "dollars", ("U",), "units"),
        Parameter("start_cost", "cost of bringing a unit up", "dollars", ("U",), "units"),
        Parameter("fuel_cost", "cost of fuel", "dollars per megawatt-hour", ("U",), "units"),
        Parameter("demand", "demand", "megawatts", ("T",), "demands"),
    ),
    groups=(
        Group("output", "for u in U for t in T", "output of a unit in the hour", "continuous",
              "megawatts"),
        Group("runs", "for u in U for t in T", "decision whether a unit runs in the hour",
              "binary"),
        Group("starts", "for u in U for t in T", "decision whether a unit is brought up in the "
              "hour", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(fuel_cost[u] * output[u, t] + run_cost[u] * runs[u, t] + start_cost[u] * starts[u, t]"
        " for u in U for t in T)",
        "the cost of fuel, of running units and of bringing them up", "dollars",
    ),
    families=(
        Family("demand_met", "for t in T", "sum(output[u, t] for u in U) == demand[t]",
               "the output of all units equals the demand", Semantic.EQUALITY,
               Scaffold.SINGLE_LOOP),
        Family("reserve_kept", "for t in T",
               "sum(most_output[u] * runs[u, t] for u in U) >= demand[t] + reserve",
               "the largest outputs of all running units cover the demand and {reserve} more",
               Semantic.LOWER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("output_floor", "for u in U for t in T",
               "output[u, t] >= least_output[u] * runs[u, t]",
               "a unit that runs gives at least its least output", Semantic.LOWER_PROPORTION,
               Scaffold.NESTED_LOOP),
        Family("output_cap", "for u in U for t in T",
               "output[u, t] <= most_output[u] * runs[u, t]",
               "a unit gives something only if it runs, and then at most its largest output",
               Semantic.IMPLICATION, Scaffold.NESTED_LOOP),
        Family("brought_up", "for u in U for t in T",
               "runs[u, t] - sum(runs[u, s] for s in T if s == t - 1) <= starts[u, t]",
               "a unit that runs and did not run in the hour before is brought up",
               Semantic.IMPLICATION, Scaffold.COUPLED),
    ),
    files={"demands": "demand"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Demand between what the smallest unit must give and what nearly all units can."""
    n, hours = int(knobs["n_units"]), int(knobs["n_hours"])
    most = 10 * rng.integers(4, 16, n)
    least = (most * rng.uniform(0.1, 0.3, n)).astype(np.int64)
    share = rng.uniform(0.4, 0.85, hours)
    return {
        "units": {
            "unit": ids(n),
            "least_output": plain(least),
            "most_output": plain(most),
            "run_cost": plain(10 * rng.integers(5, 30, n)),
            "start_cost": plain(10 * rng.integers(10, 60, n)),
            "fuel_cost": plain(rng.integers(12, 40, n)),
        },
        "demands": {"hour": ids(hours), "demand": plain((most.sum() * share).astype(np.int64))},
        "parameters": row(n_hours=hours, reserve=int(most.sum() // 20)),
    }


TEMPLATE = Template(
    "unit_commitment",
    "Unit commitment with reserve",
    ("Energy and Natural Resource Optimization", "Unit Commitment Problem"),
    (
        Knob("n_units", "number of units", (3, 5, 20), 2, 500),
        Knob("n_hours", "number of hours", (4, 8, 48), 2, 2000),
    ),
    SPEC,
    draw,
)
