"""min_ over a list of variables: the worst is made best."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, ub=10, name="x")
worst = m.addVar(name="worst")
m.addConstr(x[0] + 2 * x[1] + 3 * x[2] <= 24)
m.addConstr(worst == gp.min_([x[0], x[1], x[2]]))
m.addConstr(x[0] - x[1] >= 1)
m.setObjective(worst + 0.1 * x[0], GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, worst.X)
