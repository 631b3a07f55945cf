"""Crew scheduling: choose rounds so that each leg is covered."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, each, listing
from ordojo.milp.model import VarType

SCENES = (("charter carrier", "flight", "crew"), ("bus company", "line", "driver"),
          ("railway", "train", "crew"), ("ferry company", "crossing", "crew"))  # fmt: skip


def make(draw: Draw) -> Seed:
    """Five or six legs, seven to ten possible rounds, binary choices; cost is minimised."""
    place, leg, crew = draw.one(SCENES)
    legs = [f"{leg} {k}" for k in sorted(draw.some(range(100, 900, 7), draw.whole(5, 6)))]
    n = len(legs)
    # The planted rounds take each leg exactly once, two legs in a round; the others are mixed.
    order = draw.some(range(n), n)
    planted = [set(order[k : k + 2]) for k in range(0, n, 2)]
    others: list[set[int]] = []
    for _ in range(draw.whole(4, 7)):
        found = set(draw.some(range(n), draw.whole(1, 3)))
        if found not in planted + others:
            others.append(found)
    rounds = draw.some(planted + others, len(planted) + len(others))
    base = [found in planted for found in rounds]
    costs, hours = draw.wholes(len(rounds), 10, 50, 5), draw.wholes(len(rounds), 4, 12)
    letters = [chr(ord("A") + k) for k in range(len(rounds))]
    b = SeedBuilder("crew")
    cols = [
        b.col(f"round_{a}", cost=c, upper=1, kind=VarType.BINARY)
        for a, c in zip(letters, costs, strict=True)
    ]
    once = draw.chance(0.5)
    for k, name in enumerate(legs):
        terms = {c: 1 for c, found in zip(cols, rounds, strict=True) if k in found}
        row = f"cover_{name.replace(' ', '_')}"
        if once:
            b.rule(row, "balance", terms, "==", 1)
        else:
            b.rule(row, "demand", terms, ">=", 1)
    crews = len(planted)
    b.rule("crews_ready", "capacity", dict.fromkeys(cols, 1), "<=", crews)
    time = int(dot(hours, base)) + draw.whole(0, 2)
    b.rule("duty_hours", "capacity", dict(zip(cols, hours, strict=True)), "<=", time)
    # No round has more than three legs, so at least two rounds are always needed.
    b.rule("union_minimum", "minimum", dict.fromkeys(cols, 1), ">=", 1)
    points = draw.wholes(len(rounds), 1, 6)
    need = max(2, int(dot(points, base)) - draw.whole(0, 2))
    b.rule("training_points", "minimum", dict(zip(cols, points, strict=True)), ">=", need)
    named = [f"round {a}" for a in letters]
    made = "; ".join(
        f"{name} has {listing(legs[k] for k in sorted(found))}"
        for name, found in zip(named, rounds, strict=True)
    )
    facts = [
        draw.one((f"The possible rounds: {made}.", f"A {crew} can work these rounds: {made}.")),
        draw.one((f"Each {leg} is in exactly 1 chosen round.",
                  f"Every {leg} must be worked exactly once."))
        if once
        else draw.one((f"Each {leg} is in at least 1 chosen round.",
                       f"Every {leg} must be worked, if need be more than once.")),
        draw.one((f"Only {crews} rounds can be staffed by a {crew}, and the union "
                  "asks for at least 1.",
                  f"At most {crews} rounds can be chosen and at least 1 must be.")),
        draw.one((f"The hours are {each(hours, named)}, and {time} duty hours may be used.",
                  f"No more than {time} duty hours are paid, with {each(hours, named)}.")),
        draw.one((f"For training, points of {each(points, named)} must add up to at least {need}.",
                  f"At least {need} training points are due; a round brings "
                  f"{each(points, named)}.")),
    ]  # fmt: skip
    firm = f"{draw.firm()} of {draw.town()}"
    opening = draw.one((
        f"The {place} {firm} picks rounds for its people to work {listing(legs)}.",
        f"{firm}, a {place}, must staff {listing(legs)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"The rounds cost {each(costs, named)}; the choice should cost the least.",
        f"Choose rounds of least total cost, at {each(costs, named)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
