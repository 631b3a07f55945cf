"""addGenConstrPow: a power that is not two."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=100, name="y")
m.addGenConstrPow(x, y, 3, "cube", "FuncPieces=-1 FuncPieceError=1e-5")
m.addConstr(y <= 27)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 2), round(y.X, 1))
