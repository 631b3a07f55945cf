# ruff: noqa: PTH123 - files are opened as answers open them
"""Pilots and students of six months, with a cost that must stay below a limit."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
with open("data/task.csv", newline="") as stream:
    tasks = [float(row[1]) for row in csv.reader(stream) if row]
months = range(given["N2"])

model = gp.Model("flugplinf")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
pilots = model.addVars(months, vtype=GRB.INTEGER, lb=given["N10"], ub=given["N9"], name="pilots")
students = model.addVars(months, vtype=GRB.INTEGER, ub=given["N8"], name="students")
overtime = model.addVars(months, name="overtime")
model.addConstr(pilots[0] == given["N1"])
for t in months:
    if t:
        model.addConstr(pilots[t] == (1 - given["N5"]) * pilots[t - 1] + students[t - 1])
    # Training is work for the company on top of the month's tasks.
    work = tasks[t] + given["N6"] * students[t]
    model.addConstr(given["N3"] * pilots[t] + overtime[t] >= work)
    model.addConstr(overtime[t] <= given["N11"] * pilots[t])
cost = gp.quicksum(
    given["N4"] * pilots[t] + given["N7"] * students[t] + given["N12"] * overtime[t] for t in months
)
model.addConstr(cost <= given["N13"])
model.setObjective(cost, GRB.MINIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
