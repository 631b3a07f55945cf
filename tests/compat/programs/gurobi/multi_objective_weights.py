"""setObjectiveN blended by weights."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=6, name="x")
y = m.addVar(ub=6, name="y")
m.addConstr(x + 2 * y <= 10)
m.addConstr(2 * x + y <= 11)
m.setObjectiveN(x + y, 0, weight=1.0)
m.setObjectiveN(2 * y - x, 1, weight=0.5)
m.ModelSense = GRB.MAXIMIZE
m.optimize()
print("= values", [m.getObjective(i).getValue() for i in range(2)])
