"""Blending: a batch of fixed size from ingredients with limits on its contents."""

import numpy as np

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import (
    FIRMS,
    dot,
    down,
    each,
    listing,
    near,
    one,
    slug,
    some,
    story,
    up,
    whole,
    wholes,
)  # fmt: skip

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


def make(rng: np.random.Generator) -> Seed:
    """Five to eight ingredients, three or four contents, an exact batch; cost is minimised."""
    product, pool, contents = one(rng, SCENES)
    items = some(rng, pool, whole(rng, 5, 8))
    plan = wholes(rng, len(items), 15, 60, 5)
    tops = [up(near(rng, x, 1.1, 1.4), 5) for x in plan]
    costs = wholes(rng, len(items), 4, 30)
    b = SeedBuilder("blending")
    cols = [
        b.col(f"use_{slug(item)}", cost=cost, upper=top)
        for item, cost, top in zip(items, costs, tops, strict=True)
    ]
    batch = sum(plan)
    b.rule("batch_size", "balance", dict.fromkeys(cols, 1), "==", batch)
    facts = [
        one(rng, (f"The batch is exactly {batch} kilograms.",
                  f"Exactly {batch} kilograms are to be mixed.")),
        one(rng, (f"In store are, in kilograms, {each(tops, items, 'of')}.",
                  f"It can get at most {each(tops, items, 'kilograms of')}.")),
    ]  # fmt: skip
    for k, content in enumerate(some(rng, contents, whole(rng, 3, 4))):
        parts = wholes(rng, len(items), 1, 9)
        found = dot(parts, plan)
        terms = dict(zip(cols, parts, strict=True))
        if k % 2 == 0:
            side = down(near(rng, found, 0.95, 1.0), 5)
            b.rule(f"{content}_floor", "minimum", terms, ">=", side)
            limit = f"at least {side}"
        else:
            side = up(near(rng, found, 1.0, 1.05), 5)
            b.rule(f"{content}_ceiling", "maximum", terms, "<=", side)
            limit = f"at most {side}"
        facts.append(one(rng, (
            f"A kilogram brings units of {content}, {each(parts, items)}; "
            f"the whole batch must have {limit}.",
            f"The {content} of the batch must be {limit} units, with {each(parts, items)} in "
            "each kilogram.",
        )))  # fmt: skip
    first, second = some(rng, range(len(items)), 2)
    factor = max(2, -(-plan[first] // plan[second]))
    b.rule(f"{slug(items[first])}_share", "ratio", {cols[first]: 1, cols[second]: -factor}, "<=", 0)
    facts.append(one(rng, (
        f"There may be no more than {factor} kilograms of {items[first]} to each kilogram of "
        f"{items[second]}.",
        f"The weight of {items[first]} must not exceed {factor} times that of {items[second]}.",
    )))  # fmt: skip
    out = whole(rng, 0, len(items) - 1)
    rest = [item for j, item in enumerate(items) if j != out]
    least = down(near(rng, batch - tops[out], 0.8, 0.97), 5)
    b.rule("recipe_core", "minimum", {c: 1 for j, c in enumerate(cols) if j != out}, ">=", least)
    facts.append(one(rng, (
        f"By its recipe at least {least} kilograms come from {listing(rest)} together.",
        f"Together, {listing(rest)} make up no less than {least} kilograms.",
    )))  # fmt: skip
    firm = one(rng, FIRMS)
    opening = one(rng, (
        f"{firm} mixes {product} from {listing(items)}.",
        f"A batch of {product} is blended by {firm}; the ingredients are {listing(items)}.",
    ))  # fmt: skip
    goal = one(rng, (
        f"A kilogram costs {each(costs, items)}; the batch should be as cheap as possible.",
        f"Find the cheapest mix at prices per kilogram of {each(costs, items)}.",
    ))  # fmt: skip
    return b.seed(story(rng, opening, facts, goal))
