"""Minimum cost flow: from sources over stations to sinks along arcs of limited size.

Hidden paths add up to a flow; what enters and leaves by it makes the data.
"""

from itertools import pairwise

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import TOWNS, Knob, Knobs, Rng, Template, above, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A gas company sends gas through its pipes from sources over stations to cities. A station "
        "keeps nothing, and a pipe carries only so much."
    ),
    sets=(
        Set("N", "node", "nodes", table="nodes", key=("node",), names=TOWNS),
        Set("A", "pipe", "pipes", table="pipes", key=("from", "to"), parts=("N", "N")),
        Set("S", "source", "sources", table="sources", key=("node",)),
        Set("D", "city", "cities", table="cities", key=("node",)),
        Set("M", "station", "stations", table="stations", key=("node",)),
    ),
    parameters=(
        Parameter("least_sent", "least gas that the sources send together", "units"),
        Parameter("supply", "gas that the source can give", "units", ("S",), "sources"),
        Parameter("need", "gas that the city needs", "units", ("D",), "cities"),
        Parameter("throughput", "most gas that passes the station", "units", ("M",), "stations"),
        Parameter("price", "price of sending a unit through the pipe", "dollars", ("A",), "pipes"),
        Parameter("pipe_limit", "most gas that the pipe carries", "units", ("A",), "pipes"),
    ),
    groups=(
        Group("flow", "for (i, j) in A", "gas sent through the pipe", "continuous", "units",
              upper="pipe_limit[i, j]"),
    ),
    objective=Objective(
        "minimize", "sum(price[i, j] * flow[i, j] for (i, j) in A)", "the price of all gas sent",
        "dollars",
    ),
    families=(
        Family("balance", "for m in M",
               "sum(flow[i, j] for (i, j) in A if j == m)"
               " == sum(flow[i, j] for (i, j) in A if i == m)",
               "as much gas leaves as arrives", Semantic.EQUALITY, Scaffold.SINGLE_LOOP),
        Family("passing", "for m in M",
               "sum(flow[i, j] for (i, j) in A if j == m) <= throughput[m]",
               "no more gas arrives than can pass", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("supply_limit", "for s in S",
               "sum(flow[i, j] for (i, j) in A if i == s) <= supply[s]",
               "no more gas leaves than the source can give", Semantic.UPPER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("need_met", "for d in D", "sum(flow[i, j] for (i, j) in A if j == d) >= need[d]",
               "at least the gas arrives that the city needs", Semantic.LOWER_SUM,
               Scaffold.SINGLE_LOOP),
        Family("sources_minimum", "",
               "sum(flow[i, j] for s in S for (i, j) in A if i == s) >= least_sent",
               "the sources send at least {least_sent} together", Semantic.LOWER_SUM,
               Scaffold.GLOBAL),
    ),
    files={"pipes": "which pipes there are"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Arcs from sources to stations, among stations (onward only) and from stations to sinks."""
    n, m, k = (int(knobs[name]) for name in ("n_sources", "n_stations", "n_sinks"))
    flow: dict[tuple[int, int], int] = {}
    starts = [*range(n), *rng.integers(n, size=max(0, k - n)).tolist()]
    for p, s in enumerate(starts):
        # A path over one station or two; each sink and each station is on some path.
        first = n + p % m
        onward = range(first + 1, n + m)
        path = [s, first, *([int(rng.choice(onward))] if onward and rng.random() < 0.6 else [])]
        path.append(n + m + p % k)
        amount = 5 * int(rng.integers(4, 13))
        for arc in pairwise(path):
            flow[arc] = flow.get(arc, 0) + amount
    for station in range(n, n + m):
        extra = (int(rng.integers(n)), station), (station, n + m + int(rng.integers(k)))
        for arc in extra:
            flow.setdefault(arc, 0)
    arcs = sorted(flow)
    sent = np.array([flow[arc] for arc in arcs])
    tails, heads = np.array(arcs).T
    out = np.bincount(tails, sent, n + m + k)[:n]
    into = np.bincount(heads, sent, n + m + k)
    need = under(into[n + m :] * rng.uniform(0.9, 1.0, k))
    return {
        "nodes": {"node": ids(n + m + k)},
        "pipes": {
            "from": plain(tails + 1),
            "to": plain(heads + 1),
            "price": plain(rng.integers(2, 13, len(arcs))),
            "pipe_limit": plain(above(sent * rng.uniform(1.1, 1.5, len(arcs)) + 5)),
        },
        "sources": {"node": ids(n), "supply": plain(above(out * rng.uniform(1.0, 1.1, n)))},
        "cities": {"node": plain(np.arange(n + m, n + m + k) + 1), "need": plain(need)},
        "stations": {
            "node": plain(np.arange(n, n + m) + 1),
            "throughput": plain(above(into[n : n + m] * rng.uniform(1.02, 1.12, m) + 5)),
        },
        "parameters": row(least_sent=int(under(need.sum() * rng.uniform(0.8, 0.95)))),
    }


TEMPLATE = Template(
    "min_cost_flow",
    "Minimum cost flow",
    ("Network Flow Optimization", "Minimum Cost Flow Problem"),
    (
        Knob("n_sources", "number of sources", (2, 3, 50), 1, 10_000),
        Knob("n_stations", "number of stations", (2, 6, 500), 1, 10_000),
        Knob("n_sinks", "number of sinks", (2, 5, 500), 1, 10_000),
    ),
    SPEC,
    draw,
)
