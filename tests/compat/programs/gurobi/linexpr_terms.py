"""LinExpr built with addTerms, add, and +=."""

from gurobipy import GRB, LinExpr, Model

m = Model()
v = [m.addVar(ub=5, name=f"v{i}") for i in range(4)]
e = LinExpr()
e.addTerms([1.0, 2.0], v[:2])
e.addTerms(3.0, v[2])
e += 4 * v[3]
e.addConstant(7)
e.add(LinExpr(1.0, v[0]), 2.0)
m.addConstr(e <= 40, "limit")
m.setObjective(v[0] + v[1] + v[2] + v[3], GRB.MAXIMIZE)
m.optimize()
print("= size", e.size(), e.getConstant())
print("= value", e.getValue())
print("= obj", m.ObjVal)
