"""A ranked guess at a model's application class (paper 003, table 9), with its evidence.

Each signature adds up what speaks for a class; classes that differ by story alone have none.
"""

from collections.abc import Callable, Sequence

from ordojo.structure.labels import choosing, planning
from ordojo.structure.labels.traits import Reason, Traits, read
from ordojo.structure.labels.view import View
from ordojo.structure.labels.vocabulary import Application, FamilyLabel

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

Signature = Callable[[Traits], list[Reason]]

SIGNATURES: Sequence[tuple[str, str, Signature]] = (
    (ASSIGNMENT, "Assignment Problem", choosing.assignment),
    (ASSIGNMENT, "Structure-Based Assignment Problem", choosing.structured_assignment),
    (COMBINATORIAL, "Knapsack Problem", choosing.knapsack),
    (COMBINATORIAL, "Market Share Optimization Problem", choosing.market_share),
    (COMBINATORIAL, "Set Multi-Cover Problem", choosing.multicover),
    (COMBINATORIAL, "Set Cover Problem", choosing.cover),
    (CUTTING, "Bin Packing Problem", choosing.bin_packing),
    (CUTTING, "Blending Problem", planning.blending),
    (CUTTING, "Cutting Stock Problem", choosing.cutting),
    (DOMAIN, "Unit Commitment Problem", planning.unit_commitment),
    (FACILITY, "Facility Location Problem", planning.location),
    (FACILITY, "Capacitated Facility Location Problem", planning.capacitated_location),
    (NETWORK, "Multi-Commodity Capacitated Network Design Problem", planning.design),
    (NETWORK, "Minimum Cost Flow Problem", planning.min_cost_flow),
    (NETWORK, "Multi-Commodity Network Flow Problem", planning.commodities),
    (NETWORK, "Network Flow Problem", planning.flow),
    (NETWORK, "Supply Chain Optimization", planning.supply_chain),
    (PRODUCTION, "Capacitated Lot-Sizing Problem", planning.capacitated_lots),
    (PRODUCTION, "Job Shop Scheduling Problem", planning.job_shop),
    (PRODUCTION, "Production Planning Problem", planning.production),
    (PRODUCTION, "Lot-Sizing Problem", planning.lot_sizing),
    (ROUTING, "Aircraft Assignment Problem", choosing.partition),
    (ROUTING, "Transportation Problem", planning.transport),
    (ROUTING, "Transportation Problem", choosing.column_cover),
    (ROUTING, "Traveling Salesman Problem", planning.tour),
    (ROUTING, "Operations Optimization", planning.cyclic),
    (ROUTING, "Capacitated Vehicle Routing Problem with Time Windows", planning.vehicles),
    (GRAPH, "Graph Coloring / Chromatic Index", choosing.coloring),
    (GRAPH, "Clique / Conflict Packing", choosing.packing),
    (GRAPH, "Graph Covering / Dominating Set", choosing.domination),
    (DISJUNCTIVE, "Pairwise Disjunctive Scheduling", planning.disjunctive),
    (DISJUNCTIVE, "Compatibility / Separation Scheduling", choosing.separation),
    (RANDOM, "Random Graph Cover / Pack (structural)", choosing.random_graph),
    (RANDOM, "Generic Graph-Indexed MILPs", choosing.generic),
    (SYNTHETIC, "Synthetic Examples / Prototypes", choosing.synthetic),
    (DENSE, "Dense Constraint Matrices", choosing.dense),
    (STUBS, "Small Misc. MILPs", choosing.small),
)


def rank(view: View, families: Sequence[FamilyLabel]) -> tuple[Application, ...]:
    """The best guesses, the best first; there is always one."""
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
