"""A callback that counts and never asks."""

import gurobipy as gp
from gurobipy import GRB

calls = {}


def count(model, where):
    calls[where] = calls.get(where, 0) + 1


m = gp.Model()
x = m.addVars(6, vtype=GRB.INTEGER, ub=5)
m.addConstr(gp.quicksum((i + 3) * x[i] for i in range(6)) <= 26)
m.setObjective(gp.quicksum((2 * i + 5) * x[i] for i in range(6)), GRB.MAXIMIZE)
m.optimize(count)
print("= obj", m.ObjVal, all(isinstance(k, int) for k in calls))
