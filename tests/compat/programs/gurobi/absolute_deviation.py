"""A median by absolute deviations, written with two rows each."""

import gurobipy as gp
from gurobipy import GRB

data = [2.5, 9.0, 4.0, 7.5, 4.5]
m = gp.Model()
centre = m.addVar(lb=-GRB.INFINITY, name="centre")
e = m.addVars(len(data), name="e")
m.addConstrs(e[i] >= data[i] - centre for i in range(len(data)))
m.addConstrs(e[i] >= centre - data[i] for i in range(len(data)))
m.setObjective(e.sum(), GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, centre.X)
