"""Money: what it is spent on."""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import (
    Drawn,
    Knob,
    Rng,
    Words,
    above,
    cross,
    ids,
    row,
    template,
    under,
)

_MEDIA_MIX_SPEC = Spec(
    "An agency books advertising slots in several channels. The budget binds them, every "
    "audience has to be reached often enough, and outdoor channels may not be overdone.",
    sets=(
        Set("C", "channel", "channels", table="channels", key=("channel",),
            names=("radio", "cinema", "posters", "magazines", "podcasts", "newspapers", "buses",
                   "search", "television", "flyers")),
        Set("G", "audience", "audiences", table="audiences", key=("audience",),
            names=("students", "parents", "pensioners", "commuters", "gardeners", "cyclists")),
        Set("O", "outdoor channel", "outdoor channels", table="outdoor", key=("channel",)),
    ),
    parameters=(
        Parameter("budget", "money that can be spent", "thousand dollars"),
        Parameter("least_slots", "fewest slots by the agency's contract", "slots"),
        Parameter("most_outdoor", "most slots in outdoor channels", "slots"),
        Parameter("response", "response to a slot", "points", ("C",), "channels"),
        Parameter("price", "price of a slot", "thousand dollars", ("C",), "channels"),
        Parameter("on_sale", "most slots on sale", "slots", ("C",), "channels"),
        Parameter("target", "contacts that the audience needs", "contacts", ("G",), "audiences"),
        Parameter("reach", "contacts with the audience by a slot", "contacts", ("G", "C"),
                  "reaches"),
    ),
    groups=(
        Group("book", "for c in C", "number of slots booked", "continuous", "slots",
              upper="on_sale[c]"),
        Group("total_spend", "", "total money spent", "continuous", "thousand dollars",
              upper="budget"),
    ),
    objective=Objective(
        "maximize", "sum(response[c] * book[c] for c in C)", "the response to all slots", "points"
    ),
    families=(
        Family("spend_sum", "", "total_spend == sum(price[c] * book[c] for c in C)",
               "the total money spent is the price of all slots booked", Semantic.AGGREGATION),
        Family("audience_reached", "for g in G",
               "sum(reach[g, c] * book[c] for c in C) >= target[g]",
               "all slots together make at least the contacts that the audience needs",
               Semantic.LOWER_WEIGHTED_SUM),
        Family("agency_minimum", "", "sum(book[c] for c in C) >= least_slots",
               "at least {least_slots} are booked in all", Semantic.LOWER_SUM),
        Family("outdoor_limit", "", "sum(book[c] for c in O) <= most_outdoor",
               "at most {most_outdoor} are booked in outdoor channels", Semantic.UPPER_SUM),
    ),
    files={
        "outdoor": "the channels that are outdoors",
        "reaches": "which contacts a slot makes with each audience",
    },
)  # fmt: skip


