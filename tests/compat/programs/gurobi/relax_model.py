"""relax gives the LP relaxation; fixed gives the duals of a MIP."""

import gurobipy as gp
from gurobipy import GRB

mip = gp.Model()
x = mip.addVars(3, vtype=GRB.INTEGER, ub=9, name="x")
mip.addConstr(3 * x[0] + 5 * x[1] + 4 * x[2] <= 17, "w")
mip.setObjective(4 * x[0] + 7 * x[1] + 5 * x[2], GRB.MAXIMIZE)
mip.optimize()
print("= mip", mip.ObjVal)
m = mip.relax()
m.optimize()
print("= relaxed", m.ObjVal, m.IsMIP, m.getConstrByName("w").Pi)
fixed = mip.fixed()
fixed.optimize()
print("= fixed", fixed.ObjVal, fixed.IsMIP)
