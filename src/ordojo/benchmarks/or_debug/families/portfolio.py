"""Portfolio: a budget spread over assets within limits on risk and on groups."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, slug, up

ASSETS = ("bonds", "gold", "shares", "timberland", "housing", "copper", "railways", "farmland",
          "utilities", "shipping", "software")  # fmt: skip
INVESTORS = ("pension fund", "family office", "university endowment", "insurance pool")


def make(draw: Draw) -> Seed:
    """Six to ten assets, in thousands; the yearly return is maximised."""
    assets = draw.some(ASSETS, draw.whole(6, 10))
    n = len(assets)
    plan = draw.wholes(n, 20, 80, 5)
    yields, risks = draw.wholes(n, 20, 90, 5), draw.wholes(n, 1, 9)
    b = SeedBuilder("portfolio", maximize=True)
    lows = [draw.whole(5, 15, 5) if draw.chance(0.4) else 0 for _ in assets]
    tops = [up(draw.near(x, 1.15, 1.5), 5) for x in plan]
    cols = [
        b.col(f"hold_{slug(a)}", cost=y, lower=low, upper=top)
        for a, y, low, top in zip(assets, yields, lows, tops, strict=True)
    ]
    budget = sum(plan)
    b.rule("full_budget", "balance", dict.fromkeys(cols, 1), "==", budget)
    points = up(draw.near(dot(risks, plan), 1.0, 1.06), 10)
    fees = draw.wholes(n, 1, 6)
    fee_top = up(draw.near(dot(fees, plan), 1.02, 1.1), 10)
    b.col("total_risk", upper=points)
    risk = {"total_risk": 1.0} | {c: -float(r) for c, r in zip(cols, risks, strict=True)}
    b.rule("risk_sum", "definition", risk, "==", 0)
    b.rule("fee_budget", "capacity", dict(zip(cols, fees, strict=True)), "<=", fee_top)
    order = draw.some(range(n), n)
    group, safe, out = order[:2], order[2:4], order[4]
    cap = up(draw.near(sum(plan[j] for j in group), 1.0, 1.1), 5)
    floor = down(draw.near(sum(plan[j] for j in safe), 0.9, 1.0), 5)
    # What the others must hold anyway, since one asset alone cannot take the rest.
    spread = down(draw.near(budget - tops[out], 0.85, 0.98), 5)
    b.rule("sector_cap", "maximum", {cols[j]: 1 for j in group}, "<=", cap)
    b.rule("reserve_floor", "minimum", {cols[j]: 1 for j in safe}, ">=", floor)
    b.rule("spread_floor", "minimum", {c: 1 for j, c in enumerate(cols) if j != out}, ">=", spread)
    if draw.chance(0.5):
        first, second = order[2], order[0]
        factor = max(2, -(-plan[first] // plan[second]))
        b.rule("pair_ratio", "ratio", {cols[first]: 1, cols[second]: -factor}, "<=", 0)
        ratio = draw.one((
            f"No more than {factor} times the sum in {assets[second]} may go into {assets[first]}.",
            f"The holding of {assets[first]} is at most {factor} times that of {assets[second]}.",
        ))  # fmt: skip
    else:
        ratio = ""
    some_low = [(low, a) for low, a in zip(lows, assets, strict=True) if low]
    facts = [
        draw.one((f"Exactly {budget} thousand are invested.",
                  f"The whole {budget} thousand must be placed, no more and no less.")),
        draw.one((f"Each thousand adds risk points, {each(risks, assets)}, and total risk is "
                  f"limited to {points} points.",
                  f"Total risk may not exceed {points} points, at "
                  f"{each(risks, assets)} per thousand.")),
        draw.one((f"Fees per thousand are {each(fees, assets)}, and at most {fee_top} may be paid.",
                  f"The fees, {each(fees, assets)} a thousand, must stay within {fee_top}.")),
        draw.one((f"At most {cap} thousand go into {listing(assets[j] for j in group)} together.",
                  f"{listing(assets[j] for j in group).capitalize()} take no more than {cap} "
                  "thousand between them.")),
        draw.one((f"As a reserve, at least {floor} thousand stay in "
                  f"{listing(assets[j] for j in safe)}.",
                  f"The statutes want no less than {floor} thousand in "
                  f"{listing(assets[j] for j in safe)} together.")),
        draw.one((f"Everything but {assets[out]} has to make up at least {spread} thousand.",
                  f"Outside {assets[out]} at least {spread} thousand must be held.")),
        draw.one((f"No holding may be larger than {each(tops, assets)}.",
                  f"Upper limits, in thousands, are {each(tops, assets)}.")),
        ratio,
        f"Old contracts keep at least {listing(f'{low} in {a}' for low, a in some_low)}."
        if some_low else "",
    ]  # fmt: skip
    opening = draw.one((
        f"The {draw.one(INVESTORS)} {draw.firm()} spreads its money over {listing(assets)}.",
        f"{draw.firm()}, a {draw.one(INVESTORS)}, may hold {listing(assets)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A thousand returns {each(yields, assets)} a year, and the total return should be as "
        "large as possible.",
        f"The largest yearly return is sought, a thousand yielding {each(yields, assets)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
