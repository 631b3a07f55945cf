"""A ranked guess at a model's application class (paper 003, table 9), with its evidence.

`read` takes from the labelled families what tells applications apart, the `Traits`: mostly shares
of rows. Each class of table 9 that structure can show has a signature: a list of reasons, with
what each adds to the score. Classes that differ by story alone have none.

Weights: a reason that a class cannot be without adds 0.3 to 0.8, the more the fewer other classes
have it; what only sharpens it adds 0.1 to 0.3; a whole signature sums to about 1. A factor in
place of a weight is the share of rows that show the trait. Thresholds within a reason say "hardly
any" (0.01 to 0.05, other families may stand beside), "a good part" (0.1 to 0.3) or "nothing else"
(0.9). They were set by hand, and no fit to data is on record: raising a weight moves its class up
in the ranking wherever the trait shows, and nothing else reads the scores.

Experts also read what stands beside a model (paper 003, section 3.2): its name, comments in the
file, a published text. A word in them names a class, a `Hypothesis`; whether the structure carries
it is said beside, and no label changes by a word alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.core.files import open_file
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.structures.flat import INTEGER
from ordojo.structures.labels.view import (
    FamilyBlock,
    FamilyLabel,
    LabelView,
    columns_binary,
)


@dataclass(frozen=True)
class Application:
    """What a model resembles: main and problem class of table 9, score in (0, 1].

    Scores give an order; no class is stated by them (`python -m perf.taxonomy` says how often the
    first is right).
    """

    major: str
    sub: str
    score: float
    evidence: str

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


Reason = tuple[float, str]
"""What a class gains by a trait, and why."""
CONTROL = (Semantic.EXACTLY_ONE, Semantic.AT_MOST_ONE)
SUMS = (Semantic.UPPER_SUM, Semantic.LOWER_SUM, Semantic.EQUALITY)
SETS = ("set partitioning", "set packing", "set covering", "cardinality", "invariant knapsack")


@dataclass(frozen=True)
class Traits:
    """Shares are of rows (or of columns for `binary`, `continuous`), between 0 and 1.

    `located` are rows that link a decision to the smaller group that it needs, where another family
    serves something by those decisions. `conserving` families have columns that leave one row and
    enter another, `stock` those of them from period to period; `routed` is whether one is copied
    along an index. `opened` are capacities that a binary opens; `shipped` is whether amounts are
    summed along two indices of one group, `two_way` whether binaries are so by exactly-one (or
    at-most-one) families. `slim` is columns per row.
    """

    families: Sequence[FamilyLabel]
    rows: int
    columns: int
    density: float
    binary: float
    continuous: float
    integer: float
    located: float
    conserving: float
    opened: float
    shipped: bool
    routed: bool
    flows_binary: bool
    stock: float
    setup: float
    two_way: bool
    slim: float
    zero_objective: bool

    def share(self, test: Callable[[FamilyLabel], bool]) -> float:
        """The share of rows in families of which `test` is true."""
        found = sum(label.size for label in self.families if test(label))
        return found / max(1, self.rows)

    def semantic(self, *kinds: Semantic) -> float:
        """The share of rows in families of these types."""
        return self.share(lambda label: label.semantic in kinds)

    def scaffold(self, *kinds: Scaffold) -> float:
        """The share of rows in families of these scaffolds."""
        return self.share(lambda label: label.scaffold in kinds)

    def any(self, test: Callable[[FamilyLabel], bool]) -> bool:
        """Whether there is such a family."""
        return any(test(label) for label in self.families)


def read(view: LabelView, families: Sequence[FamilyLabel]) -> Traits:
    """The traits of a model."""
    flat = view.flat
    binary, whole = columns_binary(flat), flat.types == INTEGER
    columns = max(1, flat.n)
    conserving = stock = setup = opened = 0
    routed = flows_binary = False
    chosen, summed = Counter[int](), Counter[int]()
    for label in families:
        blocks = list(view.blocks(label.family))
        flows = [block for block in blocks if _conserves(block)]
        if label.semantic == Semantic.EQUALITY and flows:
            members = view.groups.items[flows[0].group]
            if label.scaffold == Scaffold.COUPLED or all(_in_line(block) for block in flows):
                stock += 0 if binary[members].all() else label.size
            else:
                conserving += label.size
                routed = routed or label.scaffold == Scaffold.REPLICATED
                flows_binary = flows_binary or bool(binary[members].all())
        if label.semantic in (Semantic.IMPLICATION, Semantic.INDICATOR):
            kinds = {bool(binary[view.groups.items[block.group]].all()) for block in blocks}
            setup += label.size if len(kinds) == 2 else 0
            home = not view.rows.b[view.families.items[label.family]].any()
            opened += label.size if label.semantic == Semantic.INDICATOR and home else 0
        if label.semantic in SUMS and len(blocks) == 1 and not flows:
            group = blocks[0].group
            whole_group = bool((blocks[0].per_col == 1).all())
            if whole_group and not binary[view.groups.items[group]].any():
                summed[group] += 1
        if label.semantic in CONTROL and label.scaffold != Scaffold.GLOBAL:
            chosen.update(block.group for block in blocks)
    return Traits(
        families=families,
        rows=max(1, flat.m),
        columns=columns,
        density=flat.nonzeros / columns / max(1, flat.m),
        binary=float(binary.sum()) / columns,
        continuous=float((~whole).sum()) / columns,
        integer=float((whole & ~binary).sum()) / columns,
        located=_located(view, families) / max(1, flat.m),
        conserving=conserving / max(1, flat.m),
        opened=opened / max(1, flat.m),
        shipped=any(count > 1 for count in summed.values()),
        routed=routed,
        flows_binary=flows_binary,
        stock=stock / max(1, flat.m),
        setup=setup / max(1, flat.m),
        two_way=any(count > 1 for count in chosen.values()),
        slim=columns / max(1, flat.m),
        zero_objective=not flat.objective.any(),
    )


def _conserves(block: FamilyBlock) -> bool:
    """Whether nearly all columns have two entries, of opposite signs."""
    plus, minus = block.signs
    return bool(((plus == 1) & (minus == 1)).sum() >= 0.7 * (block.per_col > 0).sum() > 0)


def _in_line(block: FamilyBlock) -> bool:
    """Whether each row hands on to one other at most and takes from one: a stock over periods."""
    kept = block.through[block.col]
    ends = (np.bincount(block.row[kept & sign]) for sign in (block.value > 0, block.value < 0))
    return all(many.max(initial=0) <= 1 for many in ends)


def _located(view: LabelView, families: Sequence[FamilyLabel]) -> int:
    """Rows `x_ij <= y_j` whose x also stand in a family that something must be served by."""
    links, served = Counter[int](), set[int]()
    for label in families:
        blocks = list(view.blocks(label.family))
        if label.semantic == Semantic.IMPLICATION and len(blocks) == 2:
            large, small = sorted(blocks, key=lambda block: -block.sizes[1])
            single = bool((large.per_row == 1).all() and (small.per_row == 1).all())
            priced = view.flat.objective[view.groups.items[small.group]].any()
            if single and priced and large.sizes[1] > 1.5 * small.sizes[1]:
                links[large.group] += label.size
        kinds = (Semantic.EXACTLY_ONE, Semantic.LOWER_SUM, Semantic.EQUALITY)
        if label.semantic in kinds and label.miplib != "singleton":
            served.update(block.group for block in blocks if not _conserves(block))
    return sum(size for group, size in links.items() if group in served)


MOST = 5
"""Guesses that are given: table 9 has 14 main classes, of which a reader compares a few."""
LEAST = 0.15
"""The least score of a guess. Below 0.2, the score of "mixed constraints", so that there always is
one; with 0.05 the same first guesses, with 0.3 46 of 117 models have none."""
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


S, L = Semantic, Scaffold
WEIGHTED = (S.UPPER_WEIGHTED_SUM, S.LOWER_WEIGHTED_SUM)
GATED = (S.IMPLICATION, S.INDICATOR)


def _signatures(t: Traits) -> dict[tuple[str, str], list[Reason]]:
    """What speaks for each class; of equal scores, the class that stands first here wins."""
    found: dict[tuple[str, str], list[Reason]] = {}
    exact, most, least = map(t.semantic, (S.EXACTLY_ONE, S.AT_MOST_ONE, S.AT_LEAST_ONE))
    caps = t.semantic(S.UPPER_WEIGHTED_SUM)
    pure = t.continuous + t.integer > 0.95
    still = t.conserving == 0 and t.stock == 0

    chosen = t.semantic(S.EXACTLY_ONE, S.AT_MOST_ONE)
    simple = still and t.setup < 0.05
    found[ASSIGNMENT, "Assignment Problem"] = [
        (0.4 * chosen * simple, "exactly-one or at-most-one families"),
        (0.2 * (t.two_way and simple), "along two indices"),
        (0.2 * (chosen > 0.1 and chosen + caps > 0.8 and caps > 0), "and capacities alone"),
    ]
    logic = min(1.0, 2 * t.semantic(S.IMPLICATION))
    found[ASSIGNMENT, "Structure-Based Assignment Problem"] = [
        (0.25 * (exact > 0.02), "exactly-one families"),
        (0.3 * logic * (exact > 0.02), "with implications"),
    ]

    share = t.share(
        lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold in (L.GLOBAL, L.SINGLE_LOOP)
    )
    few = t.rows <= 0.3 * t.columns
    budget = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.GLOBAL)
    found[COMBINATORIAL, "Knapsack Problem"] = [
        (0.5 * share * few, "weighted capacities"),
        (0.3 * (t.binary + t.integer) * (share > 0.5), "whole decisions"),
        (0.1 * (share > 0.9 and few), "nothing else"),
        (0.5 * (budget and share < 0.5 and t.binary > 0.95), "a budget over yes-or-no decisions"),
    ]
    dense = t.density > 0.3 and t.rows <= 20
    found[COMBINATORIAL, "Market Share Optimization Problem"] = [
        (0.8 * (dense and t.semantic(S.EQUALITY, S.AGGREGATION) > 0.8), "few dense equalities")
    ]
    several = t.share(lambda f: f.semantic == S.LOWER_SUM and "covering" not in f.miplib)
    found[COMBINATORIAL, "Set Multi-Cover Problem"] = [
        (0.75 * several * t.binary, "each row needs several of a set"),
        (0.5 * least, "each row needs one of a set"),
    ]
    found[COMBINATORIAL, "Set Cover Problem"] = [
        (0.7 * least, "each row needs one of a set"),
        (0.2 * (least > 0.9 and t.binary == 1), "nothing but covering"),
    ]

    gates = t.any(lambda f: f.semantic == S.INDICATOR and f.miplib in ("bin packing", "knapsack"))
    found[CUTTING, "Bin Packing Problem"] = [
        (0.5 * gates, "capacities that a binary opens"),
        (0.4 * (exact > 0 and gates and t.binary > 0.95), "each item in exactly one"),
    ]
    share = t.semantic(S.UPPER_PROPORTION, S.LOWER_PROPORTION)
    mixing = t.continuous > 0.5 and t.conserving == 0
    found[CUTTING, "Blending Problem"] = [
        (0.8 * min(1.0, 2 * share) * mixing, "shares of continuous amounts")
    ]
    share = t.semantic(S.LOWER_WEIGHTED_SUM, S.LOWER_SUM)
    whole = t.integer > 0.9 and share > 0
    found[CUTTING, "Cutting Stock Problem"] = [
        ((0.3 + 0.4 * share) * whole, "whole multiples of patterns meet demands")
    ]

    windows = t.scaffold(L.WINDOW) * (t.binary > 0.1) * (t.continuous > 0.1) > 0.02
    found[DOMAIN, "Unit Commitment Problem"] = [
        (0.35 * windows, "windows over on and off decisions"),
        (0.3 * (windows and t.scaffold(L.COUPLED) > 0.02), "ramps between periods"),
        (0.2 * (windows and t.setup > 0.02), "output only while on"),
    ]

    found[FACILITY, "Facility Location Problem"] = [
        (0.6 * (t.located > 0.2 and still), "served only by what is opened, a link for each pair"),
        (0.1 * (t.located > 0.6 and still), "and little else"),
    ]
    weighted = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.SINGLE_LOOP)
    served = t.any(
        lambda f: (
            f.semantic in (S.EXACTLY_ONE, S.LOWER_SUM)
            or (f.semantic == S.EQUALITY and t.continuous > 0.3 and f.miplib != "aggregation")
        )
    )
    plain = still and not gates and t.scaffold(L.PAIRWISE, L.CYCLIC, L.WINDOW) == 0
    linked = t.located > 0.2 and plain
    found[FACILITY, "Capacitated Facility Location Problem"] = [
        (0.5 * (t.opened > 0 and served and plain), "capacities that opening gives"),
        (0.3 * (t.opened > 0 and linked), "a link for each pair"),
        (0.8 * (t.opened == 0 and weighted and linked), "links and capacities"),
    ]

    found[NETWORK, "Multi-Commodity Capacitated Network Design Problem"] = [
        (0.5 * t.routed, "flow conservation, a copy for each commodity"),
        (0.4 * (t.routed and t.setup > 0.02), "arcs that a binary opens"),
    ]
    found[NETWORK, "Minimum Cost Flow Problem"] = [
        (0.5 * min(1.0, 2 * t.conserving) * pure, "flow conservation"),
        (0.4 * (t.conserving > 0.5 and pure and not t.routed), "nothing but flow"),
    ]
    found[NETWORK, "Multi-Commodity Network Flow Problem"] = [
        (0.6 * (t.routed and pure), "flow conservation, a copy for each commodity"),
        (0.2 * (t.routed and pure and t.semantic(S.UPPER_SUM) > 0), "that share arcs"),
    ]
    found[NETWORK, "Network Flow Problem"] = [
        (0.3 * (t.conserving > 0) + 0.2 * t.conserving, "flow conservation"),
        (0.3 * (t.conserving > 0 and t.setup > 0.1), "arcs that a binary opens"),
    ]
    demands = t.semantic(S.LOWER_SUM, S.UPPER_SUM) > 0.1
    supply = t.conserving > 0 and t.continuous > 0.5 and demands
    found[NETWORK, "Supply Chain Optimization"] = [
        (0.3 * supply, "what comes in goes on, to demands"),
        (0.2 * (supply and len(t.families) > 3), "in several stages"),
    ]

    lots = [
        (0.4 * (t.stock > 0.05), "stock balances from period to period"),
        (0.35 * (t.stock > 0.05 and t.setup > 0.05), "production only with a setup"),
    ]
    base = sum(score for score, _ in lots)
    shared = t.semantic(S.UPPER_WEIGHTED_SUM, S.UPPER_SUM) > 0
    found[PRODUCTION, "Capacitated Lot-Sizing Problem"] = [
        (base * (base > 0.7), "stock balances and setups"),
        (0.15 * (base > 0.7 and shared), "shared capacities"),
    ]
    timed = t.scaffold(L.WINDOW) > 0.1 and exact > 0.01
    found[PRODUCTION, "Job Shop Scheduling Problem"] = [
        (0.45 * timed, "exactly one start, resources over windows of time"),
        (0.2 * (timed and t.binary > 0.9), "time-indexed binaries"),
        (0.3 * (t.scaffold(L.PAIRWISE) > 0.3 and t.setup > 0.3), "machine disjunctions"),
    ]
    coupled = max(t.stock, t.scaffold(L.COUPLED) * (t.binary < 0.9))
    found[PRODUCTION, "Production Planning Problem"] = [
        (0.4 * min(1.0, 3 * coupled), "periods are coupled"),
        (0.2 * (coupled > 0.05 and t.setup < 0.02), "without setups"),
        (0.1 * (coupled > 0.05 and t.semantic(*WEIGHTED) > 0.05), "weighted resources"),
    ]
    found[PRODUCTION, "Lot-Sizing Problem"] = lots

    share = t.share(lambda f: f.semantic == S.EXACTLY_ONE and f.scaffold == L.SUBSET)
    wide = t.slim > 4 and t.binary > 0.9
    found[ROUTING, "Aircraft Assignment Problem"] = [
        (0.6 * share * wide, "exactly one of many listed columns a row"),
        (0.25 * (share > 0.95 and wide), "a set partitioning over generated columns"),
    ]
    sums = t.semantic(*SUMS)
    alone = pure and still and sums > 0.9 and len(t.families) > 1
    amounts = [
        (0.3 * sums * alone, "sums alone"),
        (0.4 * t.shipped, "amounts summed along two indices, what leaves and what arrives"),
        (0.1 * (t.shipped and t.setup > 0.3), "each pair opened by a binary"),
    ]
    listed = [(0.8 * (least * (t.slim > 10)), "few rows covered by very many columns")]
    found[ROUTING, "Transportation Problem"] = max(amounts, listed, key=_score)
    order = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic in (*GATED, *WEIGHTED))
    degree = t.two_way and exact > 0.01
    found[ROUTING, "Traveling Salesman Problem"] = [
        (0.4 * (degree and order > 0), "one way in and one way out of each place"),
        (0.4 * (degree and order > 0.3), "an order of visits over pairs"),
    ]
    cyclic = t.scaffold(L.CYCLIC)
    found[ROUTING, "Operations Optimization"] = [
        (0.45 * min(1.0, 5 * cyclic), "a horizon that closes on itself"),
        (0.25 * (cyclic > 0 and t.scaffold(L.WINDOW) > 0), "with windows"),
    ]
    share = t.share(
        lambda f: f.semantic == S.INDICATOR and f.scaffold in (L.PAIRWISE, L.REPLICATED)
    )
    found[ROUTING, "Capacitated Vehicle Routing Problem with Time Windows"] = [
        (0.35 * (t.flows_binary and t.routed), "a route for each vehicle"),
        (0.35 * (t.flows_binary and share > 0.1), "times or loads along used arcs"),
    ]

    coloured = t.semantic(S.EXACTLY_ONE, S.AT_LEAST_ONE) > 0.005
    clash = coloured * t.share(
        lambda f: (
            f.semantic in (S.AT_MOST_ONE, S.IMPLICATION)
            and f.scaffold in (L.REPLICATED, L.PAIRWISE, L.SUBSET, L.NESTED_LOOP)
        )
    )
    found[GRAPH, "Graph Coloring / Chromatic Index"] = [
        (0.5 * clash * (t.binary > 0.95), "one colour each, neighbours differ"),
        (0.1 * (t.zero_objective and clash > 0.5), "feasibility"),
    ]
    share = most * t.binary
    found[GRAPH, "Clique / Conflict Packing"] = [
        (0.6 * share, "at most one of each listed set"),
        (0.25 * (share > 0.9), "nothing but conflicts"),
    ]
    share = t.share(lambda f: f.semantic == S.AT_LEAST_ONE and f.scaffold != L.GLOBAL)
    found[GRAPH, "Graph Covering / Dominating Set"] = [
        (0.7 * share * (0.8 <= t.slim <= 1.25), "a covering with a row for each column")
    ]

    both = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.INDICATOR)
    found[DISJUNCTIVE, "Pairwise Disjunctive Scheduling"] = [
        (0.75 * min(1.0, 1.5 * both), "big-M disjunctions over pairs"),
        (0.1 * (both > 0.5 and t.continuous > 0.01), "of start times"),
    ]
    pairs = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.AT_MOST_ONE)
    apart = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.COMPARISON)
    found[DISJUNCTIVE, "Compatibility / Separation Scheduling"] = [
        (0.6 * pairs, "at most one of each pair"),
        (0.5 * t.semantic(S.COMPARISON) * (apart > 0.1), "distances between pairs of times"),
    ]

    share = t.share(lambda f: f.miplib in SETS and f.scaffold == L.SUBSET)
    found[RANDOM, "Random Graph Cover / Pack (structural)"] = [
        (0.5 * share, "cover and pack over listed sets")
    ]
    found[RANDOM, "Generic Graph-Indexed MILPs"] = [
        (0.25 * t.semantic(*WEIGHTED), "weighted sums without a known structure")
    ]
    share = t.semantic(S.EXACTLY_ONE, S.AT_MOST_ONE, S.IMPLICATION) * t.binary
    found[SYNTHETIC, "Synthetic Examples / Prototypes"] = [
        (0.4 * share * t.zero_objective, "logic alone, no objective")
    ]
    found[DENSE, "Dense Constraint Matrices"] = [
        (0.6 * (t.density > 0.3 and t.rows > 20), "a dense matrix"),
        (0.15 * (t.density > 0.3 and len(t.families) <= 2), "in one block"),
    ]
    found[STUBS, "Small Misc. MILPs"] = [(0.2, "mixed constraints")]
    return found


def _score(reasons: list[Reason]) -> float:
    return round(sum(score for score, _ in reasons), 3)


def rank(view: LabelView, families: Sequence[FamilyLabel]) -> tuple[Application, ...]:
    """The best guesses, the best first; there is always one."""
    found: list[Application] = []
    for (major, sub), reasons in _signatures(read(view, families)).items():
        score = _score(reasons)
        if score >= LEAST:
            evidence = ", ".join(why for gain, why in reasons if gain > 0)
            found.append(Application(major, sub, min(1.0, score), evidence))
    return tuple(sorted(found, key=lambda guess: -guess.score)[:MOST])


WORDS: tuple[tuple[str, str, str], ...] = (
    (ASSIGNMENT, "Assignment Problem", r"assign\w*|gap\b|allocat\w+"),
    (ASSIGNMENT, "Team Formation Problem", r"team formation|crew team"),
    (COMBINATORIAL, "Knapsack Problem", r"knapsacks?"),
    (COMBINATORIAL, "Market Share Optimization Problem", r"market ?share|markshare"),
    (
        COMBINATORIAL,
        "Set Cover Problem",
        r"set[- ]cover\w*|covering problem|steiner triple|stein\d",
    ),
    (CUTTING, "Bin Packing Problem", r"bin[- ]?pack\w*|bpp"),
    (CUTTING, "Cutting Stock Problem", r"cutting[- ]stock|trim loss|cut patterns?"),
    (CUTTING, "Blending Problem", r"blend\w*|refiner\w+|pooling"),
    (DOMAIN, "Diet Problem", r"diets?|nutri\w+"),
    (DOMAIN, "Unit Commitment Problem", r"unit commitment|power plants?|generators?"),
    (DOMAIN, "Farm Planning Problem", r"farms?|farming|crops?|forest\w*|timber"),
    (
        FACILITY,
        "Facility Location Problem",
        r"facilit\w+|warehouses?|plant location|p-median|hubs?",
    ),
    (NETWORK, "Network Flow Problem", r"network flows?|min(?:imum)?[- ]cost flow"),
    (
        NETWORK,
        "Multi-Commodity Capacitated Network Design Problem",
        r"network design|multi-?commodity|telecom\w*|sdh",
    ),
    (NETWORK, "Supply Chain Optimization", r"supply chains?|logistics"),
    (PRODUCTION, "Lot-Sizing Problem", r"lot[- ]?siz\w+|set-?ups? costs?|setups?"),
    (PRODUCTION, "Job Shop Scheduling Problem", r"job[- ]?shop|project scheduling|rcpsp"),
    (PRODUCTION, "Production Planning Problem", r"production plan\w*|factory|manufactur\w+"),
    (ROUTING, "Traveling Salesman Problem", r"trave?ll?ing salesman|tsp|tours?"),
    (ROUTING, "Aircraft Assignment Problem", r"airlines?|aircraft|flights?|flug\w*|crews?"),
    (ROUTING, "Transportation Problem", r"rail\w*|trains?|transport\w*"),
    (ROUTING, "Operations Optimization", r"timetabl\w*|timtab|duty|dienst\w*|wachplan|roster\w*"),
    (ROUTING, "Capacitated Vehicle Routing Problem with Time Windows", r"vehicles?|routing|cvrp"),
    (GRAPH, "Graph Coloring / Chromatic Index", r"colou?ring|chromatic\w*"),
    (GRAPH, "Clique / Conflict Packing", r"cliques?|independent sets?|conflict graph|sorrell"),
    (GRAPH, "Graph Covering / Dominating Set", r"dominat\w+ sets?|vertex cover|hopc?ds"),
    (DISJUNCTIVE, "Pairwise Disjunctive Scheduling", r"disjunctive|single machine|precedence\w*"),
)
"""Main class, problem class, and words that name it, of table 9's classes that words can tell."""
COMMENTS = 200
"""Lines at the beginning of a file that are searched for comments."""


