"""Plans over several periods, in which one follows from the one before."""

import math

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

_CASH_MATCHING_SPEC = Spec(
    "A pension office buys bonds today to pay what it owes in the years to come. What is left "
    "in a year is carried over as cash.",
    sets=(
        Set("B", "bond", "bonds", table="bonds", key=("bond",),
            names=("amber", "basalt", "coral", "flint", "garnet", "jasper", "onyx", "quartz")),
        Set("T", "year", "years", size="n_years"),
        Set("H", "house bond", "house bonds", table="house", key=("bond",)),
    ),
    parameters=(
        Parameter("n_years", "number of years"),
        Parameter("most_today", "most cash put aside today", "dollars"),
        Parameter("vault", "most cash kept at the end of a year", "dollars"),
        Parameter("closing", "least cash at the end of the last year", "dollars"),
        Parameter("most_house", "most bonds of the own house", "bonds"),
        Parameter("most_risk", "most points of risk", "points"),
        Parameter("least_bonds", "fewest bonds that the broker deals in", "bonds"),
        Parameter("price", "price of a bond", "dollars", ("B",), "bonds"),
        Parameter("points", "points of risk of a bond", "points", ("B",), "bonds"),
        Parameter("on_sale", "most bonds on sale", "bonds", ("B",), "bonds"),
        Parameter("owed", "sum owed", "dollars", ("T",), "dues"),
        Parameter("pays", "payment of a bond in the year", "dollars", ("B", "T"), "payments"),
    ),
    groups=(
        Group("buy", "for b in B", "number of bonds bought", "continuous", "bonds",
              upper="on_sale[b]"),
        Group("today", "", "cash put aside today", "continuous", "dollars", upper="most_today"),
        Group("cash", "for t in T", "cash at the end of the year", "continuous", "dollars",
              upper="vault"),
    ),
    objective=Objective(
        "minimize", "sum(price[b] * buy[b] for b in B) + today",
        "the price of all bonds plus the cash put aside today", "dollars",
    ),
    families=(
        Family("payment", "for t in T",
               "sum(pays[b, t] * buy[b] for b in B) + sum(cash[s] for s in T if s == t - 1)"
               " + today * (t == 1) == owed[t] + cash[t]",
               "what the bonds pay plus the cash of the year before (at first, that put aside "
               "today) equals the sum owed plus the cash at the end",
               Semantic.EQUALITY, Scaffold.COUPLED),
        Family("closing_cash", "", "cash[n_years] >= closing",
               "the cash at the end of the last year is at least {closing}", Semantic.LOWER_BOUND),
        Family("house_cap", "", "sum(buy[b] for b in H) <= most_house",
               "at most {most_house} of the own house are bought", Semantic.UPPER_SUM),
        Family("risk_limit", "", "sum(points[b] * buy[b] for b in B) <= most_risk",
               "all bonds together have at most {most_risk} of risk", Semantic.UPPER_WEIGHTED_SUM),
        Family("broker_minimum", "", "sum(buy[b] for b in B) >= least_bonds",
               "at least {least_bonds} are bought in all", Semantic.LOWER_SUM),
    ),
    files={
        "dues": "the sums owed", "house": "the bonds of the own house",
        "payments": "what a bond pays in each year",
    },
)  # fmt: skip


