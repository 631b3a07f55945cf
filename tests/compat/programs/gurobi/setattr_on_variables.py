"""setAttr with names and with numbers of attributes on variables and rows."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
c = m.addConstr(x <= 10, "c")
m.update()
x.setAttr(GRB.Attr.UB, 8.0)
x.setAttr("vtype", "I")
c.setAttr("RHS", 6.5)
x.setAttr("obj", -1.0)
m.update()
m.optimize()
print("= obj", m.ObjVal, x.getAttr("x"), c.getAttr(GRB.Attr.Slack), c.getAttr("ConstrName"))
