"""Generalized assignment: cases to lawyers."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="generalized_assignment",
    who="A law office",
    slots=(
        slot("lawyer", "partner", "counsel", "solicitor", "notary/notaries"),
        slot("case", "brief", "lawsuit", "dispute", "mandate"),
    ),
    extras=("meeting room", "secretary", "court date"),
    sides=("age of a lawyer", "filing date of a case", "number of pages of a case"),
    category="Generalized assignment",
    goal=(
        "Match cases well",
        "Let the cases suit the lawyers who get them as well as possible",
        "Let the cases suit the lawyers who get them as well as possible, added up over all"
        " cases and lawyers",
    ),
    goals=(
        Goal(
            "minimize",
            "sum(hours[i, j] * given[i, j] for i in I for j in J)",
            "Let all cases together take as few hours as possible",
        ),
        Goal(
            "minimize",
            "sum(score[i, j] * given[i, j] for i in I for j in J)",
            "Let the cases suit the lawyers who get them as badly as possible in total",
        ),
        Goal(
            "maximize",
            "sum(given[i, j] for i in I for j in J)",
            "Hand out as many cases as possible to all of the lawyers taken together",
        ),
        Goal(
            "maximize",
            "sum(hours[i, j] * given[i, j] for i in I for j in J)",
            "Keep the lawyers as busy as possible",
        ),
        Goal(
            "maximize",
            "sum(score[1, j] * given[1, j] for j in J)",
            "Favor the first lawyer on the list",
        ),
    ),
    rules={
        "one_lawyer": rule(
            "handing out of cases",
            ("No case stays without a lawyer or goes to two", "Each case has one lawyer"),
            (
                "sum(given[i, j] for i in I) <= 1",
                "A case may stay without a lawyer, but it never goes to two",
            ),
            (
                "sum(given[i, j] for i in I) >= 1",
                "No case stays without a lawyer, but a case may go to two or even more",
            ),
            (
                "sum(given[i, j] for j in J) == 1",
                "No lawyer stays without a case or gets two",
                "for i in I",
            ),
            ("sum(given[i, j] for i in I) == 2", "Two lawyers share each case"),
        ),
        "time_limit": rule(
            "hours of lawyers",
            (
                "The hours that a lawyer needs for what he or she gets fit into those available",
                "No lawyer exceeds his or her hours",
            ),
            (
                "sum(hours[i, j] * given[i, j] for j in J) >= capacity[i]",
                "The hours that a lawyer needs for what he or she gets fill up those"
                " available or more",
            ),
            (
                "sum(hours[i, j] * given[i, j] for j in J) == capacity[i]",
                "The hours that a lawyer has are used up to the last one",
            ),
            (
                "sum(hours[i, j] * given[i, j] for i in I for j in J) <= capacity[k]",
                "All cases together fit into the hours that any single lawyer has",
                "for k in I",
            ),
            ("sum(given[i, j] for j in J) <= 1", "A lawyer has time for one case"),
        ),
        "least_share": rule(
            "fewest cases",
            ("Nobody gets fewer than {least_cases}", "At least {least_cases} each"),
            ("sum(given[i, j] for j in J) <= least_cases", "Nobody gets more than {least_cases}"),
            (
                "sum(given[i, j] for i in I for j in J) <= least_cases",
                "Altogether {least_cases} or fewer are handed out, whoever gets them",
                "",
            ),
            (
                "sum(given[i, j] for j in J) == least_cases",
                "Everybody gets {least_cases}, not more and not fewer",
            ),
        ),
    },
    lefts=(
        Left(
            "The number of lawyers who get one case",
            "sum(given[i, j] for i in I)",
            "for j in J",
            "one_lawyer",
        ),
        Left(
            "The hours that one lawyer needs for the cases he or she gets",
            "sum(hours[i, j] * given[i, j] for j in J)",
            "for i in I",
            "time_limit",
        ),
        Left(
            "The number of cases that one lawyer gets",
            "sum(given[i, j] for j in J)",
            "for i in I",
            "least_share",
        ),
        Left("The hours that all lawyers have together", "sum(capacity[i] for i in I)", ""),
        Left(
            "The total score of the cases that one lawyer gets",
            "sum(score[i, j] * given[i, j] for j in J)",
            "for i in I",
        ),
        Left(
            "The hours needed for all cases by the lawyers who get them",
            "sum(hours[i, j] * given[i, j] for i in I for j in J)",
            "",
        ),
    ),
    optional=("least_share",),
)
