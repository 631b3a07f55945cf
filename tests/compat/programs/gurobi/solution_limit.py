"""SolutionLimit of one: a solution, and status SOLUTION_LIMIT or better."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(40, vtype=GRB.BINARY, name="x")
for k in range(5):
    m.addConstr(gp.quicksum((5 + (i * (2 * k + 3)) % 23) * x[i] for i in range(40)) <= 150)
m.setObjective(gp.quicksum((7 + i * 11 % 29) * x[i] for i in range(40)), GRB.MAXIMIZE)
m.Params.SolutionLimit = 1
m.optimize()
print("= status", m.Status in (GRB.SOLUTION_LIMIT, GRB.OPTIMAL), m.SolCount >= 1)
m.Params.SolutionLimit = 2000000000
m.optimize()
print("= obj", m.ObjVal)
