"""and_ and or_ of binaries."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVars(4, vtype=GRB.BINARY, name="b")
both = m.addVar(vtype=GRB.BINARY, name="both")
either = m.addVar(vtype=GRB.BINARY, name="either")
m.addConstr(both == gp.and_(b[0], b[1]))
m.addConstr(either == gp.or_([b[2], b[3]]), "either")
m.addConstr(b.sum() <= 3)
m.setObjective(5 * both + 4 * either - 1.5 * b.sum(), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, both.X, either.X)
