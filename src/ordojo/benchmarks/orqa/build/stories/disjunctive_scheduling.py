"""Disjunctive scheduling: vessels on slips."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="disjunctive_scheduling",
    who="A repair yard",
    slots=(
        slot("vessel", "ship", "boat", "ferry/ferries", "tug"),
        slot("slip", "dock", "berth", "cradle", "ramp"),
    ),
    extras=("crane", "welder", "paint store"),
    sides=("flag of a vessel", "length of a vessel", "name of the owner of a vessel"),
    category="Disjunctive scheduling on shared machines",
    goal=(
        "Keep late starts and the open yard cheap",
        "Keep the bill for late starts and the open yard as low as possible",
        "Keep the bill for late starts and for the open yard, the two of them added up, as"
        " low as possible",
    ),
    goals=(
        Goal("minimize", "finish", "Have all repairs done as early as possible"),
        Goal(
            "minimize",
            "sum(waiting_cost[j] * start[j] for j in J)",
            "Keep the bill for late starts low, however long the yard stays open",
        ),
        Goal(
            "maximize",
            "sum(waiting_cost[j] * start[j] for j in J) + closing_cost * finish",
            "Let late starts and the open yard cost as much as they possibly can in all",
        ),
        Goal("maximize", "sum(first[i, j] for (i, j) in P)", "Keep pairs in the listed order"),
        Goal("minimize", "sum(start[j] for j in J)", "Let the vessels start early on average"),
    ),
    rules={
        "one_before_other": rule(
            "pairs whose first vessel goes first",
            (
                "The later vessel of a pair waits for the earlier one and for the cleaning,"
                " if the pair's"
                " first vessel is the earlier one",
                "The other vessel waits if the first one goes first",
            ),
            (
                "start[j] >= start[i] + duration[i] + cleaning",
                "The other vessel of a pair always waits for the first one and for the cleaning",
            ),
            (
                "start[j] <= start[i] + duration[i] + cleaning",
                "The other vessel of a pair starts before the first one is done and the slip"
                " is clean",
            ),
            (
                "start[j] == start[i]",
                "Both vessels of a pair start at the same time, on the same slip",
            ),
        ),
        "all_done": rule(
            "end of all repairs",
            (
                "The yard is not done before the last repair is",
                "No repair ends after the yard is done",
            ),
            ("finish <= start[j] + duration[j]", "The yard is done as soon as one repair is"),
            (
                "finish == start[j] + duration[j]",
                "All repairs end at the very same time as the yard is done",
            ),
            (
                "finish >= start[j] + 2 * duration[j] + horizon",
                "The yard stays open for long after",
            ),
            (
                "start[j] >= finish",
                "A repair starts only once the yard is done with everything else",
            ),
        ),
    },
    lefts=(
        Left(
            "The time from the start of one repair to the end of all repairs",
            "finish - start[j]",
            "for j in J",
            "all_done",
        ),
        Left("The total time of all repairs", "sum(duration[j] for j in J)", ""),
        Left(
            "The number of pairs of which the first vessel goes first",
            "sum(first[i, j] for (i, j) in P)",
            "",
        ),
        Left(
            "The cost of the starting times of all vessels together",
            "sum(waiting_cost[j] * start[j] for j in J)",
            "",
        ),
        Left(
            "The time that passes between the starts of two vessels of a pair",
            "start[j] - start[i]",
            "for (i, j) in P",
        ),
        Left("The time at which one vessel arrives", "release[j]", "for j in J"),
    ),
    pairs={"P": "pair of vessels due on the same slip"},
)
