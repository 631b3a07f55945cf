"""SOS of type 2: a curve by neighbouring weights."""

import gurobipy as gp
from gurobipy import GRB

xs = [0, 2, 4, 7, 10]
ys = [0, 5, 6, 12, 11]
m = gp.Model()
w = m.addVars(5, ub=1, name="w")
x = m.addVar(ub=10, name="x")
m.addConstr(w.sum() == 1)
m.addConstr(x == gp.quicksum(xs[i] * w[i] for i in range(5)))
m.addSOS(GRB.SOS_TYPE2, w.select(), xs)
m.addConstr(x <= 6)
m.setObjective(gp.quicksum(ys[i] * w[i] for i in range(5)) - 0.5 * x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, x.X)
