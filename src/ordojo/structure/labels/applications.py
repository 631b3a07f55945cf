"""A ranked guess at a model's application class (paper 003, table 9), with its evidence.

Each signature adds up what speaks for a class; classes that differ by story alone have none.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ordojo.structure.labels.traits import SETS, Traits, read
from ordojo.structure.labels.view import View
from ordojo.structure.labels.vocabulary import Scaffold, Semantic

if TYPE_CHECKING:
    from ordojo.structure.labels.labels import Application, FamilyLabel

MOST = 5
LEAST = 0.15
ASSIGNMENT = "Assignment and Resource Allocation Optimization"
COMBINATORIAL = "Combinatorial Optimization"
CUTTING = "Cutting and Packing Optimization"
FACILITY = "Facility Location Optimization"
NETWORK = "Network Flow Optimization"
PRODUCTION = "Production Planning and Scheduling Optimization"
ROUTING = "Transportation and Routing Optimization"
GRAPH = "Graph-Structured Optimization"
DISJUNCTIVE = "Disjunctive and Pairwise Scheduling"
RANDOM = "Random-Graph Benchmark MILPs"
SYNTHETIC = "Synthetic / Prototype MILPs"
DENSE = "Dense Algebraic / Stress-Test MILPs"
DOMAIN = "Domain-Specific Optimization"
STUBS = "Miscellaneous Application Stubs"

Reason = tuple[float, str]
Signature = Callable[[Traits], list[Reason]]

S, L = Semantic, Scaffold
WEIGHTED = (S.UPPER_WEIGHTED_SUM, S.LOWER_WEIGHTED_SUM)
GATED = (S.IMPLICATION, S.INDICATOR)


def _knapsack(t: Traits) -> list[Reason]:
    share = t.share(
        lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold in (L.GLOBAL, L.SINGLE_LOOP)
    )
    few = t.rows <= 0.3 * t.columns
    budget = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.GLOBAL)
    return [
        (0.5 * share, "weighted capacities") if few else (0.0, ""),
        (0.3 * (t.binary + t.integer) * (share > 0.5), "whole decisions"),
        (0.1 * (share > 0.9 and few), "nothing else"),
        (0.5 * (budget and share < 0.5 and t.binary > 0.95), "a budget over yes-or-no decisions"),
    ]


def _market_share(t: Traits) -> list[Reason]:
    dense = t.density > 0.3 and t.rows <= 20
    return [(0.8 * (dense and t.semantic(S.EQUALITY, S.AGGREGATION) > 0.8), "few dense equalities")]


def _cover(t: Traits) -> list[Reason]:
    share = t.semantic(S.AT_LEAST_ONE)
    return [
        (0.7 * share, "each row needs one of a set"),
        (0.2 * (share > 0.9 and t.binary == 1), "nothing but covering"),
    ]


def _multicover(t: Traits) -> list[Reason]:
    several = t.share(lambda f: f.semantic == S.LOWER_SUM and "covering" not in f.miplib)
    share = t.semantic(S.AT_LEAST_ONE)
    return [
        (0.75 * several * t.binary, "each row needs several of a set"),
        (0.5 * share, "each row needs one of a set"),
    ]


def _partition(t: Traits) -> list[Reason]:
    share = t.share(lambda f: f.semantic == S.EXACTLY_ONE and f.scaffold == L.SUBSET)
    wide = t.slim > 4 and t.binary > 0.9
    return [
        (0.6 * share * wide, "exactly one of many listed columns a row"),
        (0.25 * (share > 0.95 and wide), "a set partitioning over generated columns"),
    ]


def _column_cover(t: Traits) -> list[Reason]:
    share = t.semantic(S.AT_LEAST_ONE) * (t.slim > 10)
    return [(0.8 * share, "few rows covered by very many columns")]


def _assignment(t: Traits) -> list[Reason]:
    exact = t.semantic(S.EXACTLY_ONE, S.AT_MOST_ONE)
    caps = t.semantic(S.UPPER_WEIGHTED_SUM)
    simple = t.conserving == 0 and t.stock == 0 and t.setup < 0.05
    return [
        (0.4 * exact * simple, "exactly-one or at-most-one families"),
        (0.2 * (t.two_way and simple), "along two indices"),
        (0.2 * (exact > 0.1 and exact + caps > 0.8 and caps > 0), "and capacities alone"),
    ]


def _structured_assignment(t: Traits) -> list[Reason]:
    exact, logic = t.semantic(S.EXACTLY_ONE), t.semantic(S.IMPLICATION)
    return [
        (0.25 * (exact > 0.02), "exactly-one families"),
        (0.3 * min(1.0, 2 * logic) * (exact > 0.02), "with implications"),
    ]


def _bin_packing(t: Traits) -> list[Reason]:
    gates = t.share(lambda f: f.semantic == S.INDICATOR and f.miplib in ("bin packing", "knapsack"))
    exact = t.semantic(S.EXACTLY_ONE)
    return [
        (0.5 * (gates > 0), "capacities that a binary opens"),
        (0.4 * (exact > 0 and gates > 0 and t.binary > 0.95), "each item in exactly one"),
    ]


def _cutting(t: Traits) -> list[Reason]:
    share = t.semantic(S.LOWER_WEIGHTED_SUM, S.LOWER_SUM)
    whole = t.integer > 0.9 and share > 0
    return [((0.3 + 0.4 * share) * whole, "whole multiples of patterns meet demands")]


def _blending(t: Traits) -> list[Reason]:
    share = t.semantic(S.UPPER_PROPORTION, S.LOWER_PROPORTION)
    mixing = t.continuous > 0.5 and t.conserving == 0
    return [(0.8 * min(1.0, 2 * share) * mixing, "shares of continuous amounts")]


def _unit_commitment(t: Traits) -> list[Reason]:
    windows = t.scaffold(L.WINDOW) * (t.binary > 0.1) * (t.continuous > 0.1)
    return [
        (0.35 * (windows > 0.02), "windows over on and off decisions"),
        (0.3 * (windows > 0.02 and t.scaffold(L.COUPLED) > 0.02), "ramps between periods"),
        (0.2 * (windows > 0.02 and t.setup > 0.02), "output only while on"),
    ]


def _location(t: Traits) -> list[Reason]:
    plain = t.conserving == 0 and t.stock == 0
    return [
        (0.6 * (t.located > 0.2 and plain), "served only by what is opened, a link for each pair"),
        (0.1 * (t.located > 0.6 and plain), "and little else"),
    ]


def _capacitated_location(t: Traits) -> list[Reason]:
    caps = t.opened
    weighted = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.SINGLE_LOOP)
    served = t.share(
        lambda f: (
            f.semantic in (S.EXACTLY_ONE, S.LOWER_SUM)
            or (f.semantic == S.EQUALITY and t.continuous > 0.3 and f.miplib != "aggregation")
        )
    )
    plain = t.conserving == 0 and t.stock == 0 and not _bin_packing(t)[0][0]
    plain = plain and t.scaffold(L.PAIRWISE, L.CYCLIC, L.WINDOW) == 0
    return [
        (0.5 * (caps > 0 and served > 0 and plain), "capacities that opening gives"),
        (0.3 * (caps > 0 and t.located > 0.2 and plain), "a link for each pair"),
        (0.8 * (caps == 0 and weighted and t.located > 0.2 and plain), "links and capacities"),
    ]


def _flow(t: Traits) -> list[Reason]:
    return [
        (0.3 * (t.conserving > 0) + 0.2 * t.conserving, "flow conservation"),
        (0.3 * (t.conserving > 0 and t.setup > 0.1), "arcs that a binary opens"),
    ]


def _min_cost_flow(t: Traits) -> list[Reason]:
    pure = t.continuous + t.integer > 0.95
    return [
        (0.5 * min(1.0, 2 * t.conserving) * pure, "flow conservation"),
        (0.4 * (t.conserving > 0.5 and pure and not t.routed), "nothing but flow"),
    ]


def _commodities(t: Traits) -> list[Reason]:
    pure = t.continuous + t.integer > 0.95
    return [
        (0.6 * (t.routed and pure), "flow conservation, a copy for each commodity"),
        (0.2 * (t.routed and pure and t.semantic(S.UPPER_SUM) > 0), "that share arcs"),
    ]


def _design(t: Traits) -> list[Reason]:
    return [
        (0.5 * t.routed, "flow conservation, a copy for each commodity"),
        (0.4 * (t.routed and t.setup > 0.02), "arcs that a binary opens"),
    ]


def _supply_chain(t: Traits) -> list[Reason]:
    plain = t.conserving > 0 and t.continuous > 0.5
    demands = t.semantic(S.LOWER_SUM, S.UPPER_SUM)
    return [
        (0.3 * (plain and demands > 0.1), "what comes in goes on, to demands"),
        (0.2 * (plain and demands > 0.1 and len(t.families) > 3), "in several stages"),
    ]


def _transport(t: Traits) -> list[Reason]:
    sums = t.semantic(S.UPPER_SUM, S.LOWER_SUM, S.EQUALITY)
    plain = t.continuous + t.integer > 0.95 and t.conserving == 0 and t.stock == 0
    return [
        (0.3 * sums * (plain and sums > 0.9 and len(t.families) > 1), "sums alone"),
        (0.4 * t.shipped, "amounts summed along two indices, what leaves and what arrives"),
        (0.1 * (t.shipped and t.setup > 0.3), "each pair opened by a binary"),
    ]


def _lot_sizing(t: Traits) -> list[Reason]:
    return [
        (0.4 * (t.stock > 0.05), "stock balances from period to period"),
        (0.35 * (t.stock > 0.05 and t.setup > 0.05), "production only with a setup"),
    ]


def _capacitated_lots(t: Traits) -> list[Reason]:
    base = sum(score for score, _ in _lot_sizing(t))
    caps = t.semantic(S.UPPER_WEIGHTED_SUM, S.UPPER_SUM)
    return [
        (base * (base > 0.7), "stock balances and setups"),
        (0.15 * (base > 0.7 and caps > 0), "shared capacities"),
    ]


def _production(t: Traits) -> list[Reason]:
    coupled = max(t.stock, t.scaffold(L.COUPLED) * (t.binary < 0.9))
    return [
        (0.4 * min(1.0, 3 * coupled), "periods are coupled"),
        (0.2 * (coupled > 0.05 and t.setup < 0.02), "without setups"),
        (0.1 * (coupled > 0.05 and t.semantic(*WEIGHTED) > 0.05), "weighted resources"),
    ]


def _job_shop(t: Traits) -> list[Reason]:
    timed = t.scaffold(L.WINDOW) > 0.1 and t.semantic(S.EXACTLY_ONE) > 0.01
    return [
        (0.45 * timed, "exactly one start, resources over windows of time"),
        (0.2 * (timed and t.binary > 0.9), "time-indexed binaries"),
        (0.3 * (t.scaffold(L.PAIRWISE) > 0.3 and t.setup > 0.3), "machine disjunctions"),
    ]


def _disjunctive(t: Traits) -> list[Reason]:
    both = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.INDICATOR)
    return [
        (0.75 * min(1.0, 1.5 * both), "big-M disjunctions over pairs"),
        (0.1 * (both > 0.5 and t.continuous > 0.01), "of start times"),
    ]


def _separation(t: Traits) -> list[Reason]:
    pairs = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.AT_MOST_ONE)
    apart = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.COMPARISON)
    times = t.share(lambda f: f.semantic == S.COMPARISON)
    return [
        (0.6 * pairs, "at most one of each pair"),
        (0.5 * times * (apart > 0.1), "distances between pairs of times"),
    ]


def _tour(t: Traits) -> list[Reason]:
    degree = t.two_way and t.semantic(S.EXACTLY_ONE) > 0.01
    order = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic in (*GATED, *WEIGHTED))
    return [
        (0.4 * (degree and order > 0), "one way in and one way out of each place"),
        (0.4 * (degree and order > 0.3), "an order of visits over pairs"),
    ]


def _vehicles(t: Traits) -> list[Reason]:
    timed = t.share(
        lambda f: f.semantic == S.INDICATOR and f.scaffold in (L.PAIRWISE, L.REPLICATED)
    )
    return [
        (0.35 * (t.flows_binary and t.routed), "a route for each vehicle"),
        (0.35 * (t.flows_binary and timed > 0.1), "times or loads along used arcs"),
    ]


def _cyclic(t: Traits) -> list[Reason]:
    return [
        (0.45 * min(1.0, 5 * t.scaffold(L.CYCLIC)), "a horizon that closes on itself"),
        (0.25 * (t.scaffold(L.CYCLIC) > 0 and t.scaffold(L.WINDOW) > 0), "with windows"),
    ]


def _coloring(t: Traits) -> list[Reason]:
    exact = t.semantic(S.EXACTLY_ONE, S.AT_LEAST_ONE) > 0.005
    clash = t.share(
        lambda f: (
            f.semantic in (S.AT_MOST_ONE, S.IMPLICATION)
            and f.scaffold in (L.REPLICATED, L.PAIRWISE, L.SUBSET, L.NESTED_LOOP)
        )
    )
    return [
        (0.5 * clash * exact * (t.binary > 0.95), "one colour each, neighbours differ"),
        (0.1 * (t.zero_objective and clash * exact > 0.5), "feasibility"),
    ]


def _packing(t: Traits) -> list[Reason]:
    share = t.semantic(S.AT_MOST_ONE) * t.binary
    return [
        (0.6 * share, "at most one of each listed set"),
        (0.25 * (share > 0.9), "nothing but conflicts"),
    ]


def _domination(t: Traits) -> list[Reason]:
    share = t.share(lambda f: f.semantic == S.AT_LEAST_ONE and f.scaffold != L.GLOBAL)
    square = 0.8 <= t.slim <= 1.25
    return [(0.7 * share * square, "a covering with a row for each column")]


def _random_graph(t: Traits) -> list[Reason]:
    share = t.share(lambda f: f.miplib in SETS and f.scaffold == L.SUBSET)
    return [(0.5 * share, "cover and pack over listed sets")]


def _generic(t: Traits) -> list[Reason]:
    return [(0.25 * t.semantic(*WEIGHTED), "weighted sums without a known structure")]


def _synthetic(t: Traits) -> list[Reason]:
    logic = t.semantic(S.EXACTLY_ONE, S.AT_MOST_ONE, S.IMPLICATION) * t.binary
    return [(0.4 * logic * t.zero_objective, "logic alone, no objective")]


def _dense(t: Traits) -> list[Reason]:
    return [
        (0.6 * (t.density > 0.3 and t.rows > 20), "a dense matrix"),
        (0.15 * (t.density > 0.3 and len(t.families) <= 2), "in one block"),
    ]


def _small(t: Traits) -> list[Reason]:
    return [(0.2, "mixed constraints")]


SIGNATURES: Sequence[tuple[str, str, Signature]] = (
    (ASSIGNMENT, "Assignment Problem", _assignment),
    (ASSIGNMENT, "Structure-Based Assignment Problem", _structured_assignment),
    (COMBINATORIAL, "Knapsack Problem", _knapsack),
    (COMBINATORIAL, "Market Share Optimization Problem", _market_share),
    (COMBINATORIAL, "Set Multi-Cover Problem", _multicover),
    (COMBINATORIAL, "Set Cover Problem", _cover),
    (CUTTING, "Bin Packing Problem", _bin_packing),
    (CUTTING, "Blending Problem", _blending),
    (CUTTING, "Cutting Stock Problem", _cutting),
    (DOMAIN, "Unit Commitment Problem", _unit_commitment),
    (FACILITY, "Facility Location Problem", _location),
    (FACILITY, "Capacitated Facility Location Problem", _capacitated_location),
    (NETWORK, "Multi-Commodity Capacitated Network Design Problem", _design),
    (NETWORK, "Minimum Cost Flow Problem", _min_cost_flow),
    (NETWORK, "Multi-Commodity Network Flow Problem", _commodities),
    (NETWORK, "Network Flow Problem", _flow),
    (NETWORK, "Supply Chain Optimization", _supply_chain),
    (PRODUCTION, "Capacitated Lot-Sizing Problem", _capacitated_lots),
    (PRODUCTION, "Job Shop Scheduling Problem", _job_shop),
    (PRODUCTION, "Production Planning Problem", _production),
    (PRODUCTION, "Lot-Sizing Problem", _lot_sizing),
    (ROUTING, "Aircraft Assignment Problem", _partition),
    (ROUTING, "Transportation Problem", _transport),
    (ROUTING, "Transportation Problem", _column_cover),
    (ROUTING, "Traveling Salesman Problem", _tour),
    (ROUTING, "Operations Optimization", _cyclic),
    (ROUTING, "Capacitated Vehicle Routing Problem with Time Windows", _vehicles),
    (GRAPH, "Graph Coloring / Chromatic Index", _coloring),
    (GRAPH, "Clique / Conflict Packing", _packing),
    (GRAPH, "Graph Covering / Dominating Set", _domination),
    (DISJUNCTIVE, "Pairwise Disjunctive Scheduling", _disjunctive),
    (DISJUNCTIVE, "Compatibility / Separation Scheduling", _separation),
    (RANDOM, "Random Graph Cover / Pack (structural)", _random_graph),
    (RANDOM, "Generic Graph-Indexed MILPs", _generic),
    (SYNTHETIC, "Synthetic Examples / Prototypes", _synthetic),
    (DENSE, "Dense Constraint Matrices", _dense),
    (STUBS, "Small Misc. MILPs", _small),
)


def rank(view: View, families: Sequence["FamilyLabel"]) -> "tuple[Application, ...]":
    """The best guesses, the best first; there is always one."""
    from ordojo.structure.labels.labels import Application

    traits = read(view, families)
    found: dict[tuple[str, str], Application] = {}
    for major, sub, signature in SIGNATURES:
        reasons = [(score, why) for score, why in signature(traits) if score > 0]
        score = round(sum(score for score, _ in reasons), 3)
        old = found.get((major, sub))
        if score >= LEAST and (old is None or score > old.score):
            evidence = ", ".join(why for _, why in reasons)
            found[major, sub] = Application(major, sub, min(1.0, score), evidence)
    return tuple(sorted(found.values(), key=lambda guess: -guess.score)[:MOST])
