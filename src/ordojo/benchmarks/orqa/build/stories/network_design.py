"""Network design: lanes for commodities."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="network_design",
    who="A regional freight operator",
    slots=(
        slot("commodity/commodities", "consignment", "contract", "cargo/cargoes"),
        slot("terminal", "yard", "station", "port", "hub"),
        slot("lane", "link", "connection", "leg"),
    ),
    extras=("driver", "toll booth", "fuel card"),
    sides=(
        "name of the customer of a commodity",
        "speed limit of a lane",
        "floor space of a terminal",
    ),
    category="Multicommodity network design",
    goal=(
        "Set up and move cheaply",
        "Spend as little as possible on set-up lanes and on movements",
        "Spend as little as possible on lanes that are set up and on the movements over"
        " them, taken together",
    ),
    goals=(
        Goal(
            "minimize",
            "sum(unit_cost[i, j] * flow[k, i, j] for k in K for (i, j) in A)",
            "Spend as little as possible on movements, whatever is paid for lanes",
        ),
        Goal("minimize", "sum(opened[i, j] for (i, j) in A)", "Set up as few lanes as possible"),
        Goal(
            "maximize",
            "sum(flow[k, i, j] for k in K for (i, j) in A)",
            "Move as many tons as possible over all lanes",
        ),
        Goal(
            "minimize",
            "sum(flow[k, i, j] for k in K for (i, j) in A)",
            "Keep the tons that pass over each lane, added up over all of the lanes, as low"
            " as possible",
        ),
        Goal(
            "maximize",
            "sum(unit_cost[i, j] * flow[k, i, j] for k in K for (i, j) in A)",
            "Move the tons where this costs most",
        ),
    ),
    rules={
        "balance": rule(
            "flow of commodities",
            (
                "What enters a terminal on the way leaves it again; only at its two ends"
                " does a commodity"
                " start or stop",
                "Between its two ends, all of a commodity that comes goes on",
            ),
            (
                "sum(flow[k, i, j] for (i, j) in A if i == n)"
                " == sum(flow[k, i, j] for (i, j) in A if j == n)",
                "What enters a terminal leaves it again, and this holds at both ends of a"
                " commodity, too",
            ),
            (
                "sum(flow[k, i, j] for (i, j) in A if i == n)"
                " - sum(flow[k, i, j] for (i, j) in A if j == n) >= 1",
                "Every terminal sends out more of a commodity than it receives",
            ),
            (
                "sum(flow[k, i, j] for k in K for (i, j) in A if i == n) <= 0",
                "Nothing ever leaves a terminal on any lane",
                "for n in N if n == origin[1]",
            ),
        ),
        "lane_capacity": rule(
            "capacity of lanes",
            (
                "On a lane that is set up, what all commodities move keeps to the most that"
                " it carries; others"
                " stay empty",
                "Each lane carries up to its capacity, and only if set up",
            ),
            (
                "sum(flow[k, i, j] for k in K) >= capacity[i, j]",
                "What all commodities move on a lane reaches the most that it carries, or more",
            ),
            ("sum(flow[k, i, j] for k in K) == capacity[i, j]", "Every lane is used to the full"),
            (
                "sum(flow[k, a, b] for k in K for (a, b) in A) <= capacity[i, j]",
                "What all commodities move on all lanes together keeps to the most that any"
                " lane carries",
            ),
        ),
        "use_if_opened": rule(
            "use of lanes",
            (
                "On a lane that is not set up a commodity does not move; on others, its"
                " volume is the ceiling",
                "A commodity moves only on set-up lanes, up to its volume",
            ),
            (
                "flow[k, i, j] >= volume[k] * opened[i, j]",
                "On a lane that is set up, each commodity moves with its full volume, if not"
                " with more",
            ),
            (
                "flow[k, i, j] <= volume[k] * (1 - opened[i, j])",
                "On a lane that is set up a commodity does not move; on others, its volume"
                " is the ceiling",
            ),
            (
                "flow[k, i, j] == volume[k] * opened[i, j]",
                "Set-up lanes carry the whole volume of each commodity",
            ),
        ),
    },
    lefts=(
        Left(
            "The tons of one commodity that leave a terminal, less those that come in",
            "sum(flow[k, i, j] for (i, j) in A if i == n) - sum(flow[k, i, j] for (i, j) in"
            " A if j == n)",
            "for k in K for n in N",
            "balance",
        ),
        Left(
            "The tons of one commodity that come into a terminal",
            "sum(flow[k, i, j] for (i, j) in A if j == n)",
            "for k in K for n in N if n == destination[k]",
        ),
        Left(
            "The tons of all commodities on one lane",
            "sum(flow[k, i, j] for k in K)",
            "for (i, j) in A",
        ),
        Left("The volume of all commodities", "sum(volume[k] for k in K)", ""),
        Left(
            "The cost of all movements of one commodity, over all the lanes that it uses",
            "sum(unit_cost[i, j] * flow[k, i, j] for (i, j) in A)",
            "for k in K",
        ),
        Left(
            "The tons that leave a terminal, of all commodities taken together, on every lane",
            "sum(flow[k, i, j] for k in K for (i, j) in A if i == n)",
            "for n in N if n == origin[1]",
        ),
    ),
)
