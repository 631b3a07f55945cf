"""Packing, cutting and loading: what goes together into what."""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Drawn, Knob, Rng, Words, above, cross, ids, row, template

_BIN_PACKING_SPEC = Spec(
    "A chemicals dealer loads drums into identical containers. Some pairs of drums react with "
    "each other and must not travel in the same container. Containers are hired one after "
    "the other, and all cost the same.",
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
               "the drum goes into exactly one container", Semantic.EXACTLY_ONE),
        Family("payload_limit", "for b in B",
               "sum(weight[i] * loaded[i, b] for i in I) <= payload * hired[b]",
               "the drums in the container weigh no more than {payload} in all if it is hired, "
               "and there are none in it if it is not", Semantic.INDICATOR),
        Family("kept_apart", "for (i, j) in C for b in B", "loaded[i, b] + loaded[j, b] <= 1",
               "at most one of the two drums that clash goes into the container",
               Semantic.AT_MOST_ONE, Scaffold.PAIRWISE),
        Family("in_order", "for b in B if b >= 2", "hired[b] <= hired[b - 1]",
               "the container is hired only if the one before it is hired", Semantic.IMPLICATION,
               Scaffold.COUPLED, "for each container after the first"),
    ),
    files={"clashes": "the pairs of drums that react with each other"},
)  # fmt: skip

_BIN_PACKING_WORDS = Words(
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


@template(
    "Bin packing with clashes",
    ("Cutting and Packing Optimization", "Bin Packing Problem"),
    _BIN_PACKING_SPEC,
    Knob("n_items", "number of items", (12, 16, 24), 4, 2000),
    Knob("clashes", "share of the pairs that clash", (0.3, 0.2, 0.1), 0.0, 1.0),
    words=_BIN_PACKING_WORDS,
)
def bin_packing(rng: Rng, n: int, clashes: float) -> Drawn:
    """Weights, and clashes between items of different bins of a hidden packing."""
    payload = 100
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
        if place[i] != place[j] and rng.random() < clashes
    ]
    return {
        "drums": {"drum": ids(n), "weight": weight},
        "clashes": {"one": [i for i, _ in pairs], "other": [j for _, j in pairs]},
        "parameters": row(n_containers=len(load), payload=payload),
    }


_CONFLICT_PACKING_SPEC = Spec(
    "A festival picks concerts from the bands that applied. Bands that share musicians, "
    "instruments or a dressing room form conflict groups, which overlap, and every style of "
    "music has to be heard.",
    sets=(
        Set("J", "band", "bands", table="bands", key=("band",)),
        Set("G", "conflict group", "conflict groups", size="n_groups"),
        Set("S", "style", "styles", size="n_styles"),
        Set("U", "membership", "memberships", table="memberships", key=("group", "band"),
            parts=("G", "J")),
        Set("V", "playing", "playings", table="playings", key=("style", "band"), parts=("S", "J")),
    ),
    parameters=(
        Parameter("n_groups", "number of conflict groups"),
        Parameter("n_styles", "number of styles"),
        Parameter("most_bands", "most bands that can be picked", "bands"),
        Parameter("visitors", "number of visitors that a band draws", "visitors", ("J",), "bands"),
    ),
    groups=(
        Group("picked", "for j in J", "decision whether a band is picked", "binary"),
    ),
    objective=Objective(
        "maximize", "sum(visitors[j] * picked[j] for j in J)",
        "the total number of visitors that the picked bands draw", "visitors",
    ),
    families=(
        Family("no_conflict", "for g in G", "sum(picked[j] for (h, j) in U if h == g) <= 1",
               "at most one band of the group is picked", Semantic.AT_MOST_ONE, Scaffold.SUBSET),
        Family("style_heard", "for s in S", "sum(picked[j] for (r, j) in V if r == s) >= 1",
               "at least one band that plays the style is picked", Semantic.AT_LEAST_ONE,
               Scaffold.SUBSET),
        Family("places", "", "sum(picked[j] for j in J) <= most_bands",
               "at most {most_bands} bands are picked in all", Semantic.UPPER_SUM),
    ),
    files={
        "memberships": "which band is in which conflict group",
        "playings": "which band plays which style",
    },
)  # fmt: skip

