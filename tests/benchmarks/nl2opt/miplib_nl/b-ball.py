# ruff: noqa: PTH123 - files are opened as answers open them
"""Who plays in which half of each quarter, so that the least time is as long as can be."""

import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
players = range(given["N1"])
halves = range(2 * given["N2"])

model = gp.Model("b-ball")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
plays = model.addVars(players, halves, vtype=GRB.BINARY, name="plays")
# Counted in halves, so that it is whole; the time is in quarters.
least = model.addVar(vtype=GRB.INTEGER, name="least")
model.addConstrs((plays.sum("*", t) == given["P"] for t in halves), name="court")
model.addConstrs((plays.sum(i, "*") >= least for i in players), name="least")
model.setObjective(0.5 * least, GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
