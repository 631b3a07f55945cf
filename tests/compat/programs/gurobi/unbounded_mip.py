"""An unbounded integer program."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(vtype=GRB.INTEGER, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= status", m.Status in (GRB.UNBOUNDED, GRB.INF_OR_UNBD), m.SolCount >= 0)
