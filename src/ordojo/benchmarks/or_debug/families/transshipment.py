"""Transshipment: goods pass from plants over hubs to stores."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import TOWNS, Draw, down, each, listing, slug, up

SCENES = (
    ("bicycles", "crates", "factory", "warehouse", "shop"),
    ("parcels", "bags", "sorting office", "hub", "district"),
    ("fuels", "tanks", "refinery", "terminal", "station"),
    ("medicines", "pallets", "laboratory", "depot", "clinic"),
)


def make(draw: Draw) -> Seed:
    """Two plants, two hubs, two or three stores; cost is minimised."""
    goods, unit, plant, hub, store = draw.one(SCENES)
    towns = draw.some(TOWNS, 4 + draw.whole(2, 3))
    plants, hubs, stores = towns[:2], towns[2:4], towns[4:]
    b = SeedBuilder("transshipment")
    outflow = {(h, s): draw.whole(10, 40, 5) for h in hubs for s in stores}
    through = {h: sum(outflow[h, s] for s in stores) for h in hubs}
    inflow = {}
    for h in hubs:
        inflow[plants[0], h] = down(draw.near(through[h], 0.3, 0.7), 5)
        inflow[plants[1], h] = through[h] - inflow[plants[0], h]
    cols, prices, tops = {}, {}, {}
    for lane, flow in {**inflow, **outflow}.items():
        prices[lane], tops[lane] = draw.whole(2, 12), up(draw.near(flow, 1.1, 1.5), 5)
        name = f"move_{slug(lane[0])}_{slug(lane[1])}"
        cols[lane] = b.col(name, cost=prices[lane], upper=tops[lane])
    stock = {p: up(draw.near(sum(inflow[p, h] for h in hubs), 1.0, 1.08), 5) for p in plants}
    for p in plants:
        b.rule(f"supply_{slug(p)}", "capacity", {cols[p, h]: 1 for h in hubs}, "<=", stock[p])
    space = {h: up(draw.near(through[h], 1.02, 1.12), 5) for h in hubs}
    for h in hubs:
        terms = {cols[p, h]: 1.0 for p in plants}
        b.rule(f"space_{slug(h)}", "capacity", terms, "<=", space[h])
        b.rule(f"flow_{slug(h)}", "balance", terms | {cols[h, s]: -1.0 for s in stores}, "==", 0)
    need = {s: down(draw.near(sum(outflow[h, s] for h in hubs), 0.92, 1.0), 5) for s in stores}
    for s in stores:
        b.rule(f"need_{slug(s)}", "demand", {cols[h, s]: 1 for h in hubs}, ">=", need[s])
    least = down(draw.near(sum(need.values()), 0.8, 0.95), 5)
    b.rule("plants_minimum", "minimum", {cols[p, h]: 1 for p in plants for h in hubs}, ">=", least)
    lanes = "; ".join(
        draw.one((f"{i} to {j} up to {tops[i, j]} at {prices[i, j]} each",
                  f"{i} to {j} at {prices[i, j]} each, at most {tops[i, j]}"))
        for i, j in cols
    )  # fmt: skip
    facts = [
        draw.one((f"Each {plant} has only so much to send, {each(stock.values(), plants, 'in')}.",
                  f"Available are {each(stock.values(), plants, f'{unit} in')}.")),
        draw.one((f"A {hub} keeps nothing: what comes in goes out again. At most "
                  f"{each(space.values(), hubs, f'{unit} can pass through')}.",
                  f"Each {hub} passes on all it gets, handling no more than "
                  f"{each(space.values(), hubs, 'in')}.")),
        draw.one((f"At least {each(need.values(), stores, f'{unit} must reach')}.",
                  f"Every {store} has to be served with at least "
                  f"{each(need.values(), stores, 'in')}.")),
        draw.one((f"Working agreements make the plants send at least {least} {unit} together.",
                  f"No less than {least} {unit} in all must leave the plants.")),
        f"The lanes, per unit: {lanes}.",
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} sends {goods}, counted in {unit}, from {listing(plants)} through {listing(hubs)} "
        f"to {listing(stores)}.",
        f"{goods.capitalize()} of {firm} come from {listing(plants)}, pass through {listing(hubs)} "
        f"and go to {listing(stores)}.",
    ))  # fmt: skip
    goal = draw.one((
        "The total cost of moving should be as small as possible.",
        "Find the cheapest way to move them.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
