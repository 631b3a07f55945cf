# ruff: noqa: PTH123 - files are opened as answers open them
"""Tasks to subcontractors: the profit that is missed is least."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]


def matrix(name):
    with open(f"data/{name}.csv", newline="") as stream:
        return [[float(cell) for cell in row] for row in list(csv.reader(stream))[1:]]


def by_task(name):
    return {(int(row[0]), j): v for row in matrix(name) for j, v in enumerate(row[1:], 1)}


capacity = {int(name): limit for name, limit in matrix("C1")}
profit, load, space = (by_task(name) for name in ("C2", "C3", "C4"))
tasks, firms = range(1, given["N1"] + 1), range(1, given["N2"] + 1)

model = gp.Model("neos-3118745-obra")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-9
does = model.addVars(tasks, firms, vtype=GRB.BINARY, name="does")
model.addConstrs((does.sum(i, "*") <= 1 for i in tasks), name="once")
for j in firms:
    model.addConstr(gp.quicksum(load[i, j] * does[i, j] for i in tasks) <= capacity[j])
for _, first, last, limit in matrix("C5"):
    zone = range(int(first), int(last) + 1)
    model.addConstr(gp.quicksum(space[i, j] * does[i, j] for i in zone for j in firms) <= limit)
model.setObjective(given["Y"] - does.prod(profit), GRB.MINIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
