"""setMObjective with Q, c and constant."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

m = gp.Model()
x = m.addMVar(2, ub=4.0, name="x")
m.setMObjective(np.diag([1.0, 2.0]), np.array([-4.0, -6.0]), 3.0, sense=GRB.MINIMIZE)
m.addConstr(x[0] + x[1] <= 2.5)
m.optimize()
print("= obj", round(m.ObjVal, 5))
