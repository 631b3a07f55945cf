"""InfUnbdInfo: a Farkas proof and an unbounded ray."""

import gurobipy as gp

m = gp.Model()
m.Params.InfUnbdInfo = 1
m.Params.DualReductions = 0
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x + y <= 3, "low")
m.addConstr(x + y >= 5, "high")
m.optimize()
print("= status", m.Status)
print("= proof", m.FarkasProof > 0)
