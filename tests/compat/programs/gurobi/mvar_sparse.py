"""A sparse matrix from scipy, addMConstr with a vector of senses."""

import gurobipy as gp
import numpy as np
import scipy.sparse as sp

rows, cols, data = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [1.0, 1.0, 2.0, 1.0, 1.0]
a = sp.csr_matrix((data, (rows, cols)), shape=(3, 3))
m = gp.Model()
x = m.addMVar(3, ub=10.0, obj=[1.0, 2.0, 3.0], name="x")
m.addMConstr(a, x, np.array([">", "<", "="]), np.array([4.0, 9.0, 2.5]))
m.optimize()
print("= obj", m.ObjVal, x.x.tolist())
