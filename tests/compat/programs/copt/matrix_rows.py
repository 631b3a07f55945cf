"""addMConstr with a sparse matrix."""

import coptpy as cp
import numpy as np
import scipy.sparse as sp
from coptpy import COPT

a = sp.csr_matrix(np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]]))
env = cp.Envr()
m = env.createModel()
x = m.addMVar(3, ub=10.0, nameprefix="x")
m.addMConstr(a, x, COPT.GREATER_EQUAL, np.array([4.0, 5.0]))
m.setObjective(np.array([1.0, 2.5, 3.0]) @ x, COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
