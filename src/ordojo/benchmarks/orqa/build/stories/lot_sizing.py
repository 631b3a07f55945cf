"""Lot sizing: products molded on machines."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="lot_sizing",
    who="A plastics plant",
    slots=(
        slot("product", "part", "component", "article", "casing"),
        slot("period", "week", "month", "quarter"),
    ),
    extras=("mold", "supplier", "truck"),
    sides=(
        "color of a product",
        "serial number of a machine",
        "year of the first sale of a product",
    ),
    category="Capacitated lot sizing",
    goal=(
        "Set up and store cheaply",
        "Keep what is spent on setups and on storing low",
        "Keep what is spent on setups and on storing, over all products and periods, as low"
        " as possible",
    ),
    goals=(
        Goal(
            "minimize",
            "sum(holding_cost[i] * stock[i, t] for i in I for t in T)",
            "Keep what is spent on storing low, however many setups this takes",
        ),
        Goal(
            "maximize",
            "sum(lot[i, t] for i in I for t in T)",
            "Make as many units of all products as the machine time allows",
        ),
        Goal(
            "minimize",
            "sum(unit_time[i] * lot[i, t] for i in I for t in T)",
            "Use little machine time",
        ),
        Goal(
            "minimize",
            "sum(setup_time[i] * setup[i, t] for i in I for t in T)",
            "Keep the time that is lost in setups low",
        ),
        Goal(
            "maximize",
            "sum(holding_cost[i] * stock[i, t] for i in I for t in T)",
            "Store as much as possible, weighted by what the storing of each product costs",
        ),
    ),
    rules={
        "stock_balance": rule(
            "stock",
            (
                "Old stock and new units serve the demand, and what then remains is the new stock",
                "Old stock plus lots less demand is new stock",
            ),
            (
                "sum(stock[i, s] for s in T if s == t - 1) + lot[i, t] <= demand[i, t]",
                "Old stock and new units together do not exceed the demand, so nothing remains",
            ),
            (
                "lot[i, t] == demand[i, t] + stock[i, t]",
                "New units alone serve the demand, whatever the old stock is",
            ),
            ("lot[i, t] == demand[i, t]", "What is made is what is demanded in the same period"),
            (
                "sum(stock[i, s] for s in T if s == t - 1) == demand[i, t] + stock[i, t]",
                "Old stock alone serves the demand, and what then remains is the new stock;"
                " units made"
                " come on top",
            ),
        ),
        "machine_time": rule(
            "machine time",
            (
                "The work on a machine's products in a period fits into its time of that period",
                "No machine works longer than it has time",
            ),
            (
                "sum(unit_time[i] * lot[i, t] for (a, i) in R if a == m) >= capacity[m, t]",
                "The work on a machine's products in a period fills its time of that period"
                " or more",
            ),
            (
                "sum(unit_time[i] * lot[i, t] for (a, i) in R if a == m) == capacity[m, t]",
                "Every machine is busy in each minute of a period",
            ),
            (
                "sum(unit_time[i] * lot[i, t] for i in I for t in T) <= capacity[m, s]",
                "The work on all products in all periods fits into the time of any one machine",
                "for m in M for s in T",
            ),
        ),
        "setup_needed": rule(
            "setups",
            (
                "Without a setup nothing of a product is made; with one, its largest lot is"
                " the ceiling",
                "Lots need a setup and keep to the largest lot",
            ),
            (
                "lot[i, t] >= largest_lot[i] * setup[i, t]",
                "With a setup, the largest lot of a product or more is made",
            ),
            (
                "lot[i, t] == largest_lot[i] * setup[i, t]",
                "Without a setup nothing of a product is made; with one, precisely its largest lot",
            ),
            (
                "lot[i, t] <= largest_lot[i] * (1 - setup[i, t])",
                "With a setup nothing of a product is made; without one, its largest lot is"
                " the ceiling",
            ),
        ),
        "stock_wanted": rule(
            "final stock",
            (
                "After the last period no less of a product is left than is wanted",
                "The last stock is as large as wanted",
            ),
            (
                "stock[i, n_periods] <= final_stock[i]",
                "After the last period no more of a product is left than is wanted",
            ),
            (
                "stock[i, 1] >= 2 * final_stock[i] + 1",
                "After the first period twice as much is left as is wanted at the end",
            ),
            ("stock[i, n_periods] == 0", "The plant ends with empty stores"),
        ),
    },
    lefts=(
        Left(
            "The stock of one product after the last period",
            "stock[i, n_periods]",
            "for i in I",
            "stock_wanted",
        ),
        Left(
            "The units of one product made in all periods",
            "sum(lot[i, t] for t in T)",
            "for i in I",
        ),
        Left(
            "The stock of all products that is wanted at the end",
            "sum(final_stock[i] for i in I)",
            "",
        ),
        Left(
            "The stock of one product summed over all periods",
            "sum(stock[i, t] for t in T)",
            "for i in I",
        ),
        Left("The stock of one product after the first period", "stock[i, 1]", "for i in I"),
        Left("The units demanded of one product", "sum(demand[i, t] for t in T)", "for i in I"),
    ),
    pairs={"R": "machine and each product that runs on it"},
    optional=(),
)
