"""Optimality cuts by lazy constraints from a second model."""

import gurobipy as gp
from gurobipy import GRB

fixed = [50, 60, 40]
cap = [20, 25, 15]
price = [3, 2, 4]
demand = 30
sub = gp.Model("sub")
sub.Params.OutputFlag = 0
flow = sub.addVars(3, name="flow")
short = sub.addVar(name="short")
need = sub.addConstr(flow.sum() + short >= demand)
room = sub.addConstrs((flow[i] <= 0 for i in range(3)), name="room")
sub.setObjective(gp.quicksum(price[i] * flow[i] for i in range(3)) + 50 * short)


def cut(model, where):
    if where == GRB.Callback.MIPSOL:
        y = model.cbGetSolution(model._y)
        for i in range(3):
            room[i].RHS = cap[i] * round(y[i])
        sub.optimize()
        if model.cbGetSolution(model._theta) < sub.ObjVal - 1e-6:
            model.cbLazy(
                model._theta
                >= need.Pi * demand
                + gp.quicksum(room[i].Pi * cap[i] * model._y[i] for i in range(3))
            )


m = gp.Model("master")
m._y = m.addVars(3, vtype=GRB.BINARY, name="y")
m._theta = m.addVar(name="theta")
m.setObjective(gp.quicksum(fixed[i] * m._y[i] for i in range(3)) + m._theta)
m.Params.LazyConstraints = 1
m.optimize(cut)
print("= obj", m.ObjVal)
