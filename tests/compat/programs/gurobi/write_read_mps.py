"""write as .mps and read back, names and ranges kept."""

import gurobipy as gp
from gurobipy import GRB

a = gp.Model("m")
x = a.addVars(4, ub=9, vtype=GRB.INTEGER, name="x")
a.addConstr(x.sum() <= 17, "total")
a.addConstr(x[0] - x[3] == 2, "gap")
a.setObjective(gp.quicksum((i + 1) * x[i] for i in range(4)), GRB.MAXIMIZE)
a.write("model.mps")
m = gp.read("model.mps")
m.optimize()
print("= obj", m.ObjVal, m.getConstrs()[0].ConstrName, m.ModelSense)
