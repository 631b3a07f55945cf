"""Generalized assignment with a least number of tasks for every agent.

A hidden assignment fits the capacities.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A law office hands out its cases. Every case goes to one lawyer, but lawyers differ in "
        "how many hours they need for a case and in how well they suit it."
    ),
    sets=(
        Set("I", "lawyer", "lawyers", table="lawyers", key=("lawyer",),
            names=("Adler", "Brandt", "Costa", "Duval")),
        Set("J", "case", "cases", size="n_cases",
            names=("tax", "lease", "patent", "merger", "custody", "estate")),
    ),
    parameters=(
        Parameter("n_cases", "number of cases"),
        Parameter("least_cases", "fewest cases that a lawyer gets", "cases"),
        Parameter("capacity", "hours that a lawyer has", "hours", ("I",), "lawyers"),
        Parameter("hours", "hours that the lawyer needs for the case", "hours", ("I", "J"), "fits"),
        Parameter("score", "score of how well the lawyer suits the case", "points", ("I", "J"),
                  "fits"),
    ),
    groups=(
        Group("given", "for i in I for j in J", "decision whether a case goes to a lawyer",
              "binary"),
    ),
    objective=Objective(
        "maximize", "sum(score[i, j] * given[i, j] for i in I for j in J)",
        "the total score of all cases with the lawyers who get them", "points",
    ),
    families=(
        Family("one_lawyer", "for j in J", "sum(given[i, j] for i in I) == 1",
               "the case goes to exactly one lawyer", Semantic.EXACTLY_ONE, Scaffold.SINGLE_LOOP),
        Family("time_limit", "for i in I",
               "sum(hours[i, j] * given[i, j] for j in J) <= capacity[i]",
               "the lawyer's cases take no more hours than he or she has",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("least_share", "for i in I", "sum(given[i, j] for j in J) >= least_cases",
               "the lawyer gets at least {least_cases} cases", Semantic.LOWER_SUM,
               Scaffold.SINGLE_LOOP),
    ),
    files={"fits": "hours and score of each lawyer with each case"},
)  # fmt: skip

WORDS = Words(
    who="a law office",
    tellings=(
        "New cases have come in at a law office. How well they suit a lawyer and how many hours "
        "he or she would need depends on both, and a case is not shared.",
    ),
    nouns=("lawyer partner counsel solicitor", "case brief lawsuit dispute"),
    goals=(
        Objective("minimize", "sum(hours[i, j] * given[i, j] for i in I for j in J)",
                  "the number of hours of all cases with the lawyers who get them"),
        Objective("maximize", "sum(score[1, j] * given[1, j] for j in J)",
                  "the score of the first lawyer's cases"),
        Objective("minimize", "sum(given[1, j] for j in J)",
                  "the number of the first lawyer's cases"),
    ),
    rules={
        "one_lawyer": ("assignment", "the number of lawyers who get the case"),
        "time_limit": ("hours", "the number of hours that the lawyer's cases take",
                       "the hours that he or she has"),
        "least_share": ("number of cases", "the number of the lawyer's cases", "{least_cases}"),
    },
    optional=("least_share",),
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Capacities around a hidden assignment."""
    n, m = int(knobs["n_agents"]), int(knobs["n_jobs"])
    hours = rng.integers(5, 31, (n, m))
    given = rng.permutation(np.arange(m) % n)
    load = np.array([hours[i, given == i].sum() for i in range(n)])
    return {
        "lawyers": {
            "lawyer": ids(n),
            "capacity": plain(np.rint(load * float(knobs["slack"])).astype(np.int64)),
        },
        "fits": {
            **cross(lawyer=n, case=m),
            "hours": plain(hours),
            "score": plain(rng.integers(10, 61, (n, m))),
        },
        "parameters": row(n_cases=m, least_cases=max(2, m // n // 2)),
    }


TEMPLATE = Template(
    "generalized_assignment",
    "Generalized assignment",
    ("Assignment and Resource Allocation Optimization", "Assignment Problem"),
    (
        Knob("n_agents", "number of agents", (4, 5, 8), 1, 1000),
        Knob("n_jobs", "number of jobs", (12, 25, 60), 2, 50_000),
        Knob("slack", "capacity over a hidden assignment's load", (1.0, 1.0, 1.0), 1.0, 10.0),
    ),
    SPEC,
    draw,
    lambda knobs: (
        "" if knobs["n_jobs"] >= 2 * knobs["n_agents"] else "let there be two jobs for each agent"
    ),
    words=WORDS,
)
