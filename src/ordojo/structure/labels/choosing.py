"""What speaks for classes of choosing: assigning, covering, packing, knapsacks, graphs."""

from ordojo.structure.labels.traits import SETS, Reason, Traits
from ordojo.structure.labels.vocabulary import Scaffold, Semantic

S, L = Semantic, Scaffold
WEIGHTED = (S.UPPER_WEIGHTED_SUM, S.LOWER_WEIGHTED_SUM)


def knapsack(t: Traits) -> list[Reason]:
    """Weighted limits over whole decisions."""
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


def market_share(t: Traits) -> list[Reason]:
    """A few dense equalities."""
    dense = t.density > 0.3 and t.rows <= 20
    return [(0.8 * (dense and t.semantic(S.EQUALITY, S.AGGREGATION) > 0.8), "few dense equalities")]


def cover(t: Traits) -> list[Reason]:
    """Every row needs one of a set."""
    share = t.semantic(S.AT_LEAST_ONE)
    return [
        (0.7 * share, "each row needs one of a set"),
        (0.2 * (share > 0.9 and t.binary == 1), "nothing but covering"),
    ]


def multicover(t: Traits) -> list[Reason]:
    """Every row needs several of a set."""
    several = t.share(lambda f: f.semantic == S.LOWER_SUM and "covering" not in f.miplib)
    share = t.semantic(S.AT_LEAST_ONE)
    return [
        (0.75 * several * t.binary, "each row needs several of a set"),
        (0.5 * share, "each row needs one of a set"),
    ]


def partition(t: Traits) -> list[Reason]:
    """Exactly one of many generated columns a row."""
    share = t.share(lambda f: f.semantic == S.EXACTLY_ONE and f.scaffold == L.SUBSET)
    wide = t.slim > 4 and t.binary > 0.9
    return [
        (0.6 * share * wide, "exactly one of many listed columns a row"),
        (0.25 * (share > 0.95 and wide), "a set partitioning over generated columns"),
    ]


def column_cover(t: Traits) -> list[Reason]:
    """Few rows covered by very many columns."""
    share = t.semantic(S.AT_LEAST_ONE) * (t.slim > 10)
    return [(0.8 * share, "few rows covered by very many columns")]


def assignment(t: Traits) -> list[Reason]:
    """Exactly one and at most one, and capacities."""
    exact = t.semantic(S.EXACTLY_ONE, S.AT_MOST_ONE)
    caps = t.semantic(S.UPPER_WEIGHTED_SUM)
    simple = t.conserving == 0 and t.stock == 0 and t.setup < 0.05
    return [
        (0.4 * exact * simple, "exactly-one or at-most-one families"),
        (0.2 * (t.two_way and simple), "along two indices"),
        (0.2 * (exact > 0.1 and exact + caps > 0.8 and caps > 0), "and capacities alone"),
    ]


def structured_assignment(t: Traits) -> list[Reason]:
    """Exactly one, with implications."""
    exact, logic = t.semantic(S.EXACTLY_ONE), t.semantic(S.IMPLICATION)
    return [
        (0.25 * (exact > 0.02), "exactly-one families"),
        (0.3 * min(1.0, 2 * logic) * (exact > 0.02), "with implications"),
    ]


def bin_packing(t: Traits) -> list[Reason]:
    """Items in exactly one of the bins that are opened."""
    gates = t.share(lambda f: f.semantic == S.INDICATOR and f.miplib in ("bin packing", "knapsack"))
    exact = t.semantic(S.EXACTLY_ONE)
    return [
        (0.5 * (gates > 0), "capacities that a binary opens"),
        (0.4 * (exact > 0 and gates > 0 and t.binary > 0.95), "each item in exactly one"),
    ]


def cutting(t: Traits) -> list[Reason]:
    """Whole multiples meet demands."""
    share = t.semantic(S.LOWER_WEIGHTED_SUM, S.LOWER_SUM)
    whole = t.integer > 0.9 and share > 0
    return [((0.3 + 0.4 * share) * whole, "whole multiples of patterns meet demands")]


def separation(t: Traits) -> list[Reason]:
    """Pairs kept apart."""
    pairs = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.AT_MOST_ONE)
    apart = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.COMPARISON)
    times = t.share(lambda f: f.semantic == S.COMPARISON)
    return [
        (0.6 * pairs, "at most one of each pair"),
        (0.5 * times * (apart > 0.1), "distances between pairs of times"),
    ]


def coloring(t: Traits) -> list[Reason]:
    """One colour each, neighbours differ."""
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


def packing(t: Traits) -> list[Reason]:
    """At most one of each set."""
    share = t.semantic(S.AT_MOST_ONE) * t.binary
    return [
        (0.6 * share, "at most one of each listed set"),
        (0.25 * (share > 0.9), "nothing but conflicts"),
    ]


def domination(t: Traits) -> list[Reason]:
    """A covering with a row for each column."""
    share = t.share(lambda f: f.semantic == S.AT_LEAST_ONE and f.scaffold != L.GLOBAL)
    square = 0.8 <= t.slim <= 1.25
    return [(0.7 * share * square, "a covering with a row for each column")]


def random_graph(t: Traits) -> list[Reason]:
    """Sets listed without a pattern."""
    share = t.share(lambda f: f.miplib in SETS and f.scaffold == L.SUBSET)
    return [(0.5 * share, "cover and pack over listed sets")]


def generic(t: Traits) -> list[Reason]:
    """Weighted sums without a known structure."""
    return [(0.25 * t.semantic(*WEIGHTED), "weighted sums without a known structure")]


def synthetic(t: Traits) -> list[Reason]:
    """Logic without an objective."""
    logic = t.semantic(S.EXACTLY_ONE, S.AT_MOST_ONE, S.IMPLICATION) * t.binary
    return [(0.4 * logic * t.zero_objective, "logic alone, no objective")]


def dense(t: Traits) -> list[Reason]:
    """A dense matrix."""
    return [
        (0.6 * (t.density > 0.3 and t.rows > 20), "a dense matrix"),
        (0.15 * (t.density > 0.3 and len(t.families) <= 2), "in one block"),
    ]


def small(t: Traits) -> list[Reason]:
    """Anything."""
    return [(0.2, "mixed constraints")]
