# ruff: noqa: PTH123 - files are opened as answers open them
"""Services and fleet cadences that meet every requirement exactly, at least cost."""

import csv

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120


def table(name):
    with open(f"data/{name}.csv", newline="") as stream:
        return list(csv.DictReader(stream))


model = gp.Model("timtab1")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-9
level = {}
cost = gp.LinExpr()
for row in table("services"):
    name = row["service_id"]
    level[name] = model.addVar(float(row["lower_bound"]), float(row["upper_bound"]), name=name)
    cost += float(row["cost"]) * level[name]
for row in table("frequencies"):
    name = row["freq_id"]
    low, high = float(row["lower_bound"]), float(row["upper_bound"])
    level[name] = model.addVar(low, high, vtype=GRB.INTEGER, name=name)
sums = {row["constraint_id"]: gp.LinExpr() for row in table("constraints")}
for row in table("service_constraints"):
    sums[row["constraint_id"]] += float(row["coefficient"]) * level[row["variable_id"]]
for row in table("constraints"):
    total, rhs = sums[row["constraint_id"]], float(row["rhs"])
    if row["sense"] == "=":
        model.addConstr(total == rhs)
    elif row["sense"].startswith("<"):
        model.addConstr(total <= rhs)
    else:
        model.addConstr(total >= rhs)
model.setObjective(cost, GRB.MINIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
