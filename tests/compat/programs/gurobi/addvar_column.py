"""Variables added to existing rows by Column."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("cutting")
rows = [m.addConstr(gp.LinExpr() >= d, f"d{i}") for i, d in enumerate((31, 8, 27))]
m.update()
patterns = [(3, 0, 0), (0, 2, 0), (0, 0, 1), (1, 0, 2), (2, 1, 0)]
for k, p in enumerate(patterns):
    column = gp.Column()
    column.addTerms(p, rows)
    m.addVar(obj=1, vtype=GRB.INTEGER, column=column, name=f"p{k}")
col = gp.Column([1.0, 1.0], rows[:2])
m.addVar(obj=0.5, column=col, name="extra", ub=2)
m.optimize()
print("= obj", m.ObjVal)
print("= column", m.getCol(m.getVarByName("p3")).size())
