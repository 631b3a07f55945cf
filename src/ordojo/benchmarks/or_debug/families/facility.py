"""Facility location: open sites, then ship from the open ones."""

import numpy as np

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import (
    FIRMS,
    TOWNS,
    down,
    each,
    listing,
    near,
    one,
    slug,
    some,
    story,
    up,
    whole,
    wholes,
)  # fmt: skip
from ordojo.milp.model import VarType

SCENES = (
    ("warehouse", "shop", "pallets"),
    ("clinic", "village", "visits"),
    ("dairy", "market", "churns"),
    ("recycling plant", "district", "tonnes"),
)


def make(rng: np.random.Generator) -> Seed:
    """Two or three sites, two or three customers, binary openings; cost is minimised."""
    site, customer, unit = one(rng, SCENES)
    count, buyers = (2, 3) if rng.random() < 0.4 else (3, whole(rng, 2, 3))
    towns = some(rng, TOWNS, count + buyers)
    sites, customers = towns[:count], towns[count:]
    b = SeedBuilder("facility")
    rents = wholes(rng, count, 100, 400, 20)
    opens = [
        b.col(f"open_{slug(s)}", cost=rent, upper=1, kind=VarType.BINARY)
        for s, rent in zip(sites, rents, strict=True)
    ]
    most = count - 1 if count == 3 else 2
    used = set(range(most))
    plan = {(i, j): whole(rng, 10, 40, 5) for i in range(count) for j in range(buyers)}
    cols, lanes = {}, []
    for i, s in enumerate(sites):
        prices = wholes(rng, buyers, 2, 15)
        tops = [up(near(rng, plan[i, j], 1.1, 1.5), 5) for j in range(buyers)]
        for j, c in enumerate(customers):
            name = f"serve_{slug(s)}_{slug(c)}"
            cols[i, j] = b.col(name, cost=prices[j], upper=tops[j])
        lanes.append(
            f"from {s}, {each(prices, customers, 'to')}, no more than {each(tops, customers, 'to')}"
        )
    needs = [down(near(rng, sum(plan[i, j] for i in used), 0.9, 1.0), 5) for j in range(buyers)]
    for j, c in enumerate(customers):
        b.rule(f"need_{slug(c)}", "demand", {cols[i, j]: 1 for i in range(count)}, ">=", needs[j])
    sizes = [
        up(near(rng, sum(plan[i, j] for j in range(buyers)), 1.0, 1.1), 5) for i in range(count)
    ]
    for i, s in enumerate(sites):
        terms = {cols[i, j]: 1.0 for j in range(buyers)} | {opens[i]: -float(sizes[i])}
        b.rule(f"link_{slug(s)}", "logic", terms, "<=", 0)
    b.rule("sites_most", "maximum", dict.fromkeys(opens, 1), "<=", most)
    least = down(near(rng, sum(needs), 0.8, 0.95), 5)
    b.rule("service_total", "minimum", dict.fromkeys(cols.values(), 1), ">=", least)
    facts = [
        one(rng, (f"Served must be at least {each(needs, customers, f'{unit} in')}.",
                  f"Each {customer} needs its {unit}: {each(needs, customers, 'in')} or more.")),
        one(rng, (f"An open {site} handles up to {each(sizes, sites, 'in')}, a closed one none.",
                  f"Nothing leaves a closed {site}; an open one can serve "
                  f"{each(sizes, sites, 'in')}.")),
        f"A served unit costs, with the lane's limit: {'; '.join(lanes)}.",
        one(rng, (f"At most {most} of the sites may be opened.",
                  f"The budget allows {most} openings at most.")),
        one(rng, (f"By charter, all sites together serve at least {least} {unit}.",
                  f"The licence asks for a total of no less than {least} {unit}.")),
    ]  # fmt: skip
    firm = one(rng, FIRMS)
    opening = one(rng, (
        f"{firm} may open a {site} in {listing(sites, 'or')} to serve a {customer} in each of "
        f"{listing(customers)}.",
        f"Where should {firm} open a {site}? Possible are {listing(sites)}; each {customer} in "
        f"{listing(customers)} is to be served.",
    ))  # fmt: skip
    goal = one(rng, (
        f"Opening costs {each(rents, sites, 'in')}; the sum of opening and serving should be "
        "smallest.",
        f"Keep the whole cost as low as possible, an opening costing {each(rents, sites, 'in')}.",
    ))  # fmt: skip
    return b.seed(story(rng, opening, facts, goal))