@template(
    "Media mix within a budget",
    ("Assignment and Resource Allocation Optimization", "Resource Allocation Problem"),
    _MEDIA_MIX_SPEC,
    Knob("n_channels", "number of channels", (6, 15, 800), 2, 100_000),
    Knob("n_audiences", "number of audiences", (3, 8, 1000), 1, 10_000),
)
def media_mix(rng: Rng, n: int, m: int) -> Drawn:
    """Targets below and the budget above a hidden plan."""
    plan = rng.integers(4, 13, n)
    price, reach = rng.integers(2, 16, n), rng.integers(1, 10, (m, n))
    outdoor = np.sort(rng.permutation(n)[: max(2, n // 3)])
    target = under(reach @ plan * rng.uniform(0.85, 0.97, m))
    # So many slots are needed anyway, for no slot makes more contacts than the best one.
    needed = float((target / reach.max(1)).max())
    return {
        "channels": {
            "channel": ids(n),
            "response": 5 * rng.integers(2, 13, n),
            "price": price,
            "on_sale": plan + rng.integers(1, 6, n),
        },
        "audiences": {"audience": ids(m), "target": target},
        "outdoor": {"channel": outdoor + 1},
        "reaches": {**cross(audience=m, channel=n), "reach": reach},
        "parameters": row(
            budget=int(above(price @ plan * rng.uniform(1.0, 1.05))),
            least_slots=max(1, int(needed * rng.uniform(0.8, 0.97))),
            most_outdoor=int(plan[outdoor].sum() + rng.integers(0, 3)),
        ),
    }


_PORTFOLIO_SPEC = Spec(
    "A pension fund spreads its money over assets, all of it and no more. Its statutes limit "
    "the risk, the share of each sector and the part that has to stay in safe assets.",
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
               "exactly {budget} are invested", Semantic.EQUALITY),
        Family("risk_sum", "", "total_risk == sum(points[a] * hold[a] for a in A)",
               "the total risk is the sum of the points of all holdings", Semantic.AGGREGATION),
        Family("fee_budget", "", "sum(fee[a] * hold[a] for a in A) <= most_fees",
               "at most {most_fees} are paid in fees", Semantic.UPPER_WEIGHTED_SUM),
        Family("sector_cap", "for g in G",
               "sum(hold[a] for (s, a) in M if s == g) <= sector_most[g]",
               "the assets of the sector together stay within what may be held in it",
               Semantic.UPPER_SUM, Scaffold.SUBSET),
        Family("spread_floor", "", "sum(hold[a] for (g, a) in M) >= least_spread",
               "at least {least_spread} are held in sectors", Semantic.LOWER_SUM),
        Family("reserve_floor", "", "sum(hold[a] for a in S) >= reserve",
               "at least {reserve} stay in safe assets", Semantic.LOWER_SUM),
    ),
    files={"safe": "the assets that are safe", "members": "which assets belong to which sector"},
)  # fmt: skip


@template(
    "Portfolio within limits on risk and sectors",
    ("Financial and Revenue Optimization", "Portfolio Optimization"),
    _PORTFOLIO_SPEC,
    Knob("n_assets", "number of assets", (8, 20, 3000), 4, 100_000),
    Knob("n_sectors", "number of sectors", (2, 5, 500), 1, 10_000),
    needs=(lambda n, m: n >= m, "let each sector have an asset"),
)
def portfolio(rng: Rng, n: int, m: int) -> Drawn:
    """Limits around a hidden portfolio; the last quarter of the assets is in no sector."""
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
            "gain": 5 * rng.integers(4, 19, n),
            "points": points,
            "fee": fee,
            "floor": np.where(rng.random(n) < 0.4, 5 * rng.integers(1, 4, n), 0),
            "ceiling": ceiling,
        },
        "sectors": {"sector": ids(m), "sector_most": above(held * rng.uniform(1.0, 1.1, m))},
        "members": {"sector": [g for g, _ in pairs], "asset": [a for _, a in pairs]},
        "safe": {"asset": safe + 1},
        "parameters": row(
            budget=int(plan.sum()),
            most_risk=int(above(points @ plan * rng.uniform(1.0, 1.06), 10)),
            most_fees=int(above(fee @ plan * rng.uniform(1.02, 1.1), 10)),
            least_spread=int(under(spread * rng.uniform(0.85, 0.98))),
            reserve=int(under(plan[safe].sum() * rng.uniform(0.9, 1.0))),
        ),
    }  # fmt: skip


