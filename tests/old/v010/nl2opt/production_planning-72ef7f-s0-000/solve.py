"""Production planning with smoothed workload.

Reads the tables in data/, builds the model by loops, solves it with HiGHS and prints the optimum.
"""

import csv

import highspy

INF = highspy.kHighsInf
REAL, WHOLE = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger


def number(text):
    """A whole number as int, another one as float."""
    return int(text) if text.lstrip("-").isdigit() else float(text)


def read(name):
    """The rows of data/NAME.csv, each by its columns."""
    with open(f"data/{name}.csv", newline="") as file:
        rows = csv.DictReader(file)
        return [{key: number(text) for key, text in row.items()} for row in rows]


# Data
products_rows = read("products")
demands_rows = read("demands")
periods_rows = read("periods")
parameters_rows = read("parameters")
n_periods = parameters_rows[0]["n_periods"]
change = parameters_rows[0]["change"]
batch_size = {row["product"]: row["batch_size"] for row in products_rows}
batch_hours = {row["product"]: row["batch_hours"] for row in products_rows}
initial_stock = {row["product"]: row["initial_stock"] for row in products_rows}
batch_cost = {row["product"]: row["batch_cost"] for row in products_rows}
holding_cost = {row["product"]: row["holding_cost"] for row in products_rows}
demand = {(row["product"], row["period"]): row["demand"] for row in demands_rows}
capacity = {row["period"]: row["capacity"] for row in periods_rows}
I = [row["product"] for row in products_rows]  # products
T = range(1, n_periods + 1)  # periods

h = highspy.Highs()

# Variables
# Number of batches mixed.
batches = {
    (i, t): h.addVariable(0, INF, type=WHOLE, name=f"batches[{i},{t}]")
    for i in I
    for t in T
}
# Stock left at the end of a period.
stock = {
    (i, t): h.addVariable(0, INF, type=REAL, name=f"stock[{i},{t}]")
    for i in I
    for t in T
}
# Total hours worked.
hours = {
    t: h.addVariable(0, INF, type=REAL, name=f"hours[{t}]")
    for t in T
}

# Constraints
# For each product and each period: the stock brought in from the period before (at first, the
# stock at the start) plus what is mixed equals the demand plus the stock that is left.
for i in I:
    for t in T:
        h.addConstr(
            (
                h.qsum(stock[i, s] for s in T if s == t - 1) + initial_stock[i] * (t == 1)
                + batch_size[i] * batches[i, t]
            )
            == demand[i, t] + stock[i, t],
            name=f"stock_balance[{i},{t}]",
        )

# For each period: the total hours worked are the hours of all batches of all products together.
for t in T:
    h.addConstr(
        hours[t] == h.qsum(batch_hours[i] * batches[i, t] for i in I),
        name=f"hours_worked[{t}]",
    )

# For each period after the first: the hours worked exceed those of the period before by at most
# the share {change}.
for t in T:
    if t >= 2:
        h.addConstr(hours[t] <= (1 + change) * hours[t - 1], name=f"hours_rise[{t}]")

# For each period after the first: the hours worked fall below those of the period before by at
# most the share {change}.
for t in T:
    if t >= 2:
        h.addConstr(hours[t] >= (1 - change) * hours[t - 1], name=f"hours_fall[{t}]")

# For each period: no more hours are worked than there is capacity for.
for t in T:
    h.addConstr(hours[t] <= capacity[t], name=f"hours_limit[{t}]")

h.setOptionValue("output_flag", False)
h.setOptionValue("mip_rel_gap", 0.0)
# Minimize the cost of all batches plus the cost of holding stock at the end of each period.
h.minimize(
    h.qsum(batch_cost[i] * batches[i, t] + holding_cost[i] * stock[i, t] for i in I for t in T)
)

status = h.getModelStatus()
if status == highspy.HighsModelStatus.kOptimal:
    print(f"optimal_value = {h.getInfo().objective_function_value}")
else:
    print(f"status: {h.modelStatusToString(status)}")
