"""addConstr with a sense between two sides: refused since version 13."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.addConstr(x, GRB.LESS_EQUAL, 3, "old")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
