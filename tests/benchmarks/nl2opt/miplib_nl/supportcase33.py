# ruff: noqa: PTH123 - files are opened as answers open them
"""Two arms work on parts in their windows, with setups between: the most profit of whole parts."""

import csv
import json
from itertools import combinations
from math import ceil

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
times = given["arms_time"]
arms = range(len(times))


def table(name):
    with open(f"data/{name}.csv", newline="") as stream:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(stream)]


parts = {int(row["id"]): row for row in table("parts")}
setup = {(int(row["id1"]), int(row["id2"])): row["setup_time"] for row in table("transitions")}
mutex = {frozenset((int(row["id1"]), int(row["id2"]))) for row in table("mutex")}
# Every part's window ends early enough for the arm to be restored after it.
assert all(row["end_time"] + row["recovery_time"] <= given["end_time"] for row in parts.values())
# A detour by a third part never saves time, so that setups may be asked of any two operations.
assert all(
    setup[p, q] <= setup[p, r] + min(times) + setup[r, q]
    for p, q in setup
    for r in parts
    if r not in (p, q)
)

model = gp.Model("supportcase33")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
steps = {p: range(ceil(row["demand"] / min(times))) for p, row in parts.items()}
done = model.addVars(parts, vtype=GRB.BINARY, name="done")
by, start, spent = {}, {}, {}
for p, row in parts.items():
    low = max(row["start_time"], given["start_time"])
    for k in steps[p]:
        by[p, k] = model.addVars(arms, vtype=GRB.BINARY, name=f"by_{p}_{k}")
        start[p, k] = model.addVar(low, row["end_time"], name=f"start_{p}_{k}")
        spent[p, k] = gp.quicksum(times[i] * by[p, k][i] for i in arms)
        model.addConstr(start[p, k] + spent[p, k] <= row["end_time"])
        # A part is begun only to be done; later steps are optional.
        if k == 0:
            model.addConstr(by[p, k].sum() == done[p])
            continue
        model.addConstr(by[p, k].sum() <= by[p, k - 1].sum())
        end = start[p, k - 1] + spent[p, k - 1]
        model.addConstr(start[p, k] >= end)
        wait = given["max_gap"] + (row["end_time"] - low) * (1 - by[p, k].sum())
        model.addConstr(start[p, k] <= end + wait)
    model.addConstr(gp.quicksum(spent[p, k] for k in steps[p]) >= row["demand"] * done[p])
    for first, second in combinations(steps[p], 2):
        for i in arms:
            both = by[p, first][i] + by[p, second][i]
            if second == first + 1 and setup[p, p] > given["max_gap"]:
                model.addConstr(both <= 1)
            else:
                between = (times[i] + setup[p, p]) * (both - 1)
                model.addConstr(start[p, second] >= start[p, first] + between)

for p, q in combinations(parts, 2):
    if frozenset((p, q)) in mutex:
        model.addConstr(done[p] + done[q] <= 1)
        continue
    for one in ((p, k) for k in steps[p]):
        for other in ((q, k) for k in steps[q]):
            order = model.addVar(vtype=GRB.BINARY, name=f"order_{one}_{other}")
            for i in arms:
                both = by[one][i] + by[other][i]
                for early, late, is_so in ((one, other, order), (other, one, 1 - order)):
                    need = times[i] + setup[early[0], late[0]]
                    last = parts[early[0]]["end_time"] - times[i]
                    slack = need + last - parts[late[0]]["start_time"]
                    if slack > 0:
                        # Binding where both are on this arm, in this order.
                        model.addConstr(
                            start[late]
                            >= start[early] + need - (slack + times[i]) * (3 - is_so - both)
                        )
model.setObjective(gp.quicksum(row["demand"] * done[p] for p, row in parts.items()), GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