@template(
    "Cash matching with bonds",
    ("Financial and Revenue Optimization", "Portfolio Optimization"),
    _CASH_MATCHING_SPEC,
    Knob("n_bonds", "number of bonds", (5, 12, 600), 2, 10_000),
    Knob("n_years", "number of years", (4, 8, 200), 1, 10_000),
    needs=(lambda n, years: n >= years, "let there be a bond for each year"),
)
def cash_matching(rng: Rng, n: int, years: int) -> Drawn:
    """Dues that a hidden purchase pays; bond k is repaid in year k modulo their number."""
    plan = rng.integers(5, 21, n)
    points = rng.integers(1, 10, n)
    last, year = (np.arange(n) % years)[:, None], np.arange(years)[None]
    pays = 100 * (year == last) + rng.integers(2, 10, n)[:, None] * (year <= last)
    cash = 50 * np.concatenate([rng.integers(1, 5, 1), rng.integers(0, 3, years)])
    cash[-1] = 50 * int(rng.integers(1, 3))
    owed = plan @ pays + cash[:-1] - cash[1:]
    house = np.sort(rng.permutation(n)[: max(2, n // 3)])
    # So many bonds would be needed if each paid as much as the best one.
    needed = float((owed.sum() + cash[-1] - cash[0]) / pays.sum(1).max())
    return {
        "bonds": {
            "bond": ids(n),
            "price": rng.integers(85, 106, n),
            "points": points,
            "on_sale": plan + rng.integers(1, 7, n),
        },
        "dues": {**cross(year=years), "owed": owed},
        "house": {"bond": house + 1},
        "payments": {**cross(bond=n, year=years), "pays": pays},
        "parameters": row(
            n_years=years,
            most_today=int(cash[0]),
            vault=int(cash.max() + 50 * rng.integers(0, 3)),
            closing=int(cash[-1]),
            most_house=int(plan[house].sum() + rng.integers(0, 3)),
            most_risk=int(above(points @ plan * rng.uniform(1.0, 1.06))),
            least_bonds=int(needed * rng.uniform(0.75, 0.95)),
        ),
    }


_LOT_SIZING_SPEC = Spec(
    "A plastics plant molds several products. Each product runs on a certain molding machine, "
    "which has to be set up in every period in which the product is made; the setup takes "
    "machine time and costs money. Goods may be made ahead of demand and stored.",
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
               "than the machine time there is", Semantic.UPPER_WEIGHTED_SUM),
        Family("setup_needed", "for i in I for t in T", "lot[i, t] <= largest_lot[i] * setup[i, t]",
               "the product is made only if the machine is set up for it, and then no more than "
               "its largest lot", Semantic.IMPLICATION),
        Family("stock_wanted", "for i in I", "stock[i, n_periods] >= final_stock[i]",
               "the stock at the end of the last period is at least the stock wanted",
               Semantic.LOWER_BOUND),
    ),
    files={
        "routes": "which product runs on which machine", "demands": "demand",
        "capacities": "machine time",
    },
)  # fmt: skip

_LOT_SIZING_WORDS = Words(
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


@template(
    "Capacitated lot sizing with setups",
    ("Production Planning and Scheduling Optimization", "Capacitated Lot-Sizing Problem"),
    _LOT_SIZING_SPEC,
    Knob("n_products", "number of products", (4, 6, 12), 1, 5000),
    Knob("n_machines", "number of machines", (2, 2, 3), 1, 1000),
    Knob("n_periods", "number of periods", (5, 8, 12), 2, 1000),
    needs=(lambda n, machines, periods: n >= machines, "let there be a product for each machine"),
    words=_LOT_SIZING_WORDS,
)
def lot_sizing(rng: Rng, n: int, machines: int, periods: int) -> Drawn:
    """Demand and capacity that a hidden plan of lots meets."""
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
            "unit_time": unit,
            "setup_time": setup,
            "setup_cost": rng.integers(50, 301, n),
            "holding_cost": rng.integers(1, 9, n),
            "largest_lot": largest,
            "final_stock": stock // 2,
        },
        "routes": {"machine": place + 1, "product": ids(n)},
        "demands": {**cross(product=n, period=periods), "demand": demand},
        "capacities": {
            **cross(machine=machines, period=periods),
            "capacity": np.maximum(load, int(load.mean())),
        },
        "parameters": row(n_machines=machines, n_periods=periods),
    }


_POWER_DISPATCH_SPEC = Spec(
    "A utility runs its plants through the periods of a day. A plant that runs has a least and "
    "a greatest output, and its output cannot rise at will from one period to the next.",
    sets=(
        Set("P", "plant", "plants", table="plants", key=("plant",),
            names=("coal", "gas", "biomass", "hydro", "oil", "waste")),
        Set("T", "period", "periods", size="n_periods"),
        Set("F", "fuelled plant", "fuelled plants", table="fuels", key=("plant",)),
    ),
    parameters=(
        Parameter("n_periods", "number of periods"),
        Parameter("most_fumes", "most fumes in all periods together", "grams"),
        Parameter("grid_minimum", "least output of all plants in all periods", "megawatts"),
        Parameter("cost", "cost of a megawatt", "dollars", ("P",), "plants"),
        Parameter("fumes", "fumes of a megawatt", "grams", ("P",), "plants"),
        Parameter("least_output", "least output in a period", "megawatts", ("P",), "plants"),
        Parameter("most_output", "greatest output in a period", "megawatts", ("P",), "plants"),
        Parameter("ramp", "most by which the output can rise", "megawatts", ("P",), "plants"),
        Parameter("fuel", "output for which there is fuel", "megawatts", ("F",), "fuels"),
        Parameter("load", "load of the period", "megawatts", ("T",), "loads"),
    ),
    groups=(
        Group("run", "for p in P for t in T", "output of the plant", "continuous", "megawatts",
              lower="least_output[p]", upper="most_output[p]"),
    ),
    objective=Objective(
        "minimize", "sum(cost[p] * run[p, t] for p in P for t in T)",
        "the cost of all output", "dollars",
    ),
    families=(
        Family("load_met", "for t in T", "sum(run[p, t] for p in P) >= load[t]",
               "the output of all plants is at least the load", Semantic.LOWER_SUM),
        Family("ramp_limit", "for p in P for t in T if t >= 2",
               "run[p, t] - run[p, t - 1] <= ramp[p]",
               "the output exceeds that of the period before by no more than it can rise",
               Semantic.COMPARISON, Scaffold.COUPLED,
               "for each plant and each period but the first"),
        Family("clean_air", "", "sum(fumes[p] * run[p, t] for p in P for t in T) <= most_fumes",
               "the fumes of all output are at most {most_fumes}", Semantic.UPPER_WEIGHTED_SUM),
        Family("fuel_limit", "for p in F", "sum(run[p, t] for t in T) <= fuel[p]",
               "the output over all periods is at most that for which there is fuel",
               Semantic.UPPER_SUM),
        Family("grid_contract", "", "sum(run[p, t] for p in P for t in T) >= grid_minimum",
               "the output of all plants over all periods is at least {grid_minimum}",
               Semantic.LOWER_SUM),
    ),
    files={"fuels": "the plants with limited fuel", "loads": "the loads"},
)  # fmt: skip


