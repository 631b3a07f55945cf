"""The usual shape of a COPT program: environment, model, three variables."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
model = env.createModel("lp")
x = model.addVar(lb=2, ub=9, name="x")
y = model.addVar(ub=7, name="y")
z = model.addVar(lb=1, name="z")
model.addConstr(3 * x + 2 * y + 4 * z <= 44)
model.addConstr(x + y >= 5 + 0.5 * z)
model.setObjective(5 * x + 4 * y + 6 * z, sense=COPT.MAXIMIZE)
model.solve()
if model.status == COPT.OPTIMAL:
    print("= obj", model.objval)
    for v in model.getVars():
        print("=", v.getName(), v.x)
