"""Duals, slacks and reduced costs of an LP."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel("duals")
x = m.addVar(name="x")
y = m.addVar(name="y")
z = m.addVar(name="z")
a = m.addConstr(x + y + z <= 10, "a")
b = m.addConstr(2 * x + y >= 3, "b")
c = m.addConstr(x + 3 * y + z <= 18, "c")
m.setObjective(4 * x + 6 * y + z, COPT.MAXIMIZE)
m.solveLP()
print("= duals", m.getDuals(), a.pi)
print("= slacks", m.getSlacks(), b.slack)
print("= reduced", m.getRedcosts(), z.rc)
print("= values", m.getValues(), m.lpobjval)
