# ruff: noqa: PTH123 - files are opened as answers open them
"""An array of square modules turned so that touching ports agree and exhausts face outwards."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    n = json.load(stream)["parameters"]["n"]
SIDES = ("top_edge", "right_edge", "bottom_edge", "left_edge")
with open("data/numbers.csv", newline="") as stream:
    ports = {
        int(row["piece_id"]): [int(row[side]) for side in SIDES] for row in csv.DictReader(stream)
    }

model = gp.Model("ex9")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
places = [(row, column) for row in range(n) for column in range(n)]
at_place = {place: [] for place in places}
of_module = {module: [] for module in ports}
channel = {}
corner = min(module for module, ids in ports.items() if ids.count(0) == 2)
for row, column in places:
    outside = (row == 0, column == n - 1, row == n - 1, column == 0)
    for module, ids in ports.items():
        if ids.count(0) != sum(outside):
            continue
        # The array as a whole can be turned: one corner module may stand in the first corner.
        if (module == corner) != ((row, column) == (0, 0)) and (row, column) == (0, 0):
            continue
        if module == corner and (row, column) != (0, 0):
            continue
        for turned in {tuple(ids[k:] + ids[:k]) for k in range(4)}:
            if any((port == 0) != out for port, out in zip(turned, outside, strict=True)):
                continue
            x = model.addVar(vtype=GRB.BINARY, name=f"x_{module}_{row}_{column}")
            at_place[row, column].append(x)
            of_module[module].append(x)
            for side, port in enumerate(turned):
                channel.setdefault((row, column, side, port), []).append(x)

# If all places can be filled, no array holds more modules: so every place is asked to be.
for place in places:
    model.addConstr(gp.quicksum(at_place[place]) == 1)
for module in ports:
    model.addConstr(gp.quicksum(of_module[module]) == 1)
identities = {port for ids in ports.values() for port in ids if port}
for row, column in places:
    for side, other, (below, beside) in ((1, 3, (0, 1)), (2, 0, (1, 0))):
        there = (row + below, column + beside)
        if there not in at_place:
            continue
        for port in identities:
            here = channel.get((row, column, side, port), [])
            beyond = channel.get((*there, other, port), [])
            if here or beyond:
                model.addConstr(gp.quicksum(here) == gp.quicksum(beyond))
model.setObjective(gp.quicksum(x for held in at_place.values() for x in held), GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
