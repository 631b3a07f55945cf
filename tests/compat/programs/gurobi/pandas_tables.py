"""Data in pandas: indices and series as keys and coefficients."""

import gurobipy as gp
import pandas as pd
from gurobipy import GRB

table = pd.DataFrame({"cost": [4.0, 3.0, 5.5], "cap": [30, 20, 25]}, index=["x", "y", "z"])
m = gp.Model()
q = m.addVars(table.index, ub=table["cap"].to_dict(), name="q")
m.addConstr(q.sum() >= 55)
m.setObjective(gp.quicksum(row.cost * q[i] for i, row in table.iterrows()), GRB.MINIMIZE)
m.optimize()
result = pd.Series({i: q[i].X for i in table.index})
print("= obj", m.ObjVal, result["z"])
