"""Capacitated lot sizing with setups on several machines, each product on its own machine.

A hidden plan of lots is drawn first; its demand and capacity make the instance.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, cross, ids, plain, row

SPEC = Spec(
    scenario=(
        "A plastics plant molds several products. Each product runs on a certain molding machine, "
        "which has to be set up in every period in which the product is made; the setup takes "
        "machine time and costs money. Goods may be made ahead of demand and stored."
    ),
    sets=(
        Set("I", "product", "products", table="products", key=("product",),
            names=("bucket", "crate", "basin", "lid")),
        Set("M", "machine", "machines", size="n_machines"),
        Set("T", "period", "periods", size="n_periods"),
        Set("R", "route", "routes", table="routes", key=("machine", "product"), parts=("M", "I")),
    ),
    parameters=(
        Parameter("n_machines", "number of machines"),
        Parameter("n_periods", "number of periods"),
        Parameter("unit_time", "machine time of making a unit", "minutes", ("I",), "products"),
        Parameter("setup_time", "machine time of a setup", "minutes", ("I",), "products"),
        Parameter("setup_cost", "cost of a setup", "dollars", ("I",), "products"),
        Parameter("holding_cost", "cost of storing a unit for a period", "dollars", ("I",),
                  "products"),
        Parameter("largest_lot", "most units that a lot can have", "units", ("I",), "products"),
        Parameter("final_stock", "stock wanted at the end", "units", ("I",), "products"),
        Parameter("demand", "demand", "units", ("I", "T"), "demands"),
        Parameter("capacity", "machine time there is", "minutes", ("M", "T"), "capacities"),
    ),
    groups=(
        Group("lot", "for i in I for t in T", "number of units made", "continuous", "units"),
        Group("stock", "for i in I for t in T", "stock at the end of the period", "continuous",
              "units"),
        Group("setup", "for i in I for t in T",
              "decision whether its machine is set up for the product", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(setup_cost[i] * setup[i, t] + holding_cost[i] * stock[i, t] for i in I for t in T)",
        "the cost of all setups plus the cost of storing what is left at the end of each period",
        "dollars",
    ),
    families=(
        Family("stock_balance", "for i in I for t in T",
               "sum(stock[i, s] for s in T if s == t - 1) + lot[i, t]"
               " == demand[i, t] + stock[i, t]",
               "the stock of the period before (none at first) plus what is made equals the "
               "demand plus the stock at the end", Semantic.EQUALITY, Scaffold.COUPLED),
        Family("machine_time", "for m in M for t in T",
               "sum(unit_time[i] * lot[i, t] + setup_time[i] * setup[i, t]"
               " for (a, i) in R if a == m) <= capacity[m, t]",
               "making the lots of the machine's products and setting up for them takes no more "
               "than the machine time there is", Semantic.UPPER_WEIGHTED_SUM, Scaffold.NESTED_LOOP),
        Family("setup_needed", "for i in I for t in T", "lot[i, t] <= largest_lot[i] * setup[i, t]",
               "the product is made only if the machine is set up for it, and then no more than "
               "its largest lot", Semantic.IMPLICATION, Scaffold.NESTED_LOOP),
        Family("stock_wanted", "for i in I", "stock[i, n_periods] >= final_stock[i]",
               "the stock at the end of the last period is at least the stock wanted",
               Semantic.LOWER_BOUND, Scaffold.SINGLE_LOOP),
    ),
    files={
        "routes": "which product runs on which machine", "demands": "demand",
        "capacities": "machine time",
    },
)  # fmt: skip

WORDS = Words(
    who="a plastics plant",
    tellings=(
        "Before a machine of a plastics plant can make a product in some period it is set up for "
        "it, at the expense of time and money. A product is tied to its machine. What is made "
        "before it is asked for goes into the store.",
    ),
    nouns=("product part component article", "period week month quarter"),
    goals=(
        Objective("minimize", "sum(holding_cost[i] * stock[i, t] for i in I for t in T)",
                  "the cost of storing what is left at the end of each period"),
        Objective("minimize", "sum(setup_cost[i] * setup[i, t] for i in I for t in T)",
                  "the cost of all setups"),
        Objective("minimize", "sum(unit_time[i] * lot[i, t] for i in I for t in T)",
                  "the machine time of making all units"),
        Objective("minimize", "sum(setup[i, t] for i in I for t in T)", "the number of all setups"),
    ),
    rules={
        "stock_balance": ("stock",
                          "the stock from before plus what is made minus the stock at the end"),
        "machine_time": ("machine time", "the machine time of lots and setups"),
        "setup_needed": ("setups",),
        "stock_wanted": ("final stock", "the stock at the end of the last period",
                         "the stock wanted"),
    },
    pairs={"R": "machine and each product that runs on it"},
    optional=("machine_time",),
    scenes={
        "machine_time": ("takes machine time and costs money", "costs money"),
    },
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Demand and capacity that a hidden plan of lots meets."""
    n, machines, periods = (int(knobs[k]) for k in ("n_products", "n_machines", "n_periods"))
    place = np.arange(n) % machines
    runs = rng.random((n, periods)) < 0.6
    runs[:, 0] = True
    largest = rng.integers(30, 81, n)
    lots = np.where(runs, rng.integers(10, largest[:, None] + 1, (n, periods)), 0)
    stock = np.zeros(n, np.int64)
    demand = np.zeros((n, periods), np.int64)
    for t in range(periods):
        there = stock + lots[:, t]
        demand[:, t] = rng.integers(there // 3, there + 1)
        stock = there - demand[:, t]
    unit, setup = rng.integers(1, 6, n), rng.integers(10, 41, n)
    work = unit[:, None] * lots + setup[:, None] * runs
    load = np.array([work[place == m].sum(0) for m in range(machines)])
    return {
        "products": {
            "product": ids(n),
            "unit_time": plain(unit),
            "setup_time": plain(setup),
            "setup_cost": plain(rng.integers(50, 301, n)),
            "holding_cost": plain(rng.integers(1, 9, n)),
            "largest_lot": plain(largest),
            "final_stock": plain(stock // 2),
        },
        "routes": {"machine": plain(place + 1), "product": ids(n)},
        "demands": {**cross(product=n, period=periods), "demand": plain(demand)},
        "capacities": {
            **cross(machine=machines, period=periods),
            "capacity": plain(np.maximum(load, int(load.mean()))),
        },
        "parameters": row(n_machines=machines, n_periods=periods),
    }


TEMPLATE = Template(
    "lot_sizing",
    "Capacitated lot sizing with setups",
    ("Production Planning and Scheduling Optimization", "Capacitated Lot-Sizing Problem"),
    (
        Knob("n_products", "number of products", (4, 6, 12), 1, 5000),
        Knob("n_machines", "number of machines", (2, 2, 3), 1, 1000),
        Knob("n_periods", "number of periods", (5, 8, 12), 2, 1000),
    ),
    SPEC,
    draw,
    lambda knobs: (
        ""
        if knobs["n_products"] >= knobs["n_machines"]
        else "let there be a product for each machine"
    ),
    words=WORDS,
)
