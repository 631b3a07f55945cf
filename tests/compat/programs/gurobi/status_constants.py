"""Every status code, sense, type and attribute constant has Gurobi's value."""

import gurobipy as gp
from gurobipy import GRB

names = [
    "LOADED",
    "OPTIMAL",
    "INFEASIBLE",
    "INF_OR_UNBD",
    "UNBOUNDED",
    "CUTOFF",
    "ITERATION_LIMIT",
    "NODE_LIMIT",
    "TIME_LIMIT",
    "SOLUTION_LIMIT",
    "INTERRUPTED",
    "NUMERIC",
    "SUBOPTIMAL",
    "INPROGRESS",
    "USER_OBJ_LIMIT",
    "WORK_LIMIT",
    "MEM_LIMIT",
]
print("=", [(n, getattr(GRB, n), getattr(GRB.Status, n)) for n in names])
print("=", GRB.MINIMIZE, GRB.MAXIMIZE, GRB.BINARY, GRB.INTEGER, GRB.CONTINUOUS)
print("=", GRB.SEMICONT, GRB.SEMIINT, GRB.SOS_TYPE1, GRB.SOS_TYPE2)
print("=", GRB.LESS_EQUAL, GRB.GREATER_EQUAL, GRB.EQUAL, GRB.INFINITY, GRB.UNDEFINED)
print("=", GRB.Callback.MIPSOL, GRB.Callback.MIPNODE, GRB.Callback.MIP, GRB.Callback.MESSAGE)
print("=", GRB.Attr.ObjVal, GRB.Attr.X, GRB.Param.TimeLimit, GRB.Param.MIPGap)
m = gp.Model()
m.addVar(ub=1, obj=-1)
m.optimize()
