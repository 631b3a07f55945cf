# ruff: noqa: PTH123 - files are opened as answers open them
"""One conduit tier for each corridor that is used, and flows of all orders, at least cost."""

import csv
from collections import defaultdict

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120


def table(name):
    with open(f"data/{name}.csv", newline="") as stream:
        return list(csv.DictReader(stream))


nodes = [int(row["id"]) for row in table("nodes")]
links = {(int(row["source"]), int(row["target"])): row for row in table("links")}
tiers = {
    name: float(name.removeprefix("fixed_cost_"))
    for name in next(iter(links.values()))
    if name.startswith("fixed_cost_")
}
orders = defaultdict(lambda: defaultdict(float))
for row in table("demands"):
    # Costs and capacities do not tell directions apart, so an order may run either way: with the
    # lower node as its origin, orders share their flows.
    ends = sorted((int(row["source"]), int(row["target"])))
    orders[ends[0]][ends[1]] += float(row["value"])

model = gp.Model("cost266-UUE")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-7
tier = model.addVars(links, tiers, vtype=GRB.BINARY, name="tier")
arcs = [*links, *((b, a) for a, b in links)]
# All orders of one origin travel as one flow.
flow = model.addVars(orders, arcs, name="flow")
for origin, wanted in orders.items():
    total = sum(wanted.values())
    for node in nodes:
        net = flow.sum(origin, node, "*") - flow.sum(origin, "*", node)
        model.addConstr(net == (total if node == origin else -wanted.get(node, 0.0)))
for a, b in links:
    room = gp.quicksum(size * tier[a, b, name] for name, size in tiers.items())
    model.addConstr(flow.sum("*", a, b) + flow.sum("*", b, a) <= room)
    model.addConstr(tier.sum(a, b, "*") <= 1)
    for origin, wanted in orders.items():
        # None sends more than all it has, and nothing where there is no conduit.
        installed = tier.sum(a, b, "*")
        model.addConstr(flow[origin, a, b] <= sum(wanted.values()) * installed)
        model.addConstr(flow[origin, b, a] <= sum(wanted.values()) * installed)
model.setObjective(
    gp.quicksum(float(links[a, b][name]) * tier[a, b, name] for a, b in links for name in tiers)
    + gp.quicksum(
        float(row["routing_cost"]) * (flow.sum("*", a, b) + flow.sum("*", b, a))
        for (a, b), row in links.items()
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
