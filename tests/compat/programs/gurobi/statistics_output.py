"""printStats, printAttr and printQuality do not fail."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, ub=4, vtype=GRB.INTEGER, name="x")
m.addConstr(x.sum() <= 8)
m.setObjective(x[0] + 2 * x[1] + 3 * x[2], GRB.MAXIMIZE)
m.printStats()
m.optimize()
m.printAttr("X")
m.printAttr(["X", "Obj"])
m.printQuality()
print("= violations", m.ConstrVio <= 1e-6, m.BoundVio <= 1e-6, m.IntVio <= 1e-5, m.MaxVio <= 1e-5)
print("= obj", m.ObjVal)
