"""Assignment: every job goes to one machine within the machines' hours."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, each, listing, slug
from ordojo.milp.model import VarType

SCENES = (
    ("print shop", "job", ("poster", "menu", "flyer", "booklet", "ticket", "label"),
     "press", ("offset", "laser", "screen")),
    ("law office", "case", ("tax", "lease", "patent", "merger", "custody", "estate"),
     "partner", ("Adler", "Brandt", "Costa")),
    ("machine shop", "part", ("shaft", "gear", "flange", "valve", "bracket", "sleeve"),
     "mill", ("alpha", "beta", "gamma")),
    ("film studio", "scene", ("chase", "dinner", "duel", "harbour", "ballroom", "storm"),
     "crew", ("red", "blue", "green")),
)  # fmt: skip


def make(draw: Draw) -> Seed:
    """Two or three machines, four or five jobs, binary choices; cost is minimised."""
    place, job, pool, machine, names = draw.one(SCENES)
    machines = draw.some(names, draw.whole(2, 3))
    jobs = draw.some(pool, 4 if len(machines) == 3 else draw.whole(4, 5))
    b = SeedBuilder("assignment")
    hours = {m: draw.wholes(len(jobs), 3, 12) for m in machines}
    costs = {m: draw.wholes(len(jobs), 10, 60, 5) for m in machines}
    cols = {
        m: [
            b.col(f"do_{slug(j)}_{slug(m)}", cost=c, upper=1, kind=VarType.BINARY)
            for j, c in zip(jobs, costs[m], strict=True)
        ]
        for m in machines
    }
    # The planted plan gives job k to machine k modulo their number, after a shuffle.
    order = draw.some(range(len(jobs)), len(jobs))
    plan = {m: {order[k] for k in range(i, len(jobs), len(machines))}
            for i, m in enumerate(machines)}  # fmt: skip
    for k, j in enumerate(jobs):
        b.rule(f"once_{slug(j)}", "balance", {cols[m][k]: 1 for m in machines}, "==", 1)
    caps = {m: sum(hours[m][k] for k in plan[m]) + draw.whole(0, 2) for m in machines}
    for m in machines:
        b.rule(
            f"hours_{slug(m)}", "capacity", dict(zip(cols[m], hours[m], strict=True)), "<=", caps[m]
        )
        b.rule(f"share_{slug(m)}", "minimum", dict.fromkeys(cols[m], 1), ">=", 1)
    longest = sum(max(hours[m][k] for m in machines) for k in range(len(jobs)))
    bill = longest + draw.whole(2, 6)
    every = {c: h for m in machines for c, h in zip(cols[m], hours[m], strict=True)}
    b.rule("supervised_hours", "maximum", every, "<=", bill)
    quality = {m: draw.wholes(len(jobs), 2, 9) for m in machines}
    got = sum(dot([k in plan[m] for k in range(len(jobs))], quality[m]) for m in machines)
    least = int(got) - draw.whole(0, 2)
    points = {c: q for m in machines for c, q in zip(cols[m], quality[m], strict=True)}
    b.rule("quality_total", "minimum", points, ">=", least)
    tables = "; ".join(
        f"{m} needs {each(hours[m], jobs, 'hours for')}, costing {each(costs[m], jobs)}, "
        f"with quality points {each(quality[m], jobs)}"
        for m in machines
    )
    facts = [
        draw.one((f"Each {job} is done exactly once, by one {machine}.",
                  f"Exactly 1 {machine} takes each {job}, and no {job} is split.")),
        f"The figures: {tables}.",
        draw.one((f"The free hours are {each(caps.values(), machines)}.",
                  f"No {machine} works more than its hours: {each(caps.values(), machines)}.")),
        draw.one((f"Every {machine} gets at least 1 {job}.",
                  f"No {machine} may stand idle, so each takes 1 {job} or more.")),
        draw.one((f"The supervisor signs at most {bill} hours in all.",
                  f"In all, no more than {bill} hours may be booked.")),
        draw.one((f"The quality points must add up to at least {least}.",
                  f"The client accepts a total of {least} quality points or more.")),
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"The {place} {firm} shares out the {job}s {listing(jobs)} among {listing(machines)}.",
        f"{firm}, a {place}, has {listing(machines)} at hand and must get through the {job}s "
        f"{listing(jobs)}.",
    ))  # fmt: skip
    goal = draw.one(("The total cost should be as small as possible.",
                     "Find the cheapest way to share them out."))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
