# ruff: noqa: PTH123 - files are opened as answers open them
"""Headlines, hosts and promotions over periods and channels, with rules on windows of time."""

import csv

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120


def table(name):
    with open(f"data/{name}.csv", newline="") as stream:
        return list(csv.DictReader(stream))


periods = [int(row["period_id"]) for row in table("periods")]
channels = [int(row["channel_id"]) for row in table("channels")]
pairs = {
    (int(row["sender_channel_id"]), int(row["target_channel_id"])): int(row["required_count"])
    for row in table("promo_requirements")
}

model = gp.Model("acc-tight2")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
headline = model.addVars(periods, channels, vtype=GRB.BINARY, name="headline")
host = model.addVars(periods, channels, vtype=GRB.BINARY, name="host")
keys = [(t, j, u) for t in periods for j, u in pairs]
promo = model.addVars(keys, vtype=GRB.BINARY, name="promo")

model.addConstrs(headline.sum(t, "*") == 1 for t in periods)
for row in table("headline_quota"):
    model.addConstr(headline.sum("*", int(row["channel_id"])) == int(row["headline_quota"]))
for row in table("support_quota"):
    model.addConstr(host.sum(int(row["period_id"]), "*") == int(row["support_quota"]))
for t in periods:
    for j in channels:
        model.addConstr(headline[t, j] + host[t, j] + promo.sum(t, j, "*") == 1)
        # At most one promotion comes in, and only to a host.
        model.addConstr(promo.sum(t, "*", j) <= host[t, j])
model.addConstrs(promo.sum("*", j, u) == need for (j, u), need in pairs.items())

for row in table("cadence_rules"):
    j = int(row["channel_id"])
    start, step, length = (int(row[name]) for name in ("start_period", "step", "length"))
    total = gp.LinExpr()
    for s in range(length):
        t = start + step * s
        if row["target"] == "Csum":
            total += promo.sum(t, j, "*")
        else:
            total += host[t, j]
        if row["target"] == "AB":
            total += headline[t, j]
    if row["sense"] == "LE":
        model.addConstr(total <= float(row["rhs"]))
    else:
        model.addConstr(total >= float(row["rhs"]))
model.setObjective(
    gp.quicksum(
        float(row["penalty_weight"]) * headline[int(row["period_id"]), int(row["channel_id"])]
        for row in table("penalized_headline")
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
