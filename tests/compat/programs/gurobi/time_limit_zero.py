"""A time limit of zero: TIME_LIMIT without a solution."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(30, vtype=GRB.INTEGER, ub=3, name="x")
for k in range(6):
    m.addConstr(gp.quicksum((5 + (i * (2 * k + 3)) % 13) * x[i] for i in range(30)) == 211 + k)
m.setObjective(gp.quicksum((7 + i * 11 % 17) * x[i] for i in range(30)), GRB.MAXIMIZE)
m.Params.TimeLimit = 0
m.optimize()
print("= status", m.Status == GRB.TIME_LIMIT, m.SolCount)
