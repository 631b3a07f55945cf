"""An environment made empty, silenced, started and given to the model."""

import gurobipy as gp
from gurobipy import GRB

env = gp.Env(empty=True)
env.setParam("OutputFlag", 0)
env.start()
m = gp.Model("quiet", env=env)
x = m.addVar(ub=5, name="x")
m.setObjective(2 * x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, m.ModelName)
