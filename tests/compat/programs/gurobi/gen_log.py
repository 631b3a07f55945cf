"""addGenConstrLog: a concave return."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(2, lb=0.1, ub=20, name="x")
y = m.addVars(2, lb=-5, ub=5, name="y")
for i in range(2):
    m.addGenConstrLog(x[i], y[i], name=f"log{i}")
m.addConstr(x[0] + 2 * x[1] <= 12)
m.setObjective(2 * y[0] + y[1], GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 2))