_CONFLICT_PACKING_WORDS = Words(
    who="a festival",
    tellings=(
        "More bands applied to a festival than can play. Where bands have a musician, an "
        "instrument or a dressing room in common they form a conflict group, and a band may be "
        "in several; no style of music shall be missing.",
    ),
    nouns=("band ensemble combo quartet troupe", "style genre tradition"),
    goals=(
        Objective("maximize", "sum(picked[j] for j in J)", "the number of bands picked"),
        Objective("maximize", "sum(visitors[j] * (1 - picked[j]) for j in J)",
                  "the number of visitors that the bands left out would draw"),
        Objective("maximize", "sum(picked[j] for (h, j) in U)",
                  "the number of places in conflict groups that the picked bands fill"),
    ),
    rules={
        "no_conflict": ("conflict groups", "the number of bands of the group that are picked"),
        "style_heard": ("styles", "the number of picked bands that play the style"),
        "places": ("places", "the number of all bands picked", "{most_bands}"),
    },
    pairs={"U": "band in a conflict group", "V": "band that plays a style"},
)  # fmt: skip


@template(
    "Packing under conflict groups",
    ("Graph-Structured Optimization", "Clique / Conflict Packing"),
    _CONFLICT_PACKING_SPEC,
    Knob("n_items", "number of items", (20, 45, 120), 6, 100_000),
    Knob("n_groups", "number of conflict groups", (15, 40, 140), 1, 100_000),
    Knob("n_styles", "number of styles to be heard", (3, 4, 6), 1, 100),
    needs=(
        lambda n, groups, styles: n >= 4 + 2 * styles,
        "let n_items be at least 4 more than twice n_styles",
    ),
    words=_CONFLICT_PACKING_WORDS,
)
def conflict_packing(rng: Rng, n: int, groups: int, styles: int) -> Drawn:
    """Groups with at most one member of a hidden choice."""
    hidden = rng.permutation(n)[: max(styles, n // 5)]
    others = np.setdiff1d(np.arange(n), hidden)
    members = []
    for g in range(groups):
        size = int(rng.integers(2, min(7, len(others)) + 1))
        chosen = rng.permutation(others)[:size]
        if g % 2 == 0:
            chosen[0] = hidden[int(rng.integers(len(hidden)))]
        members += [(g + 1, int(j) + 1) for j in np.sort(chosen)]
    plays = []
    for s in range(styles):
        chosen = rng.random(n) < 0.2
        chosen[hidden[s]] = True
        plays += [(s + 1, int(j) + 1) for j in np.flatnonzero(chosen)]
    return {
        "bands": {"band": ids(n), "visitors": rng.integers(20, 201, n)},
        "memberships": {"group": [g for g, _ in members], "band": [j for _, j in members]},
        "playings": {"style": [s for s, _ in plays], "band": [j for _, j in plays]},
        "parameters": row(n_groups=groups, n_styles=styles, most_bands=len(hidden) + 2),
    }


_CUTTING_STOCK_SPEC = Spec(
    "A paper mill cuts jumbo rolls into narrower widths. The knives can be set to a number of "
    "patterns, each of which says how many rolls of each width come out of one jumbo roll "
    "and how much is left over as trim.",
    sets=(
        Set("W", "width", "widths", table="widths", key=("width",)),
        Set("P", "pattern", "patterns", table="patterns", key=("pattern",)),
        Set("Y", "yield", "yields", table="yields", key=("width", "pattern"), parts=("W", "P")),
    ),
    parameters=(
        Parameter("most_trim", "most trim that may be left over in all", "centimeters"),
        Parameter("demand", "rolls of a width that are ordered", "rolls", ("W",), "widths"),
        Parameter("cost", "cost of cutting a jumbo roll", "dollars", ("P",), "patterns"),
        Parameter("trim", "trim of a pattern", "centimeters", ("P",), "patterns"),
        Parameter("most_runs", "most jumbo rolls cut to a pattern", "rolls", ("P",), "patterns"),
        Parameter("rolls", "rolls of the width in the pattern", "rolls", ("Y",), "yields"),
    ),
    groups=(
        Group("runs", "for p in P", "number of jumbo rolls cut to a pattern", "integer", "rolls"),
    ),
    objective=Objective(
        "minimize", "sum(cost[p] * runs[p] for p in P)", "the cost of cutting all jumbo rolls",
        "dollars",
    ),
    families=(
        Family("orders_met", "for w in W",
               "sum(rolls[v, p] * runs[p] for (v, p) in Y if v == w) >= demand[w]",
               "at least the rolls of this width that are ordered are cut",
               Semantic.LOWER_WEIGHTED_SUM),
        Family("run_limit", "for p in P", "runs[p] <= most_runs[p]",
               "no more jumbo rolls are cut to this pattern than allowed", Semantic.UPPER_BOUND),
        Family("trim_limit", "", "sum(trim[p] * runs[p] for p in P) <= most_trim",
               "all trim together is at most {most_trim}", Semantic.UPPER_WEIGHTED_SUM),
    ),
    files={"yields": "how many rolls of a width come out of a pattern"},
)  # fmt: skip

_CUTTING_STOCK_WORDS = Words(
    who="a paper mill",
    tellings=(
        "Customers of a paper mill order rolls of several widths, which are cut from jumbo rolls. "
        "How the knives can be set is fixed in a list of patterns: each gives certain rolls of "
        "certain widths, and some trim.",
    ),
    nouns=("width format gauge grade", "pattern layout knife_setting cutting_scheme"),
    goals=(
        Objective("minimize", "sum(runs[p] for p in P)", "the number of jumbo rolls cut"),
        Objective("minimize", "sum(trim[p] * runs[p] for p in P)", "the trim of all patterns"),
        Objective("maximize", "sum(rolls[w, p] * runs[p] for (w, p) in Y)",
                  "the number of narrow rolls that are cut"),
    ),
    rules={
        "orders_met": ("orders", "the number of rolls of the width that are cut", "the demand"),
        "run_limit": ("runs", "the number of jumbo rolls cut to the pattern",
                      "the number of runs agreed for it"),
        "trim_limit": ("trim", "all trim taken together", "{most_trim}"),
    },
    pairs={"Y": "pattern and each width that it yields"},
    optional=("trim_limit",),
    scenes={
        "trim_limit": (" and how much is left over as trim", ""),
    },
)  # fmt: skip


@template(
    "Cutting stock over given patterns",
    ("Cutting and Packing Optimization", "Cutting Stock Problem"),
    _CUTTING_STOCK_SPEC,
    Knob("n_widths", "number of widths", (6, 12, 20), 1, 10_000),
    Knob("n_patterns", "number of patterns", (14, 30, 50), 1, 100_000),
    words=_CUTTING_STOCK_WORDS,
)
def cutting_stock(rng: Rng, n: int, m: int) -> Drawn:
    """Patterns with up to four widths, demand from hidden runs."""
    made = np.zeros((n, m), np.int64)
    for p in range(m):
        chosen = rng.permutation(n)[: int(rng.integers(1, min(n, 4) + 1))]
        made[chosen, p] = rng.integers(1, 5, len(chosen))
    for w in np.flatnonzero(made.sum(1) == 0):
        made[w, int(rng.integers(m))] = int(rng.integers(1, 5))
    runs = rng.integers(0, 9, m)
    most = runs + rng.integers(1, 9, m)
    trim = rng.integers(0, 13, m)
    pairs = np.argwhere(made)
    return {
        "widths": {"width": ids(n), "demand": np.maximum(made @ runs, 1)},
        "patterns": {
            "pattern": ids(m),
            "cost": rng.integers(40, 90, m),
            "trim": trim,
            "most_runs": most,
        },
        "yields": {
            "width": pairs[:, 0] + 1,
            "pattern": pairs[:, 1] + 1,
            "rolls": made[pairs[:, 0], pairs[:, 1]],
        },
        "parameters": row(most_trim=int(trim @ (runs + 1))),
    }


_MULTIPLE_KNAPSACK_SPEC = Spec(
    "A museum sends paintings abroad in several climate boxes. A painting goes into one box or "
    "stays at home; boxes differ in what they bear, and some paintings have been promised.",
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
               "the painting goes into at most one box", Semantic.AT_MOST_ONE),
        Family("weight_limit", "for b in B", "sum(weight[i] * packed[i, b] for i in I) <= bears[b]",
               "its paintings weigh no more than the box bears", Semantic.UPPER_WEIGHTED_SUM),
        Family("insurance", "for b in B",
               "sum(worth[i] * packed[i, b] for i in I) <= most_insured",
               "its paintings are worth at most {most_insured} together",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("promise", "for i in H", "sum(packed[i, b] for b in B) >= 1",
               "the painting goes into at least one box", Semantic.AT_LEAST_ONE),
    ),
    files={"promised": "the paintings that have been promised"},
)  # fmt: skip


@template(
    "Multiple knapsacks with promised items",
    ("Cutting and Packing Optimization", "Multiple Knapsack Problem"),
    _MULTIPLE_KNAPSACK_SPEC,
    Knob("n_paintings", "number of paintings", (8, 20, 1000), 2, 50_000),
    Knob("n_boxes", "number of boxes", (2, 3, 12), 1, 1000),
    needs=(lambda n, boxes: n >= boxes, "let there be more paintings than boxes"),
)
def multiple_knapsack(rng: Rng, n: int, boxes: int) -> Drawn:
    """One promised painting for each box, within what the box bears and is insured for."""
    weight, worth = rng.integers(5, 41, n), 10 * rng.integers(2, 30, n)
    promised = rng.permutation(n)[:boxes]
    room = weight.sum() / boxes * rng.uniform(0.4, 0.7, boxes)
    bears = np.ceil(np.maximum(room, weight[promised])).astype(np.int64)
    return {
        "paintings": {
            "painting": ids(n),
            "renown": rng.integers(1, 31, n),
            "weight": weight,
            "worth": worth,
        },
        "boxes": {"box": ids(boxes), "bears": bears},
        "promised": {"painting": np.sort(promised) + 1},
        "parameters": row(most_insured=int(max(worth.sum() / boxes * 0.7, worth.max()))),
    }


_VEHICLE_LOADING_SPEC = Spec(
    "A wholesaler loads crates of several goods on its vehicles. Weight and space are short, "
    "and what is ordered has to travel.",
    sets=(
        Set("V", "vehicle", "vehicles", table="vehicles", key=("vehicle",),
            names=("truck", "van", "barge", "railcar", "trailer")),
        Set("C", "good", "goods", table="goods", key=("good",),
            names=("lamps", "tiles", "pumps", "books", "tyres", "drills", "chairs", "fridges",
                   "cables")),
    ),
    parameters=(
        Parameter("toll_minimum", "fewest crates for which the toll pass is valid", "crates"),
        Parameter("bears", "weight that the vehicle bears", "tons", ("V",), "vehicles"),
        Parameter("space", "space in the vehicle", "cubic meters", ("V",), "vehicles"),
        Parameter("value", "value of a crate", "dollars", ("C",), "goods"),
        Parameter("weight", "weight of a crate", "tons", ("C",), "goods"),
        Parameter("volume", "volume of a crate", "cubic meters", ("C",), "goods"),
        Parameter("ordered", "crates ordered", "crates", ("C",), "goods"),
        Parameter("room", "most crates of the good in the vehicle", "crates", ("V", "C"), "rooms"),
    ),
    groups=(
        Group("load", "for v in V for c in C", "number of crates loaded", "integer", "crates",
              upper="room[v, c]"),
    ),
    objective=Objective(
        "maximize", "sum(value[c] * load[v, c] for v in V for c in C)", "the value of all crates",
        "dollars",
    ),
    families=(
        Family("weight_limit", "for v in V", "sum(weight[c] * load[v, c] for c in C) <= bears[v]",
               "its crates weigh no more than the vehicle bears", Semantic.UPPER_WEIGHTED_SUM),
        Family("space_limit", "for v in V", "sum(volume[c] * load[v, c] for c in C) <= space[v]",
               "its crates fill no more than the space in the vehicle",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("order_met", "for c in C", "sum(load[v, c] for v in V) >= ordered[c]",
               "all vehicles together carry at least the crates ordered", Semantic.LOWER_SUM),
        Family("toll_pass", "", "sum(load[v, c] for v in V for c in C) >= toll_minimum",
               "at least {toll_minimum} travel in all", Semantic.LOWER_SUM),
    ),
    files={"rooms": "how many crates of each good each vehicle has room for"},
)  # fmt: skip


@template(
    "Vehicle loading with orders",
    ("Cutting and Packing Optimization", "Knapsack Problem"),
    _VEHICLE_LOADING_SPEC,
    Knob("n_vehicles", "number of vehicles", (2, 3, 20), 1, 10_000),
    Knob("n_goods", "number of goods", (4, 8, 60), 1, 10_000),
)
def vehicle_loading(rng: Rng, n: int, m: int) -> Drawn:
    """Limits around a hidden loading."""
    plan = rng.integers(2, 9, (n, m))
    weight, volume = rng.integers(2, 13, m), rng.integers(1, 9, m)
    ordered = np.maximum(2, plan.sum(0) - rng.integers(0, 3, m))
    return {
        "vehicles": {
            "vehicle": ids(n),
            "bears": above(plan @ weight * rng.uniform(1.0, 1.08, n)),
            "space": above(plan @ volume * rng.uniform(1.0, 1.08, n), 2),
        },
        "goods": {
            "good": ids(m),
            "value": 5 * rng.integers(2, 13, m),
            "weight": weight,
            "volume": volume,
            "ordered": ordered,
        },
        "rooms": {**cross(vehicle=n, good=m), "room": plan + rng.integers(1, 4, (n, m))},
        "parameters": row(toll_minimum=int(ordered.sum() - rng.integers(1, 5))),
    }  # fmt: skip
