"""The product of a binary and a continuous variable in objective and rows."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVars(3, vtype=GRB.BINARY, name="b")
q = m.addVars(3, ub=[20, 30, 25], name="q")
m.addConstr(gp.quicksum(b[i] * q[i] for i in range(3)) >= 40)
m.addConstr(b.sum() <= 2)
m.setObjective(
    gp.quicksum((i + 2) * q[i] for i in range(3)) + gp.quicksum(9 * b[i] for i in range(3))
)
m.optimize()
print("= obj", round(m.ObjVal, 4))
