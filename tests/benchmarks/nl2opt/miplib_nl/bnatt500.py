# ruff: noqa: PTH123 - files are opened as answers open them
"""A state of a boolean network that is its own successor, with the first node at rest if can be."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    nodes = range(1, json.load(stream)["parameters"]["n"] + 1)
with open("data/network_rules.csv", newline="") as stream:
    rules = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(stream)]

model = gp.Model("bnatt500")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
state = model.addVars(nodes, vtype=GRB.BINARY, name="state")
for rule in rules:
    # One of the eight cases holds: it fixes the three inputs, and the node itself.
    case = model.addVars(8, vtype=GRB.BINARY, name=f"case_{rule['i']}")
    model.addConstr(case.sum() == 1)
    for place, name in enumerate("jkl"):
        high = gp.quicksum(case[m] for m in range(8) if m >> (2 - place) & 1)
        model.addConstr(state[rule[name]] == high)
    active = gp.quicksum(case[m] for m in range(8) if rule[f"b{m}"])
    model.addConstr(state[rule["i"]] == active)
model.setObjective(state[1], GRB.MINIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
