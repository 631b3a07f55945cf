"""What speaks for classes of planning: flows, sites, lots, schedules, routes."""

from ordojo.structure.labels.choosing import WEIGHTED, bin_packing
from ordojo.structure.labels.traits import Reason, Traits
from ordojo.structure.labels.vocabulary import Scaffold, Semantic

S, L = Semantic, Scaffold
GATED = (S.IMPLICATION, S.INDICATOR)


def blending(t: Traits) -> list[Reason]:
    """Shares of continuous amounts."""
    share = t.semantic(S.UPPER_PROPORTION, S.LOWER_PROPORTION)
    mixing = t.continuous > 0.5 and t.conserving == 0
    return [(0.8 * min(1.0, 2 * share) * mixing, "shares of continuous amounts")]


def unit_commitment(t: Traits) -> list[Reason]:
    """Windows of on and off, ramps, output only while on."""
    windows = t.scaffold(L.WINDOW) * (t.binary > 0.1) * (t.continuous > 0.1)
    return [
        (0.35 * (windows > 0.02), "windows over on and off decisions"),
        (0.3 * (windows > 0.02 and t.scaffold(L.COUPLED) > 0.02), "ramps between periods"),
        (0.2 * (windows > 0.02 and t.setup > 0.02), "output only while on"),
    ]


def location(t: Traits) -> list[Reason]:
    """Served only by what is opened."""
    plain = t.conserving == 0 and t.stock == 0
    return [
        (0.6 * (t.located > 0.2 and plain), "served only by what is opened, a link for each pair"),
        (0.1 * (t.located > 0.6 and plain), "and little else"),
    ]


def capacitated_location(t: Traits) -> list[Reason]:
    """Served by what is opened, within its capacity."""
    caps = t.opened
    weighted = t.any(lambda f: f.semantic == S.UPPER_WEIGHTED_SUM and f.scaffold == L.SINGLE_LOOP)
    served = t.share(
        lambda f: (
            f.semantic in (S.EXACTLY_ONE, S.LOWER_SUM)
            or (f.semantic == S.EQUALITY and t.continuous > 0.3 and f.miplib != "aggregation")
        )
    )
    plain = t.conserving == 0 and t.stock == 0 and not bin_packing(t)[0][0]
    plain = plain and t.scaffold(L.PAIRWISE, L.CYCLIC, L.WINDOW) == 0
    return [
        (0.5 * (caps > 0 and served > 0 and plain), "capacities that opening gives"),
        (0.3 * (caps > 0 and t.located > 0.2 and plain), "a link for each pair"),
        (0.8 * (caps == 0 and weighted and t.located > 0.2 and plain), "links and capacities"),
    ]


def flow(t: Traits) -> list[Reason]:
    """Flow conservation, perhaps with arcs to open."""
    return [
        (0.3 * (t.conserving > 0) + 0.2 * t.conserving, "flow conservation"),
        (0.3 * (t.conserving > 0 and t.setup > 0.1), "arcs that a binary opens"),
    ]


def min_cost_flow(t: Traits) -> list[Reason]:
    """Flow conservation and little else."""
    pure = t.continuous + t.integer > 0.95
    return [
        (0.5 * min(1.0, 2 * t.conserving) * pure, "flow conservation"),
        (0.4 * (t.conserving > 0.5 and pure and not t.routed), "nothing but flow"),
    ]


def commodities(t: Traits) -> list[Reason]:
    """Flow conservation for each of several goods."""
    pure = t.continuous + t.integer > 0.95
    return [
        (0.6 * (t.routed and pure), "flow conservation, a copy for each commodity"),
        (0.2 * (t.routed and pure and t.semantic(S.UPPER_SUM) > 0), "that share arcs"),
    ]


def design(t: Traits) -> list[Reason]:
    """Several goods on arcs to open."""
    return [
        (0.5 * t.routed, "flow conservation, a copy for each commodity"),
        (0.4 * (t.routed and t.setup > 0.02), "arcs that a binary opens"),
    ]


