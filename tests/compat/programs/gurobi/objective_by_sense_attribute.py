"""The sense given through ModelSense, coefficients by obj=."""

from gurobipy import GRB, Model

m = Model("sense")
x = m.addVar(obj=3, ub=2, name="x")
y = m.addVar(obj=-1, ub=2, name="y")
m.ModelSense = GRB.MAXIMIZE
m.addConstr(x + y <= 3)
m.optimize()
print("= max", m.ObjVal)
m.ModelSense = 1
m.optimize()
print("= min", m.objVal)
