"""Flows in a network: the cheapest one, and the largest one."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import TOWNS, Draw, down, each, listing, slug, up

CARGO = (("gas", "units", "pipe"), ("power", "megawatts", "line"), ("freight", "wagons", "track"),
         ("water", "megalitres", "main"), ("data", "gigabits", "cable"))  # fmt: skip


def make_cheapest(draw: Draw) -> Seed:
    """Five or six nodes, seven to ten arcs with limits and costs; cost is minimised."""
    cargo, unit, link = draw.one(CARGO)
    count = draw.whole(5, 6)
    nodes = draw.some(TOWNS, count)
    arcs = [(i, i + 1) for i in range(count - 1)]
    arcs += draw.some([(i, j) for i in range(count) for j in range(i + 2, min(i + 4, count))],
                 draw.whole(3, 5))  # fmt: skip
    plan = {arc: draw.whole(10, 40, 5) for arc in arcs}
    b = SeedBuilder("cheapest_flow")
    cols, told = {}, []
    for (i, j), flow in plan.items():
        price, top = draw.whole(2, 15), up(draw.near(flow, 1.1, 1.5), 5)
        cols[i, j] = b.col(f"flow_{slug(nodes[i])}_{slug(nodes[j])}", cost=price, upper=top)
        told.append(draw.one((f"{nodes[i]} to {nodes[j]} at {price} each, at most {top}",
                              f"{nodes[i]} to {nodes[j]}, up to {top}, cost {price}")))  # fmt: skip
    facts = [f"A {link} runs one way, with a cost per unit and a limit: {'; '.join(told)}."]
    wanted = 0
    for k, node in enumerate(nodes):
        terms = {c: 1.0 if i == k else -1.0 for (i, j), c in cols.items() if k in (i, j)}
        net = sum(f if i == k else -f for (i, j), f in plan.items() if k in (i, j))
        wanted += max(0, -net)
        b.rule(f"balance_{slug(node)}", "balance", terms, "==", net)
        if net > 0:
            facts.append(
                draw.one((f"{node} feeds in {net}.", f"In {node}, {net} more leave than arrive."))
            )
        elif net < 0:
            facts.append(draw.one((f"{node} takes out {-net}.", f"In {node}, {-net} are used up.")))
        else:
            facts.append(f"{node} passes on all that arrives.")
    # Every unit that is taken out came over at least one arc.
    least = down(draw.near(wanted, 0.8, 0.95), 5)
    b.rule("operator_minimum", "minimum", dict.fromkeys(cols.values(), 1), ">=", least)
    pair = draw.some(list(cols), 2)
    top = up(draw.near(sum(plan[arc] for arc in pair), 1.0, 1.1), 5)
    b.rule("shared_limit", "capacity", {cols[arc]: 1 for arc in pair}, "<=", top)
    names = listing(f"{nodes[i]} to {nodes[j]}" for i, j in pair)
    facts += [
        draw.one((f"The operator bills, and so asks for, at least {least} {unit} summed over all "
                  "links.",
                  f"Summed over every {link}, no less than {least} {unit} have to flow.")),
        draw.one((f"One crew watches {names}, so these carry at most {top} together.",
                  f"{names} share a controller with room for {top}.")),
    ]  # fmt: skip
    opening = draw.one((
        f"{draw.firm()} moves {cargo}, measured in {unit}, between {listing(nodes)}.",
        f"A network of {draw.firm()} joins {listing(nodes)} and carries {cargo} in {unit}.",
    ))  # fmt: skip
    goal = draw.one(("The flow should cost as little as possible.", "Find the cheapest flow."))
    return b.seed(draw.story(opening, facts, goal))


def make_largest(draw: Draw) -> Seed:
    """One source, two layers of two stations, one sink; the flow sent is maximised."""
    cargo, unit, link = draw.one(CARGO)
    nodes = draw.some(TOWNS, 6)
    arcs = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 5), (4, 5)]
    if draw.chance(0.5):
        arcs.append((1, 2))
    inner = {
        arc: draw.whole(10, 30, 5) for arc in arcs if arc not in ((0, 1), (0, 2), (3, 5), (4, 5))
    }
    extra = inner.get((1, 2), 0)
    plan = inner | {
        (0, 1): inner[1, 3] + inner[1, 4] + extra,
        # The second layer's inflow may already be covered by what the first passes over.
        (0, 2): max(5, inner[2, 3] + inner[2, 4] - extra),
        (3, 5): inner[1, 3] + inner[2, 3],
        (4, 5): inner[1, 4] + inner[2, 4],
    }
    surplus = plan[0, 2] + extra - inner[2, 3] - inner[2, 4]
    plan[2, 3] += surplus
    plan[3, 5] += surplus
    b = SeedBuilder("largest_flow", maximize=True)
    cols, told = {}, []
    price = draw.whole(2, 9)
    for i, j in arcs:
        low = down(plan[i, j] * 0.6, 5) if i == 0 else 0
        top = up(draw.near(plan[i, j], 1.0, 1.3), 5)
        name = f"flow_{slug(nodes[i])}_{slug(nodes[j])}"
        cols[i, j] = b.col(name, cost=price if j == 5 else 0, lower=low, upper=top)
        told.append(
            f"{nodes[i]} to {nodes[j]} at most {top}" + (f", at least {low}" if low else "")
        )
    through = {}
    for k in range(1, 5):
        into = {c: 1.0 for (i, j), c in cols.items() if j == k}
        out = {c: -1.0 for (i, j), c in cols.items() if i == k}
        b.rule(f"balance_{slug(nodes[k])}", "balance", into | out, "==", 0)
        if k < 3:
            through[k] = up(draw.near(sum(f for (i, j), f in plan.items() if j == k), 1.0, 1.1), 5)
            b.rule(f"pump_{slug(nodes[k])}", "capacity", into, "<=", through[k])
    sent = {cols[0, 1]: 1.0, cols[0, 2]: 1.0}
    lows = sum(down(plan[0, k] * 0.6, 5) for k in (1, 2))
    licence = max(5, down(draw.near(lows, 0.7, 0.95), 5))
    promised = down(draw.near(plan[3, 5] + plan[4, 5], 0.85, 0.98), 5)
    b.rule("licence_minimum", "minimum", sent, ">=", licence)
    b.rule("promised_delivery", "demand", {cols[3, 5]: 1, cols[4, 5]: 1}, ">=", promised)
    facts = [
        f"The limits in {unit} of each {link} are: {'; '.join(told)}.",
        draw.one((f"What arrives in {listing(nodes[1:5])} goes on.",
                  f"Nothing is kept or lost in {listing(nodes[1:5])}.")),
        draw.one((f"At most {each(through.values(), nodes[1:3], 'can enter')}.",
                  f"Stations take in no more than {each(through.values(), nodes[1:3], 'in')}.")),
        draw.one((f"The licence for {nodes[0]} asks that at least {licence} be sent.",
                  f"No less than {licence} {unit} have to leave {nodes[0]}.")),
        draw.one((f"{nodes[5]} was promised at least {promised}.",
                  f"At least {promised} must reach {nodes[5]}.")),
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} sends {cargo} from {nodes[0]} to {nodes[5]} through {listing(nodes[1:5])}.",
        f"Between {nodes[0]} and {nodes[5]} lie the stations {listing(nodes[1:5])}, over which "
        f"{firm} sends {cargo}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A unit that reaches {nodes[5]} earns {price}; earn as much as possible.",
        f"It earns {price} on each unit delivered in {nodes[5]} and wants the largest sum.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
