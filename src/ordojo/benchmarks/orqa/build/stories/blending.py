"""Blending: beans of several origins."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="blending",
    who="A coffee roaster",
    slots=(
        slot("origin", "region", "plantation", "estate", "farm"),
        slot("blend", "mixture", "house brand", "label", "roast"),
    ),
    extras=("roasting drum", "grinder", "taster"),
    sides=("altitude of an origin", "color of the bag of a blend", "founding year of an origin"),
    category="Blending with shares of ingredients",
    goal=(
        "Earn a lot from blends, net of costs",
        "Earn as much as possible from the blends once beans and sacks are paid",
        "Earn as much as possible from the blends once all the beans that are used and all"
        " the sacks that are bought are paid",
    ),
    goals=(
        Goal(
            "minimize",
            "sum(price[i] * used[i, b] for i in I for b in B)",
            "Spend as little as possible on the beans",
        ),
        Goal(
            "maximize",
            "sum(revenue[b] * made[b] for b in B)",
            "Take in as much revenue as possible from all blends, whatever the beans cost",
        ),
        Goal("maximize", "sum(made[b] for b in B)", "Make as many kilograms of blends as possible"),
        Goal(
            "minimize",
            "sum(caffeine[i] * used[i, b] for i in I for b in B)",
            "Keep the caffeine of all blends together as low as the ordered amounts allow",
        ),
        Goal("minimize", "sum(bought[i] for i in I)", "Buy few sacks"),
    ),
    rules={
        "share_floor": rule(
            "least shares",
            (
                "An origin supplies no smaller part of a blend than its least share of it",
                "No least share is missed",
            ),
            (
                "used[i, b] <= least_share[i, b] * sum(used[k, b] for k in I)",
                "An origin supplies no larger part of a blend than its least share of it",
            ),
            (
                "used[i, b] == least_share[i, b] * sum(used[k, b] for k in I)",
                "Each origin supplies precisely its least share of a blend",
            ),
            (
                "used[i, b] >= least_share[i, b] * supply[i]",
                "A blend takes from an origin at least the least share of what the origin"
                " has on offer",
            ),
            ("used[i, b] >= order[b]", "Each origin alone covers the order"),
        ),
        "order_met": rule(
            "orders",
            ("A blend is made in the amount ordered or in a larger one", "Orders are filled"),
            ("made[b] <= order[b]", "A blend is made in the amount ordered or in a smaller one"),
            ("made[b] == order[b]", "A blend is made in precisely the amount that is ordered"),
            (
                "sum(made[b] for b in B) >= 2 * sum(order[b] for b in B)",
                "All blends together are made in twice the amount ordered, or more",
                "",
            ),
            ("made[b] >= 2 * order[b]", "At least twice the order is made"),
        ),
        "supply_limit": rule(
            "supply",
            (
                "An origin cannot give all blends together more beans than it offers",
                "No offer is overdrawn",
            ),
            (
                "sum(used[i, b] for b in B) >= supply[i]",
                "An origin must give all blends together at least the beans it offers",
            ),
            (
                "sum(used[i, b] for b in B) == supply[i]",
                "All beans that an origin offers are used up",
            ),
            (
                "sum(used[i, b] for i in I) <= order[b]",
                "A blend takes no more beans from all origins together than the amount"
                " ordered of it",
                "for b in B",
            ),
            (
                "made[b] <= supply[i]",
                "No blend weighs more than any origin has on offer",
                "for i in I for b in B",
            ),
        ),
        "caffeine_limit": rule(
            "caffeine",
            (
                "The caffeine in everything that is mixed adds up to {most_caffeine} or less",
                "Up to {most_caffeine} of caffeine in all",
            ),
            (
                "sum(caffeine[i] * used[i, b] for i in I for b in B) >= most_caffeine",
                "The caffeine in everything that is mixed adds up to {most_caffeine} or more",
            ),
            (
                "sum(caffeine[i] * used[i, b] for i in I for b in B) == most_caffeine",
                "Everything that is mixed has {most_caffeine} of caffeine precisely",
            ),
            (
                "sum(caffeine[i] * used[i, b] for i in I) <= most_caffeine / 10",
                "The caffeine in each single blend comes to a tenth of {most_caffeine} or less",
                "for b in B",
            ),
        ),
    },
    lefts=(
        Left(
            "The kilograms of beans of one origin that go into all blends together",
            "sum(used[i, b] for b in B)",
            "for i in I",
            "supply_limit",
        ),
        Left("The kilograms made of one blend", "made[b]", "for b in B", "order_met"),
        Left(
            "The grams of caffeine in all blends together",
            "sum(caffeine[i] * used[i, b] for i in I for b in B)",
            "",
            "caffeine_limit",
        ),
        Left(
            "The grams of caffeine in a kilogram of beans of each origin",
            "caffeine[i]",
            "for i in I",
        ),
        Left(
            "The dollars paid for all beans of one origin together",
            "sum(price[i] * used[i, b] for b in B)",
            "for i in I",
        ),
        Left("The sacks bought from all origins", "sum(bought[i] for i in I)", ""),
        Left("The kilograms ordered of all blends", "sum(order[b] for b in B)", ""),
    ),
    optional=("caffeine_limit",),
)
