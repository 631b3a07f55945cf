# ruff: noqa: PTH123 - files are opened as answers open them
"""Covering: every place seen from an open hangar, with so many hangars and no more."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
with open("data/S1.csv", newline="") as stream:
    covers = [tuple(name for name in row[1:] if name) for row in list(csv.reader(stream))[1:]]
hangars = sorted({name for cover in covers for name in cover})

model = gp.Model("stein9inf")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
is_open = model.addVars(hangars, vtype=GRB.BINARY, name="open")
model.addConstrs(
    (gp.quicksum(is_open[name] for name in cover) >= 1 for cover in covers), name="seen"
)
model.addConstr(is_open.sum() >= given["K1"])
model.addConstr(is_open.sum() <= given["K2"])
model.setObjective(is_open.sum(), GRB.MINIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
