"""Representations of tuplelist, tupledict, model and constants."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("shown")
x = m.addVars(2, ub=1, name="x")
m.update()
print("= list", repr(gp.tuplelist([1, 2])).splitlines()[0])
print("= dict", {k: v.VarName for k, v in x.items()})
print("= constants", repr(GRB.BINARY), GRB.OPTIMAL, GRB.MAXIMIZE)
print("= version", isinstance(gp.gurobi.version(), tuple), len(gp.gurobi.version()))
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
