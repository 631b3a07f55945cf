"""Vehicle loading: whole numbers of crates on two vehicles within weight and space."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, each, listing, slug, up
from ordojo.milp.model import VarType

FLEETS = (("truck", ("northern", "southern")), ("barge", ("upper", "lower")),
          ("van", ("white", "yellow")), ("railcar", ("front", "rear")))  # fmt: skip
CARGO = ("lamps", "tiles", "pumps", "books", "tyres", "drills", "chairs", "fridges", "cables")


def make(draw: Draw) -> Seed:
    """Two vehicles, three or four kinds of cargo, whole crates; the value carried is maximised."""
    vehicle, names = draw.one(FLEETS)
    cargo = draw.some(CARGO, draw.whole(3, 4))
    n = len(cargo)
    values, weights = draw.wholes(n, 10, 60, 5), draw.wholes(n, 2, 12)
    volumes = draw.wholes(n, 1, 8)
    b = SeedBuilder("loading", maximize=True)
    plan = {v: draw.wholes(n, 2, 8) for v in names}
    tops = {v: [x + draw.whole(1, 3) for x in plan[v]] for v in names}
    cols = {
        v: [
            b.col(f"load_{slug(c)}_{v}", cost=value, upper=top, kind=VarType.INTEGER)
            for c, value, top in zip(cargo, values, tops[v], strict=True)
        ]
        for v in names
    }
    loads = {v: up(draw.near(dot(weights, plan[v]), 1.0, 1.08), 5) for v in names}
    rooms = {v: up(draw.near(dot(volumes, plan[v]), 1.0, 1.08), 2) for v in names}
    for v in names:
        b.rule(f"weight_{v}", "capacity", dict(zip(cols[v], weights, strict=True)), "<=", loads[v])
        b.rule(f"space_{v}", "capacity", dict(zip(cols[v], volumes, strict=True)), "<=", rooms[v])
    floors = [max(2, sum(plan[v][k] for v in names) - draw.whole(0, 2)) for k in range(n)]
    for k, c in enumerate(cargo):
        b.rule(f"order_{slug(c)}", "demand", {cols[v][k]: 1 for v in names}, ">=", floors[k])
    least = sum(floors) - draw.whole(1, 4)
    b.rule("toll_minimum", "minimum", {c: 1 for v in names for c in cols[v]}, ">=", least)
    facts = [
        draw.one((f"The weights are {each(weights, cargo)} per crate; the {names[0]} {vehicle} "
                  f"bears {loads[names[0]]}, the {names[1]} one {loads[names[1]]}.",
                  f"With weights of {each(weights, cargo)} a crate, no more than "
                  f"{loads[names[0]]} go on the {names[0]} and {loads[names[1]]} on the "
                  f"{names[1]} {vehicle}.")),
        draw.one((f"A crate fills {each(volumes, cargo)} cubic metres; there are {rooms[names[0]]} "
                  f"in the {names[0]} and {rooms[names[1]]} in the {names[1]} {vehicle}.",
                  f"Space is {rooms[names[0]]} cubic metres on the {names[0]} and "
                  f"{rooms[names[1]]} on the {names[1]} {vehicle}, crates taking "
                  f"{each(volumes, cargo)}.")),
        draw.one((f"Both together must bring at least {each(floors, cargo, 'crates of')}.",
                  f"Ordered, and so due, are no fewer than {each(floors, cargo, 'of')}.")),
        *(f"The {v} {vehicle} has room for at most {each(tops[v], cargo, 'of')}." for v in names),
        draw.one((f"The toll pass is valid from {least} crates on, so at least that many travel.",
                  f"In all at least {least} crates must go.")),
        draw.one(("Crates are not opened, so numbers are whole.", "Only whole crates travel.")),
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} loads crates of {listing(cargo)} on a {names[0]} and a {names[1]} {vehicle}.",
        f"Crates of {listing(cargo)} wait for the {names[0]} and the {names[1]} {vehicle} of "
        f"{firm}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A crate is worth {each(values, cargo)}; as much value as possible should travel.",
        f"The value carried should be largest, a crate being worth {each(values, cargo)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
