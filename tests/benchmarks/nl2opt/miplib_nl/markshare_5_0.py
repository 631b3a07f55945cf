# ruff: noqa: PTH123 - files are opened as answers open them
"""Which packages to take: as much of the demand as can be met without passing any target."""

import csv

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60

with open("data/markets.csv", newline="") as stream:
    target = {row["market_code"]: int(row["target_units"]) for row in csv.DictReader(stream)}
with open("data/package_contents.csv", newline="") as stream:
    contents = {
        (row["package_code"], row["market_code"]): int(row["exposure_units"])
        for row in csv.DictReader(stream)
    }
packages = sorted({package for package, _ in contents})

model = gp.Model("markshare_5_0")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-9
take = model.addVars(packages, vtype=GRB.BINARY, name="take")
# What is missing in a market is whole: the solver may branch on it.
missing = model.addVars(target, vtype=GRB.INTEGER, ub=target, name="missing")
for market, wanted in target.items():
    sent = gp.quicksum(
        units * take[package] for (package, where), units in contents.items() if where == market
    )
    model.addConstr(sent + missing[market] == wanted)
total = sum(target.values())
model.setObjective((total - missing.sum()) / total, GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
