"""Power dispatch: plants meet the load of each period within ramps and fuel."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, slug, up

PLANTS = ("coal", "gas", "biomass", "hydro", "oil", "waste")
TIMES = (("night", "morning", "evening"), ("dawn", "noon", "dusk"), ("early", "middle", "late"))


def make(draw: Draw) -> Seed:
    """Two or three plants over two or three periods; fuel cost is minimised."""
    plants = draw.some(PLANTS, draw.whole(2, 3))
    times = draw.one(TIMES)[: draw.whole(2, 3)]
    n, count = len(plants), len(times)
    plan = {p: draw.wholes(count, 30, 80, 5) for p in plants}
    b = SeedBuilder("dispatch")
    costs = draw.wholes(n, 10, 40)
    lows = [down(min(plan[p]) * 0.7, 5) for p in plants]
    tops = [up(draw.near(max(plan[p]), 1.05, 1.3), 5) for p in plants]
    cols = {
        p: [b.col(f"run_{slug(p)}_{t}", cost=c, lower=low, upper=top) for t in times]
        for p, c, low, top in zip(plants, costs, lows, tops, strict=True)
    }
    loads = [down(draw.near(sum(plan[p][t] for p in plants), 0.94, 1.0), 5) for t in range(count)]
    for t, time in enumerate(times):
        b.rule(f"load_{time}", "demand", {cols[p][t]: 1 for p in plants}, ">=", loads[t])
    ramps = [
        max(5, up(max(plan[p][t] - plan[p][t - 1] for t in range(1, count)), 5)) for p in plants
    ]
    for p, ramp in zip(plants, ramps, strict=True):
        for t in range(1, count):
            terms = {cols[p][t]: 1, cols[p][t - 1]: -1}
            b.rule(f"ramp_{slug(p)}_{times[t]}", "maximum", terms, "<=", ramp)
    fumes = draw.wholes(n, 1, 9)
    run = [sum(plan[p]) for p in plants]
    air = up(draw.near(dot(fumes, run), 1.0, 1.06), 10)
    b.rule(
        "clean_air", "maximum",
        {c: f for p, f in zip(plants, fumes, strict=True) for c in cols[p]}, "<=", air,
    )  # fmt: skip
    lead = draw.whole(0, n - 1)
    fuel = up(draw.near(run[lead], 1.0, 1.08), 5)
    b.col("fuel_used", upper=fuel)
    burnt = {"fuel_used": 1, **dict.fromkeys(cols[plants[lead]], -1)}
    b.rule("fuel_sum", "definition", burnt, "==", 0)
    # The loads alone already ask for more than this.
    least = down(draw.near(sum(loads), 0.8, 0.95), 5)
    b.rule("grid_minimum", "minimum", {c: 1 for p in plants for c in cols[p]}, ">=", least)
    facts = [
        draw.one((f"The load to be met is at least {each(loads, times, 'in the period')}.",
                  f"Needed are at least {each(loads, times, 'megawatts in the period')}.")),
        draw.one((f"A running plant gives at least {each(lows, plants)} and at most "
                  f"{each(tops, plants)} megawatts.",
                  f"Per period, the least output is {each(lows, plants)} and the greatest "
                  f"{each(tops, plants)}.")),
        draw.one((f"From one period to the next, output can rise by at most {each(ramps, plants)}.",
                  f"The rise between neighbouring periods is limited to {each(ramps, plants)}.")),
        draw.one((f"A megawatt gives off {each(fumes, plants, 'grams for')}; the permit ends at "
                  f"{air} grams over all periods.",
                  f"Fumes may not pass {air} grams in all, at {each(fumes, plants)} a megawatt.")),
        draw.one((f"The {plants[lead]} plant has fuel for {fuel} megawatts over all periods.",
                  f"Over all periods, {plants[lead]} can give no more than {fuel} in sum.")),
        draw.one((f"The grid contract asks for at least {least} megawatts summed over everything.",
                  f"In all, no less than {least} must be fed in under the grid contract.")),
    ]  # fmt: skip
    town = draw.town()
    opening = draw.one((
        f"The utility of {town} runs plants on {listing(plants)} through the periods "
        f"{listing(times)}.",
        f"Plants on {listing(plants)} supply {town} in the periods {listing(times)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A megawatt costs {each(costs, plants, 'from')}; supply should cost as little as "
        "possible.",
        f"Find the cheapest supply, a megawatt costing {each(costs, plants)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
