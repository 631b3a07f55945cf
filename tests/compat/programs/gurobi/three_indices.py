"""Three indices, patterns in every position."""

import gurobipy as gp
from gurobipy import GRB

A, J, K = range(3), ["x", "y"], range(1, 4)
m = gp.Model()
v = m.addVars(A, J, K, ub=4, vtype=GRB.INTEGER, name="v")
m.addConstrs((v.sum(i, "*", "*") <= 7 for i in A), name="i")
m.addConstrs((v.sum("*", j, "*") <= 10 for j in J), name="j")
m.addConstrs((v.sum("*", "*", k) <= 6 for k in K), name="k")
m.addConstrs((v[i, "x", k] >= v[i, "y", k] for i in A for k in K), name="order")
m.setObjective(
    gp.quicksum((1 + i + k + (j == "y")) * v[i, j, k] for i in A for j in J for k in K),
    GRB.MAXIMIZE,
)
m.optimize()
print("= obj", m.ObjVal, v[0, "x", 1].VarName, m.getConstrs()[0].ConstrName)
