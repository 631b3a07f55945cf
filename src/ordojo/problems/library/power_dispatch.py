"""Power dispatch: plants meet the load of each period within ramps, fumes and fuel.

A hidden schedule lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A utility runs its plants through the periods of a day. A plant that runs has a least and "
        "a greatest output, and its output cannot rise at will from one period to the next."
    ),
    sets=(
        Set("P", "plant", "plants", table="plants", key=("plant",),
            names=("coal", "gas", "biomass", "hydro", "oil", "waste")),
        Set("T", "period", "periods", size="n_periods"),
        Set("F", "fuelled plant", "fuelled plants", table="fuels", key=("plant",)),
    ),
    parameters=(
        Parameter("n_periods", "number of periods"),
        Parameter("most_fumes", "most fumes in all periods together", "grams"),
        Parameter("grid_minimum", "least output of all plants in all periods", "megawatts"),
        Parameter("cost", "cost of a megawatt", "dollars", ("P",), "plants"),
        Parameter("fumes", "fumes of a megawatt", "grams", ("P",), "plants"),
        Parameter("least_output", "least output in a period", "megawatts", ("P",), "plants"),
        Parameter("most_output", "greatest output in a period", "megawatts", ("P",), "plants"),
        Parameter("ramp", "most by which the output can rise", "megawatts", ("P",), "plants"),
        Parameter("fuel", "output for which there is fuel", "megawatts", ("F",), "fuels"),
        Parameter("load", "load of the period", "megawatts", ("T",), "loads"),
    ),
    groups=(
        Group("run", "for p in P for t in T", "output of the plant", "continuous", "megawatts",
              lower="least_output[p]", upper="most_output[p]"),
    ),
    objective=Objective(
        "minimize", "sum(cost[p] * run[p, t] for p in P for t in T)",
        "the cost of all output", "dollars",
    ),
    families=(
        Family("load_met", "for t in T", "sum(run[p, t] for p in P) >= load[t]",
               "the output of all plants is at least the load", Semantic.LOWER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("ramp_limit", "for p in P for t in T if t >= 2",
               "run[p, t] - run[p, t - 1] <= ramp[p]",
               "the output exceeds that of the period before by no more than it can rise",
               Semantic.COMPARISON, Scaffold.COUPLED,
               "for each plant and each period but the first"),
        Family("clean_air", "", "sum(fumes[p] * run[p, t] for p in P for t in T) <= most_fumes",
               "the fumes of all output are at most {most_fumes}", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
        Family("fuel_limit", "for p in F", "sum(run[p, t] for t in T) <= fuel[p]",
               "the output over all periods is at most that for which there is fuel",
               Semantic.UPPER_SUM, Scaffold.SINGLE_LOOP),
        Family("grid_contract", "", "sum(run[p, t] for p in P for t in T) >= grid_minimum",
               "the output of all plants over all periods is at least {grid_minimum}",
               Semantic.LOWER_SUM, Scaffold.GLOBAL),
    ),
    files={"fuels": "the plants with limited fuel", "loads": "the loads"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden schedule."""
    n, count = int(knobs["n_plants"]), int(knobs["n_periods"])
    plan = 5 * rng.integers(6, 17, (n, count))
    fumes = rng.integers(1, 10, n)
    load = under(plan.sum(0) * rng.uniform(0.94, 1.0, count))
    rise = np.diff(plan, axis=1).max(1) if count > 1 else np.zeros(n)
    fuelled = np.sort(rng.permutation(n)[: max(1, n // 3)])
    fuel = plan.sum(1)[fuelled]
    return {
        "plants": {
            "plant": ids(n),
            "cost": plain(rng.integers(10, 41, n)),
            "fumes": plain(fumes),
            "least_output": plain(under(plan.min(1) * 0.7)),
            "most_output": plain(above(plan.max(1) * rng.uniform(1.05, 1.3, n))),
            "ramp": plain(np.maximum(5, rise).astype(np.int64)),
        },
        "fuels": {
            "plant": plain(fuelled + 1),
            "fuel": plain(above(fuel * rng.uniform(1.0, 1.08, len(fuel)))),
        },
        "loads": {**cross(period=count), "load": plain(load)},
        "parameters": row(
            n_periods=count,
            most_fumes=int(above(fumes @ plan.sum(1) * rng.uniform(1.0, 1.06), 10)),
            grid_minimum=int(under(load.sum() * rng.uniform(0.8, 0.95))),
        ),
    }


TEMPLATE = Template(
    "power_dispatch",
    "Power dispatch with ramps",
    ("Production Planning and Scheduling Optimization", "Economic Dispatch Problem"),
    (
        Knob("n_plants", "number of plants", (3, 6, 60), 1, 10_000),
        Knob("n_periods", "number of periods", (3, 8, 48), 1, 10_000),
    ),
    SPEC,
    draw,
)
