"""terminate at the first solution: interrupted, with a solution."""

import gurobipy as gp
from gurobipy import GRB


def stop(model, where):
    if where == GRB.Callback.MIPSOL:
        model.terminate()


m = gp.Model()
x = m.addVars(30, vtype=GRB.BINARY, name="x")
for k in range(6):
    m.addConstr(gp.quicksum((3 + (i * (k + 3)) % 17) * x[i] for i in range(30)) <= 70 + k)
m.setObjective(gp.quicksum((4 + i * 5 % 19) * x[i] for i in range(30)), GRB.MAXIMIZE)
m.optimize(stop)
print("= ended", m.Status in (GRB.INTERRUPTED, GRB.OPTIMAL), m.SolCount >= 1)
m.Params.OutputFlag = 0
m.optimize()
print("= obj", m.ObjVal)
