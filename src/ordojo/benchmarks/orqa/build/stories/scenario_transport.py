"""Two-stage transport: water from plants to markets."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="scenario_transport",
    who="A bottler of mineral water",
    slots=(
        slot("depot", "warehouse", "transit hall", "cross-dock", "transfer point"),
        slot("market", "town", "district", "wholesaler"),
        slot("pallet", "crate", "rack", "load"),
    ),
    extras=("bottle", "lorry driver", "label printer"),
    sides=("altitude of a plant", "owner of a depot", "number of inhabitants of a market"),
    category="Two-stage stochastic transport planning",
    goal=(
        "Keep the expected total cost low",
        "Keep leases and the expected cost of shipping and shortages low",
        "Keep the cost of the leases and the expected cost of shipping and of shortages, all"
        " added up, as low as possible",
    ),
    goals=(
        Goal(
            "minimize",
            "sum(lease_cost[p] * lines[p] for p in P)",
            "Keep the cost of the leases low, whatever happens later",
        ),
        Goal(
            "minimize",
            "sum(ship_cost[i, j] * shipped[s, i, j] for s in S for (i, j) in R)",
            "Keep the cost of all shipping low, every scenario counted alike",
        ),
        Goal(
            "maximize",
            "sum(shipped[s, i, j] for s in S for (i, j) in R)",
            "Ship as many pallets as possible on all routes, taken over all the scenarios",
        ),
        Goal("minimize", "sum(missing[s, m] for s in S for m in M)", "Leave few pallets missing"),
        Goal("maximize", "sum(lines[p] for p in P)", "Lease as many lines as possible"),
    ),
    rules={
        "plant_output": rule(
            "output of plants",
            (
                "A plant sends out no more than its lines fill under the scenario",
                "Plants ship up to what lines fill",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if i == p) >= line_yield[s, p] * lines[p]",
                "A plant sends out no less than its lines fill under the scenario",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if i == p) == line_yield[s, p] * lines[p]",
                "A plant sends out precisely what its lines fill, so nothing is left behind",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if i == p) <= lines[p]",
                "A plant sends out one pallet for each of its lines or less",
            ),
        ),
        "depot_balance": rule(
            "depots",
            (
                "A depot passes on all that it receives and has nothing else to pass on",
                "Depots pass on what comes in",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if j == d)"
                " >= 1 + sum(shipped[s, i, j] for (i, j) in R if i == d)",
                "A depot receives more than it passes on and stores the rest",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if j == d)"
                " <= sum(shipped[s, i, j] for (i, j) in R if i == d) - 1",
                "A depot passes on more than it receives in every scenario, out of what it"
                " has stored",
            ),
            ("sum(shipped[s, i, j] for (i, j) in R if i == d) <= 0", "A depot passes nothing on"),
        ),
        "market_demand": rule(
            "demand of markets",
            (
                "What reaches a market and what it is short of cover its demand",
                "Arrivals plus shortage cover demand",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if j == m) >= demand[s, m]",
                "What reaches a market covers its demand, so that it is never short",
            ),
            (
                "sum(shipped[s, i, j] for (i, j) in R if j == m) + missing[s, m] <="
                " demand[s, m] - 1",
                "What reaches a market and what it is short of stay below its demand",
            ),
            ("missing[s, m] >= demand[s, m]", "A market goes without all that it demands"),
        ),
        "lease_budget": rule(
            "leases",
            ("All leases together cost {budget} or less", "Up to {budget} is spent"),
            (
                "sum(lease_cost[p] * lines[p] for p in P) >= budget",
                "All leases together cost {budget} or more",
            ),
            (
                "lease_cost[p] * lines[p] >= budget",
                "The leases of each plant cost {budget} or more",
                "for p in P",
            ),
            (
                "sum(lease_cost[p] * lines[p] for p in P) <= budget / 10",
                "All leases together cost no more than a tenth of {budget}",
            ),
        ),
    },
    lefts=(
        Left(
            "The dollars that all leases cost",
            "sum(lease_cost[p] * lines[p] for p in P)",
            "",
            "lease_budget",
        ),
        Left(
            "The pallets that reach a market under one scenario, and those it is short of",
            "sum(shipped[s, i, j] for (i, j) in R if j == m) + missing[s, m]",
            "for s in S for m in M",
            "market_demand",
        ),
        Left(
            "The pallets that all markets are short of under one scenario",
            "sum(missing[s, m] for m in M)",
            "for s in S",
        ),
        Left("The lines leased in all", "sum(lines[p] for p in P)", ""),
        Left(
            "The pallets that reach a market under one scenario, those it is short of not included",
            "sum(shipped[s, i, j] for (i, j) in R if j == m)",
            "for s in S for m in M",
        ),
        Left(
            "The pallets demanded under one scenario", "sum(demand[s, m] for m in M)", "for s in S"
        ),
    ),
    optional=(),
)
