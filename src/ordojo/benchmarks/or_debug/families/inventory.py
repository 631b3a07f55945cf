"""Multi-period inventory: make now or keep in store to meet each period's demand."""

import numpy as np

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import (
    FIRMS,
    down,
    each,
    near,
    one,
    story,
    up,
    whole,
    wholes,
)  # fmt: skip
from ordojo.milp.model import VarType

GOODS = ("tents", "boats", "heaters", "skis", "engines", "pianos", "stoves", "bricks", "drones")


def make(rng: np.random.Generator) -> Seed:
    """Three to five periods, a store that starts with a given stock; cost is minimised."""
    goods, span = one(rng, GOODS), one(rng, ("week", "month", "quarter"))
    count, integer = whole(rng, 3, 5), rng.random() < 0.3
    kind = VarType.INTEGER if integer else VarType.CONTINUOUS
    times = [f"{span} {t}" for t in range(1, count + 1)]
    made = wholes(rng, count, 20, 60, 5)
    kept = [whole(rng, 10, 20, 5), *wholes(rng, count, 5, 25, 5)]
    needs = [made[t] + kept[t] - kept[t + 1] for t in range(count)]
    # The plan is drawn first; a period whose plan would need less than 5 makes more.
    for t in range(count):
        short = max(0, 5 - needs[t])
        made[t], needs[t] = made[t] + short, needs[t] + short
    unit_costs, holding = wholes(rng, count, 8, 30), whole(rng, 1, 4)
    tops = [up(near(rng, x, 1.05, 1.25), 5) for x in made]
    room = max(kept) + whole(rng, 0, 10, 5)
    b = SeedBuilder("inventory")
    b.col("stock[0]", lower=kept[0], upper=kept[0])
    for t in range(count):
        b.col(f"make[{t + 1}]", cost=unit_costs[t], upper=tops[t], kind=kind)
        b.col(f"stock[{t + 1}]", cost=holding, upper=room, kind=kind)
    for t in range(1, count + 1):
        terms = {f"make[{t}]": 1, f"stock[{t - 1}]": 1, f"stock[{t}]": -1}
        b.rule(f"flow_{span}_{t}", "balance", terms, "==", needs[t - 1])
    b.rule("final_stock", "minimum", {f"stock[{count}]": 1}, ">=", kept[-1])
    makes = [f"make[{t}]" for t in range(1, count + 1)]
    labour = wholes(rng, count, 2, 5)
    hours = up(near(rng, sum(a * x for a, x in zip(labour, made, strict=True)), 1.02, 1.08), 10)
    b.rule("labour_hours", "capacity", dict(zip(makes, labour, strict=True)), "<=", hours)
    least = down(near(rng, sum(needs) + kept[-1] - kept[0], 0.8, 0.95), 5)
    b.rule("supplier_minimum", "minimum", dict.fromkeys(makes, 1), ">=", least)
    facts = [
        one(rng, (f"The store holds {kept[0]} at the start and never more than {room}; at the end "
                  f"at least {kept[-1]} must be left.",
                  f"It begins with {kept[0]} in store, wants {kept[-1]} or more after the last "
                  f"{span}, and has room for {room}.")),
        one(rng, (f"Demand is {each(needs, times, 'in')} and must be met exactly.",
                  f"Exactly {each(needs, times, 'are delivered in')}.")),
        one(rng, (f"The works can make at most {each(tops, times, 'in')}.",
                  f"Output is limited to {each(tops, times, 'in')}.")),
        one(rng, (f"One unit takes {each(labour, times, 'hours of work in')}; {hours} hours are "
                  "there for the whole plan.",
                  f"In all {hours} hours may be worked, one unit taking "
                  f"{each(labour, times, 'in')}.")),
        one(rng, (f"A supplier's contract asks that at least {least} be made in all.",
                  f"Under the parts contract no fewer than {least} are made altogether.")),
    ]  # fmt: skip
    if integer:
        facts.append(
            one(rng, (f"Only whole {goods} are made and stored.", "All numbers are whole."))
        )
    firm = one(rng, FIRMS)
    opening = one(rng, (
        f"{firm} plans the making and storing of {goods} over {count} {span}s.",
        f"For the next {count} {span}s, {firm} decides how many {goods} to make and to keep.",
    ))  # fmt: skip
    goal = one(rng, (
        f"Making one costs {each(unit_costs, times, 'in')}, keeping one to the next {span} costs "
        f"{holding}; the total should be smallest.",
        f"Costs are {each(unit_costs, times, 'per unit made in')} and {holding} per unit in store "
        f"at the end of a {span}. Keep them as low as possible.",
    ))  # fmt: skip
    return b.seed(story(rng, opening, facts, goal))
