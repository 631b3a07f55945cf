"""setObjectiveN with priorities: first cost, then time."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("several")
x = m.addVars(4, vtype=GRB.INTEGER, ub=5, name="x")
m.addConstr(x.sum() == 7)
m.addConstr(x[0] + x[1] >= 2)
m.setObjectiveN(3 * x[0] + 2 * x[1] + 2 * x[2] + 4 * x[3], index=0, priority=2, name="cost")
m.setObjectiveN(1 * x[0] + 5 * x[1] + 2 * x[2] + x[3], index=1, priority=1, name="time")
m.ModelSense = GRB.MINIMIZE
m.optimize()
for i in range(m.NumObj):
    m.params.ObjNumber = i
    print("=", m.ObjNName, m.ObjNVal)
print("= status", m.Status)
