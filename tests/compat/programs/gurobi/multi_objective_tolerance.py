"""A degradation allowed by reltol for the first objective."""

import gurobipy as gp

m = gp.Model()
x = m.addVars(3, ub=10, name="x")
m.addConstr(x.sum() <= 12)
m.setObjectiveN(-(5 * x[0] + 4 * x[1] + x[2]), 0, priority=5, reltol=0.1, name="value")
m.setObjectiveN(x[0] + x[1], 1, priority=1, name="use")
m.optimize()
print("= values", [round(m.getObjective(i).getValue(), 5) for i in range(2)])
