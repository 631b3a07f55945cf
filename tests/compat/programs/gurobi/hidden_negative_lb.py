"""Variables have lower bound zero unless said; a loss needs a free one."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
profit = m.addVar(name="profit")
loss = m.addVar(lb=-GRB.INFINITY, name="loss")
m.addConstr(profit >= -5)
m.addConstr(loss >= -5)
m.setObjective(profit + loss, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, profit.X, loss.X)
