"""A cyclic roster: rescuers on watch."""

from ordojo.benchmarks.orqa.build.story import Goal, Left, Story, rule, slot

STORY = Story(
    template="cyclic_roster",
    who="A mountain rescue station",
    slots=(
        slot("rescuer", "medic", "mountaineer", "ranger", "guide"),
        slot("watch/watches", "duty/duties", "shift"),
    ),
    extras=("helicopter", "radio", "rescue dog"),
    sides=("age of a rescuer", "home village of a rescuer", "shoe size of a rescuer"),
    category="Cyclic staff rostering",
    goal=(
        "Have few points of dislike",
        "Make the roster as little disliked as possible by all rescuers together",
        "Make the roster as little disliked as possible by all rescuers together, over all"
        " slots of the cycle",
    ),
    goals=(
        Goal(
            "maximize",
            "sum(dislike[i, t] * watch[i, t] for i in I for t in T)",
            "Collect as many points of dislike as possible over the whole cycle",
        ),
        Goal(
            "minimize",
            "sum(watch[i, t] for i in I for t in T)",
            "Hand out as few watches as possible in a cycle",
        ),
        Goal("maximize", "sum(watch[i, t] for i in I for t in T)", "Hand out many watches"),
        Goal(
            "minimize",
            "sum(dislike[1, t] * watch[1, t] for t in T)",
            "Make the roster as little disliked as possible by the first rescuer on the list alone",
        ),
        Goal(
            "minimize",
            "sum(watch[i, 1] for i in I)",
            "Keep the first slot of the cycle almost empty",
        ),
    ),
    rules={
        "staffing": rule(
            "staffing",
            ("In no slot are fewer rescuers on watch than it needs", "No slot lacks rescuers"),
            (
                "sum(watch[i, t] for i in I) <= needed[t]",
                "In no slot are more rescuers on watch than it needs",
            ),
            (
                "sum(watch[i, t] for i in I) == needed[t] + 1",
                "In every slot there is precisely one rescuer more on watch than the slot needs",
            ),
            (
                "sum(watch[i, t] for t in T) >= needed[s]",
                "Each rescuer is on watch as often as any slot needs rescuers",
                "for i in I for s in T",
            ),
            ("sum(watch[i, t] for i in I) >= 2 * needed[t]", "Each slot has a double crew"),
        ),
        "rest": rule(
            "rest",
            (
                "Nobody is on watch in two slots that follow each other, not even around the"
                " cycle's end",
                "A watch is followed by rest",
            ),
            (
                "watch[i, t] + watch[i, t % n_slots + 1] >= 1",
                "Everybody is on watch in one or both of any two slots that follow each other",
            ),
            ("watch[i, t] == watch[i, t % n_slots + 1]", "Whoever begins a watch goes on forever"),
            (
                "watch[i, t] + watch[i, t % n_slots + 1] == 1",
                "Everybody is on watch in every second slot, from the first to the last of"
                " the cycle",
            ),
            (
                "sum(watch[k, t] for k in I) + sum(watch[k, t % n_slots + 1] for k in I) <= 1",
                "Two slots that follow each other have no more than one watch between them",
                "for t in T",
            ),
        ),
        "window_load": rule(
            "run of slots",
            (
                "Any {window} slots in a row hold {most_in_window} or fewer for the same rescuer",
                "Up to {most_in_window} in any {window} slots each",
            ),
            (
                "sum(watch[i, (t + k - 1) % n_slots + 1] for k in range(window)) >= most_in_window",
                "Any {window} slots in a row hold {most_in_window} or more for the same rescuer",
            ),
            (
                "sum(watch[i, (t + k - 1) % n_slots + 1] for i in I for k in range(window))"
                " <= most_in_window",
                "Any {window} slots in a row hold {most_in_window} or fewer for all rescuers"
                " together",
                "for t in T",
            ),
            (
                "sum(watch[i, (t + k - 1) % n_slots + 1] for k in range(window)) == most_in_window",
                "Any {window} slots in a row hold {most_in_window} for each rescuer, neither"
                " more nor"
                " fewer",
            ),
        ),
        "cycle_load": rule(
            "load of a cycle",
            (
                "Nobody has more than {most_in_cycle} from the first slot to the last",
                "Up to {most_in_cycle} a cycle each",
            ),
            (
                "sum(watch[i, t] for t in T) >= most_in_cycle + 1",
                "Everybody has over {most_in_cycle}",
            ),
            (
                "sum(watch[i, t] for i in I for t in T) <= most_in_cycle",
                "All rescuers together have {most_in_cycle} or fewer from the first slot to"
                " the last",
                "",
            ),
            ("sum(watch[i, t] for i in I) <= 0", "No slot has a rescuer on watch", "for t in T"),
        ),
    },
    lefts=(
        Left(
            "The number of rescuers on watch in one slot",
            "sum(watch[i, t] for i in I)",
            "for t in T",
            "staffing",
        ),
        Left(
            "The number of watches of one rescuer in the whole cycle",
            "sum(watch[i, t] for t in T)",
            "for i in I",
            "cycle_load",
        ),
        Left(
            "The number of watches of one rescuer in a run of {window} that begins with one slot",
            "sum(watch[i, (t + k - 1) % n_slots + 1] for k in range(window))",
            "for i in I for t in T",
            "window_load",
        ),
        Left(
            "The points of dislike of all watches together",
            "sum(dislike[i, t] * watch[i, t] for i in I for t in T)",
            "",
        ),
        Left("The rescuers needed in the whole cycle", "sum(needed[t] for t in T)", ""),
        Left(
            "The watches of all rescuers in a cycle", "sum(watch[i, t] for i in I for t in T)", ""
        ),
    ),
    optional=("cycle_load",),
)
