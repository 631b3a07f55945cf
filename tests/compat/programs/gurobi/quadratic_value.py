"""getValue of expressions and products after a solve; rows by getQCRow."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=2, name="y")
q = m.addQConstr(x * x + y <= 8, "q")
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
row = m.getQCRow(q)
print("= row", row.size(), row.getLinExpr().size(), q.QCSense, q.QCRHS)
print("= obj", round(m.ObjVal, 4), round((x * y).getValue(), 3), round((2 * x + 1).getValue(), 3))
