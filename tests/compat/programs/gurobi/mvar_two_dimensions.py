"""A two-dimensional MVar with sum over axes and slicing: assignment."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

cost = np.array([[4, 2, 8], [4, 3, 7], [3, 1, 6]], dtype=float)
m = gp.Model()
x = m.addMVar((3, 3), vtype=GRB.BINARY, name="x")
m.addConstr(x.sum(axis=0) == 1)
m.addConstr(x.sum(axis=1) == np.ones(3))
m.addConstr(x[0, 1] + x[2, 1] <= 1)
m.setObjective((cost * x).sum(), GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, x.shape, x[1, :].shape)
