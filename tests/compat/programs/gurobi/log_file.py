"""LogFile and a log read afterwards."""

from pathlib import Path

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.setParam("LogFile", "run.log")
m.setParam("LogToConsole", 0)
x = m.addVar(ub=5, name="x")
m.addConstr(2 * x <= 7)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= log", Path("run.log").exists())
print("= obj", m.ObjVal)
