"""Parameters by Params., params., setParam, lower case, and read back."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.OutputFlag = 0
m.params.TimeLimit = 30
m.setParam("MIPGap", 1e-6)
m.setParam("mipfocus", 1)
m.setParam(GRB.Param.Threads, 1)
m.Params.LogToConsole = 0
m.Params.IntegralityFocus = 1
m.Params.FeasibilityTol = 1e-7
m.Params.IntFeasTol = 1e-7
m.Params.OptimalityTol = 1e-7
m.Params.Presolve = 2
m.Params.Heuristics = 0.1
m.Params.Cuts = 2
m.Params.Method = 1
m.Params.BranchDir = 1
m.Params.NumericFocus = 1
m.Params.MIPGapAbs = 1e-8
m.Params.Seed = 7
m.Params.NodefileStart = 0.5
x = m.addVars(5, vtype=GRB.INTEGER, ub=9)
m.setObjective(gp.quicksum((i % 3 + 1) * x[i] for i in range(5)), GRB.MAXIMIZE)
m.addConstr(gp.quicksum((i + 2) * x[i] for i in range(5)) <= 31)
m.optimize()
print("= obj", m.ObjVal)
print("= read", m.Params.TimeLimit, m.params.mipgap, m.getParamInfo("MIPFocus")[2])
