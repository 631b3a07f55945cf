"""Set packing: bands under conflict groups."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="conflict_packing",
    who="A festival",
    slots=(
        slot("band", "ensemble", "combo", "quartet", "troupe"),
        slot("style", "genre", "tradition", "kind"),
    ),
    extras=("stagehand", "loudspeaker", "ticket booth"),
    sides=("number of members of a band", "founding year of a band", "home town of a band"),
    category="Weighted set packing with required coverage",
    goal=(
        "Attract many visitors",
        "Attract as many visitors as possible with the chosen bands",
        "Attract as many visitors as possible, counting each of the chosen bands with its"
        " own crowd",
    ),
    goals=(
        Goal("maximize", "sum(picked[j] for j in J)", "Let as many bands as possible play"),
        Goal(
            "minimize",
            "sum(visitors[j] * picked[j] for j in J)",
            "Keep the crowd that the chosen bands attract as small as possible",
        ),
        Goal("minimize", "sum(picked[j] for j in J)", "Invite few bands"),
        Goal(
            "maximize",
            "sum(visitors[j] * (1 - picked[j]) for j in J)",
            "Send away the bands that would attract the largest number of visitors",
        ),
        Goal(
            "maximize",
            "sum(picked[j] for (g, j) in U)",
            "Choose bands from as many conflict groups as possible",
        ),
    ),
    rules={
        "no_conflict": rule(
            "conflict groups",
            ("No two bands of one conflict group play", "One band a group at most"),
            (
                "sum(picked[j] for (h, j) in U if h == g) >= 1",
                "Every conflict group has a band that plays",
            ),
            (
                "sum(picked[j] for (h, j) in U if h == g) == 1",
                "Precisely one band of every conflict group plays, neither none nor two",
            ),
            (
                "sum(picked[j] for (h, j) in U if h == g) <= 0",
                "A band that belongs to any of the conflict groups must not play",
            ),
            ("sum(picked[j] for j in J) <= 1", "Only one band may play at all", ""),
        ),
        "style_heard": rule(
            "styles",
            ("No style goes without a band that plays it", "Every style is heard"),
            (
                "sum(picked[j] for (r, j) in V if r == s) <= 1",
                "No style is played by more than one of the chosen bands",
            ),
            (
                "sum(picked[j] for (r, j) in V if r == s) == 1",
                "Each style is played by precisely one of the chosen bands, not more",
            ),
            (
                "sum(picked[j] for (r, j) in V if r == s) >= 2",
                "Each style is played by two of the chosen bands or more",
            ),
            ("sum(picked[j] for (r, j) in V if r == s) <= 0", "No style is played"),
        ),
        "places": rule(
            "places",
            ("The chosen bands number {most_bands} or fewer", "Up to {most_bands} are chosen"),
            (
                "sum(picked[j] for j in J) == most_bands + 1",
                "One band more than {most_bands} is chosen",
            ),
            (
                "sum(visitors[j] * picked[j] for j in J) <= most_bands",
                "The visitors attracted in all number {most_bands} or fewer",
            ),
            ("sum(picked[j] for j in J) >= most_bands", "{most_bands} or more are chosen"),
        ),
    },
    lefts=(
        Left(
            "The number of chosen bands that belong to one conflict group",
            "sum(picked[j] for (h, j) in U if h == g)",
            "for g in G",
            "no_conflict",
        ),
        Left(
            "The number of chosen bands that play one style",
            "sum(picked[j] for (r, j) in V if r == s)",
            "for s in S",
            "style_heard",
        ),
        Left("The number of chosen bands in all", "sum(picked[j] for j in J)", "", "places"),
        Left(
            "The number of visitors attracted by all chosen bands together",
            "sum(visitors[j] * picked[j] for j in J)",
            "",
        ),
        Left("The number of applications received from all bands", "sum(1 for j in J)", ""),
        Left("The visitors that one band draws", "visitors[j]", "for j in J"),
    ),
    pairs={"U": "band in a conflict group", "V": "band that plays a style"},
    optional=("places",),
)
