"""A callback that reads the progress and stops nothing."""

import gurobipy as gp
from gurobipy import GRB

seen = []


def watch(model, where):
    if where == GRB.Callback.MIPSOL:
        seen.append(model.cbGet(GRB.Callback.MIPSOL_OBJ))
    elif where == GRB.Callback.MIP:
        model.cbGet(GRB.Callback.MIP_OBJBST)
        model.cbGet(GRB.Callback.MIP_OBJBND)
    elif where == GRB.Callback.MESSAGE:
        model.cbGet(GRB.Callback.MSG_STRING)


m = gp.Model()
x = m.addVars(15, vtype=GRB.BINARY, name="x")
m.addConstr(gp.quicksum((3 + i * 7 % 10) * x[i] for i in range(15)) <= 40)
m.addConstr(gp.quicksum((2 + i * 3 % 8) * x[i] for i in range(15)) <= 33)
m.setObjective(gp.quicksum((4 + i * 5 % 9) * x[i] for i in range(15)), GRB.MAXIMIZE)
m.optimize(watch)
print("= obj", m.ObjVal, len(seen) >= 1, max(seen) <= m.ObjVal + 1e-6)
