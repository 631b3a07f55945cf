"""PoolSearchMode 2: the best three solutions through Xn and PoolObjVal."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.setParam(GRB.Param.PoolSolutions, 3)
m.setParam(GRB.Param.PoolSearchMode, 2)
x = m.addVars(5, vtype=GRB.BINARY, name="x")
m.addConstr(gp.quicksum((i + 2) * x[i] for i in range(5)) <= 9)
m.setObjective(gp.quicksum((2**i + i) * x[i] for i in range(5)), GRB.MAXIMIZE)
m.optimize()
found = []
for k in range(m.SolCount):
    m.Params.SolutionNumber = k
    found.append((m.PoolObjVal, sum(v.Xn for v in m.getVars())))
print("= pool", found)
