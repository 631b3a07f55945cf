"""Attributes of MIPs asked of an LP: MIPGap, ObjBound, NodeCount."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
for name in ("ObjBound", "MIPGap", "NodeCount", "SolCount", "IsMIP"):
    try:
        print("=", name, getattr(m, name))
    except (AttributeError, gp.GurobiError) as error:
        print("=", name, type(error).__name__)
