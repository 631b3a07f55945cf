"""Cash matching: bonds bought today pay the liabilities of the years to come."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, down, each, listing, up

NAMES = ("amber", "basalt", "coral", "flint", "garnet", "jasper", "onyx", "quartz")
PAYERS = ("pension office", "hospital trust", "city treasury", "school board")


def make(draw: Draw) -> Seed:
    """Four to six bonds, three or four years, cash carried over; what is paid today is least."""
    names = draw.some(NAMES, draw.whole(4, 6))
    n, years = len(names), draw.whole(3, 4)
    times = [f"year {t}" for t in range(1, years + 1)]
    plan, prices = draw.wholes(n, 5, 20), draw.wholes(n, 85, 105)
    tops = [x + draw.whole(1, 6) for x in plan]
    # Bond k is repaid in year k modulo their number, so that each year has one.
    pays = [
        [(100 if t == k % years else 0) + c if t <= k % years else 0 for t in range(years)]
        for k, c in enumerate(draw.wholes(n, 2, 9))
    ]
    carried = draw.wholes(years - 1, 0, 100, 50)
    cash = [draw.whole(50, 200, 50), *carried, draw.whole(50, 100, 50)]
    paid = [sum(x * pay[t] for x, pay in zip(plan, pays, strict=True)) for t in range(years)]
    owed = [paid[t] + cash[t] - cash[t + 1] for t in range(years)]
    vault, most = max(cash) + draw.whole(0, 100, 50), cash[0]
    b = SeedBuilder("ladder")
    buys = [
        b.col(f"buy_{name}", cost=price, upper=top)
        for name, price, top in zip(names, prices, tops, strict=True)
    ]
    b.col("cash[0]", cost=1, upper=most)
    for t in range(1, years + 1):
        b.col(f"cash[{t}]", upper=vault)
    for t in range(1, years + 1):
        terms = {buy: float(pay[t - 1]) for buy, pay in zip(buys, pays, strict=True)}
        b.rule(f"pay_year_{t}", "balance",
               terms | {f"cash[{t - 1}]": 1.0, f"cash[{t}]": -1.0}, "==", owed[t - 1])  # fmt: skip
    b.rule("closing_cash", "minimum", {f"cash[{years}]": 1}, ">=", cash[-1])
    pair = draw.some(range(n), 2)
    cap = sum(plan[k] for k in pair) + draw.whole(0, 2)
    b.rule("issuer_cap", "maximum", {buys[k]: 1 for k in pair}, "<=", cap)
    points = draw.wholes(n, 1, 9)
    limit = up(draw.near(sum(p * x for p, x in zip(points, plan, strict=True)), 1.0, 1.06), 5)
    b.rule("risk_limit", "maximum", dict(zip(buys, points, strict=True)), "<=", limit)
    # So many bonds would be needed if each paid as much as the best one.
    need = (sum(owed) + cash[-1] - most) / max(sum(pay) for pay in pays)
    least = down(draw.near(need, 0.75, 0.95), 1)
    b.rule("broker_minimum", "minimum", dict.fromkeys(buys, 1), ">=", least)
    shown = "; ".join(
        f"{name} pays " + listing(f"{p} in {t}" for p, t in zip(pay, times, strict=True) if p)
        for name, pay in zip(names, pays, strict=True)
    )
    both = listing(names[k] for k in pair)
    facts = [
        draw.one((f"Per bond, {shown}.", f"The bonds pay as follows: {shown}.")),
        draw.one((f"Owed are exactly {each(owed, times, 'in')}; what is left is carried over as "
                  "cash.",
                  f"Its dues are {each(owed, times, 'in')}, met to the cent, and cash left over "
                  "is kept for the next year.")),
        draw.one((f"At most {most} may be put aside as cash today, and no more than {vault} kept "
                  f"over any later year end; the last year must leave {cash[-1]} or more.",
                  f"Cash put aside today is at most {most}, later balances at most {vault}, and "
                  f"at least {cash[-1]} must remain at the end.")),
        draw.one((f"{both.capitalize()} have one issuer, so at most {cap} of them are bought.",
                  f"Of {both}, which share an issuer, no more than {cap} may be held.")),
        draw.one((f"Risk points are {each(points, names)}, {limit} in all being the limit.",
                  f"The points for risk, {each(points, names)}, must not exceed {limit}.")),
        draw.one((f"The broker deals from {least} bonds on, so at least that many are bought.",
                  f"In all at least {least} bonds must be bought from the broker.")),
        draw.one((f"On sale are at most {each(tops, names, 'of')}.",
                  f"No more can be bought than {each(tops, names, 'of')}.")),
    ]  # fmt: skip
    firm = f"{draw.one(PAYERS)} {draw.firm()}"
    opening = draw.one((
        f"The {firm} buys bonds called {listing(names)} to meet what it owes over {years} years.",
        f"To cover {years} years of dues, the {firm} may buy {listing(names, 'or')} bonds, also "
        "in parts.",
    ))  # fmt: skip
    goal = draw.one((
        f"A bond costs {each(prices, names)}; bonds and cash put aside should cost the least "
        "today.",
        f"At prices of {each(prices, names)}, the sum spent on bonds and put aside as cash today "
        "should be smallest.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
