"""Schedules, rosters and assignments: who does what, and when."""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Drawn, Knob, Rng, Words, above, cross, ids, row, template

_CYCLIC_ROSTER_SPEC = Spec(
    "A mountain rescue station draws up a roster of watches that repeats without end: after "
    "the last slot of the cycle the first one follows again. Each rescuer has told how much "
    "he or she dislikes each slot.",
    sets=(
        Set("I", "rescuer", "rescuers", size="n_staff"),
        Set("T", "slot", "slots", size="n_slots"),
    ),
    parameters=(
        Parameter("n_staff", "number of rescuers"),
        Parameter("n_slots", "number of slots in the cycle"),
        Parameter("window", "number of successive slots in which watches are limited", "slots"),
        Parameter("most_in_window", "most watches of a rescuer in these slots", "watches"),
        Parameter("most_in_cycle", "most watches of a rescuer in a cycle", "watches"),
        Parameter("needed", "number of rescuers needed", "rescuers", ("T",), "slots"),
        Parameter("dislike", "points of dislike", "points", ("I", "T"), "dislikes"),
    ),
    groups=(
        Group("watch", "for i in I for t in T", "decision whether a rescuer is on watch in a slot",
              "binary"),
    ),
    objective=Objective(
        "minimize", "sum(dislike[i, t] * watch[i, t] for i in I for t in T)",
        "the total points of dislike of all watches", "points",
    ),
    families=(
        Family("staffing", "for t in T", "sum(watch[i, t] for i in I) >= needed[t]",
               "at least the rescuers needed are on watch", Semantic.LOWER_SUM),
        Family("rest", "for i in I for t in T", "watch[i, t] + watch[i, t % n_slots + 1] <= 1",
               "the rescuer is on watch in at most one of this slot and the next, where the first "
               "slot comes next after the last", Semantic.AT_MOST_ONE, Scaffold.CYCLIC),
        Family("window_load", "for i in I for t in T",
               "sum(watch[i, (t + k - 1) % n_slots + 1] for k in range(window)) <= most_in_window",
               "the rescuer has at most {most_in_window} watches in the {window} successive slots "
               "that begin with this one, going around the end of the cycle", Semantic.UPPER_SUM,
               Scaffold.WINDOW),
        Family("cycle_load", "for i in I", "sum(watch[i, t] for t in T) <= most_in_cycle",
               "the rescuer has at most {most_in_cycle} watches in the cycle", Semantic.UPPER_SUM),
    ),
    files={"slots": "the slots", "dislikes": "how much each rescuer dislikes each slot"},
)  # fmt: skip

_CYCLIC_ROSTER_WORDS = Words(
    who="a mountain rescue station",
    tellings=(
        "At a mountain rescue station the watches go round in a cycle: the slot after the last is "
        "the first again. Which slots they would rather not have, the rescuers have put in points.",
    ),
    nouns=("rescuer medic mountaineer ranger guide", "watch/watches duty/duties shift"),
    goals=(
        Objective("minimize", "sum(watch[i, t] for i in I for t in T)",
                  "the number of all watches"),
        Objective("maximize", "sum(watch[i, 1] for i in I)", "the number of watches in slot one"),
        Objective("minimize", "sum(dislike[1, t] * watch[1, t] for t in T)",
                  "the points of dislike of the watches of the first rescuer on the list"),
    ),
    rules={
        "staffing": ("staffing", "the number of rescuers on watch",
                     "the number of rescuers needed"),
        "rest": ("rest", "the number of the rescuer's watches in a slot and the next"),
        "window_load": ("runs of slots", "the number of the rescuer's watches in a run of slots"),
        "cycle_load": ("load", "the number of the rescuer's watches in a cycle", "{most_in_cycle}"),
    },
    optional=("cycle_load", "rest"),
)  # fmt: skip


