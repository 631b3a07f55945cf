"""A small pooling problem: bilinear equality rows."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("pool")
m.setParam("NonConvex", 2)
a = m.addVar(ub=300, name="a")
b = m.addVar(ub=300, name="b")
pool_x = m.addVar(ub=200, name="pool_x")
pool_y = m.addVar(ub=200, name="pool_y")
cx = m.addVar(ub=200, name="cx")
cy = m.addVar(ub=200, name="cy")
q = m.addVar(lb=1, ub=3, name="q")
m.addConstr(a + b == pool_x + pool_y)
m.addConstr(3 * a + 1 * b == q * (pool_x + pool_y))
m.addConstr(q * pool_x + 2 * cx <= 2.5 * (pool_x + cx))
m.addConstr(q * pool_y + 2 * cy <= 1.5 * (pool_y + cy))
m.addConstr(pool_x + cx <= 100)
m.addConstr(pool_y + cy <= 200)
m.setObjective(
    6 * a + 16 * b + 10 * (cx + cy) - 9 * (pool_x + cx) - 15 * (pool_y + cy), GRB.MINIMIZE
)
m.optimize()
print("= obj", round(m.ObjVal, 2))
