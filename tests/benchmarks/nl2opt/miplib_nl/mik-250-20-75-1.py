# ruff: noqa: PTH123 - files are opened as answers open them
"""Modules, batches, upgrades and packs on nodes of limited capacity, for the largest yield."""

import csv
import json

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]


def table(name):
    with open(f"data/{name}.csv", newline="") as stream:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(stream)]
    return {int(row["id"]): row for row in rows} if "id" in rows[0] else rows


stations, products, systems = (table(n) for n in ("stations", "products", "global_systems"))

model = gp.Model("mik-250-20-75-1")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-7
runs = model.addVars(stations, vtype=GRB.BINARY, name="module")
batches = model.addVars(
    products,
    vtype=GRB.INTEGER,
    ub={j: row["max_batches"] for j, row in products.items()},
    name="batches",
)
upgrade = model.addVars(
    systems, ub={k: row["max_level"] for k, row in systems.items()}, name="upgrade"
)
packs = model.addVars(stations, vtype=GRB.INTEGER, ub=given["max_generators"], name="packs")
use = {i: gp.LinExpr() for i in stations}
for row in table("production_consumption"):
    use[int(row["station_id"])] += row["load"] * batches[int(row["product_id"])]
for i, row in stations.items():
    room = row["base_capacity"] + upgrade.sum() + given["generator_capacity"] * packs[i]
    model.addConstr(row["lab_load"] * runs[i] + use[i] <= room)
model.setObjective(
    gp.quicksum(row["lab_value"] * runs[i] for i, row in stations.items())
    + gp.quicksum(row["unit_value"] * batches[j] for j, row in products.items())
    - gp.quicksum(row["cost"] * upgrade[k] for k, row in systems.items())
    - given["generator_cost"] * packs.sum(),
    GRB.MAXIMIZE,
)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
