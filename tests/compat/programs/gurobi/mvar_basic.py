"""addMVar, A @ x, a vector objective."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

a = np.array([[2.0, 5.0, 3.0, 1.0], [0.0, 1.0, 1.0, 1.0]])
m = gp.Model("matrix")
x = m.addMVar(shape=4, vtype=GRB.BINARY, name="x")
m.setObjective(np.array([3.0, 7.0, 5.0, 4.0]) @ x, GRB.MAXIMIZE)
m.addConstr(a @ x <= np.array([8.0, 2.0]), name="c")
m.optimize()
print("= obj", m.ObjVal, x.X.tolist())
