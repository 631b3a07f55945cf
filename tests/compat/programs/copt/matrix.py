"""addMVar with A @ x."""

import coptpy as cp
import numpy as np
from coptpy import COPT

a = np.array([[2.0, 5.0, 3.0, 1.0], [0.0, 1.0, 1.0, 1.0]])
env = cp.Envr()
m = env.createModel("matrix")
x = m.addMVar(4, vtype=COPT.BINARY, nameprefix="x")
m.setObjective(np.array([3.0, 7.0, 5.0, 4.0]) @ x, COPT.MAXIMIZE)
m.addConstr(a @ x <= np.array([8.0, 2.0]))
m.solve()
print("= obj", m.objval, np.asarray(x.getInfo(COPT.Info.Value)).tolist())
