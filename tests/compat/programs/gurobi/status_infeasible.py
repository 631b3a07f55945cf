"""An infeasible LP: status, and what X then raises."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=1, name="x")
m.addConstr(x >= 2)
m.setObjective(x)
m.optimize()
print("= infeasible", m.status == GRB.INFEASIBLE, m.Status == GRB.Status.INFEASIBLE, m.SolCount)
try:
    print(x.X)
except AttributeError as error:
    print("= attribute error", error)
except gp.GurobiError as error:
    print("= gurobi error", error.errno, error.message)
try:
    print(m.ObjVal)
except AttributeError as error:
    print("= attribute error", error)
except gp.GurobiError as error:
    print("= gurobi error", error.errno, error.message)
