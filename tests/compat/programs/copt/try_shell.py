"""The usual shell with CoptError."""

import coptpy as cp
from coptpy import COPT

try:
    env = cp.Envr()
    m = env.createModel("shell")
    cars = m.addVar(vtype=COPT.INTEGER, ub=20, name="cars")
    trucks = m.addVar(vtype=COPT.INTEGER, ub=6, name="trucks")
    m.setObjective(35 * cars + 90 * trucks, COPT.MAXIMIZE)
    m.addConstr(2 * cars + 7 * trucks <= 60, name="deck")
    m.addConstr(cars + 4 * trucks <= 33, name="weight")
    m.solve()
    for v in m.getVars():
        print(f"= {v.name}: {round(v.x)}")
    print(f"= fares {m.objval:g}")
except cp.CoptError as e:
    print(f"= copt said {e.retcode}: {e.message}")
