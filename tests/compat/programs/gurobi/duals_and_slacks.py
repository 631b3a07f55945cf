"""Pi, Slack, RC of an LP in both senses."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
z = m.addVar(name="z")
a = m.addConstr(x + y + z <= 10, "a")
b = m.addConstr(2 * x + y >= 3, "b")
c = m.addConstr(x + 3 * y + z <= 18, "c")
m.setObjective(4 * x + 6 * y + 1 * z, GRB.MAXIMIZE)
m.optimize()
print("= pi", [r.Pi for r in m.getConstrs()])
print("= slack", [r.Slack for r in m.getConstrs()], a.slack)
print("= rc", [v.RC for v in m.getVars()])
m.setObjective(4 * x + 6 * y + 1 * z, GRB.MINIMIZE)
m.optimize()
print("= pi", [r.pi for r in m.getConstrs()], b.getAttr("Pi"))
print("= rc", [v.rc for v in m.getVars()], c.Slack)
