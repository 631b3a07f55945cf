"""getVarByName, getConstrByName, getVars, getConstrs, getRow, getCoeff."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="alpha")
y = m.addVar(ub=4, name="beta")
m.addConstr(3 * x + 2 * y <= 14, name="row_one")
m.addConstr(x - y >= -3, name="row_two")
m.setObjective(x + y, GRB.MAXIMIZE)
m.update()
row = m.getConstrByName("row_one")
print("= row", m.getRow(row).size(), m.getCoeff(row, m.getVarByName("beta")), row.RHS, row.Sense)
print("= missing", m.getVarByName("gamma"), m.getConstrByName("nothing"))
print("= index", y.index, row.index)
m.optimize()
print("= obj", m.ObjVal, m.getVarByName("alpha").X)
