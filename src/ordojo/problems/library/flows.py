"""Flows: how much goes from where to where."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import (
    TOWNS,
    Drawn,
    Knob,
    Rng,
    Words,
    above,
    cross,
    ids,
    row,
    template,
    under,
)

_MAX_FLOW_SPEC = Spec(
    "A forwarder sends pallets from one town to another, over yards on the way. A yard keeps "
    "nothing and handles only so much, and a road carries only so much.",
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
               "all pallets sent leave from here", Semantic.AGGREGATION),
        Family("arrival", "for e in E", "sum(flow[i, j] for (i, j) in A if j == e) == total_sent",
               "all pallets sent arrive here", Semantic.AGGREGATION),
        Family("balance", "for m in M",
               "sum(flow[i, j] for (i, j) in A if j == m)"
               " == sum(flow[i, j] for (i, j) in A if i == m)",
               "as many pallets leave as arrive", Semantic.EQUALITY),
        Family("handling", "for m in M", "sum(flow[i, j] for (i, j) in A if j == m) <= handled[m]",
               "no more pallets arrive than are handled", Semantic.UPPER_SUM),
        Family("toll_minimum", "", "sum(flow[i, j] for s in S for (i, j) in A if i == s) >= toll",
               "at least {toll} leave from the start, for the toll", Semantic.LOWER_SUM),
        Family("contract_minimum", "", "total_sent >= contract",
               "at least {contract} are sent in all", Semantic.LOWER_BOUND),
    ),
    files={
        "roads": "which roads there are", "starts": "where pallets start",
        "ends": "where pallets end",
    },
)  # fmt: skip


@template(
    "Maximum flow over yards",
    ("Network Flow Optimization", "Maximum Flow Problem"),
    _MAX_FLOW_SPEC,
    Knob("n_yards", "number of yards", (3, 8, 1000), 1, 10_000),
    Knob("n_extra", "number of roads drawn besides", (2, 8, 4000), 0, 100_000),
)
def max_flow(rng: Rng, m: int, n_extra: int) -> Drawn:
    """Yards in a row: each has roads from the start, to the end, and to some yards further on."""
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
    for _ in range(n_extra):
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
            "from": tails + 1,
            "to": heads + 1,
            "road_limit": above(sent * rng.uniform(1.0, 1.4, len(arcs)) + 5),
        },
        "starts": {"town": [1]},
        "ends": {"town": [end + 1]},
        "yards": {
            "town": np.arange(1, m + 1) + 1,
            "handled": above(into * rng.uniform(1.0, 1.15, m)),
        },
        "parameters": row(
            price=int(rng.integers(3, 20)),
            contract=contract,
            toll=int(under(contract * rng.uniform(0.75, 0.95))),
            most_sent=int(above(total * rng.uniform(1.3, 1.6))),
        ),
    }


_MIN_COST_FLOW_SPEC = Spec(
    "A gas company sends gas through its pipes from sources over stations to cities. A station "
    "keeps nothing, and a pipe carries only so much.",
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
               "as much gas leaves as arrives", Semantic.EQUALITY),
        Family("passing", "for m in M",
               "sum(flow[i, j] for (i, j) in A if j == m) <= throughput[m]",
               "no more gas arrives than can pass", Semantic.UPPER_SUM),
        Family("supply_limit", "for s in S",
               "sum(flow[i, j] for (i, j) in A if i == s) <= supply[s]",
               "no more gas leaves than the source can give", Semantic.UPPER_SUM),
        Family("need_met", "for d in D", "sum(flow[i, j] for (i, j) in A if j == d) >= need[d]",
               "at least the gas arrives that the city needs", Semantic.LOWER_SUM),
        Family("sources_minimum", "",
               "sum(flow[i, j] for s in S for (i, j) in A if i == s) >= least_sent",
               "the sources send at least {least_sent} together", Semantic.LOWER_SUM),
    ),
    files={"pipes": "which pipes there are"},
)  # fmt: skip


@template(
    "Minimum cost flow",
    ("Network Flow Optimization", "Minimum Cost Flow Problem"),
    _MIN_COST_FLOW_SPEC,
    Knob("n_sources", "number of sources", (2, 3, 50), 1, 10_000),
    Knob("n_stations", "number of stations", (2, 6, 500), 1, 10_000),
    Knob("n_sinks", "number of sinks", (2, 5, 500), 1, 10_000),
)
def min_cost_flow(rng: Rng, n: int, m: int, k: int) -> Drawn:
    """Arcs from sources to stations, among stations (onward only) and from stations to sinks."""
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
            "from": tails + 1,
            "to": heads + 1,
            "price": rng.integers(2, 13, len(arcs)),
            "pipe_limit": above(sent * rng.uniform(1.1, 1.5, len(arcs)) + 5),
        },
        "sources": {"node": ids(n), "supply": above(out * rng.uniform(1.0, 1.1, n))},
        "cities": {"node": np.arange(n + m, n + m + k) + 1, "need": need},
        "stations": {
            "node": np.arange(n, n + m) + 1,
            "throughput": above(into[n : n + m] * rng.uniform(1.02, 1.12, m) + 5),
        },
        "parameters": row(least_sent=int(under(need.sum() * rng.uniform(0.8, 0.95)))),
    }


Ints = NDArray[np.int64]

_SCENARIO_TRANSPORT_SPEC = Spec(
    "A bottler of mineral water leases filling lines for the coming year before the summer's "
    "weather is known. Under each weather scenario, with its own demand and yield of the "
    "springs, it then ships water from its plants through depots, which keep no stock, to "
    "its markets.",
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
               "the scenario", Semantic.LOWER_PROPORTION),
        Family("depot_balance", "for s in S for d in D",
               "sum(shipped[s, i, j] for (i, j) in R if j == d)"
               " == sum(shipped[s, i, j] for (i, j) in R if i == d)",
               "what comes into the depot leaves it", Semantic.EQUALITY, Scaffold.REPLICATED),
        Family("market_demand", "for s in S for m in M",
               "sum(shipped[s, i, j] for (i, j) in R if j == m) + missing[s, m] >= demand[s, m]",
               "what comes to the market on all routes plus what is missing is at least the "
               "demand in the scenario", Semantic.LOWER_SUM),
        Family("lease_budget", "", "sum(lease_cost[p] * lines[p] for p in P) <= budget",
               "leasing costs at most {budget}", Semantic.UPPER_WEIGHTED_SUM),
    ),
    files={
        "markets": "the markets (plants, depots and markets are numbered together, as sites)",
        "demands": "demand", "yields": "what lines fill",
        "routes": "the routes, from plants to depots and from depots to markets",
    },
)  # fmt: skip

_SCENARIO_TRANSPORT_WORDS = Words(
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


@template(
    "Two-stage transport with scenarios",
    ("Network Flow Optimization", "Supply Chain Optimization"),
    _SCENARIO_TRANSPORT_SPEC,
    Knob("n_scenarios", "number of scenarios", (4, 10, 40), 1, 10_000),
    Knob("n_plants", "number of plants", (3, 5, 8), 1, 1000),
    Knob("n_depots", "number of depots", (3, 4, 6), 1, 1000),
    Knob("n_markets", "number of markets", (5, 8, 15), 1, 1000),
    words=_SCENARIO_TRANSPORT_WORDS,
)
def scenario_transport(rng: Rng, count: int, n: int, hubs: int, m: int) -> Drawn:
    """Scenarios around one base demand; sites are numbered plants first, then depots, markets.

    All is feasible, for plants may be as large as any scenario needs, and shortages can be bought.
    """
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
        "scenarios": {"scenario": scenario, "probability": share},
        "plants": {"site": plants, "lease_cost": lease, "most_lines": most},
        "depots": {"site": depots},
        "markets": {"site": markets, "shortage_cost": rng.integers(20, 41, m)},
        "demands": {
            "scenario": np.repeat(scenario, m),
            "site": np.tile(markets, count),
            "demand": demand,
        },
        "yields": {
            "scenario": np.repeat(scenario, n),
            "site": np.tile(plants, count),
            "line_yield": made,
        },
        "routes": {
            "start": [i for i, _ in routes],
            "goal": [j for _, j in routes],
            "ship_cost": rng.integers(1, 13, len(routes)),
        },
        "parameters": row(budget=int(lease @ most * 0.6)),
    }


def _linked(rng: Rng, here: Ints, there: Ints) -> list[tuple[int, int]]:
    """Half of all pairs, such that every site of either side is in one."""
    linked = rng.random((len(here), len(there))) < 0.5
    linked[rng.integers(0, len(here), len(there)), np.arange(len(there))] = True
    linked[np.arange(len(here)), rng.integers(0, len(there), len(here))] = True
    return [(int(here[i]), int(there[j])) for i, j in np.argwhere(linked)]


_TRANSPORTATION_SPEC = Spec(
    "A grain dealer ships from its silos to mills. Each lane carries only so much, and the "
    "contract with the carrier asks for a least freight.",
    sets=(
        Set("I", "silo", "silos", table="silos", key=("silo",), names=TOWNS),
        Set("J", "mill", "mills", table="mills", key=("mill",), names=TOWNS),
    ),
    parameters=(
        Parameter("least_freight", "least freight by the contract", "tons"),
        Parameter("stock", "grain in stock", "tons", ("I",), "silos"),
        Parameter("need", "grain needed", "tons", ("J",), "mills"),
        Parameter("dock", "most grain that the dock takes in", "tons", ("J",), "mills"),
        Parameter("price", "price of shipping a ton", "dollars", ("I", "J"), "lanes"),
        Parameter("lane_limit", "most grain that the lane carries", "tons", ("I", "J"), "lanes"),
    ),
    groups=(
        Group("ship", "for i in I for j in J", "grain shipped", "continuous", "tons",
              upper="lane_limit[i, j]"),
    ),
    objective=Objective(
        "minimize", "sum(price[i, j] * ship[i, j] for i in I for j in J)", "the price of shipping",
        "dollars",
    ),
    families=(
        Family("need_met", "for j in J", "sum(ship[i, j] for i in I) >= need[j]",
               "at least the grain needed arrives", Semantic.LOWER_SUM),
        Family("stock_limit", "for i in I", "sum(ship[i, j] for j in J) <= stock[i]",
               "no more grain is shipped than is in stock", Semantic.UPPER_SUM),
        Family("dock_limit", "for j in J", "sum(ship[i, j] for i in I) <= dock[j]",
               "no more grain arrives than the dock takes in", Semantic.UPPER_SUM),
        Family("carrier_minimum", "", "sum(ship[i, j] for i in I for j in J) >= least_freight",
               "at least {least_freight} are shipped in all", Semantic.LOWER_SUM),
    ),
    files={"lanes": "the lanes from silos to mills"},
)  # fmt: skip


@template(
    "Transportation over limited lanes",
    ("Transportation and Routing Optimization", "Transportation Problem"),
    _TRANSPORTATION_SPEC,
    Knob("n_sources", "number of sources", (2, 5, 20), 1, 10_000),
    Knob("n_sinks", "number of destinations", (4, 10, 600), 1, 10_000),
)
def transportation(rng: Rng, n: int, m: int) -> Drawn:
    """Limits around a hidden shipment."""
    plan = 5 * rng.integers(2, 11, (n, m))
    need = under(plan.sum(0) * rng.uniform(0.9, 1.0, m))
    return {
        "silos": {"silo": ids(n), "stock": above(plan.sum(1) * rng.uniform(1.0, 1.08, n))},
        "mills": {
            "mill": ids(m),
            "need": need,
            "dock": above(plan.sum(0) * rng.uniform(1.05, 1.2, m)),
        },
        "lanes": {
            **cross(silo=n, mill=m),
            "price": rng.integers(2, 19, (n, m)),
            "lane_limit": above(plan * rng.uniform(1.1, 1.5, (n, m))),
        },
        "parameters": row(least_freight=int(under(need.sum() * rng.uniform(0.8, 0.95)))),
    }


_TRANSSHIPMENT_SPEC = Spec(
    "A maker of bicycles sends crates from its plants through hubs to stores. A hub keeps "
    "nothing: what comes in goes out again.",
    sets=(
        Set("P", "plant", "plants", table="plants", key=("plant",), names=TOWNS),
        Set("H", "hub", "hubs", table="hubs", key=("hub",), names=TOWNS),
        Set("S", "store", "stores", table="stores", key=("store",), names=TOWNS),
    ),
    parameters=(
        Parameter("least_sent", "least number of crates sent by all plants", "crates"),
        Parameter("supply", "crates that the plant can send", "crates", ("P",), "plants"),
        Parameter("space", "most crates that can pass through the hub", "crates", ("H",), "hubs"),
        Parameter("need", "crates that the store needs", "crates", ("S",), "stores"),
        Parameter("in_price", "price of a crate from plant to hub", "dollars", ("P", "H"),
                  "inward"),
        Parameter("in_limit", "most crates from plant to hub", "crates", ("P", "H"), "inward"),
        Parameter("out_price", "price of a crate from hub to store", "dollars", ("H", "S"),
                  "outward"),
        Parameter("out_limit", "most crates from hub to store", "crates", ("H", "S"), "outward"),
    ),
    groups=(
        Group("bring", "for p in P for h in H", "number of crates from the plant to the hub",
              "continuous", "crates", upper="in_limit[p, h]"),
        Group("send", "for h in H for s in S", "number of crates from the hub to the store",
              "continuous", "crates", upper="out_limit[h, s]"),
    ),
    objective=Objective(
        "minimize",
        "sum(in_price[p, h] * bring[p, h] for p in P for h in H)"
        " + sum(out_price[h, s] * send[h, s] for h in H for s in S)",
        "the price of all crates moved", "dollars",
    ),
    families=(
        Family("supply_limit", "for p in P", "sum(bring[p, h] for h in H) <= supply[p]",
               "no more crates leave the plant than it can send", Semantic.UPPER_SUM),
        Family("hub_space", "for h in H", "sum(bring[p, h] for p in P) <= space[h]",
               "no more crates come in than can pass through", Semantic.UPPER_SUM),
        Family("hub_flow", "for h in H",
               "sum(bring[p, h] for p in P) == sum(send[h, s] for s in S)",
               "as many crates go out as come in", Semantic.EQUALITY),
        Family("need_met", "for s in S", "sum(send[h, s] for h in H) >= need[s]",
               "the store gets at least the crates that it needs", Semantic.LOWER_SUM),
        Family("plants_minimum", "", "sum(bring[p, h] for p in P for h in H) >= least_sent",
               "the plants send at least {least_sent} together", Semantic.LOWER_SUM),
    ),
    files={"inward": "the lanes from plants to hubs", "outward": "the lanes from hubs to stores"},
)  # fmt: skip


@template(
    "Transshipment through hubs",
    ("Transportation and Routing Optimization", "Transportation Problem"),
    _TRANSSHIPMENT_SPEC,
    Knob("n_plants", "number of plants", (2, 4, 20), 1, 10_000),
    Knob("n_hubs", "number of hubs", (2, 4, 20), 1, 10_000),
    Knob("n_stores", "number of stores", (3, 8, 1000), 1, 10_000),
)
def transshipment(rng: Rng, n: int, m: int, k: int) -> Drawn:
    """Limits around a hidden flow."""
    out = 5 * rng.integers(2, 9, (m, k))
    through = out.sum(1)
    # What a hub passes on is split over the plants, in fives.
    into = np.array([5 * rng.multinomial(total // 5, np.full(n, 1 / n)) for total in through]).T
    need = under(out.sum(0) * rng.uniform(0.92, 1.0, k))
    return {
        "plants": {"plant": ids(n), "supply": above(into.sum(1) * rng.uniform(1.0, 1.08, n) + 1)},
        "hubs": {"hub": ids(m), "space": above(through * rng.uniform(1.02, 1.12, m))},
        "stores": {"store": ids(k), "need": need},
        "inward": {
            **cross(plant=n, hub=m),
            "in_price": rng.integers(2, 13, (n, m)),
            "in_limit": above(into * rng.uniform(1.1, 1.5, (n, m)) + 1),
        },
        "outward": {
            **cross(hub=m, store=k),
            "out_price": rng.integers(2, 13, (m, k)),
            "out_limit": above(out * rng.uniform(1.1, 1.5, (m, k))),
        },
        "parameters": row(least_sent=int(under(need.sum() * rng.uniform(0.8, 0.95)))),
    }  # fmt: skip
