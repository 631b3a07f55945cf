"""max_ of variables with a constant: a makespan."""

import gurobipy as gp
from gurobipy import GRB

jobs = [4, 7, 3, 5, 6]
m = gp.Model()
x = m.addVars(5, 2, vtype=GRB.BINARY, name="x")
load = m.addVars(2, name="load")
span = m.addVar(name="span")
m.addConstrs(x.sum(j, "*") == 1 for j in range(5))
m.addConstrs(load[k] == gp.quicksum(jobs[j] * x[j, k] for j in range(5)) for k in range(2))
m.addConstr(span == gp.max_(load[0], load[1], constant=11), name="makespan")
m.setObjective(span, GRB.MINIMIZE)
m.optimize()
print("= span", m.ObjVal, m.NumGenConstrs)
