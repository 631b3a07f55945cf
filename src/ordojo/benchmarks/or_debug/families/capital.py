"""Capital budgeting: choose projects within yearly budgets and with dependencies."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, each, listing, slug, up
from ordojo.milp.model import VarType

PROJECTS = ("bridge", "tunnel", "harbour", "theatre", "library", "tramway", "stadium", "school",
            "clinic", "market", "park", "museum")  # fmt: skip


def make(draw: Draw) -> Seed:
    """Seven to ten projects, two or three yearly budgets, binary choices; value is maximised."""
    names = draw.some(PROJECTS, draw.whole(7, 10))
    n, years = len(names), draw.whole(2, 3)
    values = draw.wholes(n, 30, 120, 5)
    b = SeedBuilder("capital", maximize=True)
    cols = [
        b.col(f"build_{slug(p)}", cost=v, upper=1, kind=VarType.BINARY)
        for p, v in zip(names, values, strict=True)
    ]
    # The planted choice is the first projects of the list; the rivals lie on both sides of it.
    taken = n // 2 + 1
    facts = []
    for year in range(1, years + 1):
        costs = draw.wholes(n, 10, 60, 5)
        budget = up(draw.near(sum(costs[:taken]), 1.0, 1.1), 5)
        b.rule(f"budget_year_{year}", "capacity", dict(zip(cols, costs, strict=True)), "<=", budget)
        facts.append(draw.one((
            f"In year {year} the costs are {each(costs, names)}, with a budget of {budget}.",
            f"Year {year} has {budget} to spend, and the projects need {each(costs, names)}.",
        )))  # fmt: skip
    needed, base = 1, 0
    b.rule(f"needs_{slug(names[base])}", "logic", {cols[needed]: 1, cols[base]: -1}, "<=", 0)
    b.rule("same_site", "logic", {cols[2]: 1, cols[n - 1]: 1}, "<=", 1)
    b.rule("projects_least", "minimum", dict.fromkeys(cols, 1), ">=", taken - 1)
    quarter = draw.some([1, 2, n - 2, n - 1], 3)
    b.rule("district_share", "demand", {cols[j]: 1 for j in sorted(quarter)}, ">=", 1)
    crews = draw.wholes(n, 2, 9)
    # Two rivals are never both built, so that this many are never needed at once.
    most = sum(crews) - min(crews[2], crews[n - 1]) + draw.whole(1, 4)
    b.rule("crew_pool", "maximum", dict(zip(cols, crews, strict=True)), "<=", most)
    facts += [
        draw.one((f"The {names[needed]} can be built only if the {names[base]} is.",
                  f"Without the {names[base]} there can be no {names[needed]}.")),
        draw.one((f"The {names[2]} and the {names[n - 1]} want the same site, so at most 1 of them "
                  "is built.",
                  f"There is room for at most 1 of {names[2]} and {names[n - 1]}.")),
        draw.one((f"The council promised at least {taken - 1} projects.",
                  f"No fewer than {taken - 1} projects have to be chosen.")),
        draw.one((f"Of {listing(names[j] for j in sorted(quarter))} at least 1 is owed to the old "
                  "town.",
                  f"At least 1 of {listing(names[j] for j in sorted(quarter))} must be among "
                  "them.")),
        draw.one((f"The projects take crews of {each(crews, names)}, and {most} people can be "
                  "found at most.",
                  f"No more than {most} people work on them, with {each(crews, names)}.")),
    ]  # fmt: skip
    place = draw.one((f"The town of {draw.town()}", f"The developer {draw.firm()}"))
    opening = draw.one((
        f"{place} chooses among these projects: {listing(names)}.",
        f"{place} may build {listing(names, 'or')}, each wholly or not at all.",
    ))  # fmt: skip
    goal = draw.one((
        f"The projects are worth {each(values, names)}; the chosen ones should be worth the most.",
        f"Choose those of greatest total value, with {each(values, names)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
