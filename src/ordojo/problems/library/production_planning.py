"""Multi-period production planning with stock, and a workload smoothed over time (as harvests are).

A hidden plan of batches is drawn first; demand, capacity and the smoothing share leave it feasible.
"""

import math

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A paint maker plans its mixing shop over the coming periods. Paint is mixed in "
        "batches of a size that depends on the product, and what is not sold at once goes on "
        "stock. The shop has agreed with its staff that the total hours worked may not jump from "
        "one period to the next."
    ),
    sets=(
        Set("I", "product", "products", table="products", key=("product",),
            names=("white", "ochre", "azure", "green")),
        Set("T", "period", "periods", size="n_periods"),
    ),
    parameters=(
        Parameter("n_periods", "number of periods"),
        Parameter("change", "largest relative change of the hours between successive periods"),
        Parameter("batch_size", "size of a batch", "liters", ("I",), "products"),
        Parameter("batch_hours", "work that a batch takes", "hours", ("I",), "products"),
        Parameter("initial_stock", "stock at the start", "liters", ("I",), "products"),
        Parameter("batch_cost", "cost of a batch", "dollars", ("I",), "products"),
        Parameter("holding_cost", "cost of holding stock for a period", "dollars per liter", ("I",),
                  "products"),
        Parameter("demand", "demand", "liters", ("I", "T"), "demands"),
        Parameter("capacity", "most hours that can be worked", "hours", ("T",), "periods"),
    ),
    groups=(
        Group("batches", "for i in I for t in T", "number of batches mixed", "integer", "batches"),
        Group("stock", "for i in I for t in T", "stock left at the end of a period", "continuous",
              "liters"),
        Group("hours", "for t in T", "total hours worked", "continuous", "hours"),
    ),
    objective=Objective(
        "minimize",
        "sum(batch_cost[i] * batches[i, t] + holding_cost[i] * stock[i, t] for i in I for t in T)",
        "the cost of all batches plus the cost of holding stock at the end of each period",
        "dollars",
    ),
    families=(
        Family("stock_balance", "for i in I for t in T",
               "sum(stock[i, s] for s in T if s == t - 1) + initial_stock[i] * (t == 1)"
               " + batch_size[i] * batches[i, t] == demand[i, t] + stock[i, t]",
               "the stock brought in from the period before (at first, the stock at the start) "
               "plus what is mixed equals the demand plus the stock that is left",
               Semantic.EQUALITY, Scaffold.COUPLED),
        Family("hours_worked", "for t in T",
               "hours[t] == sum(batch_hours[i] * batches[i, t] for i in I)",
               "the total hours worked are the hours of all batches of all products together",
               Semantic.AGGREGATION, Scaffold.COUPLED),
        Family("hours_rise", "for t in T if t >= 2", "hours[t] <= (1 + change) * hours[t - 1]",
               "the hours worked exceed those of the period before by at most the share {change}",
               Semantic.COMPARISON, Scaffold.COUPLED, "for each period after the first"),
        Family("hours_fall", "for t in T if t >= 2", "hours[t] >= (1 - change) * hours[t - 1]",
               "the hours worked fall below those of the period before by at most the share "
               "{change}", Semantic.COMPARISON, Scaffold.COUPLED,
               "for each period after the first"),
        Family("hours_limit", "for t in T", "hours[t] <= capacity[t]",
               "no more hours are worked than there is capacity for", Semantic.UPPER_BOUND,
               Scaffold.SINGLE_LOOP),
    ),
    files={"demands": "demand", "periods": "the periods"},
)  # fmt: skip

WORDS = Words(
    who="a paint maker",
    tellings=(
        "The mixing shop of a paint maker works in batches, larger ones for some products than "
        "for others, and puts aside what is not sold at once. From one period to the next, says "
        "an agreement with the staff, the hours worked in all change only a little.",
    ),
    nouns=("product enamel primer lacquer", "period week month fortnight"),
    goals=(
        Objective("minimize", "sum(batch_cost[i] * batches[i, t] for i in I for t in T)",
                  "the cost of all batches"),
        Objective("minimize", "sum(hours[t] for t in T)", "the number of hours worked"),
        Objective("minimize", "sum(stock[i, t] for i in I for t in T)", "the stock of all periods"),
        Objective("maximize", "sum(batch_size[i] * batches[i, t] for i in I for t in T)",
                  "the volume of all batches"),
    ),
    rules={
        "stock_balance": ("stock",
                          "the stock from before plus what is mixed minus the stock that is left"),
        "hours_worked": ("work",),
        "hours_fall": ("fall of the hours",
                       "the hours worked minus the least to which those before may fall"),
        "hours_rise": ("rise of the hours",
                       "the hours worked minus the most to which those before may rise"),
        "hours_limit": ("hours", "the total of hours worked", "the capacity"),
    },
    optional=("hours_fall",),
    scenes={
        "hours_fall": ("may not jump", "may rise only a little"),
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Demand that a hidden plan meets."""
    n, periods = int(knobs["n_products"]), int(knobs["n_periods"])
    size, hours = rng.integers(5, 21, n) * 10, rng.integers(2, 9, n)
    plan = rng.integers(4, 9, n)[:, None] + rng.integers(0, 2, (n, periods))
    made, first = plan * size[:, None], rng.integers(0, 4, n) * 10
    stock = np.column_stack([first, rng.integers(0, 8, (n, periods)) * 10])
    demand = np.maximum(stock[:, :-1] + made - stock[:, 1:], 0)
    work = hours @ plan
    jump = float(np.abs(work[1:] / work[:-1] - 1).max(initial=0.0))
    change = max(float(knobs["change"]), math.ceil(jump * 1000) / 1000)
    return {
        "products": {
            "product": ids(n),
            "batch_size": plain(size),
            "batch_hours": plain(hours),
            "initial_stock": plain(first),
            "batch_cost": plain(rng.integers(50, 201, n)),
            "holding_cost": plain(rng.integers(1, 10, n) / 10),
        },
        "demands": {**cross(product=n, period=periods), "demand": plain(demand)},
        "periods": {
            **cross(period=periods),
            "capacity": plain(work + rng.integers(0, 1 + int(work.max()) // 4, periods)),
        },
        "parameters": row(n_periods=periods, change=change),
    }


TEMPLATE = Template(
    "production_planning",
    "Production planning with smoothed workload",
    ("Production Planning and Scheduling Optimization", "Production Planning Problem"),
    (
        Knob("n_products", "number of products", (3, 6, 12), 1, 5000),
        Knob("n_periods", "number of periods", (6, 10, 18), 2, 1000),
        Knob("change", "least share by which the hours may change", (0.1, 0.08, 0.06), 0.0, 1.0),
    ),
    SPEC,
    draw,
    words=WORDS,
)
