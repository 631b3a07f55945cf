"""Cutting stock: jumbo rolls cut to patterns."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="cutting_stock",
    who="A paper mill",
    slots=(
        slot("width", "format", "gauge", "grade"),
        slot("pattern", "knife setting", "layout", "cutting scheme"),
    ),
    extras=("winder", "pallet", "operator"),
    sides=("label color of a width", "date on which a pattern was tested", "tare of a roll"),
    category="Cutting stock with given patterns",
    goal=(
        "Cut cheaply",
        "Spend as little as possible on cutting",
        "Spend as little as possible on cutting, all jumbo rolls and all patterns taken together",
    ),
    goals=(
        Goal("maximize", "sum(runs[p] for p in P)", "Cut as many jumbo rolls as possible"),
        Goal(
            "minimize",
            "sum(trim[p] * runs[p] for p in P)",
            "Leave as little trim as possible, whatever the cutting costs",
        ),
        Goal(
            "maximize",
            "sum(rolls[w, p] * runs[p] for (w, p) in Y)",
            "Obtain as many narrow rolls as possible from the jumbo rolls",
        ),
        Goal("maximize", "sum(cost[p] * runs[p] for p in P)", "Let the cutting cost a lot"),
        Goal("minimize", "sum(runs[p] for p in P)", "Use up as few jumbo rolls as possible"),
    ),
    rules={
        "orders_met": rule(
            "orders",
            ("The rolls obtained of a width cover what is ordered of it", "Every order is filled"),
            (
                "sum(rolls[v, p] * runs[p] for (v, p) in Y if v == w) <= demand[w]",
                "The rolls obtained of a width never exceed what is ordered of it",
            ),
            (
                "sum(rolls[v, p] * runs[p] for (v, p) in Y if v == w) == demand[w]",
                "The rolls obtained of a width are precisely those ordered, with none to spare",
            ),
            (
                "sum(runs[p] for (v, p) in Y if v == w) >= 2 * demand[w]",
                "Twice as many jumbo rolls are cut for a width as rolls of it are ordered",
            ),
            (
                "sum(runs[p] for p in P) >= 2 * sum(demand[w] for w in W)",
                "Two jumbo rolls are cut for each ordered roll",
                "",
            ),
        ),
        "run_limit": rule(
            "use of patterns",
            (
                "Each pattern has a ceiling on the jumbo rolls that are cut to it",
                "Each pattern keeps to its most jumbo rolls",
            ),
            ("runs[p] >= most_runs[p]", "Each pattern has a floor under the jumbo rolls cut to it"),
            (
                "runs[p] == most_runs[p]",
                "The number of jumbo rolls cut to each pattern is prescribed",
            ),
            (
                "sum(runs[p] for p in P) <= most_runs[q]",
                "The ceiling of any one pattern holds for the jumbo rolls cut to all"
                " patterns together",
                "for q in P",
            ),
            ("runs[p] <= 0", "No pattern is used"),
        ),
        "trim_limit": rule(
            "trim",
            (
                "What is left over comes to {most_trim} or less, all patterns together",
                "Up to {most_trim} of trim in all",
            ),
            (
                "sum(trim[p] * runs[p] for p in P) >= most_trim",
                "What is left over comes to {most_trim} or more, all patterns together",
            ),
            (
                "sum(trim[p] * runs[p] for p in P) == most_trim",
                "Precisely {most_trim} are left over",
            ),
            (
                "trim[p] * runs[p] <= most_trim / 10",
                "What is left over of each pattern comes to a tenth of {most_trim} or less",
                "for p in P",
            ),
        ),
    },
    lefts=(
        Left(
            "The rolls of one width that come out of all jumbo rolls cut",
            "sum(rolls[v, p] * runs[p] for (v, p) in Y if v == w)",
            "for w in W",
            "orders_met",
        ),
        Left(
            "The centimeters of trim left over from all jumbo rolls together",
            "sum(trim[p] * runs[p] for p in P)",
            "",
            "trim_limit",
        ),
        Left("The jumbo rolls cut to one pattern", "runs[p]", "for p in P", "run_limit"),
        Left(
            "The dollars spent on cutting all jumbo rolls", "sum(cost[p] * runs[p] for p in P)", ""
        ),
        Left("The rolls ordered of all widths together", "sum(demand[w] for w in W)", ""),
        Left("The number of jumbo rolls that are cut in all", "sum(runs[p] for p in P)", ""),
    ),
    pairs={"Y": "pattern and each width that it yields"},
    optional=("run_limit", "trim_limit"),
)
