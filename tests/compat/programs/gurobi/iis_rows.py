"""computeIIS: its rows and bounds are read, and are irreducible."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(ub=20, name="y")
m.addConstr(x + y <= 10, "budget")
m.addConstr(x >= 6, "x_least")
m.addConstr(y >= 5, "y_least")
m.addConstr(x - y <= 8, "harmless")
m.setObjective(x + y)
m.optimize()
if m.Status == GRB.INFEASIBLE:
    m.computeIIS()
    print("= rows", [c.ConstrName for c in m.getConstrs() if c.IISConstr])
    print("= bounds", [(v.VarName, v.IISLB, v.IISUB) for v in m.getVars()])