@template(
    "Cyclic roster with rest and window limits",
    ("Transportation and Routing Optimization", "Operations Optimization"),
    _CYCLIC_ROSTER_SPEC,
    Knob("n_staff", "number of rescuers", (6, 9, 15), 2, 2000),
    Knob("n_slots", "number of slots in the cycle", (14, 21, 42), 5, 5000),
    Knob("window", "length of the window", (5, 6, 7), 3, 100),
    Knob("most_in_window", "most watches in a window", (2, 2, 3), 1, 50),
    needs=(
        lambda n, slots, window, most: slots >= 2 * window and 2 * most <= window + 1,
        "let n_slots be at least twice the window, and most_in_window half of it at most",
    ),
    words=_CYCLIC_ROSTER_WORDS,
)
def cyclic_roster(rng: Rng, n: int, slots: int, window: int, most: int) -> Drawn:
    """Needs that a hidden roster meets."""
    watch = np.zeros((n, slots), np.int64)
    for t in rng.permutation(slots).tolist():
        free = []
        for i in range(n):
            beside = watch[i, t - 1] + watch[i, (t + 1) % slots]
            around = watch[i, np.arange(t - window + 1, t + window) % slots]
            busy = max(int(around[k : k + window].sum()) for k in range(window))
            if not beside and busy < most:
                free.append(i)
        load = watch[free].sum(1)
        want = max(2, round(0.7 * n * most / window))
        order = np.lexsort((rng.random(len(free)), load))[:want]
        watch[np.array(free, np.int64)[order], t] = 1
    return {
        "slots": {**cross(slot=slots), "needed": watch.sum(0)},
        "dislikes": {**cross(rescuer=n, slot=slots), "dislike": rng.integers(1, 21, (n, slots))},
        "parameters": row(
            n_staff=n,
            n_slots=slots,
            window=window,
            most_in_window=most,
            most_in_cycle=int(watch.sum(1).max()),
        ),
    }


_DISJUNCTIVE_SCHEDULING_SPEC = Spec(
    "A repair yard has several slips, and each vessel is due on a certain slip, where it "
    "stays without a break for as long as its repair takes. A slip holds one vessel at a "
    "time and has to be cleaned between two of them.",
    sets=(
        Set("J", "vessel", "vessels", table="vessels", key=("vessel",)),
        Set("P", "pair", "pairs", table="pairs", key=("one", "other"), parts=("J", "J")),
    ),
    parameters=(
        Parameter("cleaning", "time of cleaning a slip between two vessels", "hours"),
        Parameter("horizon", "time by which everything could be done in any order", "hours"),
        Parameter("duration", "time of the repair", "hours", ("J",), "vessels"),
        Parameter("release", "time at which a vessel arrives", "hours", ("J",), "vessels"),
        Parameter("waiting_cost", "cost of each hour from time zero to the start",
                  "dollars per hour", ("J",), "vessels"),
        Parameter("closing_cost", "cost of keeping the yard open", "dollars per hour"),
    ),
    groups=(
        Group("start", "for j in J", "start of the repair, not before the vessel arrives",
              "continuous", "hours", "release[j]"),
        Group("first", "for (i, j) in P",
              "decision whether the first vessel of a pair goes before the other", "binary"),
        Group("finish", "", "time at which all repairs are done", "continuous", "hours"),
    ),
    objective=Objective(
        "minimize", "sum(waiting_cost[j] * start[j] for j in J) + closing_cost * finish",
        "the cost of all hours from time zero to the starts of the repairs plus the cost of "
        "keeping the yard open from time zero until all repairs are done", "dollars",
    ),
    families=(
        Family("one_before_other", "for (i, j) in P",
               "start[j] >= start[i] + duration[i] + cleaning - horizon * (1 - first[i, j])",
               "if the first vessel goes before the other, the other starts only when the first "
               "is done and the slip is clean; otherwise the rule is lifted by {horizon}",
               Semantic.INDICATOR, Scaffold.PAIRWISE),
        Family("other_before_one", "for (i, j) in P",
               "start[i] >= start[j] + duration[j] + cleaning - horizon * first[i, j]",
               "if the other vessel goes before the first, the first starts only when the other "
               "is done and the slip is clean; otherwise the rule is lifted by {horizon}",
               Semantic.INDICATOR, Scaffold.PAIRWISE),
        Family("all_done", "for j in J", "finish >= start[j] + duration[j]",
               "all repairs are done no earlier than this vessel's", Semantic.COMPARISON),
    ),
    files={"pairs": "each pair of vessels that are due on the same slip, once"},
)  # fmt: skip

