"""Presolve, cuts and heuristics turned off; the same optimum."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.Presolve = 0
m.Params.Cuts = 0
m.Params.Heuristics = 0
m.Params.Method = 0
m.Params.Symmetry = 0
m.Params.VarBranch = 1
m.Params.Crossover = 0
m.Params.PreSparsify = 1
x = m.addVars(8, vtype=GRB.INTEGER, ub=4, name="x")
m.addConstr(gp.quicksum((3 + i * 5 % 7) * x[i] for i in range(8)) <= 41)
m.setObjective(gp.quicksum((4 + i * 3 % 8) * x[i] for i in range(8)), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
