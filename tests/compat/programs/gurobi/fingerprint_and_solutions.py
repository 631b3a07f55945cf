"""getAttr of lists, list comprehension over getVars, a sorted report."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
names = ["b", "a", "d", "c"]
v = {n: m.addVar(ub=i + 1, vtype=GRB.INTEGER, name=n) for i, n in enumerate(names)}
m.addConstr(sum(v.values()) <= 7)
m.setObjective(sum((ord(n) - 96) * v[n] for n in names), GRB.MAXIMIZE)
m.optimize()
report = {var.VarName: var.X for var in m.getVars() if var.X > 1e-6}
print("= report", sorted(report.items()))
print("= all", m.getAttr("VarName", m.getVars()), m.getAttr("RHS", m.getConstrs()))
