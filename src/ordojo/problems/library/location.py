"""Places: which are opened, linked, covered, told apart and visited."""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import TOWNS, Drawn, Knob, Rng, Words, cross, ids, row, template

_CHANNEL_COLORING_SPEC = Spec(
    "A radio authority gives every transmitter a channel. Transmitters that disturb each other "
    "must not have the same one, and each channel that is used at all costs a fee.",
    sets=(
        Set("I", "transmitter", "transmitters", table="transmitters", key=("transmitter",)),
        Set("C", "channel", "channels", table="channels", key=("channel",)),
        Set("E", "disturbance", "disturbances", table="disturbances", key=("one", "other"),
            parts=("I", "I")),
    ),
    parameters=(
        Parameter("most_on_channel", "most transmitters on a channel", "transmitters"),
        Parameter("fee", "fee of a channel", "dollars", ("C",), "channels"),
    ),
    groups=(
        Group("given", "for i in I for c in C", "decision whether a transmitter gets a channel",
              "binary"),
        Group("used", "for c in C", "decision whether a channel is used", "binary"),
    ),
    objective=Objective("minimize", "sum(fee[c] * used[c] for c in C)",
                        "the fees of all channels that are used", "dollars"),
    families=(
        Family("one_channel", "for i in I", "sum(given[i, c] for c in C) == 1",
               "the transmitter gets exactly one channel", Semantic.EXACTLY_ONE),
        Family("kept_apart", "for (i, j) in E for c in C", "given[i, c] + given[j, c] <= 1",
               "at most one of two transmitters that disturb each other gets the channel",
               Semantic.AT_MOST_ONE, Scaffold.PAIRWISE),
        Family("channel_used", "for c in C",
               "sum(given[i, c] for i in I) <= most_on_channel * used[c]",
               "at most {most_on_channel} get the channel if it is used, and none if it is not",
               Semantic.INDICATOR),
    ),
    files={"disturbances": "the pairs of transmitters that disturb each other"},
)  # fmt: skip


