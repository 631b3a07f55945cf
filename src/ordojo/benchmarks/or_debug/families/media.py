"""Media mix: a budget spread over channels to reach audiences."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, slug, up
from ordojo.milp.model import VarType

CHANNELS = ("radio", "cinema", "posters", "magazines", "podcasts", "newspapers", "buses", "search",
            "television")  # fmt: skip
GROUPS = ("students", "parents", "pensioners", "commuters", "gardeners", "cyclists")
CAUSES = ("a new yoghurt", "a night train", "a savings plan", "a museum pass", "a rain jacket")


def make(draw: Draw) -> Seed:
    """Five to eight channels, slots continuous or whole; the total response is maximised."""
    channels = draw.some(CHANNELS, draw.whole(5, 8))
    n, integer = len(channels), draw.chance(0.3)
    kind = VarType.INTEGER if integer else VarType.CONTINUOUS
    plan = draw.wholes(n, 4, 12)
    answers, prices = draw.wholes(n, 10, 60, 5), draw.wholes(n, 2, 15)
    tops = [x + draw.whole(1, 5) for x in plan]
    b = SeedBuilder("media", maximize=True)
    cols = [
        b.col(f"slots_{slug(c)}", cost=a, upper=top, kind=kind)
        for c, a, top in zip(channels, answers, tops, strict=True)
    ]
    budget = up(draw.near(dot(prices, plan), 1.0, 1.05), 5)
    b.col("total_spend", upper=budget)
    spend = {"total_spend": 1.0} | {c: -float(p) for c, p in zip(cols, prices, strict=True)}
    b.rule("spend_sum", "definition", spend, "==", 0)
    facts = [
        draw.one((f"A slot costs {each(prices, channels)} thousand, and the total spend may be "
                  f"{budget} thousand at most.",
                  f"Total spend, with slots at {each(prices, channels)} thousand, is limited to "
                  f"{budget} thousand.")),
        draw.one((f"No more slots are on sale than {each(tops, channels)}.",
                  f"The agencies offer at most {each(tops, channels, 'slots for')}.")),
    ]  # fmt: skip
    for group in draw.some(GROUPS, draw.whole(2, 3)):
        seen = draw.wholes(n, 1, 9)
        need = down(draw.near(dot(seen, plan), 0.9, 1.0), 5)
        b.rule(f"reach_{slug(group)}", "demand", dict(zip(cols, seen, strict=True)), ">=", need)
        facts.append(draw.one((
            f"A slot is seen by {each(seen, channels, f'thousand {group} for')}, and at least "
            f"{need} such contacts are wanted.",
            f"Contacts with {group} must reach {need} or more; a slot brings "
            f"{each(seen, channels)}.",
        )))  # fmt: skip
    floors = [max(2, x - draw.whole(1, 3)) for x in plan]
    booked = sorted(draw.some(range(n), 2))
    for j in booked:
        b.rule(f"booked_{slug(channels[j])}", "minimum", {cols[j]: 1}, ">=", floors[j])
    total = sum(floors[j] for j in booked) - draw.whole(1, 2)
    b.rule("agency_minimum", "minimum", dict.fromkeys(cols, 1), ">=", total)
    days = draw.wholes(n, 2, 5)
    studio = up(draw.near(dot(days, plan), 1.0, 1.08), 5)
    b.rule("studio_days", "capacity", dict(zip(cols, days, strict=True)), "<=", studio)
    first, second = draw.some(range(n), 2)
    factor = max(2, -(-plan[first] // plan[second]))
    b.rule("mix_ratio", "ratio", {cols[first]: 1, cols[second]: -factor}, "<=", 0)
    due = listing(f"{floors[j]} for {channels[j]}" for j in booked)
    facts += [
        draw.one((f"Already promised are at least {due}.",
                  f"It must take no fewer slots than {due}.")),
        draw.one((f"The agency works from {total} slots on, so at least that many are booked in "
                  "all.",
                  f"In all, the agency asks for at least {total} slots.")),
        draw.one((f"The studio needs {each(days, channels, 'days for')} per slot and is free for "
                  f"{studio} days.",
                  f"There are {studio} studio days, a slot taking {each(days, channels)}.")),
        draw.one((f"For each slot of {channels[second]} there may be at most {factor} of "
                  f"{channels[first]}.",
                  f"The slots of {channels[first]} must not exceed {factor} times those of "
                  f"{channels[second]}.")),
    ]  # fmt: skip
    if integer:
        facts.append(draw.one(("Slots are sold whole.", "Only whole slots can be bought.")))
    firm, cause = draw.firm(), draw.one(CAUSES)
    opening = draw.one((
        f"{firm} advertises {cause} through {listing(channels)}.",
        f"For {cause}, {firm} buys slots in {listing(channels)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A slot brings {each(answers, channels, 'replies for')}; as many replies as possible are "
        "wanted.",
        f"The replies, {each(answers, channels)} per slot, should be as many as possible.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
