"""A gurobipy program; `ordojo run examples/gurobi_program.py` needs neither gurobipy nor a licence.

take ['tent', 'stove', 'rope'], value 23
"""

import gurobipy as gp

value = {"tent": 10, "stove": 7, "rope": 6, "lamp": 3}
weight = {"tent": 5, "stove": 4, "rope": 3, "lamp": 2}

model = gp.Model("knapsack")
model.Params.OutputFlag = 0
take = model.addVars(value, vtype=gp.GRB.BINARY, name="take")
model.addConstr(take.prod(weight) <= 12, name="capacity")
model.setObjective(take.prod(value), gp.GRB.MAXIMIZE)
model.optimize()

print(f"take {[item for item in value if take[item].X > 0.5]}, value {model.ObjVal:.0f}")
