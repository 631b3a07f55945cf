"""Multiple knapsacks: each item in one of several knapsacks or in none.

Nothing packed is feasible, and what must go is light.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, ids, plain, row

SPEC = Spec(
    scenario=(
        "A museum sends paintings abroad in several climate boxes. A painting goes into one box or "
        "stays at home; boxes differ in what they bear, and some paintings have been promised."
    ),
    sets=(
        Set("I", "painting", "paintings", table="paintings", key=("painting",)),
        Set("B", "box", "boxes", table="boxes", key=("box",)),
        Set("H", "promised painting", "promised paintings", table="promised", key=("painting",)),
    ),
    parameters=(
        Parameter("most_insured", "value up to which a box is insured", "thousand dollars"),
        Parameter("renown", "renown of a painting", "points", ("I",), "paintings"),
        Parameter("weight", "weight of a painting", "kilograms", ("I",), "paintings"),
        Parameter("worth", "value of a painting", "thousand dollars", ("I",), "paintings"),
        Parameter("bears", "weight that a box bears", "kilograms", ("B",), "boxes"),
    ),
    groups=(
        Group("packed", "for i in I for b in B", "decision whether a painting goes into a box",
              "binary"),
    ),
    objective=Objective("maximize", "sum(renown[i] * packed[i, b] for i in I for b in B)",
                        "the renown of all paintings that are sent", "points"),
    families=(
        Family("one_box", "for i in I", "sum(packed[i, b] for b in B) <= 1",
               "the painting goes into at most one box", Semantic.AT_MOST_ONE,
               Scaffold.SINGLE_LOOP),
        Family("weight_limit", "for b in B", "sum(weight[i] * packed[i, b] for i in I) <= bears[b]",
               "its paintings weigh no more than the box bears", Semantic.UPPER_WEIGHTED_SUM,
               Scaffold.SINGLE_LOOP),
        Family("insurance", "for b in B",
               "sum(worth[i] * packed[i, b] for i in I) <= most_insured",
               "its paintings are worth at most {most_insured} together",
               Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
        Family("promise", "for i in H", "sum(packed[i, b] for b in B) >= 1",
               "the painting goes into at least one box", Semantic.AT_LEAST_ONE,
               Scaffold.SINGLE_LOOP),
    ),
    files={"promised": "the paintings that have been promised"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """One promised painting for each box, within what the box bears and is insured for."""
    n, boxes = int(knobs["n_paintings"]), int(knobs["n_boxes"])
    weight, worth = rng.integers(5, 41, n), 10 * rng.integers(2, 30, n)
    promised = rng.permutation(n)[:boxes]
    room = weight.sum() / boxes * rng.uniform(0.4, 0.7, boxes)
    bears = np.ceil(np.maximum(room, weight[promised])).astype(np.int64)
    return {
        "paintings": {
            "painting": ids(n),
            "renown": plain(rng.integers(1, 31, n)),
            "weight": plain(weight),
            "worth": plain(worth),
        },
        "boxes": {"box": ids(boxes), "bears": plain(bears)},
        "promised": {"painting": plain(np.sort(promised) + 1)},
        "parameters": row(most_insured=int(max(worth.sum() / boxes * 0.7, worth.max()))),
    }


TEMPLATE = Template(
    "multiple_knapsack",
    "Multiple knapsacks with promised items",
    ("Cutting and Packing Optimization", "Multiple Knapsack Problem"),
    (
        Knob("n_paintings", "number of paintings", (8, 20, 1000), 2, 50_000),
        Knob("n_boxes", "number of boxes", (2, 3, 12), 1, 1000),
    ),
    SPEC,
    draw,
    lambda knobs: (
        "" if knobs["n_paintings"] >= knobs["n_boxes"] else "let there be more paintings than boxes"
    ),
)
