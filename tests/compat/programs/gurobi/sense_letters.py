"""Senses and variable types as plain characters."""

import gurobipy as gp

m = gp.Model()
a = m.addVar(0, 7, 1.5, "I", "a")
b = m.addVar(0, 1, 2.5, "B", "b")
c = m.addVar(0, 9.5, -1.0, "C", "c")
m.addLConstr(a + b, "<", 6.5)
m.addLConstr(a + c, ">", 3)
m.addLConstr(c, "=", 2.5)
m.modelSense = -1
m.optimize()
print("= types", [v.VType for v in m.getVars()])
print("= obj", m.ObjVal, a.X, b.X, c.X)
