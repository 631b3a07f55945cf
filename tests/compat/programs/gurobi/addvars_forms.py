"""addVars from integers, lists, tuples, several indices; lb and ub as scalars, lists and dicts."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
a = m.addVars(3, lb=[0, 1, 2], ub=5, obj=1.0, name="a")
b = m.addVars(["u", "v"], [1, 2], ub=3, obj=[4, 3, 2, 1], name="b")
c = m.addVars([(1, 2), (2, 3)], lb={(1, 2): -1, (2, 3): -2}, ub=1, vtype=GRB.INTEGER, name="c")
d = m.addVars(2, 2, vtype=[GRB.BINARY, GRB.CONTINUOUS, GRB.INTEGER, GRB.BINARY], ub=1, name="d")
e = m.addVars(2, name=["first", "second"], ub=2)
m.ModelSense = GRB.MAXIMIZE
m.addConstr(a.sum() + b.sum() + c.sum() + d.sum() + e.sum() <= 14)
m.update()
print("= names", [v.VarName for v in m.getVars()])
print("= types", "".join(v.VType for v in m.getVars()))
m.optimize()
print("= obj", m.ObjVal)
