# ruff: noqa: PTH123 - files are opened as answers open them
"""Which stand is cut in which period: most revenue under conflicts, smooth yield and balances."""

import csv
import json
import re

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
periods = range(given["T"])


def matrix(name):
    with open(f"data/{name}.csv", newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    return {(int(row[0]), j): float(v) for row in rows for j, v in enumerate(row[1:])}


def tuples(name):
    with open(f"data/{name}.csv", newline="") as stream:
        for row in csv.reader(stream):
            yield [tuple(map(float, re.findall(r"[-+.\deE]+", cell))) for cell in row if cell]


revenue, volume = matrix("R"), matrix("C2")

model = gp.Model("gmu-35-40")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-7
cut = model.addVars(revenue, vtype=GRB.BINARY, name="cut")
for group in tuples("C1"):
    model.addConstr(gp.quicksum(cut[int(i), int(j)] for i, j in group) <= 1)
for terms in tuples("C3"):
    model.addConstr(gp.quicksum(y * cut[int(i), int(j)] for y, i, j in terms) >= 0)
total = {
    j: gp.quicksum(value * cut[i, t] for (i, t), value in volume.items() if t == j) for j in periods
}
# The batches are counted from 0, and smoothing is asked of batch 2 and after.
for j in list(periods)[2:]:
    model.addConstr(total[j] >= given["N1"] * total[j - 1])
    model.addConstr(total[j] <= given["N2"] * total[j - 1])
model.setObjective(cut.prod(revenue), GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
