"""Time-indexed scheduling: shoots in modes."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

ALL = "for j in J for m in M for t in T if t + duration[j, m] <= n_days + 1"
STORY = Story(
    template="job_mode_time",
    who="A film studio",
    slots=(
        slot("shoot", "recording", "production", "episode", "commercial"),
        slot("mode", "variant", "setup", "way of working/ways of working"),
        slot("resource", "department", "pool", "unit of the studio/units of the studio"),
    ),
    extras=("actor", "costume", "script"),
    sides=("director of a shoot", "language of a shoot", "age of a resource"),
    category="Multi-mode project scheduling under scarce resources",
    goal=(
        "End urgent shoots early",
        "Have the shoots over early, the urgent ones above all",
        "Have the shoots over early, where every day counts as much as the shoot at hand is urgent",
    ),
    goals=(
        Goal(
            "minimize",
            f"sum(cost[j, m] * begin[j, m, t] {ALL})",
            "Spend as little money as possible on the modes of all shoots",
        ),
        Goal(
            "maximize",
            f"sum(urgency[j] * (t + duration[j, m]) * begin[j, m, t] {ALL})",
            "Have the shoots over late, the urgent ones above all",
        ),
        Goal(
            "minimize",
            f"sum(t * begin[j, m, t] {ALL})",
            "Begin with the shoots early, however urgent each is and however long it takes",
        ),
        Goal("maximize", f"sum(begin[j, m, t] {ALL})", "Begin as many shoots as possible"),
        Goal(
            "minimize", f"sum(duration[j, m] * begin[j, m, t] {ALL})", "Choose the shortest modes"
        ),
    ),
    rules={
        "once": rule(
            "beginning of shoots",
            ("Every shoot has one beginning: one day and one mode", "Each shoot begins once"),
            (
                "sum(begin[j, m, t] for m in M for t in T if t + duration[j, m] <= n_days +"
                " 1) <= 1",
                "A shoot has one beginning or is given up altogether",
            ),
            (
                "sum(begin[j, m, t] for m in M for t in T if t + duration[j, m] <= n_days +"
                " 1) >= 1",
                "Every shoot has a beginning and may have another one later, in the same"
                " mode or not",
            ),
            (
                "sum(begin[j, m, t] for j in J for m in M if t + duration[j, m] <= n_days +"
                " 1) == 1",
                "Every day sees the beginning of one shoot in one mode",
                "for t in T if t == 1",
            ),
            (
                "sum(begin[j, m, t] for m in M for t in T if t + duration[j, m] <= n_days +"
                " 1) == 2",
                "Every shoot is done twice",
            ),
        ),
        "resource_use": rule(
            "resources",
            (
                "On no day do the shoots in progress occupy more of a resource than exists",
                "No resource is overused on any day",
            ),
            (
                "sum(use[j, m, r] * begin[j, m, t] for j in J for m in M for t in T"
                " if t + duration[j, m] <= n_days + 1) <= capacity[r]",
                "All days together, the shoots occupy no more of a resource than exists on one day",
                "for r in R",
            ),
            (
                "sum(use[j, m, r] * begin[j, m, s] for j in J for m in M for s in T"
                " if t - duration[j, m] + 1 <= s and s <= t and s + duration[j, m] <= n_days + 1)"
                " >= capacity[r]",
                "On every day the shoots in progress occupy all that exists of a resource, or more",
            ),
            (
                "sum(begin[j, m, s] for j in J for m in M for s in T"
                " if t - duration[j, m] + 1 <= s and s <= t and s + duration[j, m] <= n_days + 1)"
                " <= 1",
                "On no day are two shoots in progress",
                "for t in T",
            ),
        ),
        "money": rule(
            "money",
            (
                "The modes chosen cost {budget} or less, all shoots together",
                "Up to {budget} is spent",
            ),
            (
                f"sum(cost[j, m] * begin[j, m, t] {ALL}) >= budget",
                "The modes chosen cost {budget} or more",
            ),
            (
                f"sum(cost[j, m] * begin[j, m, t] {ALL}) == budget",
                "The modes chosen cost {budget} to the dollar, all shoots together",
            ),
            (
                f"sum(cost[j, m] * begin[j, m, t] {ALL}) <= budget / 10",
                "The modes chosen cost a tenth of {budget} or less, all the shoots taken together",
            ),
        ),
    },
    lefts=(
        Left(
            "The number of times that one shoot begins, over all modes and days",
            "sum(begin[j, m, t] for m in M for t in T if t + duration[j, m] <= n_days + 1)",
            "for j in J",
            "once",
        ),
        Left(
            "The amount of one resource that the shoots in progress on one day occupy",
            "sum(use[j, m, r] * begin[j, m, s] for j in J for m in M for s in T"
            " if t - duration[j, m] + 1 <= s and s <= t and s + duration[j, m] <= n_days + 1)",
            "for r in R for t in T",
            "resource_use",
        ),
        Left(
            "The money spent on all shoots", f"sum(cost[j, m] * begin[j, m, t] {ALL})", "", "money"
        ),
        Left("The amounts of all resources", "sum(capacity[r] for r in R)", ""),
        Left(
            "The number of days that all shoots last in their modes",
            f"sum(duration[j, m] * begin[j, m, t] {ALL})",
            "",
        ),
        Left(
            "The urgency of all shoots, each times the day after its last day",
            f"sum(urgency[j] * (t + duration[j, m]) * begin[j, m, t] {ALL})",
            "",
        ),
    ),
    optional=("money",),
)
