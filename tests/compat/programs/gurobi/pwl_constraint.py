"""addGenConstrPWL: a stepwise tariff."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
buy = m.addVars(2, ub=100, name="buy")
pay = m.addVars(2, name="pay")
m.addGenConstrPWL(buy[0], pay[0], [0, 20, 60, 100], [0, 80, 180, 240], "a")
m.addGenConstrPWL(buy[1], pay[1], [0, 50, 100], [0, 110, 350], name="b")
m.addConstr(buy.sum() >= 95)
m.setObjective(pay.sum(), GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, buy[0].X)
