"""A variable more than once in one expression."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=9, name="x")
y = m.addVar(ub=9, name="y")
e = x + 2 * x - y + x
c = m.addConstr(e <= 12, "c")
m.setObjective(x + y + x, GRB.MAXIMIZE)
m.optimize()
print("= row", m.getRow(c).size(), m.getCoeff(c, x), e.size(), m.NumNZs)
print("= obj", m.ObjVal, x.Obj)
