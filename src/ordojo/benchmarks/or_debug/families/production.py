"""Production planning: products share machines; contracts below, markets above."""

from ordojo.benchmarks.or_debug.families.seed import Seed, SeedBuilder
from ordojo.benchmarks.or_debug.families.words import Draw, down, listing, num, slug, up
from ordojo.milp.model import VarType

SCENES = (
    ("bakery", "loaves", ("rye", "wheat", "oat", "spelt", "corn", "barley"),
     (("oven", "minutes"), ("mixer", "minutes"), ("flour", "kilograms"), ("bench", "minutes"))),
    ("furniture workshop", "pieces", ("chair", "table", "shelf", "desk", "bench", "stool"),
     (("lathe", "hours"), ("oak", "boards"), ("paint", "litres"), ("assembly", "hours"))),
    ("toy factory", "crates", ("robot", "puzzle", "kite", "train", "drum", "yoyo"),
     (("moulding", "hours"), ("plastic", "kilograms"), ("packing", "hours"), ("dye", "litres"))),
    ("circuit maker", "boxes", ("sensor", "router", "camera", "speaker", "modem", "switch"),
     (("soldering", "hours"), ("testing", "hours"), ("copper", "kilograms"), ("chip", "trays"))),
)  # fmt: skip


def make(draw: Draw) -> Seed:
    """Four to six products, continuous or in whole units; profit is maximised."""
    place, unit, pool, shared = draw.one(SCENES)
    items = draw.some(pool, draw.whole(4, 6))
    resources = draw.some(shared, draw.whole(2, 3))
    integer, firm = draw.chance(0.3), draw.firm()
    plan = draw.wholes(len(items), 20, 60, 5)
    profits = draw.wholes(len(items), 6, 40)
    b = SeedBuilder("production", maximize=True)
    kind = VarType.INTEGER if integer else VarType.CONTINUOUS
    tops = [up(draw.near(x, 1.15, 1.5), 5) for x in plan]
    floors = [max(5, down(draw.near(x, 0.6, 0.9), 5)) for x in plan]
    cols = [f"make_{slug(item)}" for item in items]
    for col, profit, top in zip(cols, profits, tops, strict=True):
        b.col(col, cost=profit, upper=top, kind=kind)
    facts = []
    for resource, measure in resources:
        use = draw.wholes(len(items), 1, 6)
        cap = up(draw.near(sum(u * x for u, x in zip(use, plan, strict=True)), 1.02, 1.12), 10)
        b.rule(f"{resource}_limit", "capacity", dict(zip(cols, use, strict=True)), "<=", cap)
        each = listing(f"{num(u)} for {item}" for u, item in zip(use, items, strict=True))
        facts.append(
            draw.one((
                f"Per unit, the {resource} need in {measure} is {each}; "
                f"{cap} {measure} are available.",
                f"There are {cap} {measure} of {resource} to share, and one unit takes {each}.",
            ))
        )  # fmt: skip
    for item, col, floor in zip(items, cols, floors, strict=True):
        b.rule(f"order_{slug(item)}", "demand", {col: 1}, ">=", floor)
    due = listing(f"{floor} of {item}" for floor, item in zip(floors, items, strict=True))
    most = listing(f"{top} of {item}" for top, item in zip(tops, items, strict=True))
    facts.append(
        draw.one((f"Signed orders ask for at least {due}.", f"It has promised no less than {due}."))
    )  # fmt: skip
    facts.append(
        draw.one((f"The market takes at most {most}.", f"Nobody would buy more than {most}."))
    )
    lease = down(draw.near(sum(floors), 0.75, 0.95), 5)
    store = up(draw.near(sum(plan), 1.08, 1.2), 10)
    if draw.chance(0.5):
        b.col("total_output", upper=store, kind=kind)
        b.rule("output_sum", "definition", {"total_output": 1, **dict.fromkeys(cols, -1)}, "==", 0)
        b.rule("lease_minimum", "minimum", {"total_output": 1}, ">=", lease)
        facts.append("Total output is the sum over all products.")
    else:
        b.rule("store_room", "maximum", dict.fromkeys(cols, 1), "<=", store)
        b.rule("lease_minimum", "minimum", dict.fromkeys(cols, 1), ">=", lease)
    facts.append(
        draw.one((
            f"The lease of the hall asks for at least {lease} {unit} in all, "
            f"and the store holds at most {store}.",
            f"In all, no fewer than {lease} and no more than {store} {unit} may be made.",
        ))
    )  # fmt: skip
    if integer:
        facts.append(
            draw.one(("Only whole units count.", f"The {unit} are made in whole numbers."))
        )
    gain = listing(f"{p} for {item}" for p, item in zip(profits, items, strict=True))
    opening = draw.one((
        f"{firm}, a {place}, plans how many {unit} to make of {listing(items)}.",
        f"The {place} {firm} makes {listing(items)}, counted in {unit}.",
    ))  # fmt: skip
    goal = draw.one((
        f"The profit per unit is {gain}, and the total profit is to be as large as possible.",
        f"It wants the largest profit, earning per unit {gain}.",
    ))  # fmt: skip
    return b.seed(draw.story(opening, facts, goal))
