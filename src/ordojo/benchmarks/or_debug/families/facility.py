"""Facility location: open sites, then ship from the open ones."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import TOWNS, Draw, down, each, listing, slug, up
from ordojo.milp.model import VarType

SCENES = (
    ("warehouse", "shop", "pallets"),
    ("clinic", "village", "visits"),
    ("dairy", "market", "churns"),
    ("recycling plant", "district", "tonnes"),
)


def make(draw: Draw) -> Seed:
    """Two or three sites, two or three customers, binary openings; cost is minimised."""
    site, customer, unit = draw.one(SCENES)
    count, buyers = (2, 3) if draw.chance(0.4) else (3, draw.whole(2, 3))
    towns = draw.some(TOWNS, count + buyers)
    sites, customers = towns[:count], towns[count:]
    b = SeedBuilder("facility")
    rents = draw.wholes(count, 100, 400, 20)
    opens = [
        b.col(f"open_{slug(s)}", cost=rent, upper=1, kind=VarType.BINARY)
        for s, rent in zip(sites, rents, strict=True)
    ]
    most = count - 1 if count == 3 else 2
    used = set(range(most))
    plan = {(i, j): draw.whole(10, 40, 5) for i in range(count) for j in range(buyers)}
    cols, lanes = {}, []
    for i, s in enumerate(sites):
        prices = draw.wholes(buyers, 2, 15)
        tops = [up(draw.near(plan[i, j], 1.1, 1.5), 5) for j in range(buyers)]
        for j, c in enumerate(customers):
            name = f"serve_{slug(s)}_{slug(c)}"
            cols[i, j] = b.col(name, cost=prices[j], upper=tops[j])
        lanes.append(
            f"from {s}, {each(prices, customers, 'to')}, no more than {each(tops, customers, 'to')}"
        )
    needs = [down(draw.near(sum(plan[i, j] for i in used), 0.9, 1.0), 5) for j in range(buyers)]
    for j, c in enumerate(customers):
        b.rule(f"need_{slug(c)}", "demand", {cols[i, j]: 1 for i in range(count)}, ">=", needs[j])
    sizes = [
        up(draw.near(sum(plan[i, j] for j in range(buyers)), 1.0, 1.1), 5) for i in range(count)
    ]
    for i, s in enumerate(sites):
        terms = {cols[i, j]: 1.0 for j in range(buyers)} | {opens[i]: -float(sizes[i])}
        b.rule(f"link_{slug(s)}", "logic", terms, "<=", 0)
    b.rule("sites_most", "maximum", dict.fromkeys(opens, 1), "<=", most)
    least = down(draw.near(sum(needs), 0.8, 0.95), 5)
    b.rule("service_total", "minimum", dict.fromkeys(cols.values(), 1), ">=", least)
    facts = [
        draw.one((f"Served must be at least {each(needs, customers, f'{unit} in')}.",
                  f"Each {customer} needs its {unit}: {each(needs, customers, 'in')} or more.")),
        draw.one((f"An open {site} handles up to {each(sizes, sites, 'in')}, a closed one none.",
                  f"Nothing leaves a closed {site}; an open one can serve "
                  f"{each(sizes, sites, 'in')}.")),
        f"A served unit costs, with the lane's limit: {'; '.join(lanes)}.",
        draw.one((f"At most {most} of the sites may be opened.",
                  f"The budget allows {most} openings at most.")),
        draw.one((f"By charter, all sites together serve at least {least} {unit}.",
                  f"The licence asks for a total of no less than {least} {unit}.")),
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} may open a {site} in {listing(sites, 'or')} to serve a {customer} in each of "
        f"{listing(customers)}.",
        f"Where should {firm} open a {site}? Possible are {listing(sites)}; each {customer} in "
        f"{listing(customers)} is to be served.",
    ))  # fmt: skip
    goal = draw.one((
        f"Opening costs {each(rents, sites, 'in')}; the sum of opening and serving should be "
        "smallest.",
        f"Keep the whole cost as low as possible, an opening costing {each(rents, sites, 'in')}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
