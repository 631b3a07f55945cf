"""Portfolio: a sum spread over assets within limits on risk, fees, sectors and reserves.

A hidden portfolio lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A pension fund spreads its money over assets, all of it and no more. Its statutes limit "
        "the risk, the share of each sector and the part that has to stay in safe assets."
    ),
    sets=(
        Set("A", "asset", "assets", table="assets", key=("asset",),
            names=("bonds", "gold", "timberland", "housing", "copper", "railways", "farmland",
                   "utilities", "shipping", "software", "harbours", "cement")),
        Set("G", "sector", "sectors", table="sectors", key=("sector",),
            names=("industry", "property", "transport", "energy")),
        Set("M", "membership", "memberships", table="members", key=("sector", "asset"),
            parts=("G", "A")),
        Set("S", "safe asset", "safe assets", table="safe", key=("asset",)),
    ),
    parameters=(
        Parameter("budget", "sum to be invested", "thousand dollars"),
        Parameter("most_risk", "most points of risk", "points"),
        Parameter("most_fees", "most that may be paid in fees", "dollars"),
        Parameter("reserve", "least sum in safe assets", "thousand dollars"),
        Parameter("least_spread", "least sum in sectors", "thousand dollars"),
        Parameter("gain", "yearly gain of a thousand dollars", "dollars", ("A",), "assets"),
        Parameter("points", "points of risk of a thousand dollars", "points", ("A",), "assets"),
        Parameter("fee", "fee for a thousand dollars", "dollars", ("A",), "assets"),
        Parameter("floor", "least holding, by old contracts", "thousand dollars", ("A",), "assets"),
        Parameter("ceiling", "largest holding", "thousand dollars", ("A",), "assets"),
        Parameter("sector_most", "most that may be held in the sector", "thousand dollars", ("G",),
                  "sectors"),
    ),
    groups=(
        Group("hold", "for a in A", "holding", "continuous", "thousand dollars",
              lower="floor[a]", upper="ceiling[a]"),
        Group("total_risk", "", "total risk", "continuous", "points", upper="most_risk"),
    ),
    objective=Objective(
        "maximize", "sum(gain[a] * hold[a] for a in A)", "the yearly gain of all assets", "dollars"
    ),
    families=(
        Family("full_budget", "", "sum(hold[a] for a in A) == budget",
               "exactly {budget} are invested", Semantic.EQUALITY, Scaffold.GLOBAL),
        Family("risk_sum", "", "total_risk == sum(points[a] * hold[a] for a in A)",
               "the total risk is the sum of the points of all holdings",
               Semantic.AGGREGATION, Scaffold.GLOBAL),
        Family("fee_budget", "", "sum(fee[a] * hold[a] for a in A) <= most_fees",
               "at most {most_fees} are paid in fees", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.GLOBAL),
        Family("sector_cap", "for g in G",
               "sum(hold[a] for (s, a) in M if s == g) <= sector_most[g]",
               "the assets of the sector together stay within what may be held in it",
               Semantic.UPPER_SUM, Scaffold.SUBSET),
        Family("spread_floor", "", "sum(hold[a] for (g, a) in M) >= least_spread",
               "at least {least_spread} are held in sectors", Semantic.LOWER_SUM, Scaffold.GLOBAL),
        Family("reserve_floor", "", "sum(hold[a] for a in S) >= reserve",
               "at least {reserve} stay in safe assets", Semantic.LOWER_SUM, Scaffold.GLOBAL),
    ),
    files={"safe": "the assets that are safe", "members": "which assets belong to which sector"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden portfolio; the last quarter of the assets is in no sector."""
    n, m = int(knobs["n_assets"]), int(knobs["n_sectors"])
    plan = 5 * rng.integers(4, 17, n)
    points, fee = rng.integers(1, 10, n), rng.integers(1, 7, n)
    order = rng.permutation(n)
    sector = np.full(n, m)
    sector[order[: max(m, 3 * n // 4)]] = np.arange(max(m, 3 * n // 4)) % m
    safe = np.sort(order[: max(2, n // 5)])
    ceiling = above(plan * rng.uniform(1.15, 1.5, n))
    # What sectors must hold anyway, since the other assets cannot take it all.
    spread = int(plan.sum() - ceiling[sector == m].sum())
    held = np.array([plan[sector == g].sum() for g in range(m)])
    pairs = [(g + 1, int(a) + 1) for g in range(m) for a in np.flatnonzero(sector == g)]
    return {
        "assets": {
            "asset": ids(n),
            "gain": plain(5 * rng.integers(4, 19, n)),
            "points": plain(points),
            "fee": plain(fee),
            "floor": plain(np.where(rng.random(n) < 0.4, 5 * rng.integers(1, 4, n), 0)),
            "ceiling": plain(ceiling),
        },
        "sectors": {
            "sector": ids(m), "sector_most": plain(above(held * rng.uniform(1.0, 1.1, m)))
        },
        "members": {"sector": [g for g, _ in pairs], "asset": [a for _, a in pairs]},
        "safe": {"asset": plain(safe + 1)},
        "parameters": row(
            budget=int(plan.sum()),
            most_risk=int(above(points @ plan * rng.uniform(1.0, 1.06), 10)),
            most_fees=int(above(fee @ plan * rng.uniform(1.02, 1.1), 10)),
            least_spread=int(under(spread * rng.uniform(0.85, 0.98))),
            reserve=int(under(plan[safe].sum() * rng.uniform(0.9, 1.0))),
        ),
    }  # fmt: skip


TEMPLATE = Template(
    "portfolio",
    "Portfolio within limits on risk and sectors",
    ("Financial and Revenue Optimization", "Portfolio Optimization"),
    (
        Knob("n_assets", "number of assets", (8, 20, 3000), 4, 100_000),
        Knob("n_sectors", "number of sectors", (2, 5, 500), 1, 10_000),
    ),
    SPEC,
    draw,
    lambda knobs: (
        "" if knobs["n_assets"] >= knobs["n_sectors"] else "let each sector have an asset"
    ),
)
