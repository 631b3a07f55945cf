"""x @ Q @ x as objective and as a row."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

q = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.2, 3.0]])
m = gp.Model()
x = m.addMVar(3, lb=-10.0, name="x")
m.addConstr(x.sum() == 1)
m.addConstr(x @ np.eye(3) @ x <= 2.0)
m.setObjective(x @ q @ x + np.array([1.0, 0.0, -1.0]) @ x, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 4))
