"""addSOS of type 1: at most one of the sizes is used."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(4, ub=[3, 5, 4, 6], name="x")
y = m.addVar(ub=2, name="y")
m.addSOS(GRB.SOS_TYPE1, [x[i] for i in range(4)], [1, 2, 3, 4])
m.addConstr(x.sum() + y <= 7)
m.setObjective(2 * x[0] + 1.1 * x[1] + 1.5 * x[2] + x[3] + 0.5 * y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, m.NumSOS)
