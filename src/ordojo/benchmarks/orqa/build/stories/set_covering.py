"""Set covering: stations for districts."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="set_covering",
    who="A city",
    slots=(
        slot("station", "post", "depot", "base", "garage"),
        slot("district", "quarter", "ward", "suburb", "borough"),
    ),
    extras=("paramedic", "siren", "hospital bed"),
    sides=(
        "number of inhabitants of a district",
        "year in which a station was built",
        "telephone number of a station",
    ),
    category="Set covering with backup",
    goal=(
        "Run stations cheaply",
        "Run the stations that are needed as cheaply as possible",
        "Run the stations that are needed at the lowest cost, added up over all those that"
        " are run in the city",
    ),
    goals=(
        Goal("minimize", "sum(chosen[j] for j in J)", "Run as few stations as possible"),
        Goal(
            "maximize",
            "sum(chosen[j] for (i, j) in R)",
            "Let each district be reached by as many stations as possible, whatever they cost",
        ),
        Goal(
            "maximize",
            "sum(cost[j] * chosen[j] for j in J)",
            "Spend as much as possible on running stations in the city",
        ),
        Goal("maximize", "sum(chosen[j] for j in J)", "Run many stations"),
        Goal(
            "minimize",
            "sum(chosen[j] for (i, j) in R)",
            "Let few stations reach the same districts",
        ),
    ),
    rules={
        "covered": rule(
            "reach of all districts",
            (
                "No district is left without a station in reach that is run",
                "Each district has a station in reach",
            ),
            (
                "sum(chosen[j] for (d, j) in R if d == i) == 1",
                "Each district has precisely one station in reach that is run",
            ),
            (
                "sum(chosen[j] for (d, j) in R if d == i) <= 1",
                "No district has two stations in reach that are run",
            ),
            ("sum(chosen[j] for (d, j) in R if d == i) <= 0", "No district is in reach"),
            (
                "sum(1 - chosen[j] for (d, j) in R if d == i) >= 1",
                "Each district has, among the stations that could reach it, one that is not run",
            ),
        ),
        "critical_covered": rule(
            "critical districts",
            (
                "Each critical district has {backup} or more in reach that are run",
                "Critical districts have {backup} or more",
            ),
            (
                "sum(chosen[j] for (d, j) in R if d == i) <= backup - 1",
                "Each critical district has fewer than {backup} in reach that are run",
            ),
            (
                "sum(chosen[j] for (d, j) in R if d == i) == backup",
                "Each critical district has precisely {backup} in reach that are run, and no other",
            ),
            ("sum(chosen[j] for j in J) <= backup", "Only {backup} are run for all", ""),
        ),
        "station_limit": rule(
            "number of stations",
            (
                "Those run in the whole city number {most_stations} or fewer",
                "Up to {most_stations} are run",
            ),
            ("sum(chosen[j] for j in J) >= most_stations + 1", "More than {most_stations} are run"),
            (
                "sum(chosen[j] for j in J) == most_stations + 1",
                "Those run in the whole city number precisely one more than {most_stations}",
            ),
            (
                "sum(chosen[j] for (d, j) in R if d == i) >= most_stations",
                "Those run in reach of each district number {most_stations} or more",
                "for i in I",
            ),
        ),
    },
    lefts=(
        Left(
            "The number of stations run that reach one district",
            "sum(chosen[j] for (d, j) in R if d == i)",
            "for i in I",
            "covered",
        ),
        Left("The number of stations run in all", "sum(chosen[j] for j in J)", "", "station_limit"),
        Left("The cost of all stations run", "sum(cost[j] * chosen[j] for j in J)", ""),
        Left("The number of districts in the city", "sum(1 for i in I)", ""),
        Left(
            "The number of districts that one station reaches, if it is run",
            "sum(chosen[k] for (d, k) in R if k == j)",
            "for j in J",
        ),
        Left(
            "The number of stations that could reach one district, run or not",
            "sum(1 for (d, j) in R if d == i)",
            "for i in I",
        ),
    ),
    pairs={"R": "station and each district that it reaches"},
    optional=("station_limit",),
)
