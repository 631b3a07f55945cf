"""Refining: raw loads yield several products; what is sold comes out of what is run."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, up

SCENES = (
    ("oil refinery", "barrels", ("brent", "urals", "bonny", "tapis"),
     ("petrol", "diesel", "bitumen")),
    ("dairy", "churns", ("alpine", "lowland", "organic", "goat"), ("butter", "cheese", "whey")),
    ("sawmill", "logs", ("pine", "spruce", "larch", "beech"), ("boards", "beams", "chips")),
    ("seed mill", "sacks", ("soya", "pea", "lupin", "bean"), ("flour", "oil", "bran")),
)  # fmt: skip


def make(draw: Draw) -> Seed:
    """Three or four raw materials, three products; sales less raw costs are maximised."""
    place, unit, pool, products = draw.one(SCENES)
    raws = draw.some(pool, draw.whole(3, 4))
    n = len(raws)
    plan = draw.wholes(n, 20, 60, 5)
    costs, prices = draw.wholes(n, 5, 20), draw.wholes(len(products), 8, 25)
    yields = [draw.wholes(n, 1, 5) for _ in products]
    b = SeedBuilder("refining", maximize=True)
    tops = [up(draw.near(x, 1.1, 1.4), 5) for x in plan]
    lows = [down(x * 0.4, 5) if draw.chance(0.4) else 0 for x in plan]
    runs = [
        b.col(f"run_{r}", cost=-cost, lower=low, upper=top)
        for r, cost, low, top in zip(raws, costs, lows, tops, strict=True)
    ]
    made = [int(dot(found, plan)) for found in yields]
    markets = [up(draw.near(x, 1.0, 1.2), 5) for x in made]
    sales = [
        b.col(f"sell_{p}", cost=price, upper=market)
        for p, price, market in zip(products, prices, markets, strict=True)
    ]
    for p, sale, found in zip(products, sales, yields, strict=True):
        terms = {sale: 1.0} | {r: -float(y) for r, y in zip(runs, found, strict=True)}
        b.rule(f"yield_{p}", "capacity", terms, "<=", 0)
    due = [down(draw.near(x, 0.85, 0.97), 5) for x in made]
    for p, sale, floor in zip(products, sales, due, strict=True):
        b.rule(f"contract_{p}", "demand", {sale: 1}, ">=", floor)
    plant = up(draw.near(sum(plan), 1.0, 1.06), 5)
    b.rule("plant_size", "capacity", dict.fromkeys(runs, 1), "<=", plant)
    steam = draw.wholes(n, 2, 9)
    boiler = up(draw.near(dot(steam, plan), 1.0, 1.06), 10)
    b.rule("boiler_steam", "capacity", dict(zip(runs, steam, strict=True)), "<=", boiler)
    # Even the richest raw material would have to be run this much for the contracts.
    need = max(floor / max(found) for floor, found in zip(due, yields, strict=True))
    least = max(5, down(draw.near(need, 0.75, 0.95), 5))
    b.rule("pipeline_minimum", "minimum", dict.fromkeys(runs, 1), ">=", least)
    kept = [(low, r) for low, r in zip(lows, raws, strict=True) if low]
    out = "; ".join(
        f"{p} {each(found, raws, 'from')}" for p, found in zip(products, yields, strict=True)
    )
    facts = [
        draw.one((f"One of the {unit} yields so many units: {out}.",
                  f"The yields in units are: {out}.")),
        draw.one(("Nothing can be sold that was not made.",
                  "Sales of a product cannot exceed what comes out of it.")),
        draw.one((f"Contracts call for at least {each(due, products, 'units of')}.",
                  f"At least {each(due, products, 'of')} must be sold.")),
        draw.one((f"The market takes no more than {each(markets, products, 'of')}.",
                  f"Sales end at {each(markets, products, 'for')}.")),
        draw.one((f"The works handle at most {plant} {unit} in all and, as carriage is booked, no "
                  f"fewer than {least}.",
                  f"In all, at least {least} and at most {plant} {unit} may be run.")),
        draw.one((f"The boiler gives {boiler} units of steam, of which {each(steam, raws)} are "
                  "used for each.",
                  f"Steam is used, {each(steam, raws)}, and {boiler} units are the limit.")),
        draw.one((f"On offer are at most {each(tops, raws, f'{unit} of')}.",
                  f"It can buy no more than {each(tops, raws, f'{unit} of')}.")),
        f"Standing orders bring in at least {listing(f'{low} of {r}' for low, r in kept)}."
        if kept else "",
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"The {place} of {firm} turns {listing(raws)}, counted in {unit}, into "
        f"{listing(products)}.",
        f"{firm} makes {listing(products)} in its {place} from {unit} of {listing(raws)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A unit sells at {each(prices, products)}, the raw material costs {each(costs, raws)}; "
        "sales less costs should be largest.",
        f"It wants the largest surplus, selling at {each(prices, products)} and buying at "
        f"{each(costs, raws)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
