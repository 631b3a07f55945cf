"""addConstrs whose generator has an if; keys are tuples of what is looped over."""

import gurobipy as gp
from gurobipy import GRB

cities = ["a", "b", "c", "d"]
m = gp.Model()
t = m.addVars(cities, lb=0, ub=20, name="t")
rows = m.addConstrs((t[i] + 2 <= t[j] for i in cities for j in cities if i < j), name="order")
m.setObjective(t["d"] - 0.5 * t["a"], GRB.MINIMIZE)
m.optimize()
print("= keys", sorted(rows.keys()))
print("= obj", m.ObjVal)
