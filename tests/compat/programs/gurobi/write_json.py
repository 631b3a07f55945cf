"""Solution as JSON through getJSONSolution."""

import json

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.JSONSolDetail = 1
x = m.addVar(ub=5, vtype=GRB.INTEGER, name="x")
m.setObjective(5 * x, GRB.MAXIMIZE)
m.optimize()
found = json.loads(m.getJSONSolution())
print("= info", found["SolutionInfo"]["Status"], float(found["SolutionInfo"]["ObjVal"]))
