"""Crop planning: fields share land, water and work, with quotas and rotation."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, slug, up

CROPS = ("wheat", "barley", "potatoes", "beets", "clover", "maize", "flax", "onions", "rapeseed")
FARMS = ("farm", "cooperative", "monastery estate", "research station")


def make(draw: Draw) -> Seed:
    """Five to eight crops in hectares; the margin is maximised."""
    crops = draw.some(CROPS, draw.whole(5, 8))
    n = len(crops)
    plan = draw.wholes(n, 10, 50, 5)
    margins, water, work = draw.wholes(n, 20, 90, 5), draw.wholes(n, 2, 9), draw.wholes(n, 3, 12)
    b = SeedBuilder("crops", maximize=True)
    lows = [down(x * 0.4, 5) if draw.chance(0.3) else 0 for x in plan]
    tops = [up(draw.near(x, 1.15, 1.5), 5) for x in plan]
    cols = [
        b.col(f"grow_{slug(c)}", cost=m, lower=low, upper=top)
        for c, m, low, top in zip(crops, margins, lows, tops, strict=True)
    ]
    land = up(draw.near(sum(plan), 1.0, 1.06), 5)
    b.col("land_used", upper=land)
    b.rule("land_sum", "definition", {"land_used": 1, **dict.fromkeys(cols, -1)}, "==", 0)
    canal = up(draw.near(dot(water, plan), 1.0, 1.06), 10)
    hands = up(draw.near(dot(work, plan), 1.0, 1.06), 10)
    b.rule("canal_water", "capacity", dict(zip(cols, water, strict=True)), "<=", canal)
    b.rule("work_days", "capacity", dict(zip(cols, work, strict=True)), "<=", hands)
    order = draw.some(range(n), n)
    due = [(j, max(5, down(draw.near(plan[j], 0.75, 0.95), 5))) for j in order[:2]]
    for j, floor in due:
        b.rule(f"contract_{slug(crops[j])}", "demand", {cols[j]: 1}, ">=", floor)
    tilled = max(5, down(draw.near(sum(floor for _, floor in due), 0.75, 0.95), 5))
    b.rule("subsidy_area", "minimum", dict.fromkeys(cols, 1), ">=", tilled)
    first, second = order[2], order[3]
    factor = max(2, -(-plan[first] // plan[second]))
    b.rule("rotation_rule", "ratio", {cols[first]: 1, cols[second]: -factor}, "<=", 0)
    pair = [order[0], order[2]]
    sowing = up(draw.near(sum(plan[j] for j in pair), 1.0, 1.1), 5)
    b.rule("early_sowing", "maximum", {cols[j]: 1 for j in pair}, "<=", sowing)
    kept = [(low, c) for low, c in zip(lows, crops, strict=True) if low]
    both = listing(crops[j] for j in pair)
    facts = [
        draw.one((f"All crops together cannot use more than {land} hectares of land.",
                  f"The land used is the sum over all crops, {land} hectares at most.")),
        draw.one((f"A hectare drinks {each(water, crops)}, and the canal gives {canal}.",
                  f"Water is limited to {canal}, a hectare taking {each(water, crops)}.")),
        draw.one((f"Work per hectare is {each(work, crops, 'days for')}, and there are {hands}.",
                  f"There are {hands} days of work; a hectare needs {each(work, crops)}.")),
        "Sold in advance are at least "
        + listing(f"{floor} hectares of {crops[j]}" for j, floor in due) + ".",
        draw.one((f"The subsidy is paid only if at least {tilled} hectares are sown in all.",
                  f"At least {tilled} hectares must be sown in sum to keep the subsidy.")),
        draw.one((f"For rotation, {crops[first]} may cover at most {factor} times the area of "
                  f"{crops[second]}.",
                  f"To one hectare of {crops[second]} come at most {factor} of {crops[first]}.")),
        draw.one((f"The drill can sow at most {sowing} hectares of {both} in time.",
                  f"{both.capitalize()} are sown early, {sowing} hectares at most.")),
        draw.one((f"Suitable soil ends at {each(tops, crops)}.",
                  f"No more hectares are suited than {each(tops, crops)}.")),
        f"Sown already, and to be kept, are {listing(f'{v} of {c}' for v, c in kept)}."
        if kept else "",
    ]  # fmt: skip
    place = f"{draw.one(FARMS)} near {draw.town()}"
    opening = draw.one((
        f"A {place} divides its fields among {listing(crops)}.",
        f"How many hectares of {listing(crops)} should a {place} grow?",
    ))  # fmt: skip
    goal = draw.one((
        f"A hectare leaves {each(margins, crops)}; the total margin should be largest.",
        f"It wants the largest margin, with {each(margins, crops)} per hectare.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
