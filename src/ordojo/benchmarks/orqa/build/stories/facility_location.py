"""Facility location: kitchens for shops."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="facility_location",
    who="A bakery chain",
    slots=(
        slot("shop", "cafe", "canteen", "kiosk", "market stall"),
        slot("kitchen", "bakehouse", "plant", "depot", "hub"),
    ),
    extras=("oven", "delivery van", "recipe"),
    sides=("floor space of a shop", "name of the manager of a kitchen", "opening hour of a shop"),
    category="Capacitated facility location",
    goal=(
        "Open and supply cheaply",
        "Spend as little as possible on opened kitchens and on supply",
        "Spend as little as possible on opened kitchens and on the supply of all shops from"
        " them, added up",
    ),
    goals=(
        Goal("minimize", "sum(opened[j] for j in J)", "Open as few kitchens as possible"),
        Goal(
            "minimize",
            "sum(supply_cost[i, j] * supplied[i, j] for i in I for j in J)",
            "Spend as little as possible on supply, whatever the kitchens cost to open",
        ),
        Goal(
            "maximize",
            "sum(demand[i] * supplied[i, j] for i in I for j in J)",
            "Deliver as many trays as possible to all shops taken together each day",
        ),
        Goal("maximize", "sum(capacity[j] * opened[j] for j in J)", "Open large kitchens"),
        Goal(
            "minimize",
            "sum(opening_cost[j] * opened[j] for j in J)",
            "Spend as little as possible on opened kitchens alone",
        ),
    ),
    rules={
        "one_kitchen": rule(
            "supply of shops",
            (
                "No shop is without a kitchen that supplies it, and none has two",
                "Each shop has just one kitchen",
            ),
            ("sum(supplied[i, j] for j in J) >= 2", "Every shop has two suppliers or more"),
            (
                "sum(supplied[i, j] for j in J) <= 1",
                "A shop may be without a kitchen that supplies it, but none has two",
            ),
            (
                "sum(supplied[i, j] for j in J) >= 1",
                "No shop is without a kitchen that supplies it, but it may well have two or more",
            ),
            (
                "sum(supplied[i, j] for i in I) == 1",
                "No kitchen is without a shop that it supplies, and none has two",
                "for j in J",
            ),
        ),
        "kitchen_capacity": rule(
            "capacity",
            (
                "What the shops of one kitchen demand does not go beyond what it can make",
                "No kitchen exceeds its capacity",
            ),
            (
                "sum(demand[i] * supplied[i, j] for i in I) >= capacity[j]",
                "What the shops of one kitchen demand does not fall short of what it can make",
            ),
            (
                "sum(supplied[i, j] for i in I) <= 1",
                "A kitchen has room for the demand of a single shop and no more",
            ),
            (
                "sum(demand[i] * supplied[i, j] for i in I) == capacity[j]",
                "The shops of one kitchen demand precisely what it can make, neither more nor less",
            ),
            (
                "sum(demand[i] * supplied[i, j] for i in I for j in J) <= capacity[k]",
                "Every single kitchen could serve all shops",
                "for k in J",
            ),
        ),
        "only_if_opened": rule(
            "opened kitchens",
            ("A kitchen that is closed supplies nobody", "Closed kitchens supply nobody"),
            ("supplied[i, j] >= opened[j]", "An opened kitchen supplies each and every shop"),
            ("supplied[i, j] <= 1 - opened[j]", "Only kitchens that stay closed supply a shop"),
            ("supplied[i, j] + opened[j] >= 1", "A closed kitchen supplies everybody"),
        ),
        "kitchen_limit": rule(
            "number of kitchens",
            ("The opened ones number {most_kitchens} or fewer", "Up to {most_kitchens} are opened"),
            (
                "sum(opened[j] for j in J) >= most_kitchens + 1",
                "More than {most_kitchens} are opened",
            ),
            (
                "sum(supplied[i, j] for j in J) >= most_kitchens",
                "Each shop is supplied by {most_kitchens} or more",
                "for i in I",
            ),
            (
                "sum(supplied[i, j] for i in I for j in J) <= most_kitchens",
                "All deliveries to shops number {most_kitchens} or fewer",
            ),
        ),
    },
    lefts=(
        Left(
            "The number of kitchens that supply one shop",
            "sum(supplied[i, j] for j in J)",
            "for i in I",
            "one_kitchen",
        ),
        Left(
            "The trays demanded by all shops that one kitchen supplies",
            "sum(demand[i] * supplied[i, j] for i in I)",
            "for j in J",
            "kitchen_capacity",
        ),
        Left(
            "The number of kitchens that are opened",
            "sum(opened[j] for j in J)",
            "",
            "kitchen_limit",
        ),
        Left(
            "The number of shops that one kitchen supplies",
            "sum(supplied[i, j] for i in I)",
            "for j in J",
        ),
        Left("The trays demanded by all shops together each day", "sum(demand[i] for i in I)", ""),
        Left(
            "The cost of supplying one shop from all the kitchens that serve it",
            "sum(supply_cost[i, j] * supplied[i, j] for j in J)",
            "for i in I",
        ),
    ),
    optional=("kitchen_limit",),
)
