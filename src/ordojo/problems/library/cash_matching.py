"""Cash matching: bonds bought today pay the dues of the years to come; cash is carried over.

A hidden purchase and its cash give the dues.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A pension office buys bonds today to pay what it owes in the years to come. What is left "
        "in a year is carried over as cash."
    ),
    sets=(
        Set("B", "bond", "bonds", table="bonds", key=("bond",),
            names=("amber", "basalt", "coral", "flint", "garnet", "jasper", "onyx", "quartz")),
        Set("T", "year", "years", size="n_years"),
        Set("H", "house bond", "house bonds", table="house", key=("bond",)),
    ),
    parameters=(
        Parameter("n_years", "number of years"),
        Parameter("most_today", "most cash put aside today", "dollars"),
        Parameter("vault", "most cash kept at the end of a year", "dollars"),
        Parameter("closing", "least cash at the end of the last year", "dollars"),
        Parameter("most_house", "most bonds of the own house", "bonds"),
        Parameter("most_risk", "most points of risk", "points"),
        Parameter("least_bonds", "fewest bonds that the broker deals in", "bonds"),
        Parameter("price", "price of a bond", "dollars", ("B",), "bonds"),
        Parameter("points", "points of risk of a bond", "points", ("B",), "bonds"),
        Parameter("on_sale", "most bonds on sale", "bonds", ("B",), "bonds"),
        Parameter("owed", "sum owed", "dollars", ("T",), "dues"),
        Parameter("pays", "payment of a bond in the year", "dollars", ("B", "T"), "payments"),
    ),
    groups=(
        Group("buy", "for b in B", "number of bonds bought", "continuous", "bonds",
              upper="on_sale[b]"),
        Group("today", "", "cash put aside today", "continuous", "dollars", upper="most_today"),
        Group("cash", "for t in T", "cash at the end of the year", "continuous", "dollars",
              upper="vault"),
    ),
    objective=Objective(
        "minimize", "sum(price[b] * buy[b] for b in B) + today",
        "the price of all bonds plus the cash put aside today", "dollars",
    ),
    families=(
        Family("payment", "for t in T",
               "sum(pays[b, t] * buy[b] for b in B) + sum(cash[s] for s in T if s == t - 1)"
               " + today * (t == 1) == owed[t] + cash[t]",
               "what the bonds pay plus the cash of the year before (at first, that put aside "
               "today) equals the sum owed plus the cash at the end",
               Semantic.EQUALITY, Scaffold.COUPLED),
        Family("closing_cash", "", "cash[n_years] >= closing",
               "the cash at the end of the last year is at least {closing}",
               Semantic.LOWER_BOUND, Scaffold.GLOBAL),
        Family("house_cap", "", "sum(buy[b] for b in H) <= most_house",
               "at most {most_house} of the own house are bought", Semantic.UPPER_SUM,
               Scaffold.GLOBAL),
        Family("risk_limit", "", "sum(points[b] * buy[b] for b in B) <= most_risk",
               "all bonds together have at most {most_risk} of risk",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL),
        Family("broker_minimum", "", "sum(buy[b] for b in B) >= least_bonds",
               "at least {least_bonds} are bought in all", Semantic.LOWER_SUM, Scaffold.GLOBAL),
    ),
    files={
        "dues": "the sums owed", "house": "the bonds of the own house",
        "payments": "what a bond pays in each year",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Dues that a hidden purchase pays; bond k is repaid in year k modulo their number."""
    n, years = int(knobs["n_bonds"]), int(knobs["n_years"])
    plan = rng.integers(5, 21, n)
    points = rng.integers(1, 10, n)
    last, year = (np.arange(n) % years)[:, None], np.arange(years)[None]
    pays = 100 * (year == last) + rng.integers(2, 10, n)[:, None] * (year <= last)
    cash = 50 * np.concatenate([rng.integers(1, 5, 1), rng.integers(0, 3, years)])
    cash[-1] = 50 * int(rng.integers(1, 3))
    owed = plan @ pays + cash[:-1] - cash[1:]
    house = np.sort(rng.permutation(n)[: max(2, n // 3)])
    # So many bonds would be needed if each paid as much as the best one.
    needed = float((owed.sum() + cash[-1] - cash[0]) / pays.sum(1).max())
    return {
        "bonds": {
            "bond": ids(n),
            "price": plain(rng.integers(85, 106, n)),
            "points": plain(points),
            "on_sale": plain(plan + rng.integers(1, 7, n)),
        },
        "dues": {**cross(year=years), "owed": plain(owed)},
        "house": {"bond": plain(house + 1)},
        "payments": {**cross(bond=n, year=years), "pays": plain(pays)},
        "parameters": row(
            n_years=years,
            most_today=int(cash[0]),
            vault=int(cash.max() + 50 * rng.integers(0, 3)),
            closing=int(cash[-1]),
            most_house=int(plan[house].sum() + rng.integers(0, 3)),
            most_risk=int(above(points @ plan * rng.uniform(1.0, 1.06))),
            least_bonds=int(needed * rng.uniform(0.75, 0.95)),
        ),
    }


TEMPLATE = Template(
    "cash_matching",
    "Cash matching with bonds",
    ("Financial and Revenue Optimization", "Portfolio Optimization"),
    (
        Knob("n_bonds", "number of bonds", (5, 12, 600), 2, 10_000),
        Knob("n_years", "number of years", (4, 8, 200), 1, 10_000),
    ),
    SPEC,
    draw,
    lambda knobs: (
        "" if knobs["n_bonds"] >= knobs["n_years"] else "let there be a bond for each year"
    ),
)
