"""Everything imported with a star, lower-case attributes."""

from gurobipy import *  # noqa: F403

m = Model()  # noqa: F405
x = m.addVar(vtype=GRB.INTEGER, name="x")  # noqa: F405
y = m.addVar(vtype=GRB.INTEGER, name="y")  # noqa: F405
m.update()
m.setObjective(5 * x + 4 * y, GRB.MAXIMIZE)  # noqa: F405
m.addConstr(6 * x + 4 * y <= 25)
m.addConstr(x + 2 * y <= 6)
m.optimize()
for v in m.getVars():
    print("=", v.varName, v.x)
print("= obj", m.objVal)
