"""Broadcasting, element-wise products, comparison with scalars."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

m = gp.Model()
x = m.addMVar((2, 4), ub=5.0, name="x")
w = np.array([1.0, 2.0, 3.0, 4.0])
m.addConstr(w * x <= 8)
m.addConstr(x[0] + x[1] <= np.array([6.0, 5.0, 4.0, 1.0]))
m.addConstr(x[:, :2].sum() <= 7.5)
m.setObjective(x.sum() + 0.1 * x[0].sum(), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
