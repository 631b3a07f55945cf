"""addConstrs with generator, its names and its tupledict of constraints."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, 2, ub=9, name="x")
rows = m.addConstrs((x[i, j] <= i + 2 * j + 1 for i in range(3) for j in range(2)), "cap")
single = m.addConstrs((x.sum(i, "*") >= 1 for i in range(3)), name="low")
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print("= rows", len(rows), rows[2, 1].ConstrName, single[1].ConstrName)
print("= obj", m.ObjVal)
