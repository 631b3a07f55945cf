"""Two-stage transport: plants are sized now, shipments are made in every scenario.

Plants may be sized as large as any scenario needs, and shortages can be bought, so all is feasible.
"""

import numpy as np
from numpy.typing import NDArray

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, plain, row

Ints = NDArray[np.int64]

SPEC = Spec(
    scenario=(
        "A bottler of mineral water leases filling lines for the coming year before the summer's "
        "weather is known. Under each weather scenario, with its own demand and yield of the "
        "springs, it then ships water from its plants through depots, which keep no stock, to "
        "its markets."
    ),
    sets=(
        Set("S", "scenario", "scenarios", table="scenarios", key=("scenario",)),
        Set("P", "plant", "plants", table="plants", key=("site",)),
        Set("D", "depot", "depots", table="depots", key=("site",)),
        Set("M", "market", "markets", table="markets", key=("site",)),
        Set("R", "route", "routes", table="routes", key=("start", "goal")),
    ),
    parameters=(
        Parameter("budget", "money that leasing may cost", "dollars"),
        Parameter("probability", "probability of a scenario", "", ("S",), "scenarios"),
        Parameter("lease_cost", "cost of leasing a line", "dollars", ("P",), "plants"),
        Parameter("most_lines", "most lines that fit into a plant", "lines", ("P",), "plants"),
        Parameter("shortage_cost", "cost of a pallet that is missing", "dollars", ("M",),
                  "markets"),
        Parameter("demand", "demand", "pallets", ("S", "M"), "demands"),
        Parameter("line_yield", "pallets that a line fills", "pallets", ("S", "P"), "yields"),
        Parameter("ship_cost", "cost of shipping a pallet", "dollars", ("R",), "routes"),
    ),
    groups=(
        Group("lines", "for p in P", "number of lines leased", "integer", "lines",
              upper="most_lines[p]"),
        Group("shipped", "for s in S for (i, j) in R",
              "number of pallets shipped on a route in a scenario", "continuous", "pallets"),
        Group("missing", "for s in S for m in M",
              "number of pallets that a market is short of in a scenario", "continuous", "pallets"),
    ),
    objective=Objective(
        "minimize",
        "sum(lease_cost[p] * lines[p] for p in P)"
        " + sum(probability[s] * ship_cost[i, j] * shipped[s, i, j] for s in S for (i, j) in R)"
        " + sum(probability[s] * shortage_cost[m] * missing[s, m] for s in S for m in M)",
        "the cost of leasing plus the expected cost of shipping and of what is missing", "dollars",
    ),
    families=(
        Family("plant_output", "for s in S for p in P",
               "sum(shipped[s, i, j] for (i, j) in R if i == p) <= line_yield[s, p] * lines[p]",
               "what the plant ships on all its routes is at most what its leased lines fill in "
               "the scenario", Semantic.LOWER_PROPORTION, Scaffold.NESTED_LOOP),
        Family("depot_balance", "for s in S for d in D",
               "sum(shipped[s, i, j] for (i, j) in R if j == d)"
               " == sum(shipped[s, i, j] for (i, j) in R if i == d)",
               "what comes into the depot leaves it", Semantic.EQUALITY, Scaffold.REPLICATED),
        Family("market_demand", "for s in S for m in M",
               "sum(shipped[s, i, j] for (i, j) in R if j == m) + missing[s, m] >= demand[s, m]",
               "what comes to the market on all routes plus what is missing is at least the "
               "demand in the scenario", Semantic.LOWER_SUM, Scaffold.NESTED_LOOP),
        Family("lease_budget", "", "sum(lease_cost[p] * lines[p] for p in P) <= budget",
               "leasing costs at most {budget}", Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
    ),
    files={
        "markets": "the markets (plants, depots and markets are numbered together, as sites)",
        "demands": "demand", "yields": "what lines fill",
        "routes": "the routes, from plants to depots and from depots to markets",
    },
)  # fmt: skip

WORDS = Words(
    who="a bottler of mineral water",
    tellings=(
        "Filling lines for next year have to be leased by a bottler of mineral water today; how "
        "much its springs yield and its markets want will depend on the summer, of which several "
        "scenarios have been drawn up. The water goes from plants to depots, where nothing stays, "
        "and on to markets.",
    ),
    nouns=("depot warehouse cross-dock", "market town wholesaler", "pallet crate rack"),
    goals=(
        Objective("minimize", "sum(lease_cost[p] * lines[p] for p in P)",
                  "the cost of leasing lines"),
        Objective("minimize", "sum(ship_cost[i, j] * shipped[s, i, j] for s in S for (i, j) in R)",
                  "the cost of shipping in all scenarios"),
        Objective("minimize", "sum(missing[s, m] for s in S for m in M)",
                  "the number of pallets that markets are short of"),
        Objective("minimize",
                  "sum(probability[s] * shortage_cost[m] * missing[s, m] for s in S for m in M)",
                  "the expected cost of what is missing"),
    ),
    rules={
        "plant_output": ("output",),
        "depot_balance": ("depots", "what comes into the depot minus what leaves it"),
        "market_demand": ("demand", "what comes to the market plus what it is short of",
                          "the demand"),
        "lease_budget": ("leases", "the cost of all leases", "{budget}"),
    },
    optional=("lease_budget",),
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Scenarios around one base demand; sites are numbered plants first, then depots, markets."""
    count, n, hubs, m = (
        int(knobs[k]) for k in ("n_scenarios", "n_plants", "n_depots", "n_markets")
    )
    plants = np.arange(1, n + 1)
    depots, markets = n + np.arange(1, hubs + 1), n + hubs + np.arange(1, m + 1)
    routes = [*_linked(rng, plants, depots), *_linked(rng, depots, markets)]
    base = rng.integers(20, 61, m)
    demand = np.rint(base * rng.uniform(0.6, 1.5, (count, m))).astype(np.int64)
    made = np.rint(rng.integers(15, 26, n) * rng.uniform(0.7, 1.2, (count, n))).astype(np.int64)
    lease, most = rng.integers(80, 161, n), rng.integers(2, 6, n)
    weight = rng.integers(1, 6, count)
    share = np.rint(weight / weight.sum() * 1000) / 1000
    scenario = np.arange(1, count + 1)
    return {
        "scenarios": {"scenario": plain(scenario), "probability": plain(share)},
        "plants": {"site": plain(plants), "lease_cost": plain(lease), "most_lines": plain(most)},
        "depots": {"site": plain(depots)},
        "markets": {"site": plain(markets), "shortage_cost": plain(rng.integers(20, 41, m))},
        "demands": {
            "scenario": plain(np.repeat(scenario, m)),
            "site": plain(np.tile(markets, count)),
            "demand": plain(demand),
        },
        "yields": {
            "scenario": plain(np.repeat(scenario, n)),
            "site": plain(np.tile(plants, count)),
            "line_yield": plain(made),
        },
        "routes": {
            "start": [i for i, _ in routes],
            "goal": [j for _, j in routes],
            "ship_cost": plain(rng.integers(1, 13, len(routes))),
        },
        "parameters": row(budget=int(lease @ most * 0.6)),
    }


def _linked(rng: Rng, here: Ints, there: Ints) -> list[tuple[int, int]]:
    """Half of all pairs, such that every site of either side is in one."""
    linked = rng.random((len(here), len(there))) < 0.5
    linked[rng.integers(0, len(here), len(there)), np.arange(len(there))] = True
    linked[np.arange(len(here)), rng.integers(0, len(there), len(here))] = True
    return [(int(here[i]), int(there[j])) for i, j in np.argwhere(linked)]


TEMPLATE = Template(
    "scenario_transport",
    "Two-stage transport with scenarios",
    ("Network Flow Optimization", "Supply Chain Optimization"),
    (
        Knob("n_scenarios", "number of scenarios", (4, 10, 40), 1, 10_000),
        Knob("n_plants", "number of plants", (3, 5, 8), 1, 1000),
        Knob("n_depots", "number of depots", (3, 4, 6), 1, 1000),
        Knob("n_markets", "number of markets", (5, 8, 15), 1, 1000),
    ),
    SPEC,
    draw,
    words=WORDS,
)
