"""Bin packing with items that must not share a bin, and bins opened in order.

Items are first put into bins that obey everything.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, ids, plain, row

SPEC = Spec(
    scenario=(
        "A chemicals dealer loads drums into identical containers. Some pairs of drums react with "
        "each other and must not travel in the same container. Containers are hired one after "
        "the other, and all cost the same."
    ),
    sets=(
        Set("I", "drum", "drums", table="drums", key=("drum",)),
        Set("B", "container", "containers", size="n_containers"),
        Set("C", "clash", "clashes", table="clashes", key=("one", "other"), parts=("I", "I")),
    ),
    parameters=(
        Parameter("n_containers", "number of containers that can be hired"),
        Parameter("payload", "weight that a container can take", "kilograms"),
        Parameter("weight", "weight of a drum", "kilograms", ("I",), "drums"),
    ),
    groups=(
        Group("loaded", "for i in I for b in B", "decision whether a drum goes into a container",
              "binary"),
        Group("hired", "for b in B", "decision whether a container is hired", "binary"),
    ),
    objective=Objective(
        "minimize", "sum(hired[b] for b in B)", "the number of containers hired", "containers",
    ),
    families=(
        Family("one_container", "for i in I", "sum(loaded[i, b] for b in B) == 1",
               "the drum goes into exactly one container", Semantic.EXACTLY_ONE,
               Scaffold.SINGLE_LOOP),
        Family("payload_limit", "for b in B",
               "sum(weight[i] * loaded[i, b] for i in I) <= payload * hired[b]",
               "the drums in the container weigh no more than {payload} in all if it is hired, "
               "and there are none in it if it is not", Semantic.INDICATOR, Scaffold.SINGLE_LOOP),
        Family("kept_apart", "for (i, j) in C for b in B", "loaded[i, b] + loaded[j, b] <= 1",
               "at most one of the two drums that clash goes into the container",
               Semantic.AT_MOST_ONE, Scaffold.PAIRWISE),
        Family("in_order", "for b in B if b >= 2", "hired[b] <= hired[b - 1]",
               "the container is hired only if the one before it is hired", Semantic.IMPLICATION,
               Scaffold.COUPLED, "for each container after the first"),
    ),
    files={"clashes": "the pairs of drums that react with each other"},
)  # fmt: skip

WORDS = Words(
    who="a chemicals dealer",
    tellings=(
        "Drums leave a chemicals dealer in hired containers, which are all alike and cost the "
        "same. The chemistry matters: some pairs of drums would react if they shared a container.",
    ),
    nouns=("drum cask canister carboy keg", "container trailer railcar barge locker"),
    goals=(
        Objective("minimize", "sum(weight[i] * loaded[i, 1] for i in I)",
                  "the weight in the first container"),
        Objective("maximize", "sum(loaded[i, 1] for i in I)",
                  "the number of drums in the first container"),
        Objective("minimize", "sum(weight[i] * loaded[i, 1] for i in I) + sum(hired[b] for b in B)",
                  "the number of containers hired plus the weight in the first of them"),
    ),
    rules={
        "one_container": ("drums", "the number of containers that the drum goes into", "one"),
        "payload_limit": ("payload",
                          "the weight in the container minus its payload if it is hired"),
        "in_order": ("order of hiring",),
        "kept_apart": ("clashes", "the number of the two clashing drums in the container"),
    },
    pairs={"C": "pair of clashing drums"},
    optional=("in_order", "kept_apart"),
    scenes={
        "kept_apart": (
            "Some pairs of drums react with each other and must not travel in the same container. ",
            "",
        ),
        "in_order": ("Containers are hired one after the other, and all", "All containers"),
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Weights, and clashes between items of different bins of a hidden packing."""
    n, payload = int(knobs["n_items"]), 100
    weight = rng.integers(12, 61, n)
    place, load = np.zeros(n, np.int64), [0]
    for i in rng.permutation(n).tolist():
        fits = [b for b, there in enumerate(load) if there + weight[i] <= payload]
        place[i] = fits[0] if fits else len(load)
        if not fits:
            load.append(0)
        load[place[i]] += int(weight[i])
    pairs = [
        (i + 1, j + 1)
        for i in range(n)
        for j in range(i + 1, n)
        if place[i] != place[j] and rng.random() < float(knobs["clashes"])
    ]
    return {
        "drums": {"drum": ids(n), "weight": plain(weight)},
        "clashes": {"one": [i for i, _ in pairs], "other": [j for _, j in pairs]},
        "parameters": row(n_containers=len(load), payload=payload),
    }


TEMPLATE = Template(
    "bin_packing",
    "Bin packing with clashes",
    ("Cutting and Packing Optimization", "Bin Packing Problem"),
    (
        Knob("n_items", "number of items", (12, 16, 24), 4, 2000),
        Knob("clashes", "share of the pairs that clash", (0.3, 0.2, 0.1), 0.0, 1.0),
    ),
    SPEC,
    draw,
    words=WORDS,
)
