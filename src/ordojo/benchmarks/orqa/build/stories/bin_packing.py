"""Bin packing: drums in containers, with clashes."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="bin_packing",
    who="A chemicals dealer",
    slots=(
        slot("drum", "cask", "canister", "carboy", "keg"),
        slot("container", "trailer", "railcar", "barge", "locker"),
    ),
    extras=("forklift", "seal", "driver"),
    sides=("color of a drum", "year in which a container was built", "name of the buyer of a drum"),
    category="Bin packing with incompatible items",
    goal=(
        "Hire few containers",
        "Get by with as few hired containers as possible",
        "Get by with as few hired containers as possible, whichever drums they hold",
    ),
    goals=(
        Goal("maximize", "sum(hired[b] for b in B)", "Hire as many containers as possible"),
        Goal(
            "minimize",
            "sum(weight[i] * loaded[i, b] for i in I for b in B)",
            "Keep the total weight of all loaded drums as small as possible",
        ),
        Goal(
            "maximize",
            "sum(loaded[i, b] for i in I for b in B)",
            "Load as many drums as possible",
        ),
        Goal(
            "maximize",
            "sum(weight[i] * loaded[i, 1] for i in I)",
            "Put as much weight as possible into the first container of the row",
        ),
        Goal(
            "minimize",
            "sum(loaded[i, 1] for i in I)",
            "Put few drums into the first container",
        ),
    ),
    rules={
        "one_container": rule(
            "placing of drums",
            (
                "No drum is left out, and none is counted in two containers",
                "Each drum is in one container",
            ),
            ("sum(loaded[i, b] for b in B) <= 1", "A drum may be left out, but never be in two"),
            (
                "sum(loaded[i, b] for b in B) >= 1",
                "No drum is left out, though it may count in several containers at a time",
            ),
            (
                "sum(loaded[i, b] for i in I) == 1",
                "Every container takes one drum, no more and no less",
                "for b in B",
            ),
            ("sum(loaded[i, b] for b in B) == 2", "Every drum counts in two containers"),
        ),
        "payload_limit": rule(
            "payload",
            (
                "A hired container carries {payload} at most, one that is not hired carries"
                " nothing",
                "Up to {payload} a container, and only in hired ones",
            ),
            (
                "sum(weight[i] * loaded[i, b] for i in I) >= payload * hired[b]",
                "A hired container carries {payload} or more",
            ),
            (
                "sum(weight[i] * loaded[i, b] for i in I) == payload * hired[b]",
                "A hired container carries exactly {payload}, one that is not hired carries"
                " nothing",
            ),
            (
                "sum(weight[i] * loaded[i, b] for i in I) <= payload * (1 - hired[b])",
                "Only a container that is not hired carries drums, of {payload} together at most",
            ),
            (
                "sum(weight[i] * loaded[i, b] for i in I for b in B) <= payload",
                "All containers together carry {payload} at most",
                "",
            ),
        ),
        "kept_apart": rule(
            "clashes",
            ("Two drums that clash never travel in one container", "Drums that clash travel apart"),
            (
                "loaded[i, b] + loaded[j, b] >= 1",
                "Every container takes one or both of any two drums that clash",
            ),
            ("loaded[i, b] == loaded[j, b]", "Two drums that clash travel together"),
            (
                "loaded[i, b] <= loaded[j, b]",
                "The first of two drums that clash travels only where the second one does",
            ),
        ),
        "in_order": rule(
            "order of hiring",
            ("Containers are hired in sequence, without a gap", "Hiring skips no container"),
            ("hired[b] >= hired[b - 1]", "Once a container is hired, so is every later one"),
            ("hired[b] + hired[b - 1] <= 1", "Two containers in sequence are never both hired"),
            ("hired[b] == hired[b - 1]", "Either all containers are hired or none is"),
        ),
    },
    lefts=(
        Left(
            "The number of containers in which a certain drum is put",
            "sum(loaded[i, b] for b in B)",
            "for i in I",
            "one_container",
        ),
        Left(
            "The number of drums of one clashing couple that are put into a certain container",
            "loaded[i, b] + loaded[j, b]",
            "for (i, j) in C for b in B",
            "kept_apart",
        ),
        Left(
            "The number of drums in a certain container",
            "sum(loaded[i, b] for i in I)",
            "for b in B",
        ),
        Left("The total weight of all drums", "sum(weight[i] for i in I)", ""),
        Left("The number of containers that are hired in all", "sum(hired[b] for b in B)", ""),
        Left(
            "The weight of the drums that are put into a certain container",
            "sum(weight[i] * loaded[i, b] for i in I)",
            "for b in B",
        ),
    ),
    pairs={"C": "pair of clashing drums"},
)
