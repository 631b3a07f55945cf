"""Parameters written as .prm and read."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.TimeLimit = 17
m.Params.MIPFocus = 2
m.write("set.prm")
n = gp.Model()
n.read("set.prm")
print("= read", n.Params.TimeLimit, n.Params.MIPFocus)
x = m.addVar(ub=5, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
