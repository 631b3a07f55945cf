"""Cutting stock: whole rolls cut by given patterns to cover orders."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, each, listing, up
from ordojo.milp.model import VarType

STOCK = (("paper", "rolls"), ("steel", "coils"), ("film", "reels"), ("carpet", "rolls"),
         ("pipe", "bars"), ("fabric", "bolts"))  # fmt: skip
LETTERS = "ABCDEF"


def make(draw: Draw) -> Seed:
    """Five or six patterns, three or four widths, whole rolls; cost is minimised."""
    material, unit = draw.one(STOCK)
    widths = sorted(draw.some(range(20, 95, 5), draw.whole(3, 4)))
    count = draw.whole(5, 6)
    patterns = list(LETTERS[:count])
    pieces = [draw.wholes(len(widths), 0, 3) for _ in patterns]
    for k, found in enumerate(pieces):
        found[k % len(widths)] = max(2, found[k % len(widths)])
    plan = draw.wholes(count, 3, 12)
    tops = [x + draw.whole(1, 5) for x in plan]
    costs = draw.wholes(count, 20, 60, 5)
    b = SeedBuilder("cutting")
    cols = [
        b.col(f"cut_{p}", cost=cost, upper=top, kind=VarType.INTEGER)
        for p, cost, top in zip(patterns, costs, tops, strict=True)
    ]
    needs = []
    for i, width in enumerate(widths):
        got = [found[i] for found in pieces]
        needs.append(sum(g * x for g, x in zip(got, plan, strict=True)) - draw.whole(0, 2))
        b.rule(f"order_{width}cm", "demand", dict(zip(cols, got, strict=True)), ">=", needs[i])
    rolls = sum(plan) + draw.whole(0, 2)
    # No roll gives more pieces of a width than this, so that the minimum is never tight.
    most = [max(found[i] for found in pieces) for i in range(len(widths))]
    least = max(-(-need // top) for need, top in zip(needs, most, strict=True)) - 1
    b.col("total_cut", upper=rolls, kind=VarType.INTEGER)
    b.rule("cut_sum", "definition", {"total_cut": 1, **dict.fromkeys(cols, -1)}, "==", 0)
    b.rule("dealer_minimum", "minimum", {"total_cut": 1}, ">=", least)
    minutes = draw.wholes(count, 2, 8)
    time = up(sum(m * x for m, x in zip(minutes, plan, strict=True)) * 1.04, 5)
    b.rule("knife_minutes", "capacity", dict(zip(cols, minutes, strict=True)), "<=", time)
    shown = "; ".join(
        f"pattern {p} gives {each(found, [f'{w} cm' for w in widths], 'of')}"
        for p, found in zip(patterns, pieces, strict=True)
    )
    named = [f"pattern {p}" for p in patterns]
    facts = [
        draw.one((f"One of the {unit} can be cut in {count} ways, giving these pieces: {shown}.",
                  f"The cutting patterns give these pieces: {shown}.")),
        draw.one((f"Ordered are at least {each(needs, [f'{w} cm' for w in widths], 'of')}.",
                  f"The pieces must cover the orders: "
                  f"{each(needs, [f'{w} cm' for w in widths], 'of')}; more is no harm.")),
        draw.one((f"The total number of {unit} cut is at most {rolls}, as many as are in stock, "
                  f"and at least {least} by the dealer's contract.",
                  f"All patterns together use no more than {rolls} {unit} and, as the dealer "
                  f"insists, no fewer than {least}.")),
        draw.one((f"The knife runs for at most {time} minutes, and one takes "
                  f"{each(minutes, named)}.",
                  f"Cutting takes {each(minutes, named, 'minutes with')}, {time} minutes being "
                  "available.")),
        draw.one((f"Runs are limited to {each(tops, named)}.",
                  f"Wear allows at most so many runs: {each(tops, named)}.")),
        draw.one((f"Only whole {unit} are cut.", "Runs are whole numbers.")),
    ]  # fmt: skip
    opening = draw.one((
        f"{draw.firm()} cuts {material} {unit} into pieces of "
        f"{listing(str(w) for w in widths)} cm.",
        f"From wide {unit} of {material}, {draw.firm()} cuts widths of "
        f"{listing(str(w) for w in widths)} cm.",
    ))  # fmt: skip
    goal = draw.one((
        f"A unit cut costs {each(costs, named, 'by')}; the total cost should be as small as "
        "possible.",
        f"Choose the runs of least cost, one costing {each(costs, named)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
