"""An indicator over variables without bounds: no big-M would be safe."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVar(vtype=GRB.BINARY, name="b")
x = m.addVar(lb=-GRB.INFINITY, name="x")
y = m.addVar(name="y")
m.addConstr((b == 1) >> (x >= 2000))
m.addConstr((b == 0) >> (x - y == -5))
m.addConstr(y >= 1)
m.setObjective(x * 1.0 + 3 * y + 10 * b, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, b.X)
