"""A ranked guess at a model's application class (paper 003, table 9), with its evidence.

`read` takes from the labelled families what tells applications apart, the `Traits`: mostly shares
of rows. Each class of table 9 that structure can show has a signature: reasons, each with a weight
and how far it is shown (from 0 to 1, a share of rows or yes or no). Classes that differ by story
alone have none.

Weights: a reason that a class cannot be without has 0.3 to 0.8, the more the fewer other classes
have it; what only sharpens it 0.1 to 0.3; a whole signature sums to about 1. Thresholds within a
reason say "hardly any" (0.01 to 0.05, other families may stand beside), "a good part" (0.1 to 0.3)
or "nothing else" (0.9). They were set by hand; 28 of 71 went with their classes, as without them
no first guess changed in either half of 223 models (those of the library, mps and mnl-mps, with and
without names), and each that is left has a model in `tests/structures/test_applications.py`.

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
    stock: float
    setup: float
    two_way: bool
    slim: float

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
    routed = False
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
        stock=stock / max(1, flat.m),
        setup=setup / max(1, flat.m),
        two_way=any(count > 1 for count in chosen.values()),
        slim=columns / max(1, flat.m),
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
one; with 0.05 the same first guesses, with 0.3 73 of 223 models have none."""
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
DENSE = "Dense Algebraic / Stress-Test MILPs"
DOMAIN = "Domain-Specific Optimization"
STUBS = "Miscellaneous Application Stubs"


S, L = Semantic, Scaffold
WEIGHTED = (S.UPPER_WEIGHTED_SUM, S.LOWER_WEIGHTED_SUM)


@dataclass(frozen=True)
class Reason:
    """What speaks for a class: its weight, in words, and how far a model shows it."""

    weight: float
    why: str
    shown: Callable[[Traits], float]


def _exact(t: Traits) -> float:
    return t.semantic(S.EXACTLY_ONE)


def _least(t: Traits) -> float:
    return t.semantic(S.AT_LEAST_ONE)


def _amounts(t: Traits) -> bool:
    return t.continuous + t.integer > 0.95


def _still(t: Traits) -> bool:
    return t.conserving == 0 and t.stock == 0


def _gates(t: Traits) -> bool:
    return t.any(lambda f: f.semantic == S.INDICATOR and f.miplib in ("bin packing", "knapsack"))


def _capped(t: Traits) -> float:
    return t.share(
        lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold in (L.GLOBAL, L.SINGLE_LOOP)
    )


def _budget(t: Traits) -> bool:
    whole = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.GLOBAL)
    return whole and _capped(t) < 0.5 and t.binary > 0.95


def _patterns(t: Traits) -> float:
    return t.semantic(S.LOWER_WEIGHTED_SUM, S.LOWER_SUM) * (t.integer > 0.9)


def _plain(t: Traits) -> bool:
    return _still(t) and not _gates(t) and t.scaffold(L.PAIRWISE, L.CYCLIC, L.WINDOW) == 0


def _opening(t: Traits) -> bool:
    served = t.any(
        lambda f: (
            f.semantic in (S.EXACTLY_ONE, S.LOWER_SUM)
            or (f.semantic == S.EQUALITY and t.continuous > 0.3 and f.miplib != "aggregation")
        )
    )
    return t.opened > 0 and served and _plain(t)


def _weighted(t: Traits) -> bool:
    weighted = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.SINGLE_LOOP)
    return weighted and t.opened == 0 and t.located > 0.2 and _plain(t)


def _supply(t: Traits) -> bool:
    demands = t.semantic(S.LOWER_SUM, S.UPPER_SUM) > 0.1
    return t.conserving > 0 and t.continuous > 0.5 and demands


def _timed(t: Traits) -> bool:
    return t.scaffold(L.WINDOW) > 0.1 and _exact(t) > 0.01


def _coupled(t: Traits) -> float:
    return max(t.stock, t.scaffold(L.COUPLED) * (t.binary < 0.9))


def _generated(t: Traits) -> float:
    share = t.share(lambda f: f.semantic == S.EXACTLY_ONE and f.scaffold == L.SUBSET)
    return share * (t.slim > 4 and t.binary > 0.9)


def _sums(t: Traits) -> float:
    sums = t.semantic(*SUMS)
    return sums * (_amounts(t) and _still(t) and sums > 0.9 and len(t.families) > 1)


