"""LB, UB, Obj, VType assigned after the variables were made, in several spellings."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
z = m.addVar(name="z")
m.update()
x.ub = 4.5
y.UB = 3
z.lb = -2
z.UB = 2
x.Obj = 2
y.obj = 3
z.setAttr("Obj", -1.0)
x.VType = GRB.INTEGER
m.ModelSense = GRB.MAXIMIZE
m.addConstr(x + y + z <= 6)
m.optimize()
print("= obj", m.ObjVal, x.X, y.X, z.X)
print("= attrs", x.LB, y.lb, z.getAttr(GRB.Attr.LB), x.vType)
