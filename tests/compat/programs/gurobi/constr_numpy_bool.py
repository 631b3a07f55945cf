"""NumPy's own comparison of constants given as a constraint."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
try:
    m.addConstr(np.float64(3.0) <= 5.0)
    print("= accepted")
except Exception as error:
    print("= refused", type(error).__name__)
m.optimize()
print("= obj", m.ObjVal)
