"""Names imported one by one; quicksum over a generator."""

from gurobipy import GRB, Model, quicksum

values = [10, 13, 18, 31, 7, 15]
weights = [2, 3, 4, 5, 1, 4]
model = Model("knapsack")
take = model.addVars(len(values), vtype=GRB.BINARY, name="take")
model.setObjective(quicksum(values[i] * take[i] for i in range(6)), GRB.MAXIMIZE)
model.addConstr(quicksum(weights[i] * take[i] for i in range(6)) <= 10, name="capacity")
model.optimize()
print("= chosen", [i for i in range(6) if take[i].X > 0.5])
print("= objective", model.ObjVal)
