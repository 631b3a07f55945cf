"""feasRelaxS: least violation of rows."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.addConstr(x + y >= 11, "much")
m.addConstr(x - y >= 2, "apart")
m.setObjective(x + y)
m.optimize()
print("= infeasible", m.Status == GRB.INFEASIBLE)
value = m.feasRelaxS(0, False, False, True)
m.optimize()
print("= violation", m.ObjVal, value)