def supply_chain(t: Traits) -> list[Reason]:
    """Flow through stages to demands."""
    plain = t.conserving > 0 and t.continuous > 0.5
    demands = t.semantic(S.LOWER_SUM, S.UPPER_SUM)
    return [
        (0.3 * (plain and demands > 0.1), "what comes in goes on, to demands"),
        (0.2 * (plain and demands > 0.1 and len(t.families) > 3), "in several stages"),
    ]


def transport(t: Traits) -> list[Reason]:
    """What leaves and what arrives, summed."""
    sums = t.semantic(S.UPPER_SUM, S.LOWER_SUM, S.EQUALITY)
    plain = t.continuous + t.integer > 0.95 and t.conserving == 0 and t.stock == 0
    return [
        (0.3 * sums * (plain and sums > 0.9 and len(t.families) > 1), "sums alone"),
        (0.4 * t.shipped, "amounts summed along two indices, what leaves and what arrives"),
        (0.1 * (t.shipped and t.setup > 0.3), "each pair opened by a binary"),
    ]


def lot_sizing(t: Traits) -> list[Reason]:
    """Stocks and setups."""
    return [
        (0.4 * (t.stock > 0.05), "stock balances from period to period"),
        (0.35 * (t.stock > 0.05 and t.setup > 0.05), "production only with a setup"),
    ]


def capacitated_lots(t: Traits) -> list[Reason]:
    """Stocks and setups within shared capacities."""
    base = sum(score for score, _ in lot_sizing(t))
    caps = t.semantic(S.UPPER_WEIGHTED_SUM, S.UPPER_SUM)
    return [
        (base * (base > 0.7), "stock balances and setups"),
        (0.15 * (base > 0.7 and caps > 0), "shared capacities"),
    ]


def production(t: Traits) -> list[Reason]:
    """Coupled periods without setups."""
    coupled = max(t.stock, t.scaffold(L.COUPLED) * (t.binary < 0.9))
    return [
        (0.4 * min(1.0, 3 * coupled), "periods are coupled"),
        (0.2 * (coupled > 0.05 and t.setup < 0.02), "without setups"),
        (0.1 * (coupled > 0.05 and t.semantic(*WEIGHTED) > 0.05), "weighted resources"),
    ]


def job_shop(t: Traits) -> list[Reason]:
    """Starts in time, or machine disjunctions."""
    timed = t.scaffold(L.WINDOW) > 0.1 and t.semantic(S.EXACTLY_ONE) > 0.01
    return [
        (0.45 * timed, "exactly one start, resources over windows of time"),
        (0.2 * (timed and t.binary > 0.9), "time-indexed binaries"),
        (0.3 * (t.scaffold(L.PAIRWISE) > 0.3 and t.setup > 0.3), "machine disjunctions"),
    ]


def disjunctive(t: Traits) -> list[Reason]:
    """Big-M disjunctions over pairs."""
    both = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic == S.INDICATOR)
    return [
        (0.75 * min(1.0, 1.5 * both), "big-M disjunctions over pairs"),
        (0.1 * (both > 0.5 and t.continuous > 0.01), "of start times"),
    ]


def tour(t: Traits) -> list[Reason]:
    """One way in, one way out, an order."""
    degree = t.two_way and t.semantic(S.EXACTLY_ONE) > 0.01
    order = t.share(lambda f: f.scaffold == L.PAIRWISE and f.semantic in (*GATED, *WEIGHTED))
    return [
        (0.4 * (degree and order > 0), "one way in and one way out of each place"),
        (0.4 * (degree and order > 0.3), "an order of visits over pairs"),
    ]


def vehicles(t: Traits) -> list[Reason]:
    """A binary route for each vehicle, times along it."""
    timed = t.share(
        lambda f: f.semantic == S.INDICATOR and f.scaffold in (L.PAIRWISE, L.REPLICATED)
    )
    return [
        (0.35 * (t.flows_binary and t.routed), "a route for each vehicle"),
        (0.35 * (t.flows_binary and timed > 0.1), "times or loads along used arcs"),
    ]


def cyclic(t: Traits) -> list[Reason]:
    """A horizon that closes on itself."""
    return [
        (0.45 * min(1.0, 5 * t.scaffold(L.CYCLIC)), "a horizon that closes on itself"),
        (0.25 * (t.scaffold(L.CYCLIC) > 0 and t.scaffold(L.WINDOW) > 0), "with windows"),
    ]
