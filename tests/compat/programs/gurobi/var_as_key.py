"""Variables as keys of dictionaries and members of sets; sameAs."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, ub=[1, 2, 3], name="x")
m.update()
weight = {x[0]: 3, x[1]: 2, x[2]: 1}
m.setObjective(gp.quicksum(weight[v] * v for v in m.getVars()), GRB.MAXIMIZE)
m.addConstr(gp.quicksum(set(x.values())) <= 4)
m.optimize()
print("= same", x[1].sameAs(m.getVarByName("x[1]")), x[1].sameAs(x[0]))
print("= obj", m.ObjVal)
