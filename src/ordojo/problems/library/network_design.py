"""Multicommodity capacitated network design, with the files and knobs of paper 003, appendix B.5.

Arcs are opened at a fixed cost; each commodity is routed from its origin to its destination. The
first arcs form a ring in both directions that carries all demand, so there is always a solution.
"""

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words

SPEC = Spec(
    scenario=(
        "A regional freight operator is laying out its line-haul network. Terminals can be joined "
        "by one-way trucking lanes, and a lane may be used only if it is set up, which costs a "
        "fixed amount however much it carries. Each commodity is a standing order to move a "
        "certain volume from its origin terminal to its destination terminal; it may be split "
        "over several routes and pass through any terminals on the way."
    ),
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
               "nothing moves on it if it is not", Semantic.INDICATOR, Scaffold.SINGLE_LOOP),
        Family("use_if_opened", "for k in K for (i, j) in A",
               "flow[k, i, j] <= volume[k] * opened[i, j]",
               "a commodity moves on a lane only if the lane is set up, and then no more than its "
               "own volume", Semantic.IMPLICATION, Scaffold.NESTED_LOOP),
    ),
    files={
        "arcs": "the lanes that can be set up, from their tail to their head",
        "arc_costs": "what setting up and using each lane costs",
    },
)  # fmt: skip

WORDS = Words(
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


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """A ring in both directions and further lanes by chance, up to the density."""
    n, count = int(knobs["n_nodes"]), int(knobs["n_commodities"])
    ring = [(i, i % n + 1) for i in range(1, n + 1)]
    ring += [(j, i) for i, j in ring]
    others = [
        (i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j and (i, j) not in ring
    ]
    wanted = max(0, round(float(knobs["density"]) * n * (n - 1)) - len(ring))
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


TEMPLATE = Template(
    "network_design",
    "Multicommodity capacitated network design",
    ("Network Flow Optimization", "Multi-Commodity Capacitated Network Design Problem"),
    (
        Knob("n_nodes", "number of terminals, |N|", (6, 10, 20), 3, 2000),
        Knob("n_commodities", "number of commodities, |K|", (4, 8, 20), 1, 5000),
        Knob("density", "share of the possible lanes that exist", (0.5, 0.4, 0.25), 0.0, 1.0),
    ),
    SPEC,
    draw,
    words=WORDS,
)
