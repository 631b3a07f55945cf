"""Diet: the cheapest servings that meet nutrient limits."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, slug, up
from ordojo.milp.model import VarType

FOODS = (
    "bread", "rice", "lentils", "milk", "eggs", "cheese", "fish", "apples", "cabbage", "beans",
    "yoghurt", "tofu", "pasta", "nuts",
)  # fmt: skip
PLACES = ("school kitchen", "mountain hut", "canteen", "sports camp", "field hospital")
NUTRIENTS = (("fibre", "grams"), ("calcium", "units"), ("iron", "units"), ("vitamin", "units"))


def make(draw: Draw) -> Seed:
    """Five to eight foods, continuous or whole servings; cost is minimised."""
    foods = draw.some(FOODS, draw.whole(5, 8))
    integer = draw.chance(0.3)
    plan = draw.wholes(len(foods), 2, 6)
    tops = [x + draw.whole(1, 3) for x in plan]
    costs = draw.wholes(len(foods), 20, 90, 5)
    b = SeedBuilder("diet")
    kind = VarType.INTEGER if integer else VarType.CONTINUOUS
    cols = [
        b.col(f"eat_{slug(food)}", cost=cost, upper=top, kind=kind)
        for food, cost, top in zip(foods, costs, tops, strict=True)
    ]
    protein = draw.wholes(len(foods), 4, 20, 2)
    energy = [
        10 * p + e for p, e in zip(protein, draw.wholes(len(foods), 40, 160, 10), strict=True)
    ]
    need = down(draw.near(dot(protein, plan), 0.92, 1.0), 5)
    most = up(draw.near(dot(energy, plan), 1.0, 1.06), 50)
    # No diet with enough protein can have less energy than this, so that the floor is never tight.
    least = need * min(e / p for e, p in zip(energy, protein, strict=True))
    floor = down(draw.near(least, 0.8, 0.95), 50)
    b.rule("protein_need", "demand", dict(zip(cols, protein, strict=True)), ">=", need)
    b.rule("energy_most", "maximum", dict(zip(cols, energy, strict=True)), "<=", most)
    b.rule("energy_least", "minimum", dict(zip(cols, energy, strict=True)), ">=", floor)
    facts = [
        draw.one((f"A serving has grams of protein, {each(protein, foods)}, and {need} grams of "
                  "protein are needed at least.",
                  f"At least {need} grams of protein are required; a serving gives "
                  f"{each(protein, foods)}.")),
        draw.one((f"The energy in kilocalories is {each(energy, foods)} per serving and must lie "
                  f"between {floor} and {most} in total.",
                  f"With {each(energy, foods)} kilocalories a serving, the sum must be at least "
                  f"{floor} and at most {most}.")),
        draw.one((f"Nobody eats more servings than {each(tops, foods, 'of')}.",
                  f"The larder limits the servings to {each(tops, foods, 'of')}.")),
    ]  # fmt: skip
    for nutrient, unit in draw.some(NUTRIENTS, draw.whole(2, 3)):
        parts = draw.wholes(len(foods), 1, 9)
        side = down(draw.near(dot(parts, plan), 0.92, 1.0), 2)
        b.rule(f"{nutrient}_need", "demand", dict(zip(cols, parts, strict=True)), ">=", side)
        facts.append(draw.one((
            f"For {nutrient} the menu needs at least {side} {unit}, and a serving gives "
            f"{each(parts, foods)}.",
            f"A serving supplies {each(parts, foods)} {unit} of {nutrient}; "
            f"no less than {side} are wanted.",
        )))  # fmt: skip
    group = draw.some(range(len(foods)), 2)
    pair = listing(foods[j] for j in group)
    side = sum(plan[j] for j in group)
    b.rule("fresh_limit", "maximum", {cols[j]: 1 for j in group}, "<=", side)
    facts.append(draw.one((
        f"The cold room has space for at most {side} servings of {pair} together.",
        f"Of {pair} together no more than {side} servings can be kept fresh.",
    )))  # fmt: skip
    if integer:
        facts.append(draw.one(("Servings are whole.", "Only whole servings are handed out.")))
    place, town = draw.one(PLACES), draw.town()
    opening = draw.one((
        f"A {place} near {town} plans its weekly menu from {listing(foods)}.",
        f"The weekly menu of a {place} in {town} is made of {listing(foods)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"In cents, a serving costs {each(costs, foods)}, and the menu should cost as little as "
        "possible.",
        f"The cheapest menu is wanted, a serving costing, in cents, {each(costs, foods)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
