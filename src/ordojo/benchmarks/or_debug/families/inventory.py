"""Multi-period inventory: make now or keep in store to meet each period's demand."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, down, each, up
from ordojo.milp.model import VarType

GOODS = ("tents", "boats", "heaters", "skis", "engines", "pianos", "stoves", "bricks", "drones")


def make(draw: Draw) -> Seed:
    """Three to five periods, a store that starts with a given stock; cost is minimised."""
    goods, span = draw.one(GOODS), draw.one(("week", "month", "quarter"))
    count, integer = draw.whole(3, 5), draw.chance(0.3)
    kind = VarType.INTEGER if integer else VarType.CONTINUOUS
    times = [f"{span} {t}" for t in range(1, count + 1)]
    made = draw.wholes(count, 20, 60, 5)
    kept = [draw.whole(10, 20, 5), *draw.wholes(count, 5, 25, 5)]
    needs = [made[t] + kept[t] - kept[t + 1] for t in range(count)]
    # The plan is drawn first; a period whose plan would need less than 5 makes more.
    for t in range(count):
        short = max(0, 5 - needs[t])
        made[t], needs[t] = made[t] + short, needs[t] + short
    unit_costs, holding = draw.wholes(count, 8, 30), draw.whole(1, 4)
    tops = [up(draw.near(x, 1.05, 1.25), 5) for x in made]
    room = max(kept) + draw.whole(0, 10, 5)
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
    labour = draw.wholes(count, 2, 5)
    hours = up(draw.near(sum(a * x for a, x in zip(labour, made, strict=True)), 1.02, 1.08), 10)
    b.rule("labour_hours", "capacity", dict(zip(makes, labour, strict=True)), "<=", hours)
    least = down(draw.near(sum(needs) + kept[-1] - kept[0], 0.8, 0.95), 5)
    b.rule("supplier_minimum", "minimum", dict.fromkeys(makes, 1), ">=", least)
    facts = [
        draw.one((f"The store holds {kept[0]} at the start and never more than {room}; at the end "
                  f"at least {kept[-1]} must be left.",
                  f"It begins with {kept[0]} in store, wants {kept[-1]} or more after the last "
                  f"{span}, and has room for {room}.")),
        draw.one((f"Demand is {each(needs, times, 'in')} and must be met exactly.",
                  f"Exactly {each(needs, times, 'are delivered in')}.")),
        draw.one((f"The works can make at most {each(tops, times, 'in')}.",
                  f"Output is limited to {each(tops, times, 'in')}.")),
        draw.one((f"One unit takes {each(labour, times, 'hours of work in')}; {hours} hours are "
                  "there for the whole plan.",
                  f"In all {hours} hours may be worked, one unit taking "
                  f"{each(labour, times, 'in')}.")),
        draw.one((f"A supplier's contract asks that at least {least} be made in all.",
                  f"Under the parts contract no fewer than {least} are made altogether.")),
    ]  # fmt: skip
    if integer:
        facts.append(
            draw.one((f"Only whole {goods} are made and stored.", "All numbers are whole."))
        )
    firm = draw.firm()
    opening = draw.one((
        f"{firm} plans the making and storing of {goods} over {count} {span}s.",
        f"For the next {count} {span}s, {firm} decides how many {goods} to make and to keep.",
    ))  # fmt: skip
    goal = draw.one((
        f"Making one costs {each(unit_costs, times, 'in')}, keeping one to the next {span} costs "
        f"{holding}; the total should be smallest.",
        f"Costs are {each(unit_costs, times, 'per unit made in')} and {holding} per unit in store "
        f"at the end of a {span}. Keep them as low as possible.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
