"""Set covering with double coverage of some elements and a limit on the sets chosen.

A hidden choice covers everything, and the limit leaves it feasible.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import TOWNS, Knob, Knobs, Rng, Template, Words, ids, plain, row

SPEC = Spec(
    scenario=(
        "A city places ambulances. Each candidate station reaches certain districts in time, and "
        "every district has to be within reach. Some districts, with hospitals or old people's "
        "homes, are critical and have to be within reach of several stations."
    ),
    sets=(
        Set("J", "station", "stations", table="stations", key=("station",), names=TOWNS),
        Set("I", "district", "districts", size="n_districts", names=TOWNS),
        Set("H", "critical district", "critical districts", table="critical", key=("district",)),
        Set("R", "reach", "reaches", table="reach", key=("district", "station"), parts=("I", "J")),
    ),
    parameters=(
        Parameter("n_districts", "number of districts"),
        Parameter("backup", "number of stations that must reach a critical district", "stations"),
        Parameter("most_stations", "most stations that can be run", "stations"),
        Parameter("cost", "cost of running a station", "dollars", ("J",), "stations"),
    ),
    groups=(
        Group("chosen", "for j in J", "decision whether a station is run", "binary"),
    ),
    objective=Objective(
        "minimize", "sum(cost[j] * chosen[j] for j in J)", "the cost of the stations that are run",
        "dollars",
    ),
    families=(
        Family("covered", "for i in I", "sum(chosen[j] for (d, j) in R if d == i) >= 1",
               "at least one station that reaches the district is run", Semantic.AT_LEAST_ONE,
               Scaffold.SUBSET),
        Family("critical_covered", "for i in H",
               "sum(chosen[j] for (d, j) in R if d == i) >= backup",
               "at least {backup} stations that reach the district are run", Semantic.LOWER_SUM,
               Scaffold.SUBSET),
        Family("station_limit", "", "sum(chosen[j] for j in J) <= most_stations",
               "at most {most_stations} stations are run in all", Semantic.UPPER_SUM,
               Scaffold.GLOBAL),
    ),
    files={
        "stations": "the candidate stations", "critical": "the districts that are critical",
        "reach": "which station reaches which district in time",
    },
)  # fmt: skip

WORDS = Words(
    who="a city",
    tellings=(
        "Wherever somebody calls for help in a city, an ambulance has to be there in time. From a "
        "station certain districts can be reached fast enough; those with hospitals or old "
        "people's homes, the critical ones, count on more than one station.",
    ),
    nouns=("station post base garage", "district quarter ward borough"),
    goals=(
        Objective("minimize", "sum(chosen[j] for j in J)", "the number of stations that are run"),
        Objective("minimize", "sum(chosen[j] for (d, j) in R)",
                  "the number of times that districts are reached"),
        Objective("minimize", "sum(cost[j] * chosen[j] for j in J) + sum(chosen[j] for j in J)",
                  "the cost of the stations that are run, and a dollar for each of them"),
    ),
    rules={
        "covered": ("reach", "the number of stations run that reach a district, critical or not"),
        "critical_covered": ("critical districts",
                             "the number of stations run that reach the district", "{backup}"),
        "station_limit": ("stations", "the number of all stations run", "{most_stations}"),
    },
    pairs={"R": "station and each district that it reaches"},
    optional=("station_limit",),
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Irregular subsets, and a limit that a random greedy choice meets."""
    n, m = int(knobs["n_districts"]), int(knobs["n_sites"])
    backup = int(knobs["backup"])
    reach = rng.random((n, m)) < float(knobs["density"])
    critical = np.sort(rng.permutation(n)[: max(1, 2 * n // 5)])
    need = np.ones(n, np.int64)
    need[critical] = backup
    for i in range(n):
        short = max(0, int(max(need[i], 2) - reach[i].sum()))
        reach[i, rng.permutation(np.flatnonzero(~reach[i]))[:short]] = True
    left, chosen = need.copy(), 0
    for j in rng.permutation(m).tolist():
        if (left[reach[:, j]] > 0).any():
            left -= reach[:, j]
            chosen += 1
    pairs = np.argwhere(reach) + 1
    return {
        "stations": {"station": ids(m), "cost": plain(rng.integers(10, 60, m))},
        "critical": {"district": plain(critical + 1)},
        "reach": {"district": plain(pairs[:, 0]), "station": plain(pairs[:, 1])},
        "parameters": row(n_districts=n, backup=backup, most_stations=chosen),
    }


TEMPLATE = Template(
    "set_covering",
    "Set covering with backup",
    ("Combinatorial Optimization", "Set Multi-Cover Problem"),
    (
        Knob("n_districts", "number of elements to cover", (15, 40, 150), 2, 100_000),
        Knob("n_sites", "number of subsets", (12, 30, 100), 3, 50_000),
        Knob("density", "share of the elements in a subset", (0.25, 0.15, 0.06), 0.0, 1.0),
        Knob("backup", "coverage of critical elements", (2, 2, 3), 2, 10),
    ),
    SPEC,
    draw,
    lambda knobs: "" if knobs["n_sites"] >= knobs["backup"] else "let n_sites be at least backup",
    words=WORDS,
)
