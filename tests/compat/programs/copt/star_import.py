"""Everything imported with a star."""

from coptpy import *  # noqa: F403

env = Envr()  # noqa: F405
m = env.createModel("ints")
x = m.addVar(vtype=COPT.INTEGER, name="x")  # noqa: F405
y = m.addVar(vtype=COPT.INTEGER, name="y")  # noqa: F405
m.addConstr(6 * x + 4 * y <= 25)
m.addConstr(x + 2 * y <= 6)
m.setObjective(5 * x + 4 * y, COPT.MAXIMIZE)  # noqa: F405
m.solve()
print("= obj", m.objVal, x.x, y.x)
