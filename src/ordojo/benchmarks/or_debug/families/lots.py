"""Lot sizing: making in a period needs a setup; what is not sold is stored."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, down, each, up
from ordojo.milp.model import VarType

GOODS = ("jam", "ink", "soap", "varnish", "yeast", "candles", "vinegar", "glue")


def make(draw: Draw) -> Seed:
    """Three or four periods with binary setups; setup, making and storing cost is minimised."""
    goods, span = draw.one(GOODS), draw.one(("shift", "day", "week"))
    count = draw.whole(3, 4)
    times = [f"{span} {t}" for t in range(1, count + 1)]
    idle = draw.whole(1, count - 1)
    made = draw.wholes(count, 40, 75, 5)
    made[idle] = 0
    # What the idle period sells is made and stored before it.
    kept = [0] * (count + 1)
    for t in range(count):
        kept[t + 1] = draw.whole(15, 30, 5) if t + 1 == idle else draw.whole(0, 10, 5)
    kept[idle + 1] = 0
    needs = [made[t] + kept[t] - kept[t + 1] for t in range(count)]
    setups, costs = draw.wholes(count, 50, 150, 10), draw.wholes(count, 3, 12)
    holding = draw.whole(1, 3)
    lots = [up(draw.near(max(x, 40), 1.05, 1.3), 5) for x in made]
    room = up(max(kept) * 1.2, 5)
    b = SeedBuilder("lots")
    for t in range(1, count + 1):
        b.col(f"start[{t}]", cost=setups[t - 1], upper=1, kind=VarType.BINARY)
        b.col(f"make[{t}]", cost=costs[t - 1], upper=lots[t - 1])
        b.col(f"stock[{t}]", cost=holding, upper=room)
    for t in range(1, count + 1):
        before = {f"stock[{t - 1}]": 1} if t > 1 else {}
        b.rule(f"flow_{span}_{t}", "balance",
               {f"make[{t}]": 1, **before, f"stock[{t}]": -1}, "==", needs[t - 1])  # fmt: skip
        b.rule(f"setup_{span}_{t}", "logic",
               {f"make[{t}]": 1, f"start[{t}]": -lots[t - 1]}, "<=", 0)  # fmt: skip
    starts = [f"start[{t}]" for t in range(1, count + 1)]
    makes = [f"make[{t}]" for t in range(1, count + 1)]
    b.rule("fitter_visits", "capacity", dict.fromkeys(starts, 1), "<=", count - 1)
    least = down(draw.near(sum(needs), 0.8, 0.95), 5)
    b.rule("sugar_contract" if goods == "jam" else "raw_contract", "minimum",
           dict.fromkeys(makes, 1), ">=", least)  # fmt: skip
    energy = draw.wholes(count, 1, 5)
    meter = up(draw.near(sum(e * x for e, x in zip(energy, made, strict=True)), 1.02, 1.08), 10)
    b.rule("energy_meter", "capacity", dict(zip(makes, energy, strict=True)), "<=", meter)
    facts = [
        draw.one((f"Sales are exactly {each(needs, times, 'in')}.",
                  f"Exactly {each(needs, times, 'litres are due in')}.")),
        draw.one((f"The tank is empty at the start and holds {room} at most.",
                  f"Nothing is in store at first; {room} can be stored.")),
        draw.one((f"Without a setup nothing is made; with one, at most {each(lots, times, 'in')}.",
                  f"A setup allows a lot of up to {each(lots, times, 'in')}, and without one the "
                  "line stands still.")),
        draw.one((f"The fitter comes at most {count - 1} times.",
                  f"No more than {count - 1} setups can be made.")),
        draw.one((f"At least {least} must be made in all, as the raw materials are ordered.",
                  f"The contract for raw materials asks for {least} or more in sum.")),
        draw.one((f"A litre takes energy of {each(energy, times, 'in')}, and the meter stops at "
                  f"{meter}.",
                  f"Energy is limited to {meter} in all, at {each(energy, times, 'in')} a litre.")),
    ]  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} makes {goods} in lots over {count} {span}s, measured in litres.",
        f"In which of the next {count} {span}s should {firm} make {goods}, and how many litres?",
    ))  # fmt: skip
    goal = draw.one((
        f"A setup costs {each(setups, times, 'in')}, a litre {each(costs, times, 'in')}, and "
        f"storing a litre to the next {span} {holding}; the sum should be smallest.",
        f"Keep the cost down: {each(setups, times, 'per setup in')}, "
        f"{each(costs, times, 'per litre in')}, and {holding} for each litre in store at the end "
        f"of a {span}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
