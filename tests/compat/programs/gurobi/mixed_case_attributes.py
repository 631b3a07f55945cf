"""The spellings that programs mix: objVal, objval, Objval, numvars, VARNAME."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("cases")
x = m.addVar(ub=4, vtype=GRB.INTEGER, name="x")
c = m.addConstr(2 * x <= 7, name="c")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("=", m.objVal, m.objval, m.ObjVal, m.Objval)
print("=", m.numVars, m.numvars, m.NumConstrs, m.numConstrs, m.modelName)
print("=", x.varName, x.VarName, x.varname, x.lb, x.Ub, x.vtype, x.VType)
print("=", c.constrName, c.constrname, c.rhs, c.Rhs, c.sense, c.slack)
print("=", m.status, m.Status, m.solCount, m.mipGap, m.objBound)
