"""Attributes of a whole MVar: lb, ub, X, tolist, item."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

m = gp.Model()
x = m.addMVar(4, name="x")
m.update()
x.ub = np.array([1.0, 2.0, 3.0, 4.0])
x.LB = 0.5
x.Obj = np.arange(4.0)
c = m.addConstr(np.ones((1, 4)) @ x <= 6.0)
m.ModelSense = GRB.MAXIMIZE
m.optimize()
print("= X", x.X.tolist(), c.Pi.tolist())
print("= names", [v.VarName for v in x.tolist()], x[2].item().UB)
print("= obj", m.ObjVal)
