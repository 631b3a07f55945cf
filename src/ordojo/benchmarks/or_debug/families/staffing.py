"""Staffing: whole numbers of people on overlapping shifts cover the need of each period."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import TOWNS, Draw, each, listing, num, up
from ordojo.milp.model import VarType

SCENES = (
    ("call centre", "agents", ("morning", "noon", "afternoon", "evening", "night")),
    ("hospital ward", "nurses", ("dawn", "morning", "midday", "evening", "night")),
    ("museum", "guards", ("early", "forenoon", "midday", "afternoon", "late")),
    ("warehouse", "pickers", ("first", "second", "third", "fourth", "fifth")),
)


def make(draw: Draw) -> Seed:
    """Four or five shifts, each over two periods of the day; the wage bill is minimised."""
    place, people, names = draw.one(SCENES)
    count = draw.whole(4, 5)
    periods = names[:count]
    plan = draw.wholes(count, 3, 9)
    wages = draw.wholes(count, 80, 150, 5)
    b = SeedBuilder("staffing")
    tops = [x + draw.whole(1, 4) for x in plan]
    cols = [
        b.col(f"start_{p}", cost=wage, upper=top, kind=VarType.INTEGER)
        for p, wage, top in zip(periods, wages, tops, strict=True)
    ]
    needs = [plan[i] + plan[i - 1] - draw.whole(0, 1) for i in range(count)]
    for i, period in enumerate(periods):
        b.rule(f"cover_{period}", "demand", {cols[i - 1]: 1, cols[i]: 1}, ">=", needs[i])
    total = sum(plan)
    crew = total + draw.whole(0, 2)
    least = sum(needs) // 2 - draw.whole(2, 4)
    b.rule("crew_size", "capacity", dict.fromkeys(cols, 1), "<=", crew)
    b.rule("agreed_jobs", "minimum", dict.fromkeys(cols, 1), ">=", least)
    hours = draw.wholes(count, 6, 9)
    cap = up(draw.near(sum(h * x for h, x in zip(hours, plan, strict=True)), 1.04, 1.1), 5)
    b.rule("paid_hours", "capacity", dict(zip(cols, hours, strict=True)), "<=", cap)
    facts = [
        draw.one((
            f"Whoever starts in a period also works the next one; after {periods[-1]} comes "
            f"{periods[0]} again.",
            f"A shift lasts two periods in a row, and the {periods[-1]} shift runs into "
            f"{periods[0]}.",
        )),
        "The numbers present must be at least "
        + listing(f"{need} in the {p} period" for need, p in zip(needs, periods, strict=True))
        + ".",
        draw.one((
            f"No more than {crew} {people} are employed, and the works council was promised "
            f"at least {least} jobs.",
            f"The agreed number of jobs is at least {least}; the payroll ends at {crew} {people}.",
        )),
        f"Lockers allow at most {each(tops, periods, 'starters for')}.",
        "A shift has "
        + listing(f"{h} paid hours when it starts {p}" for h, p in zip(hours, periods, strict=True))
        + f", and {cap} paid hours may be used.",
    ]  # fmt: skip
    lead = None
    if draw.chance(0.6):
        lead = draw.whole(0, count - 1)
        rest = max(2, plan[lead] - draw.whole(0, 2))
        b.rule(f"trained_{periods[lead]}", "minimum", {cols[lead]: 1}, ">=", rest)
        facts.append(draw.one((
            f"First-aid rules want at least {rest} {people} to start {periods[lead]}.",
            f"At least {rest} must start {periods[lead]}, for first aid.",
        )))  # fmt: skip
    facts.append(draw.one((f"Only whole {people} can be hired.", "People come in whole numbers.")))
    firm = f"{draw.firm()} in {draw.some(TOWNS, 1)[0]}"
    opening = draw.one((
        f"A {place} of {firm} plans how many {people} start in each of its {num(count)} periods, "
        f"{listing(periods)}.",
        f"The day in the {place} of {firm} has the periods {listing(periods)}; "
        f"{people} may start in any of them.",
    ))  # fmt: skip
    pay = listing(f"{w} for {p}" for w, p in zip(wages, periods, strict=True))
    goal = draw.one((
        f"A starter costs {pay}; the wage bill should be as small as possible.",
        f"Find the cheapest roster, with wages per starter of {pay}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
