"""A small LP, all in the plainest spelling."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("furniture")
tables = m.addVar(name="tables")
chairs = m.addVar(name="chairs")
m.setObjective(30 * tables + 20 * chairs, GRB.MAXIMIZE)
m.addConstr(6 * tables + 3 * chairs <= 40, "wood")
m.addConstr(2 * tables + 5 * chairs <= 30, "work")
m.optimize()
if m.status == GRB.OPTIMAL:
    print("= profit", m.objVal)
    print("= tables", tables.x)
    print("= chairs", chairs.X)
