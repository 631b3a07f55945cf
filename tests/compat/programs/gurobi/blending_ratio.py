"""Ratio rows multiplied out; equality rows; percentages."""

import gurobipy as gp
from gurobipy import GRB

crude = {"light": (38, 0.2), "heavy": (22, 1.1), "middle": (29, 0.6)}
m = gp.Model("blend")
use = m.addVars(crude, ub=500, name="use")
product = m.addVar(name="product")
m.addConstr(use.sum() == product)
m.addConstr(gp.quicksum(crude[c][1] * use[c] for c in crude) <= 0.5 * product)
m.addConstr(product >= 600)
m.addConstr(use["light"] <= 0.4 * use.sum())
m.setObjective(55 * product - gp.quicksum(crude[c][0] * use[c] for c in crude), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal if m.Status == GRB.OPTIMAL else m.Status)
