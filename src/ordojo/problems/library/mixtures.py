"""Mixtures and shares: how much of each goes into the whole, or comes out of it."""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import (
    Drawn,
    Knob,
    Rng,
    Words,
    above,
    cross,
    ids,
    row,
    template,
    under,
)

_BATCH_MIXING_SPEC = Spec(
    "A feed mill mixes a batch of fixed size from ingredients in store. The contents of the "
    "batch have to lie within limits, and some ingredients may not outweigh others.",
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
               "all ingredients together weigh exactly {batch}", Semantic.EQUALITY),
        Family("content_floor", "for c in L", "sum(rich[c, i] * use[i] for i in I) >= floor[c]",
               "the batch has at least its least amount", Semantic.LOWER_WEIGHTED_SUM),
        Family("content_ceiling", "for c in U", "sum(load[c, i] * use[i] for i in I) <= ceiling[c]",
               "the batch has at most its largest amount", Semantic.UPPER_WEIGHTED_SUM),
        Family("recipe_core", "", "sum(use[i] for i in K) >= core_minimum",
               "by the recipe core ingredients weigh at least {core_minimum} together",
               Semantic.LOWER_SUM),
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


@template(
    "Mixing a batch of fixed size",
    ("Cutting and Packing Optimization", "Blending Problem"),
    _BATCH_MIXING_SPEC,
    Knob("n_ingredients", "number of ingredients", (6, 15, 500), 2, 100_000),
    Knob("n_floors", "number of contents with a floor", (2, 5, 500), 1, 10_000),
    Knob("n_ceilings", "number of contents with a ceiling", (2, 5, 500), 1, 10_000),
)
def batch_mixing(rng: Rng, n: int, m: int, k: int) -> Drawn:
    """Limits around a hidden recipe."""
    plan = 5 * rng.integers(3, 13, n)
    rich, load = rng.integers(1, 10, (m, n)), rng.integers(1, 10, (k, n))
    order = rng.permutation(n)
    store = above(plan * rng.uniform(1.1, 1.4, n))
    core = np.sort(order[max(1, n // 8) :])
    # What the core must weigh anyway, since the others do not make up the batch.
    least = float(plan.sum() - store.sum() + store[core].sum())
    pairs = [(int(a), int(b)) for a, b in order[: 2 * max(1, n // 6)].reshape(-1, 2)]
    return {
        "ingredients": {"ingredient": ids(n), "cost": rng.integers(4, 31, n), "store": store},
        "floors": {"content": ids(m), "floor": under(rich @ plan * rng.uniform(0.95, 1.0, m))},
        "ceilings": {"limited": ids(k), "ceiling": above(load @ plan * rng.uniform(1.0, 1.05, k))},
        "core": {"ingredient": core + 1},
        "pairs": {
            "one": [a + 1 for a, _ in pairs],
            "other": [b + 1 for _, b in pairs],
            "factor": [max(2, int(-(-plan[a] // plan[b]))) for a, b in pairs],
        },
        "riches": {**cross(content=m, ingredient=n), "rich": rich},
        "loads": {**cross(limited=k, ingredient=n), "load": load},
        "parameters": row(
            batch=int(plan.sum()), core_minimum=int(under(least * rng.uniform(0.8, 0.97)))
        ),
    }  # fmt: skip


_BLENDING_SPEC = Spec(
    "A coffee roaster mixes its blends from beans of several origins. For taste, each origin "
    "must make up a share of each blend that is neither too small nor too large.",
    sets=(
        Set("I", "origin", "origins", table="origins", key=("origin",)),
        Set("B", "blend", "blends", table="blends", key=("blend",)),
    ),
    parameters=(
        Parameter("most_caffeine", "most caffeine in all blends together", "grams"),
        Parameter("sack_size", "amount of beans in a sack", "kilograms"),
        Parameter("supply", "beans on offer", "kilograms", ("I",), "origins"),
        Parameter("price", "price of beans", "dollars per kilogram", ("I",), "origins"),
        Parameter("caffeine", "caffeine of beans", "grams per kilogram", ("I",), "origins"),
        Parameter("order", "amount ordered", "kilograms", ("B",), "blends"),
        Parameter("revenue", "revenue", "dollars per kilogram", ("B",), "blends"),
        Parameter("least_share", "least share of the origin", "", ("I", "B"), "shares"),
        Parameter("most_share", "largest share of the origin", "", ("I", "B"), "shares"),
    ),
    groups=(
        Group("used", "for i in I for b in B", "amount of beans used in a blend", "continuous",
              "kilograms"),
        Group("made", "for b in B", "amount of a blend that is made", "continuous", "kilograms"),
        Group("bought", "for i in I", "number of sacks bought", "integer", "sacks"),
    ),
    objective=Objective(
        "maximize",
        "sum(revenue[b] * made[b] for b in B) - sum(price[i] * used[i, b] for i in I for b in B)"
        " - sum(bought[i] for i in I)",
        "the revenue from all blends minus the price of the beans used, and minus a dollar for "
        "each sack bought", "dollars",
    ),
    families=(
        Family("blend_made", "for b in B", "made[b] == sum(used[i, b] for i in I)",
               "the amount made is the sum of the beans of all origins used in it",
               Semantic.AGGREGATION),
        Family("share_floor", "for i in I for b in B",
               "used[i, b] >= least_share[i, b] * sum(used[k, b] for k in I)",
               "the beans of the origin are at least their least share of all beans in the blend",
               Semantic.LOWER_PROPORTION),
        Family("share_cap", "for i in I for b in B",
               "used[i, b] <= most_share[i, b] * sum(used[k, b] for k in I)",
               "the beans of the origin are at most their largest share of all beans in the blend",
               Semantic.UPPER_PROPORTION),
        Family("order_met", "for b in B", "made[b] >= order[b]",
               "at least the amount ordered is made", Semantic.LOWER_BOUND),
        Family("supply_limit", "for i in I", "sum(used[i, b] for b in B) <= supply[i]",
               "no more beans are used in all blends than are on offer", Semantic.UPPER_SUM),
        Family("sacks", "for i in I", "sum(used[i, b] for b in B) <= sack_size * bought[i]",
               "the beans used come out of the sacks bought, of {sack_size} kilograms each",
               Semantic.LOWER_PROPORTION),
        Family("caffeine_limit", "",
               "sum(caffeine[i] * used[i, b] for i in I for b in B) <= most_caffeine",
               "all blends together hold at most {most_caffeine} of caffeine",
               Semantic.UPPER_WEIGHTED_SUM),
    ),
    files={"shares": "the shares of each origin in each blend"},
)  # fmt: skip

_BLENDING_WORDS = Words(
    who="a coffee roaster",
    tellings=(
        "In a blend of coffee, taste is a matter of proportion: a coffee roaster may give each "
        "origin of beans neither too small nor too large a part of any blend.",
    ),
    nouns=("origin region plantation estate farm", "blend mixture label roast"),
    goals=(
        Objective("minimize", "sum(price[i] * used[i, b] for i in I for b in B)",
                  "the price of all beans"),
        Objective("maximize", "sum(revenue[b] * made[b] for b in B)",
                  "the revenue from all blends"),
        Objective("maximize", "sum(made[b] for b in B)", "the amount of all blends that are made"),
        Objective("minimize", "sum(bought[i] for i in I)", "the number of all sacks bought"),
    ),
    rules={
        "blend_made": ("amounts made", "the amount made minus the beans that are used in it"),
        "share_cap": ("largest shares",),
        "sacks": ("sacks",),
        "share_floor": ("least shares",),
        "order_met": ("orders", "the amount that is made", "the amount ordered"),
        "supply_limit": ("supply", "the amount of the origin's beans that goes into all blends",
                         "the beans on offer"),
        "caffeine_limit": ("caffeine", "the caffeine in all blends together",
                           "{most_caffeine} of caffeine"),
    },
    optional=("caffeine_limit", "sacks"),
)  # fmt: skip


@template(
    "Blending with shares",
    ("Cutting and Packing Optimization", "Blending Problem"),
    _BLENDING_SPEC,
    Knob("n_ingredients", "number of ingredients", (4, 8, 20), 2, 1000),
    Knob("n_blends", "number of blends", (3, 6, 15), 1, 1000),
    words=_BLENDING_WORDS,
)
def blending(rng: Rng, n: int, m: int) -> Drawn:
    """Shares around a hidden recipe."""
    recipe = rng.dirichlet(np.full(n, 3.0), m).T
    least = np.floor(recipe * rng.uniform(0.3, 0.8, (n, m)) * 100) / 100
    most = np.ceil(np.minimum(recipe * rng.uniform(1.2, 2.0, (n, m)), 1.0) * 100) / 100
    order = rng.integers(20, 81, m)
    need = recipe @ order
    caffeine = rng.integers(8, 25, n)
    return {
        "origins": {
            "origin": ids(n),
            "supply": np.ceil(need * rng.uniform(1.0, 1.6, n)).astype(np.int64),
            "price": rng.integers(4, 12, n),
            "caffeine": caffeine,
        },
        "blends": {"blend": ids(m), "order": order, "revenue": rng.integers(10, 25, m)},
        "shares": {**cross(origin=n, blend=m), "least_share": least, "most_share": most},
        "parameters": row(most_caffeine=int(np.ceil(caffeine @ need * 1.2)), sack_size=25),
    }


_CROP_PLANNING_SPEC = Spec(
    "A farm divides its land among crops. Water and work are short, some crops are sold "
    "in advance, and rotation ties the area of one crop to that of another.",
    sets=(
        Set("C", "crop", "crops", table="crops", key=("crop",),
            names=("wheat", "barley", "potatoes", "beets", "clover", "maize", "flax", "onions",
                   "rapeseed", "rye")),
        Set("D", "crop sold in advance", "crops sold in advance", table="contracts", key=("crop",)),
        Set("E", "early crop", "early crops", table="early", key=("crop",)),
        Set("Q", "rotation", "rotations", table="rotations", key=("crop", "other"),
            parts=("C", "C")),
    ),
    parameters=(
        Parameter("land", "land that there is", "hectares"),
        Parameter("canal", "water that the canal gives", "units"),
        Parameter("hands", "work that there is", "days"),
        Parameter("subsidy_area", "least area sown for the subsidy", "hectares"),
        Parameter("sowing", "most area of early crops that can be sown in time", "hectares"),
        Parameter("margin", "margin of a hectare", "dollars", ("C",), "crops"),
        Parameter("water", "water for a hectare", "units", ("C",), "crops"),
        Parameter("work", "work on a hectare", "days", ("C",), "crops"),
        Parameter("sown", "area sown already", "hectares", ("C",), "crops"),
        Parameter("suited", "area of suitable soil", "hectares", ("C",), "crops"),
        Parameter("sold", "area sold in advance", "hectares", ("D",), "contracts"),
        Parameter("factor", "most hectares of the first crop for each hectare of the second", "",
                  ("Q",), "rotations"),
    ),
    groups=(
        Group("grow", "for c in C", "area of the crop", "continuous", "hectares",
              lower="sown[c]", upper="suited[c]"),
        Group("land_used", "", "land used", "continuous", "hectares", upper="land"),
    ),
    objective=Objective(
        "maximize", "sum(margin[c] * grow[c] for c in C)", "the margin of all crops", "dollars"
    ),
    families=(
        Family("land_sum", "", "land_used == sum(grow[c] for c in C)",
               "the land used is the area of all crops together", Semantic.AGGREGATION),
        Family("canal_water", "", "sum(water[c] * grow[c] for c in C) <= canal",
               "all crops together need at most {canal} of water", Semantic.UPPER_WEIGHTED_SUM),
        Family("work_days", "", "sum(work[c] * grow[c] for c in C) <= hands",
               "all crops together need at most {hands} of work", Semantic.UPPER_WEIGHTED_SUM),
        Family("contract", "for c in D", "grow[c] >= sold[c]",
               "at least the area sold in advance is grown", Semantic.LOWER_BOUND),
        Family("subsidy_minimum", "", "sum(grow[c] for c in C) >= subsidy_area",
               "at least {subsidy_area} are sown in all", Semantic.LOWER_SUM),
        Family("rotation_rule", "for (c, d) in Q", "grow[c] <= factor[c, d] * grow[d]",
               "the area of the first crop is at most that of the second times the hectares "
               "allowed for each of its hectares", Semantic.COMPARISON, Scaffold.PAIRWISE),
        Family("early_sowing", "", "sum(grow[c] for c in E) <= sowing",
               "at most {sowing} of early crops are sown", Semantic.UPPER_SUM),
    ),
    files={
        "early": "the crops that are sown early", "rotations": "which crops rotation ties together",
    },
)  # fmt: skip


@template(
    "Crop planning with contracts and rotation",
    ("Assignment and Resource Allocation Optimization", "Resource Allocation Problem"),
    _CROP_PLANNING_SPEC,
    Knob("n_crops", "number of crops", (6, 15, 3000), 3, 100_000),
)
def crop_planning(rng: Rng, n: int) -> Drawn:
    """Limits around a hidden plan."""
    plan = 5 * rng.integers(2, 11, n)
    water, work = rng.integers(2, 10, n), rng.integers(3, 13, n)
    order = rng.permutation(n)
    due, early = np.sort(order[: max(1, n // 3)]), np.sort(order[-max(2, n // 3) :])
    sold = np.maximum(5, under(plan[due] * rng.uniform(0.75, 0.95, len(due))))
    one, two = order[0 : max(2, n // 2) : 2], order[1 : max(2, n // 2) : 2]
    pairs = [(int(a), int(b)) for a, b in zip(one, two, strict=False)]
    return {
        "crops": {
            "crop": ids(n),
            "margin": 5 * rng.integers(4, 19, n),
            "water": water,
            "work": work,
            "sown": np.where(rng.random(n) < 0.3, under(plan * 0.4), 0),
            "suited": above(plan * rng.uniform(1.15, 1.5, n)),
        },
        "contracts": {"crop": due + 1, "sold": sold},
        "early": {"crop": early + 1},
        "rotations": {
            "crop": [a + 1 for a, _ in pairs],
            "other": [b + 1 for _, b in pairs],
            "factor": [max(2, int(-(-plan[a] // plan[b]))) for a, b in pairs],
        },
        "parameters": row(
            land=int(above(plan.sum() * rng.uniform(1.0, 1.06))),
            canal=int(above(water @ plan * rng.uniform(1.0, 1.06), 10)),
            hands=int(above(work @ plan * rng.uniform(1.0, 1.06), 10)),
            subsidy_area=max(5, int(under(sold.sum() * rng.uniform(0.75, 0.95)))),
            sowing=int(above(plan[early].sum() * rng.uniform(1.0, 1.1))),
        ),
    }


_DIET_SPEC = Spec(
    "A canteen plans its weekly menu from foods of known price. The menu has to meet the needs "
    "for several nutrients, and its energy may be neither too little nor too much.",
    sets=(
        Set("F", "food", "foods", table="foods", key=("food",),
            names=("oats", "lentils", "spinach", "eggs", "rice", "milk", "bread", "tofu", "carrots",
                   "yoghurt", "beans", "apples")),
        Set("N", "nutrient", "nutrients", table="nutrients", key=("nutrient",),
            names=("protein", "iron", "calcium", "fibre", "zinc", "folate")),
        Set("C", "fresh food", "fresh foods", table="fresh", key=("food",)),
    ),
    parameters=(
        Parameter("least_energy", "least energy of the menu", "kilocalories"),
        Parameter("most_energy", "most energy of the menu", "kilocalories"),
        Parameter("cold_space", "most servings of fresh foods that can be kept", "servings"),
        Parameter("price", "price of a serving", "cents", ("F",), "foods"),
        Parameter("energy", "energy of a serving", "kilocalories", ("F",), "foods"),
        Parameter("larder", "most servings that there are", "servings", ("F",), "foods"),
        Parameter("need", "amount of the nutrient that is needed", "units", ("N",), "nutrients"),
        Parameter("content", "content of the nutrient in a serving", "units", ("N", "F"),
                  "contents"),
    ),
    groups=(
        Group("serve", "for f in F", "number of servings", "continuous", "servings",
              upper="larder[f]"),
    ),
    objective=Objective(
        "minimize", "sum(price[f] * serve[f] for f in F)", "the price of the menu", "cents"
    ),
    families=(
        Family("nutrient_need", "for n in N", "sum(content[n, f] * serve[f] for f in F) >= need[n]",
               "the menu has at least the amount of the nutrient that is needed",
               Semantic.LOWER_WEIGHTED_SUM),
        Family("energy_floor", "", "sum(energy[f] * serve[f] for f in F) >= least_energy",
               "the energy of all servings is at least {least_energy}",
               Semantic.LOWER_WEIGHTED_SUM),
        Family("energy_ceiling", "", "sum(energy[f] * serve[f] for f in F) <= most_energy",
               "the energy of all servings is at most {most_energy}", Semantic.UPPER_WEIGHTED_SUM),
        Family("cold_room", "", "sum(serve[f] for f in C) <= cold_space",
               "the cold room keeps at most {cold_space} of fresh foods together",
               Semantic.UPPER_SUM),
    ),
    files={
        "fresh": "the foods that have to be kept fresh",
        "contents": "what a serving of each food has of each nutrient",
    },
)  # fmt: skip


@template(
    "Diet with a span of energy",
    ("Cutting and Packing Optimization", "Blending Problem"),
    _DIET_SPEC,
    Knob("n_foods", "number of foods", (6, 15, 800), 2, 100_000),
    Knob("n_nutrients", "number of nutrients", (3, 8, 1000), 1, 10_000),
)
def diet(rng: Rng, n: int, m: int) -> Drawn:
    """Needs and limits around a hidden menu."""
    plan = rng.integers(3, 13, n)
    energy = 10 * rng.integers(6, 36, n)
    content = rng.integers(1, 10, (m, n))
    fresh = np.sort(rng.permutation(n)[: max(2, n // 4)])
    return {
        "foods": {
            "food": ids(n),
            "price": rng.integers(15, 91, n),
            "energy": energy,
            "larder": plan + rng.integers(1, 7, n),
        },
        "nutrients": {
            "nutrient": ids(m),
            "need": under(content @ plan * rng.uniform(0.92, 1.0, m), 2),
        },
        "fresh": {"food": fresh + 1},
        "contents": {**cross(nutrient=m, food=n), "content": content},
        "parameters": row(
            least_energy=int(under(energy @ plan * rng.uniform(0.6, 0.8), 50)),
            most_energy=int(above(energy @ plan * rng.uniform(1.0, 1.06), 50)),
            cold_space=int(plan[fresh].sum()),
        ),
    }


_PRODUCT_MIX_SPEC = Spec(
    "A workshop plans how much to make of each of its products. They share resources; signed "
    "orders have to be met, and the market takes only so much.",
    sets=(
        Set("I", "product", "products", table="products", key=("product",),
            names=("chair", "table", "shelf", "desk", "bench", "stool", "cradle", "chest")),
        Set("R", "resource", "resources", table="resources", key=("resource",),
            names=("lathe", "oak", "paint", "assembly", "packing", "glue")),
    ),
    parameters=(
        Parameter("least_output", "least output of all products together, by the lease", "pieces"),
        Parameter("most_output", "most pieces that the store holds", "pieces"),
        Parameter("profit", "profit of a piece", "dollars", ("I",), "products"),
        Parameter("ordered", "pieces ordered", "pieces", ("I",), "products"),
        Parameter("market", "most pieces that the market takes", "pieces", ("I",), "products"),
        Parameter("available", "amount of the resource that there is", "units", ("R",),
                  "resources"),
        Parameter("use", "use of the resource by a piece", "units", ("R", "I"), "uses"),
    ),
    groups=(
        Group("make", "for i in I", "number of pieces made", "continuous", "pieces",
              upper="market[i]"),
    ),
    objective=Objective(
        "maximize", "sum(profit[i] * make[i] for i in I)", "the profit of all pieces", "dollars"
    ),
    families=(
        Family("resource_limit", "for r in R",
               "sum(use[r, i] * make[i] for i in I) <= available[r]",
               "all products together use no more of the resource than there is",
               Semantic.UPPER_WEIGHTED_SUM),
        Family("order_met", "for i in I", "make[i] >= ordered[i]",
               "at least the pieces ordered are made", Semantic.LOWER_BOUND),
        Family("lease_minimum", "", "sum(make[i] for i in I) >= least_output",
               "by the lease of the hall at least {least_output} are made in all",
               Semantic.LOWER_SUM),
        Family("store_room", "", "sum(make[i] for i in I) <= most_output",
               "the store holds at most {most_output} in all", Semantic.UPPER_SUM),
    ),
    files={"uses": "what a piece of each product uses of each resource"},
)  # fmt: skip


@template(
    "Product mix with orders and markets",
    ("Production Planning and Scheduling Optimization", "Production Planning Problem"),
    _PRODUCT_MIX_SPEC,
    Knob("n_products", "number of products", (5, 12, 1500), 1, 100_000),
    Knob("n_resources", "number of resources", (3, 6, 40), 1, 10_000),
)
def product_mix(rng: Rng, n: int, m: int) -> Drawn:
    """Orders below a hidden plan, markets and resources above it."""
    plan = 5 * rng.integers(4, 13, n)
    use = rng.integers(1, 7, (m, n))
    ordered = np.maximum(5, under(plan * rng.uniform(0.6, 0.9, n)))
    return {
        "products": {
            "product": ids(n),
            "profit": rng.integers(6, 41, n),
            "ordered": ordered,
            "market": above(plan * rng.uniform(1.15, 1.5, n)),
        },
        "resources": {
            "resource": ids(m),
            "available": above(use @ plan * rng.uniform(1.02, 1.12, m), 10),
        },
        "uses": {**cross(resource=m, product=n), "use": use},
        "parameters": row(
            least_output=int(under(ordered.sum() * rng.uniform(0.75, 0.95))),
            most_output=int(above(plan.sum() * rng.uniform(1.05, 1.2))),
        ),
    }


_REFINING_SPEC = Spec(
    "A refinery runs raw oils, each of which yields several products at once. Products are "
    "sold by contract and on the market; the works and the boiler limit what can be run.",
    sets=(
        Set("R", "raw oil", "raw oils", table="oils", key=("oil",),
            names=("brent", "urals", "bonny", "tapis", "oman", "maya")),
        Set("P", "product", "products", table="products", key=("product",),
            names=("petrol", "diesel", "bitumen", "kerosene", "naphtha")),
    ),
    parameters=(
        Parameter("plant_size", "most barrels that the works can run", "barrels"),
        Parameter("boiler", "steam that the boiler gives", "tons"),
        Parameter("pipeline", "fewest barrels booked on the pipeline", "barrels"),
        Parameter("cost", "cost of a barrel", "dollars", ("R",), "oils"),
        Parameter("steam", "steam for a barrel", "tons", ("R",), "oils"),
        Parameter("standing", "standing order", "barrels", ("R",), "oils"),
        Parameter("offered", "most barrels on offer", "barrels", ("R",), "oils"),
        Parameter("price", "price of a unit", "dollars", ("P",), "products"),
        Parameter("due", "amount due by contract", "units", ("P",), "products"),
        Parameter("market", "most that the market takes", "units", ("P",), "products"),
        Parameter("gain", "yield of the product from a barrel", "units", ("P", "R"), "yields"),
    ),
    groups=(
        Group("run", "for r in R", "number of barrels run", "continuous", "barrels",
              lower="standing[r]", upper="offered[r]"),
        Group("sell", "for p in P", "amount sold", "continuous", "units", upper="market[p]"),
    ),
    objective=Objective(
        "maximize", "sum(price[p] * sell[p] for p in P) - sum(cost[r] * run[r] for r in R)",
        "the price of all that is sold minus the cost of all barrels run", "dollars",
    ),
    families=(
        Family("yield_limit", "for p in P", "sell[p] <= sum(gain[p, r] * run[r] for r in R)",
               "no more is sold than all barrels run yield", Semantic.UPPER_PROPORTION),
        Family("contract", "for p in P", "sell[p] >= due[p]",
               "at least the amount due by contract is sold", Semantic.LOWER_BOUND),
        Family("works_size", "", "sum(run[r] for r in R) <= plant_size",
               "at most {plant_size} are run in all", Semantic.UPPER_SUM),
        Family("boiler_steam", "", "sum(steam[r] * run[r] for r in R) <= boiler",
               "all barrels run need at most {boiler} of steam", Semantic.UPPER_WEIGHTED_SUM),
        Family("pipeline_minimum", "", "sum(run[r] for r in R) >= pipeline",
               "at least {pipeline} are run in all", Semantic.LOWER_SUM),
    ),
    files={"yields": "what a barrel of each oil yields of each product"},
)  # fmt: skip


@template(
    "Refining with yields",
    ("Production Planning and Scheduling Optimization", "Production Planning Problem"),
    _REFINING_SPEC,
    Knob("n_oils", "number of raw materials", (4, 6, 400), 1, 100_000),
    Knob("n_products", "number of products", (3, 6, 800), 1, 10_000),
)
def refining(rng: Rng, n: int, m: int) -> Drawn:
    """Contracts below and limits above what a hidden plan makes."""
    plan = 5 * rng.integers(4, 13, n)
    gain, steam = rng.integers(1, 6, (m, n)), rng.integers(2, 10, n)
    made = gain @ plan
    due = under(made * rng.uniform(0.85, 0.97, m))
    # Even the richest oil alone would have to be run this much for the contracts.
    needed = float((due / gain.max(1)).max())
    return {
        "oils": {
            "oil": ids(n),
            "cost": rng.integers(5, 21, n),
            "steam": steam,
            "standing": np.where(rng.random(n) < 0.4, under(plan * 0.4), 0),
            "offered": above(plan * rng.uniform(1.1, 1.4, n)),
        },
        "products": {
            "product": ids(m),
            "price": rng.integers(8, 26, m),
            "due": due,
            "market": above(made * rng.uniform(1.0, 1.2, m)),
        },
        "yields": {**cross(product=m, oil=n), "gain": gain},
        "parameters": row(
            plant_size=int(above(plan.sum() * rng.uniform(1.0, 1.06))),
            boiler=int(above(steam @ plan * rng.uniform(1.0, 1.06), 10)),
            pipeline=max(5, int(under(needed * rng.uniform(0.75, 0.95)))),
        ),
    }
