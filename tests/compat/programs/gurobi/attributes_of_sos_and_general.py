"""getSOSs, getGenConstrs, getQConstrs and their removal."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, ub=4, name="x")
m.addSOS(GRB.SOS_TYPE1, [x[0], x[1]])
r = m.addVar(name="r")
m.addConstr(r == gp.max_(x[0], x[2]), "mx")
m.addConstr(x[1] * x[1] <= 9, "sq")
m.setObjective(x.sum() - r, GRB.MAXIMIZE)
m.optimize()
print("= with", round(m.ObjVal, 4), len(m.getSOSs()), len(m.getGenConstrs()), len(m.getQConstrs()))
m.remove(m.getSOSs())
m.remove(m.getQConstrs()[0])
m.remove(m.getGenConstrs())
m.optimize()
print("= without", round(m.ObjVal, 4), m.NumSOS, m.NumGenConstrs, m.NumQConstrs)