@template(
    "Power dispatch with ramps",
    ("Production Planning and Scheduling Optimization", "Economic Dispatch Problem"),
    _POWER_DISPATCH_SPEC,
    Knob("n_plants", "number of plants", (3, 6, 60), 1, 10_000),
    Knob("n_periods", "number of periods", (3, 8, 48), 1, 10_000),
)
def power_dispatch(rng: Rng, n: int, count: int) -> Drawn:
    """Limits around a hidden schedule."""
    plan = 5 * rng.integers(6, 17, (n, count))
    fumes = rng.integers(1, 10, n)
    load = under(plan.sum(0) * rng.uniform(0.94, 1.0, count))
    rise = np.diff(plan, axis=1).max(1) if count > 1 else np.zeros(n)
    fuelled = np.sort(rng.permutation(n)[: max(1, n // 3)])
    fuel = plan.sum(1)[fuelled]
    return {
        "plants": {
            "plant": ids(n),
            "cost": rng.integers(10, 41, n),
            "fumes": fumes,
            "least_output": under(plan.min(1) * 0.7),
            "most_output": above(plan.max(1) * rng.uniform(1.05, 1.3, n)),
            "ramp": np.maximum(5, rise).astype(np.int64),
        },
        "fuels": {"plant": fuelled + 1, "fuel": above(fuel * rng.uniform(1.0, 1.08, len(fuel)))},
        "loads": {**cross(period=count), "load": load},
        "parameters": row(
            n_periods=count,
            most_fumes=int(above(fumes @ plan.sum(1) * rng.uniform(1.0, 1.06), 10)),
            grid_minimum=int(under(load.sum() * rng.uniform(0.8, 0.95))),
        ),
    }


_PRODUCTION_PLANNING_SPEC = Spec(
    "A paint maker plans its mixing shop over the coming periods. Paint is mixed in "
    "batches of a size that depends on the product, and what is not sold at once goes on "
    "stock. The shop has agreed with its staff that the total hours worked may not jump from "
    "one period to the next.",
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
               "no more hours are worked than there is capacity for", Semantic.UPPER_BOUND),
    ),
    files={"demands": "demand", "periods": "the periods"},
)  # fmt: skip

_PRODUCTION_PLANNING_WORDS = Words(
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


@template(
    "Production planning with smoothed workload",
    ("Production Planning and Scheduling Optimization", "Production Planning Problem"),
    _PRODUCTION_PLANNING_SPEC,
    Knob("n_products", "number of products", (3, 6, 12), 1, 5000),
    Knob("n_periods", "number of periods", (6, 10, 18), 2, 1000),
    Knob("change", "least share by which the hours may change", (0.1, 0.08, 0.06), 0.0, 1.0),
    words=_PRODUCTION_PLANNING_WORDS,
)
def production_planning(rng: Rng, n: int, periods: int, change: float) -> Drawn:
    """Demand that a hidden plan meets."""
    size, hours = rng.integers(5, 21, n) * 10, rng.integers(2, 9, n)
    plan = rng.integers(4, 9, n)[:, None] + rng.integers(0, 2, (n, periods))
    made, first = plan * size[:, None], rng.integers(0, 4, n) * 10
    stock = np.column_stack([first, rng.integers(0, 8, (n, periods)) * 10])
    demand = np.maximum(stock[:, :-1] + made - stock[:, 1:], 0)
    work = hours @ plan
    jump = float(np.abs(work[1:] / work[:-1] - 1).max(initial=0.0))
    change = max(change, math.ceil(jump * 1000) / 1000)
    return {
        "products": {
            "product": ids(n),
            "batch_size": size,
            "batch_hours": hours,
            "initial_stock": first,
            "batch_cost": rng.integers(50, 201, n),
            "holding_cost": rng.integers(1, 10, n) / 10,
        },
        "demands": {**cross(product=n, period=periods), "demand": demand},
        "periods": {
            **cross(period=periods),
            "capacity": work + rng.integers(0, 1 + int(work.max()) // 4, periods),
        },
        "parameters": row(n_periods=periods, change=change),
    }


_UNIT_COMMITMENT_SPEC = Spec(
    "A power company decides hour by hour which of its units run. A unit that runs gives at "
    "least its least output, and bringing it up costs extra; at first no unit runs.",
    sets=(
        Set("U", "unit", "units", table="units", key=("unit",)),
        Set("T", "hour", "hours", size="n_hours"),
    ),
    parameters=(
        Parameter("n_hours", "number of hours"),
        Parameter("reserve", "output that must be free in each hour", "megawatts"),
        Parameter("least_output", "least output of a unit that runs", "megawatts", ("U",), "units"),
        Parameter("most_output", "largest output of a unit", "megawatts", ("U",), "units"),
        Parameter("run_cost", "cost of running a unit for an hour", "dollars", ("U",), "units"),
        Parameter("start_cost", "cost of bringing a unit up", "dollars", ("U",), "units"),
        Parameter("fuel_cost", "cost of fuel", "dollars per megawatt-hour", ("U",), "units"),
        Parameter("demand", "demand", "megawatts", ("T",), "demands"),
    ),
    groups=(
        Group("output", "for u in U for t in T", "output of a unit in the hour", "continuous",
              "megawatts"),
        Group("runs", "for u in U for t in T", "decision whether a unit runs in the hour",
              "binary"),
        Group("starts", "for u in U for t in T", "decision whether a unit is brought up in the "
              "hour", "binary"),
    ),
    objective=Objective(
        "minimize",
        "sum(fuel_cost[u] * output[u, t] + run_cost[u] * runs[u, t] + start_cost[u] * starts[u, t]"
        " for u in U for t in T)",
        "the cost of fuel, of running units and of bringing them up", "dollars",
    ),
    families=(
        Family("demand_met", "for t in T", "sum(output[u, t] for u in U) == demand[t]",
               "the output of all units equals the demand", Semantic.EQUALITY),
        Family("reserve_kept", "for t in T",
               "sum(most_output[u] * runs[u, t] for u in U) >= demand[t] + reserve",
               "the largest outputs of all running units cover the demand and {reserve} more",
               Semantic.LOWER_WEIGHTED_SUM),
        Family("output_floor", "for u in U for t in T",
               "output[u, t] >= least_output[u] * runs[u, t]",
               "a unit that runs gives at least its least output", Semantic.LOWER_PROPORTION),
        Family("output_cap", "for u in U for t in T",
               "output[u, t] <= most_output[u] * runs[u, t]",
               "a unit gives something only if it runs, and then at most its largest output",
               Semantic.IMPLICATION),
        Family("brought_up", "for u in U for t in T",
               "runs[u, t] - sum(runs[u, s] for s in T if s == t - 1) <= starts[u, t]",
               "a unit that runs and did not run in the hour before is brought up",
               Semantic.IMPLICATION, Scaffold.COUPLED),
    ),
    files={"demands": "demand"},
)  # fmt: skip


@template(
    "Unit commitment with reserve",
    ("Energy and Natural Resource Optimization", "Unit Commitment Problem"),
    _UNIT_COMMITMENT_SPEC,
    Knob("n_units", "number of units", (3, 5, 20), 2, 500),
    Knob("n_hours", "number of hours", (4, 8, 48), 2, 2000),
)
def unit_commitment(rng: Rng, n: int, hours: int) -> Drawn:
    """Demand between what the smallest unit must give and what nearly all units can."""
    most = 10 * rng.integers(4, 16, n)
    least = (most * rng.uniform(0.1, 0.3, n)).astype(np.int64)
    share = rng.uniform(0.4, 0.85, hours)
    return {
        "units": {
            "unit": ids(n),
            "least_output": least,
            "most_output": most,
            "run_cost": 10 * rng.integers(5, 30, n),
            "start_cost": 10 * rng.integers(10, 60, n),
            "fuel_cost": rng.integers(12, 40, n),
        },
        "demands": {"hour": ids(hours), "demand": (most.sum() * share).astype(np.int64)},
        "parameters": row(n_hours=hours, reserve=int(most.sum() // 20)),
    }
