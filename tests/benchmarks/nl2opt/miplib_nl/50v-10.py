# ruff: noqa: PTH123 - files are opened as answers open them
"""Lines of several classes on corridors, so that every zone is balanced, at least cost."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
with open("data/cities.csv", newline="") as stream:
    surplus = {int(row["id"]): float(row["value"]) for row in csv.DictReader(stream)}
with open("data/distances.csv", newline="") as stream:
    length = {(int(row["id1"]), int(row["id2"])): float(row["d"]) for row in csv.DictReader(stream)}
classes = range(given["k"])
most = {c: given["l"] if c == given["k"] - 1 else 1 for c in classes}

model = gp.Model("50v-10")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-7
ahead = model.addVars(length, name="ahead")
back = model.addVars(length, name="back")
lines = {
    (edge, c): model.addVar(0, most[c], vtype=GRB.INTEGER, name=f"lines_{edge}_{c}")
    for edge in length
    for c in classes
}
for edge in length:
    room = gp.quicksum(given["capacity"][c] * lines[edge, c] for c in classes)
    model.addConstr(ahead[edge] + back[edge] <= room)
for city, value in surplus.items():
    sent = ahead.sum(city, "*") + back.sum("*", city)
    received = ahead.sum("*", city) + back.sum(city, "*")
    model.addConstr(sent - received == value)
model.setObjective(
    gp.quicksum(
        d * given["tariff"][c] * lines[edge, c] for edge, d in length.items() for c in classes
    ),
    GRB.MINIMIZE,
)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
