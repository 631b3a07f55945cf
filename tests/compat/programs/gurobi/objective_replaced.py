"""setObjective replaces what obj= said."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, obj=10, name="x")
y = m.addVar(ub=5, obj=1, name="y")
m.addConstr(x + y <= 6)
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, x.Obj, y.Obj)
x.Obj = 3
m.optimize()
print("= obj", m.ObjVal)