def _pairwise(t: Traits, *kinds: Semantic) -> float:
    return t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic in kinds)


def _ordered(t: Traits) -> bool:
    visits = _pairwise(t, S.IMPLICATION, S.INDICATOR, *WEIGHTED) > 0.3
    return t.two_way and _exact(t) > 0.01 and visits


SIGNATURES: tuple[tuple[str, str, tuple[Reason, ...]], ...] = (
    (ASSIGNMENT, "Assignment Problem", (
        Reason(0.4, "exactly-one or at-most-one families",
               lambda t: t.semantic(*CONTROL) * (_still(t) and t.setup < 0.05)),
        Reason(0.2, "along two indices", lambda t: t.two_way and _still(t) and t.setup < 0.05),
        Reason(0.2, "and capacities alone", lambda t: (
            t.semantic(*CONTROL) > 0.1 and t.semantic(*CONTROL, S.UPPER_WEIGHTED_SUM) > 0.8
            and t.semantic(S.UPPER_WEIGHTED_SUM) > 0)),
    )),
    (ASSIGNMENT, "Structure-Based Assignment Problem", (
        Reason(0.25, "exactly-one families", lambda t: _exact(t) > 0.02),
        Reason(0.3, "with implications",
               lambda t: min(1.0, 2 * t.semantic(S.IMPLICATION)) * (_exact(t) > 0.02)),
    )),
    (COMBINATORIAL, "Knapsack Problem", (
        Reason(0.3, "weighted capacities on whole decisions",
               lambda t: (t.binary + t.integer) * (_capped(t) > 0.5)),
        Reason(0.5, "a budget over yes-or-no decisions", _budget),
    )),
    (COMBINATORIAL, "Market Share Optimization Problem", (
        Reason(0.8, "few dense equalities", lambda t: (
            t.density > 0.3 and t.rows <= 20 and t.semantic(S.EQUALITY, S.AGGREGATION) > 0.8)),
    )),
    (COMBINATORIAL, "Set Cover Problem", (
        Reason(0.7, "each row needs one of a set", _least),
        Reason(0.2, "nothing but covering", lambda t: _least(t) > 0.9 and t.binary == 1),
    )),
    (CUTTING, "Bin Packing Problem", (
        Reason(0.5, "capacities that a binary opens", _gates),
        Reason(0.4, "each item in exactly one",
               lambda t: _exact(t) > 0 and _gates(t) and t.binary > 0.95),
    )),
    (CUTTING, "Blending Problem", (
        Reason(0.8, "shares of continuous amounts", lambda t: (
            min(1.0, 2 * t.semantic(S.UPPER_PROPORTION, S.LOWER_PROPORTION))
            * (t.continuous > 0.5 and t.conserving == 0))),
    )),
    (CUTTING, "Cutting Stock Problem", (
        Reason(0.3, "whole multiples of patterns", lambda t: _patterns(t) > 0),
        Reason(0.4, "that meet demands", _patterns),
    )),
    (FACILITY, "Facility Location Problem", (
        Reason(0.6, "served only by what is opened, a link for each pair",
               lambda t: t.located > 0.2 and _still(t)),
    )),
    (FACILITY, "Capacitated Facility Location Problem", (
        Reason(0.5, "capacities that opening gives", _opening),
        Reason(0.8, "links and capacities", _weighted),
    )),
    (NETWORK, "Multi-Commodity Capacitated Network Design Problem", (
        Reason(0.5, "flow conservation, a copy for each commodity", lambda t: t.routed),
    )),
    (NETWORK, "Minimum Cost Flow Problem", (
        Reason(0.5, "flow conservation", lambda t: min(1.0, 2 * t.conserving) * _amounts(t)),
    )),
    (NETWORK, "Network Flow Problem", (
        Reason(0.3, "flow conservation", lambda t: t.conserving > 0),
        Reason(0.2, "in a share of the rows", lambda t: t.conserving),
    )),
    (NETWORK, "Supply Chain Optimization", (
        Reason(0.3, "what comes in goes on, to demands", _supply),
        Reason(0.2, "in several stages", lambda t: _supply(t) and len(t.families) > 3),
    )),
    (PRODUCTION, "Capacitated Lot-Sizing Problem", (
        Reason(0.75, "stock balances from period to period, production only with a setup",
               lambda t: t.stock > 0.05 and t.setup > 0.05),
    )),
    (PRODUCTION, "Job Shop Scheduling Problem", (
        Reason(0.45, "exactly one start, resources over windows of time", _timed),
        Reason(0.2, "time-indexed binaries", lambda t: _timed(t) and t.binary > 0.9),
    )),
    (PRODUCTION, "Production Planning Problem", (
        Reason(0.4, "periods are coupled", lambda t: min(1.0, 3 * _coupled(t))),
        Reason(0.2, "without setups", lambda t: _coupled(t) > 0.05 and t.setup < 0.02),
        Reason(0.1, "weighted resources",
               lambda t: _coupled(t) > 0.05 and t.semantic(*WEIGHTED) > 0.05),
    )),
    (PRODUCTION, "Lot-Sizing Problem", (
        Reason(0.4, "stock balances from period to period", lambda t: t.stock > 0.05),
    )),
    (ROUTING, "Aircraft Assignment Problem", (
        Reason(0.6, "exactly one of many listed columns a row", _generated),
        Reason(0.25, "a set partitioning over generated columns",
               lambda t: _generated(t) > 0.95),
    )),
    (ROUTING, "Transportation Problem", (
        Reason(0.3, "sums alone", _sums),
        Reason(0.4, "amounts summed along two indices, what leaves and what arrives",
               lambda t: t.shipped),
    )),
    (ROUTING, "Transportation Problem", (
        Reason(0.8, "few rows covered by very many columns", lambda t: _least(t) * (t.slim > 10)),
    )),
    (ROUTING, "Traveling Salesman Problem", (
        Reason(0.4, "one way in and out of each place, an order of visits over pairs", _ordered),
    )),
    (ROUTING, "Operations Optimization", (
        Reason(0.45, "a horizon that closes on itself",
               lambda t: min(1.0, 5 * t.scaffold(L.CYCLIC))),
    )),
    (GRAPH, "Clique / Conflict Packing", (
        Reason(0.6, "at most one of each listed set",
               lambda t: t.semantic(S.AT_MOST_ONE) * t.binary),
    )),
    (DISJUNCTIVE, "Pairwise Disjunctive Scheduling", (
        Reason(0.75, "big-M disjunctions over pairs",
               lambda t: min(1.0, 1.5 * _pairwise(t, S.INDICATOR))),
    )),
    (DISJUNCTIVE, "Compatibility / Separation Scheduling", (
        Reason(0.5, "distances between pairs of times",
               lambda t: t.semantic(S.COMPARISON) * (_pairwise(t, S.COMPARISON) > 0.1)),
    )),
    (RANDOM, "Random Graph Cover / Pack (structural)", (
        Reason(0.5, "cover and pack over listed sets",
               lambda t: t.share(lambda f: f.miplib in SETS and f.scaffold == L.SUBSET)),
    )),
    (RANDOM, "Generic Graph-Indexed MILPs", (
        Reason(0.25, "weighted sums without a known structure", lambda t: t.semantic(*WEIGHTED)),
    )),
    (DENSE, "Dense Constraint Matrices", (
        Reason(0.6, "a dense matrix", lambda t: t.density > 0.3 and t.rows > 20),
        Reason(0.15, "in one block",
               lambda t: t.density > 0.3 and len(t.families) <= 2),
    )),
    (STUBS, "Small Misc. MILPs", (Reason(0.2, "mixed constraints", lambda t: 1.0),)),
)  # fmt: skip
"""Main class, problem class, reasons; of equal scores, the class that stands first here wins."""


def rank(view: LabelView, families: Sequence[FamilyLabel]) -> tuple[Application, ...]:
    """The best guesses, the best first; there is always one."""
    traits = read(view, families)
    found: dict[tuple[str, str], Application] = {}
    for major, sub, reasons in SIGNATURES:
        gains = [(one.weight * one.shown(traits), one.why) for one in reasons]
        score = round(sum(gain for gain, _ in gains), 3)
        known = found.get((major, sub))
        if score >= LEAST and (known is None or known.score < score):
            evidence = ", ".join(why for gain, why in gains if gain > 0)
            found[major, sub] = Application(major, sub, min(1.0, score), evidence)
    return tuple(sorted(found.values(), key=lambda guess: -guess.score)[:MOST])


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
