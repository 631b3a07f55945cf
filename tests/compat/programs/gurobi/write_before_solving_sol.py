"""A .sol file asked for without a solution."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, name="x")
m.addConstr(x >= 6)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
try:
    m.write("none.sol")
    print("= written")
except gp.GurobiError as error:
    print("= refused", error.errno)
