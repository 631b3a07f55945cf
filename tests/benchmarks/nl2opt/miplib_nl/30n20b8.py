# ruff: noqa: PTH123 - files are opened as answers open them
"""Jobs in modes on a clock with cycles: the cheapest crew with which all end in time."""

import csv
import json
from itertools import product
from operator import mul

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120
CYCLE = 25

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
horizon = given["time_limit"]


def table(name):
    with open(f"data/{name}.csv", newline="") as stream:
        return list(csv.DictReader(stream))


duration = {
    (int(row["job_id"]), mode): int(row[f"duration_{mode}"])
    for row in table("duration")
    for mode in (1, 2, 3)
    if row[f"duration_{mode}"]
}
window = {
    (int(row["job_id"]), int(row["mode"])): int(row["allowed_start_offset_limit"])
    for row in table("time_windows")
}
needs = {int(row["job_id"]): row["resource_type"] for row in table("resources")}
before = [(int(row["predecessor_id"]), int(row["successor_id"])) for row in table("precedence")]
jobs = sorted(needs)


def starts(job, mode, low, high):
    last = min(high, horizon) - duration[job, mode]
    return [t for t in range(low, last + 1) if t % CYCLE <= window[job, mode]]


# Earliest and latest ends along the precedences, until nothing changes.
low, high = dict.fromkeys(jobs, 0), dict.fromkeys(jobs, horizon)
modes = {job: [m for m in (1, 2, 3) if (job, m) in duration and (job, m) in window] for job in jobs}
for _ in jobs:
    for first, second in before:
        ends = [
            t + duration[first, m]
            for m in modes[first]
            for t in starts(first, m, low[first], high[first])
        ]
        low[second] = max(low[second], min(ends))
        begins = [t for m in modes[second] for t in starts(second, m, low[second], high[second])]
        high[first] = min(high[first], max(begins))

model = gp.Model("30n20b8")
model.Params.OutputFlag = 0
model.Params.MIPGap = 1e-7
begin = {
    (j, m, t): model.addVar(vtype=GRB.BINARY, name=f"begin_{j}_{m}_{t}")
    for j in jobs
    for m in modes[j]
    for t in starts(j, m, low[j], high[j])
}
price = {"Mechaniker": given["cost_mechaniker"], "Techniker": given["cost_techniker"]}
crew = model.addVars(price, vtype=GRB.INTEGER, name="crew")
of_job = {j: [(m, t, x) for (job, m, t), x in begin.items() if job == j] for j in jobs}
for j in jobs:
    model.addConstr(gp.quicksum(x for _, _, x in of_job[j]) == 1)
for first, second in before:
    ended = gp.quicksum((t + duration[first, m]) * x for m, t, x in of_job[first])
    model.addConstr(ended <= gp.quicksum(t * x for _, t, x in of_job[second]))
for kind in price:
    for clock in range(horizon):
        busy = gp.quicksum(
            m * x
            for (j, m, t), x in begin.items()
            if needs[j] == kind and t <= clock < t + duration[j, m]
        )
        model.addConstr(busy <= crew[kind])
model.setObjective(crew.prod(price), GRB.MINIMIZE)

# Crews from the cheapest up: with the crew fixed, what is left is to find a schedule or to prove
# that there is none, which is far quicker than to weigh crews against each other.
kinds = sorted(price)
most = sum(max(modes[job]) for job in jobs)
crews = product(*(range(1, most + 1) for _ in kinds))
left = TIME_LIMIT
for sizes in sorted(crews, key=lambda sizes: sum(map(mul, sizes, (price[k] for k in kinds)))):
    for kind, size in zip(kinds, sizes, strict=True):
        crew[kind].LB = crew[kind].UB = size
    model.Params.TimeLimit = max(left, 0)
    model.optimize()
    left -= model.Runtime
    if model.Status != GRB.INFEASIBLE:
        break
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
