"""Cutting stock: duals price new columns."""

import gurobipy as gp
from gurobipy import GRB

width, sizes, need = 110, [47, 35, 29, 16], [90, 400, 310, 170]
m = gp.Model("master")
m.Params.OutputFlag = 0
rows = []
x = []
for i in range(len(sizes)):
    x.append(m.addVar(obj=1, name=f"start{i}"))
m.update()
for i, size in enumerate(sizes):
    rows.append(m.addConstr((width // size) * x[i] >= need[i], f"need{i}"))
for _ in range(50):
    m.optimize()
    price = gp.Model("price")
    price.Params.OutputFlag = 0
    u = price.addVars(len(sizes), vtype=GRB.INTEGER, name="u")
    price.setObjective(gp.quicksum(rows[i].Pi * u[i] for i in range(len(sizes))), GRB.MAXIMIZE)
    price.addConstr(gp.quicksum(sizes[i] * u[i] for i in range(len(sizes))) <= width)
    price.optimize()
    if price.ObjVal <= 1 + 1e-6:
        break
    pattern = [round(u[i].X) for i in range(len(sizes))]
    m.addVar(obj=1, column=gp.Column(pattern, rows), name=f"p{m.NumVars}")
print("= relaxed", m.ObjVal)
for v in m.getVars():
    v.VType = GRB.INTEGER
m.optimize()
print("= rolls between", m.ObjVal >= 288, m.ObjVal <= 293)
m = m.relax()
m.optimize()