@template(
    "Coloring with fees of colors",
    ("Assignment and Matching Optimization", "Graph Coloring Problem"),
    _CHANNEL_COLORING_SPEC,
    Knob("n_transmitters", "number of transmitters", (6, 12, 80), 2, 2000),
    Knob("n_channels", "number of channels", (3, 4, 8), 2, 100),
    needs=(lambda n, channels: n > channels, "let there be fewer channels"),
)
def channel_coloring(rng: Rng, n: int, channels: int) -> Drawn:
    """Pairs among those that a hidden assignment keeps apart."""
    hidden = rng.permutation(np.arange(n) % channels)
    apart = np.triu(hidden[:, None] != hidden[None], 1)
    chosen = apart & (rng.random((n, n)) < min(0.6, 6 / n))
    one, other = np.nonzero(chosen if chosen.any() else apart)
    return {
        "transmitters": {"transmitter": ids(n)},
        "channels": {"channel": ids(channels), "fee": 10 * rng.integers(5, 20, channels)},
        "disturbances": {"one": one + 1, "other": other + 1},
        "parameters": row(most_on_channel=-(-n // channels) + 1),
    }


_COVERAGE_LOCATION_SPEC = Spec(
    "A phone company may put up a few masts on candidate sites. Each site reaches certain "
    "villages, and a village counts as served once a mast reaches it.",
    sets=(
        Set("J", "site", "sites", table="sites", key=("site",)),
        Set("I", "village", "villages", table="villages", key=("village",)),
        Set("R", "reach", "reaches", table="reach", key=("village", "site"), parts=("I", "J")),
    ),
    parameters=(
        Parameter("most_masts", "most masts that can be put up", "masts"),
        Parameter("budget", "money for masts", "thousand dollars"),
        Parameter("cost", "cost of a mast", "thousand dollars", ("J",), "sites"),
        Parameter("people", "people who live there", "people", ("I",), "villages"),
    ),
    groups=(
        Group("built", "for j in J", "decision whether a mast is put up", "binary"),
        Group("served", "for i in I", "decision whether a village counts as served", "binary"),
    ),
    objective=Objective("maximize", "sum(people[i] * served[i] for i in I)",
                        "the number of people in villages that are served", "people"),
    families=(
        Family("reached", "for i in I", "served[i] <= sum(built[j] for (v, j) in R if v == i)",
               "the village counts as served only if a mast is put up on a site that reaches it",
               Semantic.IMPLICATION, Scaffold.SUBSET),
        Family("mast_limit", "", "sum(built[j] for j in J) <= most_masts",
               "at most {most_masts} are put up", Semantic.UPPER_SUM),
        Family("money", "", "sum(cost[j] * built[j] for j in J) <= budget",
               "all masts together cost at most {budget}", Semantic.UPPER_WEIGHTED_SUM),
    ),
    files={"sites": "the candidate sites", "reach": "which site reaches which village"},
)  # fmt: skip


@template(
    "Maximal coverage with few sites",
    ("Location and Covering Optimization", "Maximal Covering Location Problem"),
    _COVERAGE_LOCATION_SPEC,
    Knob("n_sites", "number of candidate sites", (5, 12, 150), 2, 5000),
    Knob("n_villages", "number of villages", (8, 30, 1500), 2, 50_000),
)
def coverage_location(rng: Rng, n: int, m: int) -> Drawn:
    """Reach at random; each village is reached from somewhere."""
    reach = rng.random((m, n)) < min(0.5, 4 / n)
    reach[np.arange(m), rng.integers(0, n, m)] = True
    village, site = np.nonzero(reach)
    cost = rng.integers(20, 61, n)
    most = max(1, n // 3)
    return {
        "sites": {"site": ids(n), "cost": cost},
        "villages": {"village": ids(m), "people": rng.integers(50, 901, m)},
        "reach": {"village": village + 1, "site": site + 1},
        "parameters": row(most_masts=most, budget=int(cost.mean() * most * 0.95)),
    }


_FACILITY_LOCATION_SPEC = Spec(
    "A bakery chain decides which of its candidate kitchens to open and from which kitchen "
    "each shop is supplied. A shop gets everything from a single kitchen.",
    sets=(
        Set("I", "shop", "shops", table="shops", key=("shop",), names=TOWNS),
        Set("J", "kitchen", "kitchens", table="kitchens", key=("kitchen",), names=TOWNS),
    ),
    parameters=(
        Parameter("most_kitchens", "most kitchens that can be opened", "kitchens"),
        Parameter("demand", "daily demand", "trays", ("I",), "shops"),
        Parameter("capacity", "daily capacity", "trays", ("J",), "kitchens"),
        Parameter("opening_cost", "cost of opening a kitchen", "dollars", ("J",), "kitchens"),
        Parameter("supply_cost", "cost of supplying a shop from a kitchen", "dollars", ("I", "J"),
                  "supply_costs"),
    ),
    groups=(
        Group("supplied", "for i in I for j in J",
              "decision whether a shop is supplied from a kitchen", "binary"),
        Group("opened", "for j in J", "decision whether a kitchen is opened", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(opening_cost[j] * opened[j] for j in J)"
        " + sum(supply_cost[i, j] * supplied[i, j] for i in I for j in J)",
        "the cost of opening kitchens plus the cost of supplying all shops", "dollars",
    ),
    families=(
        Family("one_kitchen", "for i in I", "sum(supplied[i, j] for j in J) == 1",
               "the shop is supplied from exactly one kitchen", Semantic.EXACTLY_ONE),
        Family("kitchen_capacity", "for j in J",
               "sum(demand[i] * supplied[i, j] for i in I) <= capacity[j]",
               "the demand of the shops that the kitchen supplies stays within its capacity",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("only_if_opened", "for i in I for j in J", "supplied[i, j] <= opened[j]",
               "the shop is supplied from the kitchen only if that is opened",
               Semantic.IMPLICATION),
        Family("kitchen_limit", "", "sum(opened[j] for j in J) <= most_kitchens",
               "at most {most_kitchens} kitchens are opened", Semantic.UPPER_SUM),
    ),
    files={
        "kitchens": "the candidate kitchens",
        "supply_costs": "what it costs to supply each shop from each kitchen",
    },
)  # fmt: skip

_FACILITY_LOCATION_WORDS = Words(
    who="a bakery chain",
    tellings=(
        "Every shop of a bakery chain gets its goods from one kitchen and no other. Which of the "
        "sites for kitchens to open is as open as which shop to supply from where.",
    ),
    nouns=("shop cafe canteen kiosk", "kitchen bakehouse plant hub"),
    goals=(
        Objective("minimize", "sum(opened[j] for j in J)", "the number of kitchens opened"),
        Objective("minimize", "sum(supply_cost[i, j] * supplied[i, j] for i in I for j in J)",
                  "the cost of supplying all shops"),
        Objective("minimize", "sum(opening_cost[j] * opened[j] for j in J)",
                  "the cost of opening kitchens"),
        Objective("maximize", "sum(capacity[j] * opened[j] for j in J)",
                  "the capacity of all kitchens"),
    ),
    rules={
        "one_kitchen": ("supply", "the number of kitchens that supply the shop"),
        "kitchen_capacity": ("capacity", "the demand of the shops that the kitchen supplies",
                             "its capacity"),
        "only_if_opened": ("opened kitchens",),
        "kitchen_limit": ("opening", "the number of all kitchens opened", "{most_kitchens}"),
    },
    optional=("kitchen_capacity",),
)  # fmt: skip


@template(
    "Capacitated facility location with single sourcing",
    ("Facility Location Optimization", "Capacitated Facility Location Problem"),
    _FACILITY_LOCATION_SPEC,
    Knob("n_customers", "number of customers", (10, 16, 30), 1, 10_000),
    Knob("n_sites", "number of candidate sites", (5, 6, 8), 2, 1000),
    Knob("spare", "sites that may be opened besides those needed", (0, 0, 0), 0, 1000),
    words=_FACILITY_LOCATION_WORDS,
)
def facility_location(rng: Rng, n: int, m: int, spare: int) -> Drawn:
    """Shops and kitchens on a map; distances are costs."""
    demand = rng.integers(5, 31, n)
    used = max(1, m // 2)
    given = rng.permutation(np.arange(n) % used)
    load = np.bincount(given, demand, m).astype(np.int64)
    capacity = load + rng.integers(15, 61, m) + np.where(load == 0, int(demand.sum()) // m, 0)
    here, there = rng.random((n, 2)), rng.random((m, 2))
    away = np.linalg.norm(here[:, None] - there[None], axis=2)
    return {
        "shops": {"shop": ids(n), "demand": demand},
        "kitchens": {
            "kitchen": ids(m),
            "capacity": capacity,
            "opening_cost": rng.integers(60, 181, m),
        },
        "supply_costs": {
            **cross(shop=n, kitchen=m),
            "supply_cost": 1 + np.rint(away * demand[:, None] * 4).astype(np.int64),
        },
        "parameters": row(most_kitchens=used + spare),
    }


_NETWORK_DESIGN_SPEC = Spec(
    "A regional freight operator is laying out its line-haul network. Terminals can be joined "
    "by one-way trucking lanes, and a lane may be used only if it is set up, which costs a "
    "fixed amount however much it carries. Each commodity is a standing order to move a "
    "certain volume from its origin terminal to its destination terminal; it may be split "
    "over several routes and pass through any terminals on the way.",
    sets=(
        Set("N", "terminal", "terminals", table="nodes", key=("node",)),
        Set("A", "lane", "lanes", table="arcs", key=("tail", "head"), parts=("N", "N")),
        Set("K", "commodity", "commodities", table="commodities", key=("commodity",)),
    ),
    parameters=(
        Parameter("n_nodes", "number of terminals"),
        Parameter("n_commodities", "number of commodities"),
        Parameter("n_arcs", "number of lanes"),
        Parameter("density", "share of the possible lanes that can be set up"),
        Parameter("capacity", "most volume that a lane carries", "tons", ("A",), "arcs"),
        Parameter("fixed_cost", "cost of setting up a lane", "dollars", ("A",), "arc_costs"),
        Parameter("origin", "terminal where a commodity starts", "", ("K",), "commodities"),
        Parameter("destination", "terminal where a commodity ends", "", ("K",), "commodities"),
        Parameter("volume", "volume of a commodity", "tons", ("K",), "commodities"),
        Parameter("unit_cost", "cost of moving a ton on a lane", "dollars per ton", ("A",),
                  "arc_costs"),
    ),
    groups=(
        Group("flow", "for k in K for (i, j) in A", "volume of a commodity that is moved on a lane",
              "continuous", "tons"),
        Group("opened", "for (i, j) in A", "decision whether a lane is set up", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(fixed_cost[i, j] * opened[i, j] for (i, j) in A)"
        " + sum(unit_cost[i, j] * flow[k, i, j] for k in K for (i, j) in A)",
        "the cost of setting up lanes plus the cost of moving all volumes on them", "dollars",
    ),
    families=(
        Family("balance", "for k in K for n in N",
               "sum(flow[k, i, j] for (i, j) in A if i == n)"
               " - sum(flow[k, i, j] for (i, j) in A if j == n)"
               " == volume[k] * (n == origin[k]) - volume[k] * (n == destination[k])",
               "what leaves the terminal minus what comes in is the commodity's volume at its "
               "origin, minus its volume at its destination, and zero anywhere else",
               Semantic.EQUALITY, Scaffold.REPLICATED),
        Family("lane_capacity", "for (i, j) in A",
               "sum(flow[k, i, j] for k in K) <= capacity[i, j] * opened[i, j]",
               "all commodities together stay within the lane's capacity if it is set up, and "
               "nothing moves on it if it is not", Semantic.INDICATOR),
        Family("use_if_opened", "for k in K for (i, j) in A",
               "flow[k, i, j] <= volume[k] * opened[i, j]",
               "a commodity moves on a lane only if the lane is set up, and then no more than its "
               "own volume", Semantic.IMPLICATION),
    ),
    files={
        "arcs": "the lanes that can be set up, from their tail to their head",
        "arc_costs": "what setting up and using each lane costs",
    },
)  # fmt: skip

_NETWORK_DESIGN_WORDS = Words(
    who="a regional freight operator",
    tellings=(
        "Commodities go from terminal to terminal in the network of a regional freight operator, "
        "each from its origin to its destination, in as many parts and over as many terminals as "
        "one likes. The one-way lanes between terminals carry something only once they are set "
        "up, and that costs the same however much they carry.",
    ),
    nouns=(
        "commodity/commodities consignment cargo/cargoes", "terminal yard station port",
        "lane link connection leg",
    ),
    goals=(
        Objective("minimize", "sum(unit_cost[i, j] * flow[k, i, j] for k in K for (i, j) in A)",
                  "the cost of moving all volumes on the lanes"),
        Objective("minimize", "sum(fixed_cost[i, j] * opened[i, j] for (i, j) in A)",
                  "the cost of setting up lanes"),
        Objective("minimize", "sum(opened[i, j] for (i, j) in A)", "the number of lanes set up"),
        Objective("minimize", "sum(flow[k, i, j] for k in K for (i, j) in A)",
                  "the volume moved on all lanes"),
    ),
    rules={
        "balance": ("flow", "what leaves the terminal minus what comes in"),
        "lane_capacity": ("capacity", "the volume on the lane minus its capacity if it is set up"),
        "use_if_opened": ("use of lanes",
                          "the commodity's volume on the lane minus all of it if the lane is set "
                          "up"),
    },
    optional=("use_if_opened",),
)  # fmt: skip


@template(
    "Multicommodity capacitated network design",
    ("Network Flow Optimization", "Multi-Commodity Capacitated Network Design Problem"),
    _NETWORK_DESIGN_SPEC,
    Knob("n_nodes", "number of terminals, |N|", (6, 10, 20), 3, 2000),
    Knob("n_commodities", "number of commodities, |K|", (4, 8, 20), 1, 5000),
    Knob("density", "share of the possible lanes that exist", (0.5, 0.4, 0.25), 0.0, 1.0),
    words=_NETWORK_DESIGN_WORDS,
)
def network_design(rng: Rng, n: int, count: int, density: float) -> Drawn:
    """A ring in both directions, which carries all demand, and further lanes up to the density.

    Files and knobs are those of paper 003, appendix B.5.
    """
    ring = [(i, i % n + 1) for i in range(1, n + 1)]
    ring += [(j, i) for i, j in ring]
    others = [
        (i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j and (i, j) not in ring
    ]
    wanted = max(0, round(density * n * (n - 1)) - len(ring))
    chosen = rng.permutation(len(others))[:wanted].tolist()
    arcs = sorted(ring + [others[k] for k in chosen])
    origin = rng.integers(1, n + 1, count)
    destination = (origin - 1 + rng.integers(1, n, count)) % n + 1
    volume = rng.integers(5, 26, count)
    # Half of the ring's lanes, one direction, can carry everything.
    whole = int(volume.sum())
    on_ring = set(ring[:n])
    capacity = [
        whole if arc in on_ring else int(rng.integers(whole // 4, whole // 2 + 2)) for arc in arcs
    ]
    tails, heads = [i for i, _ in arcs], [j for _, j in arcs]
    return {
        "nodes": {"node": list(range(1, n + 1))},
        "arcs": {"tail": tails, "head": heads, "capacity": capacity},
        "commodities": {
            "commodity": list(range(1, count + 1)),
            "origin": origin.tolist(),
            "destination": destination.tolist(),
            "volume": volume.tolist(),
        },
        "arc_costs": {
            "tail": tails,
            "head": heads,
            "fixed_cost": rng.integers(40, 161, len(arcs)).tolist(),
            "unit_cost": rng.integers(1, 11, len(arcs)).tolist(),
        },
        "parameters": {
            "n_nodes": [n],
            "n_commodities": [count],
            "n_arcs": [len(arcs)],
            "density": [round(len(arcs) / (n * (n - 1)), 4)],
        },
    }


_ROUND_TRIP_SPEC = Spec(
    "A courier leaves the depot, calls once at every customer and comes back. Depot and "
    "customers are the stops; the depot is the first of them.",
    sets=(
        Set("N", "stop", "stops", table="stops", key=("stop",)),
        Set("C", "customer", "customers", table="customers", key=("stop",)),
        Set("A", "leg", "legs", table="legs", key=("start", "goal"), parts=("N", "N")),
    ),
    parameters=(
        Parameter("last", "largest place that a customer can have in the order of visits"),
        Parameter("minutes", "time of driving a leg", "minutes", ("A",), "legs"),
    ),
    groups=(
        Group("driven", "for (i, j) in A", "decision whether a leg is driven", "binary"),
        Group("place", "for i in C", "place of a customer in the order of visits", "continuous",
              upper="last"),
    ),
    objective=Objective("minimize", "sum(minutes[i, j] * driven[i, j] for (i, j) in A)",
                        "the time of driving all legs", "minutes"),
    families=(
        Family("left_once", "for n in N", "sum(driven[i, j] for (i, j) in A if i == n) == 1",
               "exactly one leg that starts there is driven", Semantic.EXACTLY_ONE,
               Scaffold.SUBSET),
        Family("reached_once", "for n in N", "sum(driven[i, j] for (i, j) in A if j == n) == 1",
               "exactly one leg that ends there is driven", Semantic.EXACTLY_ONE, Scaffold.SUBSET),
        Family("in_order", "for i in C for j in C if i != j",
               "place[j] >= place[i] + 1 - last * (1 - driven[i, j])",
               "if the leg from the first to the second is driven, the second comes at least one "
               "place later; otherwise the rule is lifted by {last}", Semantic.INDICATOR,
               Scaffold.PAIRWISE, "for each customer and each other customer"),
    ),
    files={
        "stops": "the depot and the customers",
        "legs": "the legs between all stops, in both directions",
    },
)  # fmt: skip


@template(
    "Round trip with the order of visits",
    ("Network Flow Optimization", "Traveling Salesman Problem"),
    _ROUND_TRIP_SPEC,
    Knob("n_customers", "number of customers", (5, 8, 30), 2, 200),
)
def round_trip(rng: Rng, n_customers: int) -> Drawn:
    """Stops in the plane."""
    n = n_customers + 1
    at = rng.integers(0, 61, (n, 2))
    far = np.rint(np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))).astype(np.int64) + 1
    one, two = (np.array(column) for column in cross(one=n, two=n).values())
    apart = one != two
    return {
        "stops": {"stop": ids(n)},
        "customers": {"stop": np.arange(2, n + 1)},
        "legs": {"start": one[apart], "goal": two[apart], "minutes": far.ravel()[apart]},
        "parameters": row(last=n - 1),
    }


_SET_COVERING_SPEC = Spec(
    "A city places ambulances. Each candidate station reaches certain districts in time, and "
    "every district has to be within reach. Some districts, with hospitals or old people's "
    "homes, are critical and have to be within reach of several stations.",
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
               "at most {most_stations} stations are run in all", Semantic.UPPER_SUM),
    ),
    files={
        "stations": "the candidate stations", "critical": "the districts that are critical",
        "reach": "which station reaches which district in time",
    },
)  # fmt: skip

_SET_COVERING_WORDS = Words(
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


@template(
    "Set covering with backup",
    ("Combinatorial Optimization", "Set Multi-Cover Problem"),
    _SET_COVERING_SPEC,
    Knob("n_districts", "number of elements to cover", (15, 40, 150), 2, 100_000),
    Knob("n_sites", "number of subsets", (12, 30, 100), 3, 50_000),
    Knob("density", "share of the elements in a subset", (0.25, 0.15, 0.06), 0.0, 1.0),
    Knob("backup", "coverage of critical elements", (2, 2, 3), 2, 10),
    needs=(lambda n, m, density, backup: m >= backup, "let n_sites be at least backup"),
    words=_SET_COVERING_WORDS,
)
def set_covering(rng: Rng, n: int, m: int, density: float, backup: int) -> Drawn:
    """Irregular subsets, and a limit that a random greedy choice meets."""
    reach = rng.random((n, m)) < density
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
        "stations": {"station": ids(m), "cost": rng.integers(10, 60, m)},
        "critical": {"district": critical + 1},
        "reach": {"district": pairs[:, 0], "station": pairs[:, 1]},
        "parameters": row(n_districts=n, backup=backup, most_stations=chosen),
    }
