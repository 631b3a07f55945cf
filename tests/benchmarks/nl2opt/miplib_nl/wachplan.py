# ruff: noqa: PTH123 - files are opened as answers open them
"""A cyclic roster: equal shifts, rest, windows, and every pair on duty together once."""

import json
from itertools import combinations

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
crew = range(1, given["n_crew"] + 1)
count = given["n_slots"]
slots = range(count)
FIXED = {0: (1, 2, 3), 1: (4, 5)}

model = gp.Model("wachplan")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
duty = model.addVars(crew, slots, vtype=GRB.BINARY, name="duty")
shifts = model.addVar(vtype=GRB.INTEGER, name="shifts")
for t in slots:
    model.addConstr(duty.sum("*", t) >= given["min_on_duty"])
    model.addConstr(duty.sum("*", t) <= given["max_on_duty"])
    for i in crew:
        model.addConstr(duty[i, t] + duty[i, (t + 1) % count] <= 1)
        window = [duty[i, (t + s) % count] for s in range(given["window_size"])]
        model.addConstr(gp.quicksum(window) <= given["max_shifts_in_window"])
model.addConstrs((duty.sum(i, "*") == shifts for i in crew), name="equal")
for i, j in combinations(crew, 2):
    both = model.addVars(slots, ub=1, name=f"both_{i}_{j}")
    model.addConstrs(both[t] <= duty[i, t] for t in slots)
    model.addConstrs(both[t] <= duty[j, t] for t in slots)
    model.addConstr(both.sum() >= 1)
for t, names in FIXED.items():
    model.addConstrs(duty[i, t] == 1 for i in names)
model.setObjective(shifts, GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
