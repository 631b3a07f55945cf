"""Capital budgeting: a choice of projects under a handful of global rows.

A hidden choice meets all of them.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, ids, plain, row

SPEC = Spec(
    scenario=(
        "A county chooses among road projects. Each project may be carried out or not, and the "
        "county's money, its engineers and its promise on emissions bind them all together."
    ),
    sets=(
        Set("J", "project", "projects", table="projects", key=("project",),
            names=("bridge", "tunnel", "bypass", "tramway", "quay", "underpass", "viaduct",
                   "roundabout", "lane", "ramp", "causeway", "junction")),
        Set("S", "site", "sites", size="n_sites"),
        Set("V", "variant", "variants", table="variants", key=("site", "project"),
            parts=("S", "J")),
    ),
    parameters=(
        Parameter("n_sites", "number of sites"),
        Parameter("budget", "money that can be spent", "thousand dollars"),
        Parameter("engineers", "engineers that there are", "engineers"),
        Parameter("least_saving", "emissions that must be saved", "tons"),
        Parameter("least_projects", "fewest projects to be carried out", "projects"),
        Parameter("benefit", "benefit of a project", "points", ("J",), "projects"),
        Parameter("cost", "cost of a project", "thousand dollars", ("J",), "projects"),
        Parameter("staff", "engineers that a project takes", "engineers", ("J",), "projects"),
        Parameter("saving", "emissions that a project saves", "tons", ("J",), "projects"),
    ),
    groups=(
        Group("chosen", "for j in J", "decision whether a project is carried out", "binary"),
    ),
    objective=Objective(
        "maximize", "sum(benefit[j] * chosen[j] for j in J)",
        "the total benefit of the projects carried out", "points",
    ),
    families=(
        Family("money", "", "sum(cost[j] * chosen[j] for j in J) <= budget",
               "all projects carried out cost at most {budget} together",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
        Family("staffing", "", "sum(staff[j] * chosen[j] for j in J) <= engineers",
               "all projects carried out take at most {engineers} engineers together",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
        Family("emissions", "", "sum(saving[j] * chosen[j] for j in J) >= least_saving",
               "all projects carried out save at least {least_saving} of emissions together",
               Semantic.LOWER_WEIGHTED_SUM, Scaffold.GLOBAL),
        Family("enough", "", "sum(chosen[j] for j in J) >= least_projects",
               "at least {least_projects} projects are carried out", Semantic.LOWER_SUM,
               Scaffold.GLOBAL),
        Family("one_variant", "for s in S", "sum(chosen[j] for (r, j) in V if r == s) <= 1",
               "at most one of the variants planned for the site is carried out",
               Semantic.AT_MOST_ONE, Scaffold.SUBSET),
    ),
    files={"variants": "which projects are variants for which site"},
)  # fmt: skip

WORDS = Words(
    who="a county",
    tellings=(
        "Road projects are on the table of a county, to be done or dropped one by one. They draw "
        "on the same money and the same engineers, and emissions have been promised to go down.",
    ),
    nouns=("project scheme proposal measure", "site junction bridge tunnel"),
    goals=(
        Objective("maximize", "sum(chosen[j] for j in J)", "the number of projects carried out"),
        Objective("minimize", "sum(cost[j] * chosen[j] for j in J)",
                  "the cost of the projects carried out"),
        Objective("maximize", "sum(saving[j] * chosen[j] for j in J)",
                  "the emissions that the projects carried out save"),
        Objective("minimize", "sum(staff[j] * chosen[j] for j in J)",
                  "the number of engineers that the projects carried out take"),
    ),
    rules={
        "money": ("money", "the cost of all projects"),
        "staffing": ("engineers", "the number of engineers of all projects", "{engineers}"),
        "emissions": ("emissions", "the total of emissions saved", "{least_saving} of emissions"),
        "enough": ("projects", "the number of all projects carried out", "{least_projects}"),
        "one_variant": ("variants", "the number of the site's variants that are carried out"),
    },
    pairs={"V": "variant for a site"},
    optional=("staffing", "enough"),
    scenes={
        "staffing": ("money, its engineers and its promise", "money and its promise"),
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Right-hand sides around a hidden choice."""
    n, sites = int(knobs["n_projects"]), int(knobs["n_sites"])
    hidden = np.zeros(n, bool)
    hidden[rng.permutation(n)[: max(2, n // 3)]] = True
    variants = []
    for s in range(sites):
        rest = rng.permutation(np.flatnonzero(~hidden))[: int(rng.integers(2, 6))].tolist()
        chosen = [*rest, int(rng.choice(np.flatnonzero(hidden)))]
        variants += [(s + 1, j + 1) for j in sorted(chosen)]
    cost, staff = rng.integers(20, 121, n), rng.integers(2, 16, n)
    saving = rng.integers(1, 31, n)
    return {
        "projects": {
            "project": ids(n),
            "benefit": plain(rng.integers(10, 101, n)),
            "cost": plain(cost),
            "staff": plain(staff),
            "saving": plain(saving),
        },
        "variants": {"site": [s for s, _ in variants], "project": [j for _, j in variants]},
        "parameters": row(
            n_sites=sites,
            budget=int(cost[hidden].sum()),
            engineers=int(staff[hidden].sum()),
            least_saving=int(saving[hidden].sum() * 0.9),
            least_projects=max(2, int(hidden.sum()) - 1),
        ),
    }


TEMPLATE = Template(
    "project_budget",
    "Capital budgeting with global rows",
    ("Combinatorial Optimization", "Knapsack Problem"),
    (
        Knob("n_projects", "number of projects", (15, 30, 80), 6, 100_000),
        Knob("n_sites", "number of sites with several variants", (6, 10, 25), 1, 10_000),
    ),
    SPEC,
    draw,
    words=WORDS,
)
