"""QuadExpr built with addTerms and add; its parts read back."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.update()
q = gp.QuadExpr()
q.addTerms([1.0, 2.0], [x, y], [x, y])
q.addTerms(-6.0, x)
q.add(-4 * y)
q += 0.5 * x * y
q.addConstant(3)
print("= size", q.size(), q.getLinExpr().size(), q.getCoeff(0), q.getVar1(2).VarName)
m.setObjective(q, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 5), round(q.getValue(), 5))
