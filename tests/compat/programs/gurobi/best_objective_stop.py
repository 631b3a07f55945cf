"""BestObjStop: ends once a solution is good enough."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.BestObjStop = 1000
x = m.addVars(3, vtype=GRB.INTEGER, ub=4, name="x")
m.addConstr(x.sum() >= 2)
m.setObjective(4 * x[0] + 5 * x[1] + 6 * x[2], GRB.MINIMIZE)
m.optimize()
print("= status", m.Status in (GRB.USER_OBJ_LIMIT, GRB.OPTIMAL), m.ObjVal <= 1000)
m.Params.BestObjStop = -GRB.INFINITY
m.optimize()
print("= obj", m.ObjVal)