_DISJUNCTIVE_SCHEDULING_WORDS = Words(
    who="a repair yard",
    tellings=(
        "Vessels come to a repair yard for repairs, each to a slip that is fixed in advance. Once "
        "begun, a repair goes on to its end; nobody else has the slip in that time, and it is "
        "cleaned before the next vessel comes.",
    ),
    nouns=("vessel ship boat ferry/ferries tug", "slip dock berth cradle ramp"),
    goals=(
        Objective("minimize", "finish", "the time at which all repairs are done"),
        Objective("minimize", "sum(start[j] for j in J)", "the sum of all starting times"),
        Objective("minimize", "sum(waiting_cost[j] * start[j] for j in J)",
                  "the cost of all starting times"),
        Objective("maximize", "sum(first[i, j] for (i, j) in P)",
                  "the number of pairs whose first vessel goes first"),
    ),
    rules={
        "other_before_one": ("second vessels",
                             "the time between two starts, plus the lifting if the first goes "
                             "first"),
        "one_before_other": ("first vessels",
                             "the time between two starts, minus the lifting if the first goes "
                             "first"),
        "all_done": ("end", "the time from the start of the repair to the end of all repairs",
                     "the time of the repair"),
    },
    pairs={"P": "pair of vessels due on the same slip"},
)  # fmt: skip


@template(
    "Disjunctive scheduling of pairs on shared machines",
    ("Disjunctive and Pairwise Scheduling", "Pairwise Disjunctive Scheduling"),
    _DISJUNCTIVE_SCHEDULING_SPEC,
    Knob("n_jobs", "number of jobs", (6, 12, 24), 2, 2000),
    Knob("n_machines", "number of machines", (1, 2, 4), 1, 1000),
    needs=(lambda n, machines: n > machines, "let there be more jobs than machines"),
    words=_DISJUNCTIVE_SCHEDULING_WORDS,
)
def disjunctive_scheduling(rng: Rng, n: int, machines: int) -> Drawn:
    """Jobs spread over machines at random."""
    place = rng.permutation(np.arange(n) % machines)
    pairs = [(i + 1, j + 1) for i in range(n) for j in range(i + 1, n) if place[i] == place[j]]
    duration, release = rng.integers(4, 31, n), rng.integers(0, 4 * n, n)
    cleaning = int(rng.integers(1, 5))
    return {
        "vessels": {
            "vessel": ids(n),
            "duration": duration,
            "release": release,
            "waiting_cost": rng.integers(1, 13, n),
        },
        "pairs": {"one": [i for i, _ in pairs], "other": [j for _, j in pairs]},
        "parameters": row(
            cleaning=cleaning,
            horizon=int(duration.sum() + release.max() + n * cleaning),
            closing_cost=int(rng.integers(5, 31)),
        ),
    }


