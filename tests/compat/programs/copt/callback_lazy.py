"""Lazy rows from a callback object."""

import coptpy as cp
from coptpy import COPT


class Cut(cp.CallbackBase):
    def __init__(self, x, n):
        super().__init__()
        self.x, self.n = x, n

    def callback(self):
        if self.where() == COPT.CBCONTEXT_MIPSOL:
            values = self.getSolution(self.x)
            for i in range(self.n):
                for j in range(i):
                    if values[i] + values[j] > 1.5 and (i + j) % 3:
                        self.addLazyConstr(self.x[i] + self.x[j] <= 1)


env = cp.Envr()
m = env.createModel()
x = m.addVars(6, vtype=COPT.BINARY, nameprefix="x")
m.addConstr(x.sum() <= 5)
m.setObjective(cp.quicksum((i + 2) * x[i] for i in range(6)), COPT.MAXIMIZE)
m.setCallback(Cut(x, 6), COPT.CBCONTEXT_MIPSOL)
m.solve()
print("= obj", m.objval)
