"""feasRelax with penalties for chosen bounds and rows."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
c = m.addConstr(x + y >= 11, "much")
m.addConstr(x - y >= 2, "apart")
m.update()
m.feasRelax(0, False, [x], [1.0], [2.0], [c], [5.0])
m.optimize()
print("= violation", m.ObjVal, m.Status == GRB.OPTIMAL)
