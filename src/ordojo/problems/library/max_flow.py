"""Maximum flow: as much as possible from one end of a network to the other.

Hidden paths add up to a flow that meets the contract.
"""

from itertools import pairwise

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import TOWNS, Knob, Knobs, Rng, Template, above, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A forwarder sends pallets from one town to another, over yards on the way. A yard keeps "
        "nothing and handles only so much, and a road carries only so much."
    ),
    sets=(
        Set("N", "town", "towns", table="towns", key=("town",), names=TOWNS),
        Set("A", "road", "roads", table="roads", key=("from", "to"), parts=("N", "N")),
        Set("S", "start", "starts", table="starts", key=("town",)),
        Set("E", "end", "ends", table="ends", key=("town",)),
        Set("M", "yard", "yards", table="yards", key=("town",)),
    ),
    parameters=(
        Parameter("price", "price for a pallet that arrives", "dollars"),
        Parameter("contract", "fewest pallets by contract", "pallets"),
        Parameter("toll", "fewest pallets leaving for which the toll is agreed", "pallets"),
        Parameter("most_sent", "most pallets that there are", "pallets"),
        Parameter("handled", "most pallets that the yard handles", "pallets", ("M",), "yards"),
        Parameter("road_limit", "most pallets that the road carries", "pallets", ("A",), "roads"),
    ),
    groups=(
        Group("flow", "for (i, j) in A", "number of pallets sent along the road", "continuous",
              "pallets", upper="road_limit[i, j]"),
        Group("total_sent", "", "number of pallets sent in all", "continuous", "pallets",
              upper="most_sent"),
    ),
    objective=Objective(
        "maximize", "price * total_sent", "the price for all pallets that arrive", "dollars"
    ),
    families=(
        Family("departure", "for s in S", "sum(flow[i, j] for (i, j) in A if i == s) == total_sent",
               "all pallets sent leave from here", Semantic.AGGREGATION, Scaffold.SINGLE_LOOP),
        Family("arrival", "for e in E", "sum(flow[i, j] for (i, j) in A if j == e) == total_sent",
               "all pallets sent arrive here", Semantic.AGGREGATION, Scaffold.SINGLE_LOOP),
        Family("balance", "for m in M",
               "sum(flow[i, j] for (i, j) in A if j == m)"
               " == sum(flow[i, j] for (i, j) in A if i == m)",
               "as many pallets leave as arrive", Semantic.EQUALITY, Scaffold.SINGLE_LOOP),
        Family("handling", "for m in M", "sum(flow[i, j] for (i, j) in A if j == m) <= handled[m]",
               "no more pallets arrive than are handled", Semantic.UPPER_SUM, Scaffold.SINGLE_LOOP),
        Family("toll_minimum", "", "sum(flow[i, j] for s in S for (i, j) in A if i == s) >= toll",
               "at least {toll} leave from the start, for the toll", Semantic.LOWER_SUM,
               Scaffold.GLOBAL),
        Family("contract_minimum", "", "total_sent >= contract",
               "at least {contract} are sent in all", Semantic.LOWER_BOUND, Scaffold.GLOBAL),
    ),
    files={
        "roads": "which roads there are", "starts": "where pallets start",
        "ends": "where pallets end",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Yards in a row: each has roads from the start, to the end, and to some yards further on."""
    m = int(knobs["n_yards"])
    end = m + 1
    flow: dict[tuple[int, int], int] = {}
    for first in range(1, m + 1):
        onward = range(first + 1, m + 1)
        path = [
            0,
            first,
            *([int(rng.choice(onward))] if onward and rng.random() < 0.7 else []),
            end,
        ]
        amount = 5 * int(rng.integers(2, 9))
        for arc in pairwise(path):
            flow[arc] = flow.get(arc, 0) + amount
    for _ in range(int(knobs["n_extra"])):
        one, two = sorted(rng.permutation(m)[:2].tolist()) if m > 1 else (0, 0)
        flow.setdefault((one + 1, two + 1 if two > one else end), 0)
    arcs = sorted(flow)
    sent = np.array([flow[arc] for arc in arcs])
    tails, heads = np.array(arcs).T
    into = np.bincount(heads, sent, m + 2)[1 : m + 1]
    total = int(sent[tails == 0].sum())
    contract = int(under(total * rng.uniform(0.7, 0.9)))
    return {
        "towns": {"town": ids(m + 2)},
        "roads": {
            "from": plain(tails + 1),
            "to": plain(heads + 1),
            "road_limit": plain(above(sent * rng.uniform(1.0, 1.4, len(arcs)) + 5)),
        },
        "starts": {"town": [1]},
        "ends": {"town": [end + 1]},
        "yards": {
            "town": plain(np.arange(1, m + 1) + 1),
            "handled": plain(above(into * rng.uniform(1.0, 1.15, m))),
        },
        "parameters": row(
            price=int(rng.integers(3, 20)),
            contract=contract,
            toll=int(under(contract * rng.uniform(0.75, 0.95))),
            most_sent=int(above(total * rng.uniform(1.3, 1.6))),
        ),
    }


TEMPLATE = Template(
    "max_flow",
    "Maximum flow over yards",
    ("Network Flow Optimization", "Maximum Flow Problem"),
    (
        Knob("n_yards", "number of yards", (3, 8, 1000), 1, 10_000),
        Knob("n_extra", "number of roads drawn besides", (2, 8, 4000), 0, 100_000),
    ),
    SPEC,
    draw,
)
