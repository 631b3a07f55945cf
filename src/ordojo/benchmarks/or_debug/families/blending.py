"""Blending: a batch of fixed size from ingredients with limits on its contents."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, dot, down, each, listing, slug, up

SCENES = (
    ("animal feed", ("maize", "soya", "bran", "fishmeal", "oats", "molasses", "barley", "peas"),
     ("protein", "fibre", "fat", "salt")),
    ("fertiliser", ("potash", "urea", "compost", "ash", "guano", "lime", "gypsum", "manure"),
     ("nitrogen", "phosphorus", "sulphur", "chlorine")),
    ("fruit juice", ("apple", "pear", "carrot", "beet", "grape", "quince", "plum", "cherry"),
     ("sugar", "vitamin", "acid", "pulp")),
    ("heating oil", ("naphtha", "crude", "residue", "kerosene", "gasoil", "rapeseed", "tallow",
                     "diesel"),
     ("energy", "sulphur", "wax", "water")),
)  # fmt: skip


def make(draw: Draw) -> Seed:
    """Five to eight ingredients, three or four contents, an exact batch; cost is minimised."""
    product, pool, contents = draw.one(SCENES)
    items = draw.some(pool, draw.whole(5, 8))
    plan = draw.wholes(len(items), 15, 60, 5)
    tops = [up(draw.near(x, 1.1, 1.4), 5) for x in plan]
    costs = draw.wholes(len(items), 4, 30)
    b = SeedBuilder("blending")
    cols = [
        b.col(f"use_{slug(item)}", cost=cost, upper=top)
        for item, cost, top in zip(items, costs, tops, strict=True)
    ]
    batch = sum(plan)
    b.rule("batch_size", "balance", dict.fromkeys(cols, 1), "==", batch)
    facts = [
        draw.one((f"The batch is exactly {batch} kilograms.",
                  f"Exactly {batch} kilograms are to be mixed.")),
        draw.one((f"In store are, in kilograms, {each(tops, items, 'of')}.",
                  f"It can get at most {each(tops, items, 'kilograms of')}.")),
    ]  # fmt: skip
    for k, content in enumerate(draw.some(contents, draw.whole(3, 4))):
        parts = draw.wholes(len(items), 1, 9)
        found = dot(parts, plan)
        terms = dict(zip(cols, parts, strict=True))
        if k % 2 == 0:
            side = down(draw.near(found, 0.95, 1.0), 5)
            b.rule(f"{content}_floor", "minimum", terms, ">=", side)
            limit = f"at least {side}"
        else:
            side = up(draw.near(found, 1.0, 1.05), 5)
            b.rule(f"{content}_ceiling", "maximum", terms, "<=", side)
            limit = f"at most {side}"
        facts.append(draw.one((
            f"A kilogram brings units of {content}, {each(parts, items)}; "
            f"the whole batch must have {limit}.",
            f"The {content} of the batch must be {limit} units, with {each(parts, items)} in "
            "each kilogram.",
        )))  # fmt: skip
    first, second = draw.some(range(len(items)), 2)
    factor = max(2, -(-plan[first] // plan[second]))
    b.rule(f"{slug(items[first])}_share", "ratio", {cols[first]: 1, cols[second]: -factor}, "<=", 0)
    facts.append(draw.one((
        f"There may be no more than {factor} kilograms of {items[first]} to each kilogram of "
        f"{items[second]}.",
        f"The weight of {items[first]} must not exceed {factor} times that of {items[second]}.",
    )))  # fmt: skip
    out = draw.whole(0, len(items) - 1)
    rest = [item for j, item in enumerate(items) if j != out]
    least = down(draw.near(batch - tops[out], 0.8, 0.97), 5)
    b.rule("recipe_core", "minimum", {c: 1 for j, c in enumerate(cols) if j != out}, ">=", least)
    facts.append(draw.one((
        f"By its recipe at least {least} kilograms come from {listing(rest)} together.",
        f"Together, {listing(rest)} make up no less than {least} kilograms.",
    )))  # fmt: skip
    firm = draw.firm()
    opening = draw.one((
        f"{firm} mixes {product} from {listing(items)}.",
        f"A batch of {product} is blended by {firm}; the ingredients are {listing(items)}.",
    ))  # fmt: skip
    goal = draw.one((
        f"A kilogram costs {each(costs, items)}; the batch should be as cheap as possible.",
        f"Find the cheapest mix at prices per kilogram of {each(costs, items)}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
