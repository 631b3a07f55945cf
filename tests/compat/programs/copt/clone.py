"""clone: the copy is changed alone."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
first = env.createModel("first")
x = first.addVar(ub=3, name="x")
first.setObjective(x, COPT.MAXIMIZE)
m = first.clone()
m.getVarByName("x").ub = 8
m.addConstr(m.getVarByName("x") <= 7)
m.solve()
first.solve()
print("= both", first.objval, m.objval)
