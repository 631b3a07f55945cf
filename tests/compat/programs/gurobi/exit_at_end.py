"""A program that ends itself with sys.exit after solving."""

import sys

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=7, vtype=GRB.INTEGER)
m.addConstr(2 * x <= 9)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
sys.exit(0)
