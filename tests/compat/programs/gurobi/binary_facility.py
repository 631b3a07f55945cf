"""Facility location with fixed cost: binaries, links, two indices."""

from gurobipy import GRB, Model, quicksum

fixed = [100, 120, 90]
ship = [[4, 9, 12, 7], [8, 3, 6, 10], [11, 7, 4, 5]]
m = Model("facility")
openf = m.addVars(3, vtype=GRB.BINARY, name="open")
serve = m.addVars(3, 4, lb=0.0, ub=1.0, vtype=GRB.CONTINUOUS, name="serve")
demand = [15, 10, 12, 8]
m.setObjective(
    quicksum(fixed[i] * openf[i] for i in range(3))
    + quicksum(ship[i][j] * demand[j] * serve[i, j] for i in range(3) for j in range(4)),
    GRB.MINIMIZE,
)
m.addConstrs((quicksum(serve[i, j] for i in range(3)) == 1 for j in range(4)), "all")
m.addConstrs((serve[i, j] <= openf[i] for i in range(3) for j in range(4)), "link")
m.optimize()
print("= obj", m.objVal, [round(openf[i].x) for i in range(3)])
