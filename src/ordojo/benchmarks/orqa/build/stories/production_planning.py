"""Production planning: batches of paint."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="production_planning",
    who="A paint maker",
    slots=(
        slot("product", "enamel", "varnish/varnishes", "primer", "lacquer"),
        slot("period", "week", "month", "fortnight"),
    ),
    extras=("stirrer", "lid", "retailer"),
    sides=(
        "shelf number of a product",
        "drying time of a product",
        "name of the inventor of a product",
    ),
    category="Multi-period production planning with stock",
    goal=(
        "Mix and store cheaply",
        "Keep what batches and stock cost in all as low as possible",
        "Keep what batches and stock cost, over all products and periods, as low as possible"
        " when added up",
    ),
    goals=(
        Goal(
            "minimize",
            "sum(batch_cost[i] * batches[i, t] for i in I for t in T)",
            "Keep what batches cost low, whatever the stock costs",
        ),
        Goal(
            "minimize",
            "sum(hours[t] for t in T)",
            "Let the staff work as few hours as possible in all",
        ),
        Goal(
            "maximize",
            "sum(batch_size[i] * batches[i, t] for i in I for t in T)",
            "Mix as many liters as possible of all products over the time that is planned",
        ),
        Goal(
            "minimize", "sum(stock[i, t] for i in I for t in T)", "Hold as little stock as possible"
        ),
        Goal("maximize", "sum(hours[t] for t in T)", "Give the staff much work"),
    ),
    rules={
        "stock_balance": rule(
            "stock",
            (
                "What is on stock before and what is mixed serves the demand; the rest is"
                " the new stock",
                "Stock before, plus batches, less demand, is stock after",
            ),
            (
                "batch_size[i] * batches[i, t] == demand[i, t]",
                "What is mixed of a product in a period is what is demanded of it",
            ),
            (
                "batch_size[i] * batches[i, t] >= demand[i, t] + stock[i, t] + 1",
                "What is mixed alone serves the demand and the new stock, and exceeds them",
            ),
            ("stock[i, t] >= demand[i, t]", "The stock left over would serve the demand once more"),
            (
                "stock[i, t] == 0",
                "What is mixed is sold in the same period, and nothing is carried over",
            ),
        ),
        "hours_worked": rule(
            "hours",
            (
                "The hours of a period are those that its batches take, all products together",
                "All batches' hours make up the total",
            ),
            (
                "hours[t] >= 1 + sum(batch_hours[i] * batches[i, t] for i in I)",
                "The hours of a period are more than those that its batches take",
            ),
            (
                "hours[t] == sum(batches[i, t] for i in I)",
                "The hours of a period are one for each batch, whatever the product",
            ),
            (
                "hours[t] == capacity[t]",
                "The hours of a period are always those that there is capacity for",
            ),
        ),
        "hours_rise": rule(
            "rise of the hours",
            (
                "From one period to the next, the hours never grow by more than the share {change}",
                "Hours grow by the share {change} at most",
            ),
            (
                "hours[t] >= (1 + change) * hours[t - 1]",
                "From one period to the next, the hours always grow by the share {change} or more",
            ),
            ("hours[t] <= hours[t - 1]", "From one period to the next, the hours never grow"),
            (
                "hours[t] <= change * hours[t - 1]",
                "The hours of a period are at most the share {change} of those in the period"
                " before",
            ),
        ),
        "hours_limit": rule(
            "capacity",
            (
                "The hours of a period keep to the most that can be worked in it",
                "The capacity is not exceeded",
            ),
            (
                "hours[t] >= capacity[t]",
                "The hours of a period reach the most that can be worked in it",
            ),
            (
                "sum(hours[s] for s in T) <= capacity[t]",
                "The hours of all periods added up keep to the most that can be worked in"
                " one of them",
            ),
            (
                "hours[t] <= capacity[t] / 10",
                "The hours of a period keep to a tenth of its capacity",
            ),
        ),
    },
    lefts=(
        Left("The hours worked in one period", "hours[t]", "for t in T", "hours_limit"),
        Left("The hours worked in all periods", "sum(hours[t] for t in T)", ""),
        Left("The most hours that can be worked in one period", "capacity[t]", "for t in T"),
        Left(
            "The number of batches mixed in one period",
            "sum(batches[i, t] for i in I)",
            "for t in T",
        ),
        Left("The stock left in one period", "sum(stock[i, t] for i in I)", "for t in T"),
        Left(
            "The cost of the batches of one period",
            "sum(batch_cost[i] * batches[i, t] for i in I)",
            "for t in T",
        ),
    ),
    optional=(),
)
