"""addVars over a dictionary, a set-like view, a generator-made list of tuples."""

import gurobipy as gp
from gurobipy import GRB

data = {"tea": 4.0, "milk": 1.5, "rice": 2.0}
m = gp.Model()
a = m.addVars(data, ub=3, name="a")
b = m.addVars([(k, w) for k in data for w in (1, 2) if data[k] > w], ub=2, name="b")
print("= keys", list(a.keys()), list(b.keys()))
m.addConstr(a.sum() + b.sum() <= 11)
m.setObjective(a.prod(data) + gp.quicksum(data[k] * b[k, w] for k, w in b), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
