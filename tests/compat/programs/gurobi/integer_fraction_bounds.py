"""Fractional bounds of integers."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-2.5, ub=3.7, vtype=GRB.INTEGER, name="x")
y = m.addVar(lb=0.2, ub=0.9, vtype=GRB.INTEGER, name="y")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= status", m.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD), m.SolCount)
y.LB = 0
m.optimize()
print("= obj", m.ObjVal, x.X)
