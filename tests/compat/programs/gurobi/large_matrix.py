"""Over the restricted size: 3,000 rows by the matrix API with a sparse identity."""

import gurobipy as gp
import numpy as np
import scipy.sparse as sp
from gurobipy import GRB

n = 3000
limit = (np.arange(n) * 37 % 101).astype(float)
m = gp.Model()
x = m.addMVar(n, name="x")
m.addConstr(sp.eye(n, format="csr") @ x <= limit)
m.setObjective(np.ones(n) @ x, GRB.MAXIMIZE)
m.optimize()
expected = float(limit.sum())
print("= close", abs(m.ObjVal - expected) < 1e-4)