_GENERALIZED_ASSIGNMENT_SPEC = Spec(
    "A law office hands out its cases. Every case goes to one lawyer, but lawyers differ in "
    "how many hours they need for a case and in how well they suit it.",
    sets=(
        Set("I", "lawyer", "lawyers", table="lawyers", key=("lawyer",),
            names=("Adler", "Brandt", "Costa", "Duval")),
        Set("J", "case", "cases", size="n_cases",
            names=("tax", "lease", "patent", "merger", "custody", "estate")),
    ),
    parameters=(
        Parameter("n_cases", "number of cases"),
        Parameter("least_cases", "fewest cases that a lawyer gets", "cases"),
        Parameter("capacity", "hours that a lawyer has", "hours", ("I",), "lawyers"),
        Parameter("hours", "hours that the lawyer needs for the case", "hours", ("I", "J"), "fits"),
        Parameter("score", "score of how well the lawyer suits the case", "points", ("I", "J"),
                  "fits"),
    ),
    groups=(
        Group("given", "for i in I for j in J", "decision whether a case goes to a lawyer",
              "binary"),
    ),
    objective=Objective(
        "maximize", "sum(score[i, j] * given[i, j] for i in I for j in J)",
        "the total score of all cases with the lawyers who get them", "points",
    ),
    families=(
        Family("one_lawyer", "for j in J", "sum(given[i, j] for i in I) == 1",
               "the case goes to exactly one lawyer", Semantic.EXACTLY_ONE),
        Family("time_limit", "for i in I",
               "sum(hours[i, j] * given[i, j] for j in J) <= capacity[i]",
               "the lawyer's cases take no more hours than he or she has",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("least_share", "for i in I", "sum(given[i, j] for j in J) >= least_cases",
               "the lawyer gets at least {least_cases} cases", Semantic.LOWER_SUM),
    ),
    files={"fits": "hours and score of each lawyer with each case"},
)  # fmt: skip

_GENERALIZED_ASSIGNMENT_WORDS = Words(
    who="a law office",
    tellings=(
        "New cases have come in at a law office. How well they suit a lawyer and how many hours "
        "he or she would need depends on both, and a case is not shared.",
    ),
    nouns=("lawyer partner counsel solicitor", "case brief lawsuit dispute"),
    goals=(
        Objective("minimize", "sum(hours[i, j] * given[i, j] for i in I for j in J)",
                  "the number of hours of all cases with the lawyers who get them"),
        Objective("maximize", "sum(score[1, j] * given[1, j] for j in J)",
                  "the score of the first lawyer's cases"),
        Objective("minimize", "sum(given[1, j] for j in J)",
                  "the number of the first lawyer's cases"),
    ),
    rules={
        "one_lawyer": ("assignment", "the number of lawyers who get the case"),
        "time_limit": ("hours", "the number of hours that the lawyer's cases take",
                       "the hours that he or she has"),
        "least_share": ("number of cases", "the number of the lawyer's cases", "{least_cases}"),
    },
    optional=("least_share",),
)  # fmt: skip


@template(
    "Generalized assignment",
    ("Assignment and Resource Allocation Optimization", "Assignment Problem"),
    _GENERALIZED_ASSIGNMENT_SPEC,
    Knob("n_agents", "number of agents", (4, 5, 8), 1, 1000),
    Knob("n_jobs", "number of jobs", (12, 25, 60), 2, 50_000),
    Knob("slack", "capacity over a hidden assignment's load", (1.0, 1.0, 1.0), 1.0, 10.0),
    needs=(lambda n, m, slack: m >= 2 * n, "let there be two jobs for each agent"),
    words=_GENERALIZED_ASSIGNMENT_WORDS,
)
def generalized_assignment(rng: Rng, n: int, m: int, slack: float) -> Drawn:
    """Capacities around a hidden assignment."""
    hours = rng.integers(5, 31, (n, m))
    given = rng.permutation(np.arange(m) % n)
    load = np.array([hours[i, given == i].sum() for i in range(n)])
    return {
        "lawyers": {"lawyer": ids(n), "capacity": np.rint(load * slack).astype(np.int64)},
        "fits": {**cross(lawyer=n, case=m), "hours": hours, "score": rng.integers(10, 61, (n, m))},
        "parameters": row(n_cases=m, least_cases=max(2, m // n // 2)),
    }


_JOB_MODE_TIME_SPEC = Spec(
    "A film studio schedules its shoots over a number of days. A shoot can be done in several "
    "modes, which differ in how many days in a row they last, in the crews and equipment "
    "that they occupy on each of these days, and in what they cost.",
    sets=(
        Set("J", "shoot", "shoots", size="n_shoots"),
        Set("M", "mode", "modes", size="n_modes"),
        Set("R", "resource", "resources", table="resources", key=("resource",)),
        Set("T", "day", "days", size="n_days"),
    ),
    parameters=(
        Parameter("n_shoots", "number of shoots"),
        Parameter("n_modes", "number of modes"),
        Parameter("n_days", "number of days"),
        Parameter("budget", "money that can be spent", "dollars"),
        Parameter("capacity", "amount of a resource", "units", ("R",), "resources"),
        Parameter("duration", "days that the shoot lasts in the mode", "days", ("J", "M"), "modes"),
        Parameter("cost", "cost of the shoot in the mode", "dollars", ("J", "M"), "modes"),
        Parameter("use", "amount of the resource that the shoot occupies in the mode", "units",
                  ("J", "M", "R"), "uses"),
        Parameter("urgency", "urgency of a shoot", "points per day", ("J",), "shoots"),
    ),
    groups=(
        Group("begin", "for j in J for m in M for t in T if t + duration[j, m] <= n_days + 1",
              "decision whether the shoot begins in the mode on the day, for days from which it "
              "is done by the last day", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(urgency[j] * (t + duration[j, m]) * begin[j, m, t] for j in J for m in M for t in T"
        " if t + duration[j, m] <= n_days + 1)",
        "the sum over all shoots of their urgency times the day after their last day", "points",
    ),
    families=(
        Family("once", "for j in J",
               "sum(begin[j, m, t] for m in M for t in T if t + duration[j, m] <= n_days + 1) == 1",
               "the shoot begins exactly once, in one mode on one day", Semantic.EXACTLY_ONE),
        Family("resource_use", "for r in R for t in T",
               "sum(use[j, m, r] * begin[j, m, s] for j in J for m in M for s in T"
               " if t - duration[j, m] + 1 <= s and s <= t and s + duration[j, m] <= n_days + 1)"
               " <= capacity[r]",
               "the shoots that are under way, those that began on this day or fewer days ago "
               "than they last, occupy no more of the resource than there is",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.WINDOW),
        Family("money", "",
               "sum(cost[j, m] * begin[j, m, t] for j in J for m in M for t in T"
               " if t + duration[j, m] <= n_days + 1) <= budget",
               "all shoots in their modes cost at most {budget} together",
               Semantic.UPPER_WEIGHTED_SUM),
    ),
    files={
        "shoots": "the shoots", "modes": "the modes of each shoot",
        "uses": "what each shoot occupies in each mode",
    },
)  # fmt: skip

_JOB_MODE_TIME_WORDS = Words(
    who="a film studio",
    tellings=(
        "The shoots of a film studio can each be done in one of several modes. A mode fixes how "
        "many days in a row the shoot takes, what it costs, and which crews and equipment are "
        "tied up meanwhile; the days are numbered.",
    ),
    nouns=(
        "shoot recording production commercial", "mode variant setup", "resource department pool",
    ),
    goals=(
        Objective("minimize",
                  "sum(cost[j, m] * begin[j, m, t] for j in J for m in M for t in T"
                  " if t + duration[j, m] <= n_days + 1)", "the cost of all shoots in their modes"),
        Objective("minimize",
                  "sum(t * begin[j, m, t] for j in J for m in M for t in T"
                  " if t + duration[j, m] <= n_days + 1)",
                  "the sum of the days on which shoots begin"),
        Objective("minimize",
                  "sum(duration[j, m] * begin[j, m, t] for j in J for m in M for t in T"
                  " if t + duration[j, m] <= n_days + 1)",
                  "the number of days that all shoots last"),
    ),
    rules={
        "once": ("beginning", "the number of times that the shoot begins"),
        "resource_use": ("resources", "the amount of the resource that is occupied on the day"),
        "money": ("money", "the cost of all shoots together", "{budget}"),
    },
)  # fmt: skip


@template(
    "Time-indexed scheduling of jobs with modes",
    ("Production Planning and Scheduling Optimization", "Job Shop Scheduling Problem"),
    _JOB_MODE_TIME_SPEC,
    Knob("n_jobs", "number of jobs", (5, 8, 12), 1, 2000),
    Knob("n_modes", "number of modes", (2, 2, 2), 1, 20),
    Knob("n_resources", "number of resources", (2, 2, 2), 1, 50),
    Knob("n_days", "number of days", (10, 14, 24), 3, 2000),
    words=_JOB_MODE_TIME_WORDS,
)
def job_mode_time(rng: Rng, n: int, modes: int, kinds: int, days: int) -> Drawn:
    """Capacities and budget around a hidden schedule."""
    longest = max(2, days // 3)
    duration = np.sort(rng.integers(1, longest + 1, (n, modes)), axis=1)
    use = np.sort(rng.integers(1, 7, (n, modes, kinds)), axis=1)[:, ::-1]
    cost = np.sort(rng.integers(10, 81, (n, modes)), axis=1)[:, ::-1]
    chosen = rng.integers(0, modes, n)
    load, spent = np.zeros((kinds, days), np.int64), 0
    for j in range(n):
        m = int(chosen[j])
        long = int(duration[j, m])
        begin = int(rng.integers(0, days - long + 1))
        load[:, begin : begin + long] += use[j, m][:, None]
        spent += int(cost[j, m])
    return {
        "shoots": {"shoot": ids(n), "urgency": rng.integers(1, 10, n)},
        "resources": {"resource": ids(kinds), "capacity": np.maximum(load.max(1), use.max((0, 1)))},
        "modes": {**cross(shoot=n, mode=modes), "duration": duration, "cost": cost},
        "uses": {**cross(shoot=n, mode=modes, resource=kinds), "use": use},
        "parameters": row(n_shoots=n, n_modes=modes, n_days=days, budget=spent),
    }


_PROJECT_CRASHING_SPEC = Spec(
    "A builder has promised a house by a deadline. Some activities have to wait for others, "
    "and each can be shortened, to a degree and for money.",
    sets=(
        Set("J", "activity", "activities", table="activities", key=("activity",)),
        Set("P", "precedence", "precedences", table="precedences", key=("before", "after"),
            parts=("J", "J")),
    ),
    parameters=(
        Parameter("deadline", "time by which all has to be done", "days"),
        Parameter("overhead", "cost of the site", "dollars per day"),
        Parameter("duration", "usual duration", "days", ("J",), "activities"),
        Parameter("most_cut", "most days by which the activity can be shortened", "days", ("J",),
                  "activities"),
        Parameter("cut_cost", "cost of shortening by a day", "dollars per day", ("J",),
                  "activities"),
    ),
    groups=(
        Group("start", "for j in J", "start of the activity", "continuous", "days"),
        Group("cut", "for j in J", "number of days by which the activity is shortened",
              "continuous", "days", upper="most_cut[j]"),
        Group("finish", "", "time at which all is done", "continuous", "days"),
    ),
    objective=Objective("minimize", "sum(cut_cost[j] * cut[j] for j in J) + overhead * finish",
                        "the cost of shortening activities plus the cost of the site until all is "
                        "done", "dollars"),
    families=(
        Family("one_after_other", "for (i, j) in P", "start[j] >= start[i] + duration[i] - cut[i]",
               "the later activity starts only when the earlier one, shortened as it is, is done",
               Semantic.COMPARISON, Scaffold.PAIRWISE),
        Family("all_done", "for j in J", "finish >= start[j] + duration[j] - cut[j]",
               "all is done no earlier than this activity", Semantic.COMPARISON),
        Family("on_time", "", "finish <= deadline", "all is done by day {deadline}",
               Semantic.UPPER_BOUND),
    ),
    files={"precedences": "which activity has to be done before which other one starts"},
)  # fmt: skip


@template(
    "Project crashing by a deadline",
    ("Project Scheduling Optimization", "Time-Cost Tradeoff Problem"),
    _PROJECT_CRASHING_SPEC,
    Knob("n_activities", "number of activities", (6, 15, 1500), 3, 20_000),
)
def project_crashing(rng: Rng, n: int) -> Drawn:
    """A deadline between the shortest and the usual course of the project."""
    pairs = {(int(rng.integers(max(0, j - 4), j)), j) for j in range(1, n) for _ in range(2)}
    before, after = np.array(sorted(pairs)).T
    duration = rng.integers(3, 16, n)
    most = (duration * rng.uniform(0.1, 0.5, n)).astype(np.int64)
    ends = {}
    for kind, lasts in (("usual", duration), ("short", duration - most)):
        end = lasts.copy()
        for i, j in sorted(pairs, key=lambda pair: pair[1]):
            end[j] = max(end[j], end[i] + lasts[j])
        ends[kind] = int(end.max())
    return {
        "activities": {
            "activity": ids(n),
            "duration": duration,
            "most_cut": most,
            "cut_cost": 10 * rng.integers(5, 40, n),
        },
        "precedences": {"before": before + 1, "after": after + 1},
        "parameters": row(
            deadline=(ends["usual"] + ends["short"] + 1) // 2,
            overhead=int(10 * rng.integers(5, 20)),
        ),
    }


_SHIFT_STAFFING_SPEC = Spec(
    "A call center plans how many agents start in each period of the day. Whoever starts in a "
    "period also works the next one; after the last period comes the first again.",
    sets=(
        Set("T", "period", "periods", size="n_periods"),
        Set("A", "first aid period", "first aid periods", table="aid", key=("period",)),
    ),
    parameters=(
        Parameter("n_periods", "number of periods"),
        Parameter("crew", "most agents that can be employed", "agents"),
        Parameter("agreed", "fewest agents, by agreement", "agents"),
        Parameter("paid", "most hours that can be paid", "hours"),
        Parameter("wage", "wage of an agent", "dollars", ("T",), "periods"),
        Parameter("hours", "paid hours of an agent", "hours", ("T",), "periods"),
        Parameter("lockers", "most agents who can start", "agents", ("T",), "periods"),
        Parameter("need", "agents needed", "agents", ("T",), "periods"),
        Parameter("trained", "agents trained in first aid who must start", "agents", ("A",), "aid"),
    ),
    groups=(
        Group("start", "for t in T", "number of agents who start", "integer", "agents",
              upper="lockers[t]"),
    ),
    objective=Objective(
        "minimize", "sum(wage[t] * start[t] for t in T)", "the wages of all agents", "dollars"
    ),
    families=(
        Family("cover", "for t in T", "start[(t - 2) % n_periods + 1] + start[t] >= need[t]",
               "those who start in this period and in the one before, which is the last one for "
               "the first, are at least the agents needed", Semantic.LOWER_SUM, Scaffold.CYCLIC),
        Family("crew_size", "", "sum(start[t] for t in T) <= crew",
               "at most {crew} start in all", Semantic.UPPER_SUM),
        Family("agreed_jobs", "", "sum(start[t] for t in T) >= agreed",
               "at least {agreed} start in all", Semantic.LOWER_SUM),
        Family("paid_hours", "", "sum(hours[t] * start[t] for t in T) <= paid",
               "the paid hours of all agents are at most {paid}", Semantic.UPPER_WEIGHTED_SUM),
        Family("first_aid", "for t in A", "start[t] >= trained[t]",
               "at least the agents trained in first aid start", Semantic.LOWER_BOUND),
    ),
    files={"periods": "the periods", "aid": "the periods with rules on first aid"},
)  # fmt: skip


@template(
    "Staffing of overlapping shifts",
    ("Assignment and Resource Allocation Optimization", "Staff Scheduling Problem"),
    _SHIFT_STAFFING_SPEC,
    Knob("n_periods", "number of periods", (5, 24, 2000), 3, 100_000),
)
def shift_staffing(rng: Rng, n: int) -> Drawn:
    """Needs and limits around a hidden roster."""
    plan = rng.integers(3, 10, n)
    need = plan + np.roll(plan, 1) - rng.integers(0, 2, n)
    hours = rng.integers(6, 10, n)
    aid = np.sort(rng.permutation(n)[: max(1, n // 5)])
    return {
        "periods": {
            **cross(period=n),
            "wage": 5 * rng.integers(16, 31, n),
            "hours": hours,
            "lockers": plan + rng.integers(1, 5, n),
            "need": need,
        },
        "aid": {
            "period": aid + 1,
            "trained": np.maximum(2, plan[aid] - rng.integers(0, 3, len(aid))),
        },
        "parameters": row(
            n_periods=n,
            crew=int(plan.sum() + rng.integers(0, 3)),
            agreed=int(need.sum() // 2 - rng.integers(2, 5)),
            paid=int(above(hours @ plan * rng.uniform(1.04, 1.1))),
        ),
    }
