"""An IIS that holds a variable's bound; IISMethod; IISMinimal."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.IISMethod = 1
x = m.addVar(ub=3, name="x")
y = m.addVar(name="y")
m.addConstr(x - y >= 5, "gap")
m.addConstr(x + y <= 100, "loose")
m.optimize()
print("= infeasible", m.Status == GRB.INFEASIBLE or m.Status == GRB.INF_OR_UNBD)
m.computeIIS()
print("= gap", m.getConstrByName("gap").IISConstr, m.getConstrByName("loose").IISConstr)
print("= x", x.IISUB, "y", y.IISLB, "minimal", m.IISMinimal)
