"""The usual shell: try, GurobiError, AttributeError."""

import gurobipy as gp
from gurobipy import GRB

try:
    m = gp.Model("ferry")
    cars = m.addVar(vtype=GRB.INTEGER, ub=20, name="cars")
    trucks = m.addVar(vtype=GRB.INTEGER, ub=6, name="trucks")
    m.setObjective(35 * cars + 90 * trucks, GRB.MAXIMIZE)
    m.addConstr(2 * cars + 7 * trucks <= 60, "deck")
    m.addConstr(cars + 4 * trucks <= 33, "weight")
    m.optimize()
    for v in m.getVars():
        print(f"= {v.VarName}: {v.X:g}")
    print(f"= fares {m.ObjVal:g}")
except gp.GurobiError as e:
    print(f"= gurobi said {e.errno}: {e}")
except AttributeError as e:
    print(f"= no such attribute: {e}")
