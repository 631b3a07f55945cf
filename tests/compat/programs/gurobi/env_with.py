"""Environment and model as context managers."""

import gurobipy as gp
from gurobipy import GRB

with gp.Env(params={"OutputFlag": 0}) as env, gp.Model(env=env) as inner:
    x = inner.addVar(ub=5, vtype=GRB.INTEGER)
    inner.addConstr(2 * x <= 7)
    inner.setObjective(x, GRB.MAXIMIZE)
    inner.optimize()
    print("= inner", inner.ObjVal, inner.Status)
m = gp.Model()
y = m.addVar(ub=2)
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
