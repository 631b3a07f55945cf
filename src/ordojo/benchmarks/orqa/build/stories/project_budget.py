"""Capital budgeting: road projects."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="project_budget",
    who="A county",
    slots=(
        slot("project", "scheme", "proposal", "measure", "upgrade"),
        slot("site", "junction", "bridge", "tunnel", "crossing"),
        slot("engineer", "surveyor", "technician", "inspector"),
    ),
    extras=("traffic light", "bulldozer", "contractor"),
    sides=("filing date of a project", "name of the author of a project", "postal code of a site"),
    category="Capital budgeting (knapsack)",
    goal=(
        "Gain much benefit",
        "Gain as much benefit as possible from what is carried out",
        "Gain as much benefit as possible from everything that is carried out, one project"
        " added to the other",
    ),
    goals=(
        Goal("maximize", "sum(chosen[j] for j in J)", "Carry out as many projects as possible"),
        Goal(
            "minimize",
            "sum(cost[j] * chosen[j] for j in J)",
            "Spend as little money as possible on all projects carried out",
        ),
        Goal(
            "maximize",
            "sum(saving[j] * chosen[j] for j in J)",
            "Save as many tons of emissions as possible by what is carried out",
        ),
        Goal("minimize", "sum(benefit[j] * chosen[j] for j in J)", "Gain little benefit"),
        Goal(
            "minimize",
            "sum(staff[j] * chosen[j] for j in J)",
            "Occupy as few engineers as possible",
        ),
    ),
    rules={
        "money": rule(
            "money",
            ("What is carried out costs {budget} or less in all", "Up to {budget} is spent"),
            (
                "sum(cost[j] * chosen[j] for j in J) >= budget",
                "What is carried out costs {budget} or more in all",
            ),
            (
                "sum(cost[j] * chosen[j] for j in J) == budget",
                "What is carried out costs {budget} in all, neither more nor less",
            ),
            (
                "sum(cost[j] * chosen[j] for j in J) <= budget / 10",
                "What is carried out costs a tenth of {budget} or less in all",
            ),
            ("sum(benefit[j] * chosen[j] for j in J) <= 0", "Nothing of benefit is done"),
        ),
        "emissions": rule(
            "emissions",
            (
                "The savings of what is carried out add up to {least_saving} or more",
                "At least {least_saving} are saved",
            ),
            (
                "sum(saving[j] * chosen[j] for j in J) <= least_saving",
                "The savings of what is carried out add up to {least_saving} or less",
            ),
            (
                "saving[j] * chosen[j] >= least_saving",
                "Every project by itself saves {least_saving} or more",
                "for j in J",
            ),
            (
                "sum(saving[j] * chosen[j] for j in J) >= 2 * least_saving",
                "The savings of what is carried out add up to twice {least_saving} or more",
            ),
        ),
        "enough": rule(
            "number of projects",
            (
                "No fewer than {least_projects} are carried out",
                "At least {least_projects} are carried out",
            ),
            (
                "sum(chosen[j] for j in J) <= least_projects - 1",
                "Fewer than {least_projects} are carried out",
            ),
            (
                "sum(chosen[j] for j in J) == least_projects + 1",
                "Precisely one more than {least_projects} is carried out",
            ),
            (
                "sum(chosen[j] for (r, j) in V if r == s) >= least_projects",
                "No fewer than {least_projects} are carried out at each site",
                "for s in S",
            ),
        ),
        "one_variant": rule(
            "variants",
            ("Two variants for one site are never both carried out", "One variant a site at most"),
            (
                "sum(chosen[j] for (r, j) in V if r == s) >= 1",
                "Some variant for each site is carried out",
            ),
            (
                "sum(chosen[j] for (r, j) in V if r == s) == 1",
                "Precisely one variant for each site is carried out, so that none stays as it is",
            ),
            ("sum(chosen[j] for (r, j) in V if r == s) <= 0", "No variant is carried out"),
        ),
    },
    lefts=(
        Left(
            "The money that all projects carried out cost",
            "sum(cost[j] * chosen[j] for j in J)",
            "",
            "money",
        ),
        Left(
            "The emissions saved by all projects carried out",
            "sum(saving[j] * chosen[j] for j in J)",
            "",
            "emissions",
        ),
        Left("The number of projects carried out", "sum(chosen[j] for j in J)", "", "enough"),
        Left(
            "The number of variants for one site that are carried out",
            "sum(chosen[j] for (r, j) in V if r == s)",
            "for s in S",
            "one_variant",
        ),
        Left("The benefit of all projects on the list", "sum(benefit[j] for j in J)", ""),
        Left(
            "The engineers that all projects carried out take",
            "sum(staff[j] * chosen[j] for j in J)",
            "",
        ),
    ),
    pairs={"V": "variant for a site"},
    optional=("enough",),
)