_PROJECT_BUDGET_SPEC = Spec(
    "A county chooses among road projects. Each project may be carried out or not, and the "
    "county's money, its engineers and its promise on emissions bind them all together.",
    sets=(
        Set("J", "project", "projects", table="projects", key=("project",),
            names=("bridge", "tunnel", "bypass", "tramway", "quay", "underpass", "viaduct",
                   "roundabout", "lane", "ramp", "causeway", "junction")),
        Set("S", "site", "sites", size="n_sites"),
        Set("V", "variant", "variants", table="variants", key=("site", "project"),
            parts=("S", "J")),
    ),
    parameters=(
        Parameter("n_sites", "number of sites"),
        Parameter("budget", "money that can be spent", "thousand dollars"),
        Parameter("engineers", "engineers that there are", "engineers"),
        Parameter("least_saving", "emissions that must be saved", "tons"),
        Parameter("least_projects", "fewest projects to be carried out", "projects"),
        Parameter("benefit", "benefit of a project", "points", ("J",), "projects"),
        Parameter("cost", "cost of a project", "thousand dollars", ("J",), "projects"),
        Parameter("staff", "engineers that a project takes", "engineers", ("J",), "projects"),
        Parameter("saving", "emissions that a project saves", "tons", ("J",), "projects"),
    ),
    groups=(
        Group("chosen", "for j in J", "decision whether a project is carried out", "binary"),
    ),
    objective=Objective(
        "maximize", "sum(benefit[j] * chosen[j] for j in J)",
        "the total benefit of the projects carried out", "points",
    ),
    families=(
        Family("money", "", "sum(cost[j] * chosen[j] for j in J) <= budget",
               "all projects carried out cost at most {budget} together",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("staffing", "", "sum(staff[j] * chosen[j] for j in J) <= engineers",
               "all projects carried out take at most {engineers} engineers together",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("emissions", "", "sum(saving[j] * chosen[j] for j in J) >= least_saving",
               "all projects carried out save at least {least_saving} of emissions together",
               Semantic.LOWER_WEIGHTED_SUM),
        Family("enough", "", "sum(chosen[j] for j in J) >= least_projects",
               "at least {least_projects} projects are carried out", Semantic.LOWER_SUM),
        Family("one_variant", "for s in S", "sum(chosen[j] for (r, j) in V if r == s) <= 1",
               "at most one of the variants planned for the site is carried out",
               Semantic.AT_MOST_ONE, Scaffold.SUBSET),
    ),
    files={"variants": "which projects are variants for which site"},
)  # fmt: skip

_PROJECT_BUDGET_WORDS = Words(
    who="a county",
    tellings=(
        "Road projects are on the table of a county, to be done or dropped one by one. They draw "
        "on the same money and the same engineers, and emissions have been promised to go down.",
    ),
    nouns=("project scheme proposal measure", "site junction bridge tunnel"),
    goals=(
        Objective("maximize", "sum(chosen[j] for j in J)", "the number of projects carried out"),
        Objective("minimize", "sum(cost[j] * chosen[j] for j in J)",
                  "the cost of the projects carried out"),
        Objective("maximize", "sum(saving[j] * chosen[j] for j in J)",
                  "the emissions that the projects carried out save"),
        Objective("minimize", "sum(staff[j] * chosen[j] for j in J)",
                  "the number of engineers that the projects carried out take"),
    ),
    rules={
        "money": ("money", "the cost of all projects"),
        "staffing": ("engineers", "the number of engineers of all projects", "{engineers}"),
        "emissions": ("emissions", "the total of emissions saved", "{least_saving} of emissions"),
        "enough": ("projects", "the number of all projects carried out", "{least_projects}"),
        "one_variant": ("variants", "the number of the site's variants that are carried out"),
    },
    pairs={"V": "variant for a site"},
    optional=("staffing", "enough"),
    scenes={
        "staffing": ("money, its engineers and its promise", "money and its promise"),
    },
)  # fmt: skip


@template(
    "Capital budgeting with global rows",
    ("Combinatorial Optimization", "Knapsack Problem"),
    _PROJECT_BUDGET_SPEC,
    Knob("n_projects", "number of projects", (15, 30, 80), 6, 100_000),
    Knob("n_sites", "number of sites with several variants", (6, 10, 25), 1, 10_000),
    words=_PROJECT_BUDGET_WORDS,
)
def project_budget(rng: Rng, n: int, sites: int) -> Drawn:
    """Right-hand sides around a hidden choice."""
    hidden = np.zeros(n, bool)
    hidden[rng.permutation(n)[: max(2, n // 3)]] = True
    variants = []
    for s in range(sites):
        rest = rng.permutation(np.flatnonzero(~hidden))[: int(rng.integers(2, 6))].tolist()
        chosen = [*rest, int(rng.choice(np.flatnonzero(hidden)))]
        variants += [(s + 1, j + 1) for j in sorted(chosen)]
    cost, staff = rng.integers(20, 121, n), rng.integers(2, 16, n)
    saving = rng.integers(1, 31, n)
    return {
        "projects": {
            "project": ids(n),
            "benefit": rng.integers(10, 101, n),
            "cost": cost,
            "staff": staff,
            "saving": saving,
        },
        "variants": {"site": [s for s, _ in variants], "project": [j for _, j in variants]},
        "parameters": row(
            n_sites=sites,
            budget=int(cost[hidden].sum()),
            engineers=int(staff[hidden].sum()),
            least_saving=int(saving[hidden].sum() * 0.9),
            least_projects=max(2, int(hidden.sum()) - 1),
        ),
    }
