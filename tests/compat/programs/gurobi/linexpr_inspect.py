"""Terms of an expression read back: getVar, getCoeff, remove, clear."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=3, name="y")
m.update()
e = 2 * x + 3 * y + 1
print("= terms", [(e.getCoeff(i), e.getVar(i).VarName) for i in range(e.size())])
e.remove(0)
print("= after", e.size(), e.getConstant())
copy = e.copy()
copy.clear()
print("= cleared", copy.size(), copy.getConstant())
m.setObjective(e, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