@dataclass(frozen=True)
class Hypothesis:
    """An application class that words name: (source, word) each, and what the structure says."""

    major: str
    sub: str
    words: tuple[tuple[str, str], ...]
    carried: float

    def text(self) -> str:
        """For a person."""
        said = ", ".join(f"'{word}' in the {source}" for source, word in self.words)
        held = "resembles it" if self.carried else "does not show it"
        return f"{self.sub} ({self.major}): {said}; the structure {held}"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def hypotheses(
    guesses: Sequence[Application], sources: Mapping[str, str]
) -> tuple[Hypothesis, ...]:
    """What the sources (by name, such as "name", "comments", "text") suggest, the best first.

    First what the structure carries: `carried` is the best score of a guess at the main class.
    """
    found = []
    for major, sub, words in WORDS:
        pattern = re.compile(rf"(?<![a-z])(?:{words})", re.IGNORECASE)
        named = [
            (source, match.group().lower())
            for source, text in sources.items()
            if (match := pattern.search(text.replace("_", " ")))
        ]
        if named:
            carried = max((one.score for one in guesses if one.major == major), default=0.0)
            found.append(Hypothesis(major, sub, tuple(named), carried))
    return tuple(sorted(found, key=lambda one: (-one.carried, -len(one.words))))


def comments(path: Path) -> str:
    r"""The comments at the beginning of a model file: lines after `*` (MPS) or `\` (LP)."""
    mark = "\\" if ".lp" in path.name else "*"
    with open_file(path, unpack=True) as file:
        lines = [file.readline(2000).decode("utf-8", "replace").strip() for _ in range(COMMENTS)]
    return "\n".join(line.lstrip(mark + " ") for line in lines if line.startswith(mark))
