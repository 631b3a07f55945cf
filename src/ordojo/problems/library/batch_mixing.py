"""Batch mixing: a batch of fixed size from ingredients, with limits on its contents.

A hidden recipe lies within all limits.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, above, cross, ids, plain, row, under

SPEC = Spec(
    scenario=(
        "A feed mill mixes a batch of fixed size from ingredients in store. The contents of the "
        "batch have to lie within limits, and some ingredients may not outweigh others."
    ),
    sets=(
        Set("I", "ingredient", "ingredients", table="ingredients", key=("ingredient",),
            names=("maize", "soya", "bran", "fishmeal", "oats", "molasses", "barley", "peas")),
        Set("L", "content with a floor", "contents with a floor", table="floors", key=("content",),
            names=("protein", "fibre", "starch", "calcium")),
        Set("U", "content with a ceiling", "contents with a ceiling", table="ceilings",
            key=("limited",), names=("fat", "salt", "sugar", "ash")),
        Set("K", "core ingredient", "core ingredients", table="core", key=("ingredient",)),
        Set("Q", "pair", "pairs", table="pairs", key=("one", "other"), parts=("I", "I")),
    ),
    parameters=(
        Parameter("batch", "size of the batch", "kilograms"),
        Parameter("core_minimum", "least weight of core ingredients", "kilograms"),
        Parameter("cost", "cost of a kilogram", "cents", ("I",), "ingredients"),
        Parameter("store", "amount in store", "kilograms", ("I",), "ingredients"),
        Parameter("floor", "least amount in the batch", "units", ("L",), "floors"),
        Parameter("rich", "units of the content with a floor in a kilogram", "units", ("L", "I"),
                  "riches"),
        Parameter("ceiling", "largest amount in the batch", "units", ("U",), "ceilings"),
        Parameter("load", "units of the content with a ceiling in a kilogram", "units", ("U", "I"),
                  "loads"),
        Parameter("factor", "most kilograms of the first ingredient for a kilogram of the second",
                  "", ("Q",), "pairs"),
    ),
    groups=(
        Group("use", "for i in I", "amount of the ingredient used", "continuous", "kilograms",
              upper="store[i]"),
    ),
    objective=Objective(
        "minimize", "sum(cost[i] * use[i] for i in I)", "the cost of the batch", "cents"
    ),
    families=(
        Family("batch_size", "", "sum(use[i] for i in I) == batch",
               "all ingredients together weigh exactly {batch}", Semantic.EQUALITY,
               Scaffold.GLOBAL),
        Family("content_floor", "for c in L", "sum(rich[c, i] * use[i] for i in I) >= floor[c]",
               "the batch has at least its least amount", Semantic.LOWER_WEIGHTED_SUM,
               Scaffold.SINGLE_LOOP),
        Family("content_ceiling", "for c in U", "sum(load[c, i] * use[i] for i in I) <= ceiling[c]",
               "the batch has at most its largest amount", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.SINGLE_LOOP),
        Family("recipe_core", "", "sum(use[i] for i in K) >= core_minimum",
               "by the recipe core ingredients weigh at least {core_minimum} together",
               Semantic.LOWER_SUM, Scaffold.GLOBAL),
        Family("pair_ratio", "for (i, k) in Q", "use[i] <= factor[i, k] * use[k]",
               "the amount of the first ingredient is at most that of the second times the "
               "kilograms allowed for each of its kilograms", Semantic.COMPARISON,
               Scaffold.PAIRWISE),
    ),
    files={
        "pairs": "which ingredients are tied together",
        "riches": "the contents with a floor in a kilogram of each ingredient",
        "loads": "the contents with a ceiling in a kilogram of each ingredient",
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Limits around a hidden recipe."""
    n, m, k = (int(knobs[name]) for name in ("n_ingredients", "n_floors", "n_ceilings"))
    plan = 5 * rng.integers(3, 13, n)
    rich, load = rng.integers(1, 10, (m, n)), rng.integers(1, 10, (k, n))
    order = rng.permutation(n)
    store = above(plan * rng.uniform(1.1, 1.4, n))
    core = np.sort(order[max(1, n // 8) :])
    # What the core must weigh anyway, since the others do not make up the batch.
    least = float(plan.sum() - store.sum() + store[core].sum())
    pairs = [(int(a), int(b)) for a, b in order[: 2 * max(1, n // 6)].reshape(-1, 2)]
    return {
        "ingredients": {
            "ingredient": ids(n),
            "cost": plain(rng.integers(4, 31, n)),
            "store": plain(store),
        },
        "floors": {
            "content": ids(m), "floor": plain(under(rich @ plan * rng.uniform(0.95, 1.0, m)))
        },
        "ceilings": {
            "limited": ids(k), "ceiling": plain(above(load @ plan * rng.uniform(1.0, 1.05, k)))
        },
        "core": {"ingredient": plain(core + 1)},
        "pairs": {
            "one": [a + 1 for a, _ in pairs],
            "other": [b + 1 for _, b in pairs],
            "factor": [max(2, int(-(-plan[a] // plan[b]))) for a, b in pairs],
        },
        "riches": {**cross(content=m, ingredient=n), "rich": plain(rich)},
        "loads": {**cross(limited=k, ingredient=n), "load": plain(load)},
        "parameters": row(
            batch=int(plan.sum()), core_minimum=int(under(least * rng.uniform(0.8, 0.97)))
        ),
    }  # fmt: skip


TEMPLATE = Template(
    "batch_mixing",
    "Mixing a batch of fixed size",
    ("Cutting and Packing Optimization", "Blending Problem"),
    (
        Knob("n_ingredients", "number of ingredients", (6, 15, 500), 2, 100_000),
        Knob("n_floors", "number of contents with a floor", (2, 5, 500), 1, 10_000),
        Knob("n_ceilings", "number of contents with a ceiling", (2, 5, 500), 1, 10_000),
    ),
    SPEC,
    draw,
)
