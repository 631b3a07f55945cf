"""LinExpr by addTerm, addTerms, addConstant, addExpr; its parts read back."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(4, ub=5, nameprefix="x")
e = cp.LinExpr()
e.addTerms([x[0], x[1]], [1.0, 2.0])
e.addTerm(x[2], 3.0)
e += 4 * x[3]
e.addConstant(7)
e.addExpr(x[0] + x[1], 2.0)
m.addConstr(e <= 40)
m.setObjective(x.sum(), COPT.MAXIMIZE)
m.solve()
print("= constant", e.getConstant(), round(e.getValue(), 6))
print("= obj", m.objval)
