"""Coefficients and bounds as NumPy scalars and arrays, without a matrix API."""

import gurobipy as gp
import numpy as np
from gurobipy import GRB

c = np.array([3.0, 1.0, 2.0])
a = np.array([[1, 2, 0], [0, 1, 4]])
m = gp.Model()
x = [m.addVar(lb=np.float64(0), ub=np.int64(6), name=f"x{i}") for i in range(3)]
for i in range(2):
    m.addConstr(gp.quicksum(a[i, j] * x[j] for j in range(3)) <= np.float32(9))
m.setObjective(sum(c[j] * x[j] for j in range(3)), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, type(m.ObjVal).__name__, type(x[0].X).__name__)
