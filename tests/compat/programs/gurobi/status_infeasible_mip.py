"""An integer program whose relaxation is feasible but which has no integer point."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(vtype=GRB.INTEGER, ub=10)
y = m.addVar(vtype=GRB.INTEGER, ub=10)
m.addConstr(2 * x + 4 * y == 7)
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
if m.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD):
    print("= no solution", m.SolCount)
