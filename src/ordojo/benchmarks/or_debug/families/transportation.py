"""Transportation: supplies to demands over lanes of limited size."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import TOWNS, Draw, down, listing, slug, up

SCENES = (
    ("cement", "tonnes", "works", "yard"),
    ("grain", "tonnes", "silo", "mill"),
    ("bottled water", "pallets", "spring", "shop"),
    ("timber", "loads", "sawmill", "depot"),
    ("paper", "rolls", "paper mill", "printer"),
)


def make(draw: Draw) -> Seed:
    """Two or three sources, three or four destinations, a limit on each lane; cost is minimised."""
    goods, unit, source, sink = draw.one(SCENES)
    rows, columns = (2, draw.whole(3, 4)) if draw.chance(0.7) else (3, 3)
    towns = draw.some(TOWNS, rows + columns)
    sources, sinks = towns[:rows], towns[rows:]
    b = SeedBuilder("transportation")
    facts, cols = [], {}
    plan = {(i, j): draw.whole(10, 50, 5) for i in sources for j in sinks}
    prices, limits = [], []
    for i in sources:
        cost = draw.wholes(columns, 2, 18)
        tops = [up(draw.near(plan[i, j], 1.1, 1.5), 5) for j in sinks]
        for j, price, top in zip(sinks, cost, tops, strict=True):
            cols[i, j] = b.col(f"ship_{slug(i)}_{slug(j)}", cost=price, upper=top)
        prices.append(
            f"from {i} {listing(f'{c} to {j}' for c, j in zip(cost, sinks, strict=True))}"
        )
        limits.append(
            f"from {i} {listing(f'{t} to {j}' for t, j in zip(tops, sinks, strict=True))}"
        )
    needs = []
    for j in sinks:
        need = down(draw.near(sum(plan[i, j] for i in sources), 0.9, 1.0), 5)
        needs.append(need)
        b.rule(f"need_{slug(j)}", "demand", {cols[i, j]: 1 for i in sources}, ">=", need)
    stocks = []
    for i in sources:
        stock = up(draw.near(sum(plan[i, j] for j in sinks), 1.0, 1.08), 5)
        stocks.append(stock)
        b.rule(f"stock_{slug(i)}", "capacity", {cols[i, j]: 1 for j in sinks}, "<=", stock)
    carrier = down(draw.near(sum(needs), 0.8, 0.95), 5)
    b.rule("carrier_minimum", "minimum", dict.fromkeys(cols.values(), 1), ">=", carrier)
    have = listing(f"{s} {unit} in {i}" for s, i in zip(stocks, sources, strict=True))
    want = listing(f"{n} in {j}" for n, j in zip(needs, sinks, strict=True))
    facts.append(draw.one((
        f"The stock is {have}.", f"No {source} can send more than it has: {have}.",
    )))  # fmt: skip
    facts.append(draw.one((
        f"Each {sink} needs its share: at least {want}.",
        f"At least the following must arrive: {want}.",
    )))  # fmt: skip
    facts.append(draw.one((
        f"The lanes carry at most, {'; '.join(limits)}.",
        f"Lane limits in {unit} are, {'; '.join(limits)}.",
    )))  # fmt: skip
    facts.append(draw.one((
        f"The carrier's contract asks for at least {carrier} {unit} in all.",
        f"Taken together, no fewer than {carrier} {unit} have to be shipped under the contract.",
    )))  # fmt: skip
    if rows == 2 or draw.chance(0.5):
        j = draw.one(sinks)
        dock = up(draw.near(sum(plan[i, j] for i in sources), 1.05, 1.2), 5)
        b.rule(f"dock_{slug(j)}", "capacity", {cols[i, j]: 1 for i in sources}, "<=", dock)
        facts.append(draw.one((
            f"The dock in {j} takes in at most {dock} {unit}.",
            f"{j} cannot unload more than {dock} {unit}.",
        )))  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} ships {goods} from a {source} in each of {listing(sources)} "
        f"to a {sink} in each of {listing(sinks)}.",
        f"{goods.capitalize()} of {firm} lies in {listing(sources)} "
        f"and is wanted in {listing(sinks)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"Freight is to be as cheap as possible; the price per unit is, {'; '.join(prices)}.",
        f"It pays for each unit, {'; '.join(prices)}, and wants the smallest bill.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
