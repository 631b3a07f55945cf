"""Parameters by setParam and by Param attributes; read back."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
m.setParam(COPT.Param.TimeLimit, 30.0)
m.setParam("RelGap", 1e-6)
m.param.logging = 0
m.Param.LogToConsole = 0
m.Param.Threads = 1
m.setParam(COPT.Param.HeurLevel, 1)
m.setParam(COPT.Param.CutLevel, 2)
m.setParam(COPT.Param.FeasTol, 1e-7)
m.setParam(COPT.Param.IntTol, 1e-7)
m.setParam(COPT.Param.Presolve, 2)
x = m.addVars(5, vtype=COPT.INTEGER, ub=9)
m.setObjective(cp.quicksum((i % 3 + 1) * x[i] for i in range(5)), COPT.MAXIMIZE)
m.addConstr(cp.quicksum((i + 2) * x[i] for i in range(5)) <= 31)
m.solve()
print("= obj", m.objval)
print("= read", m.getParam(COPT.Param.TimeLimit), m.Param.RelGap)
