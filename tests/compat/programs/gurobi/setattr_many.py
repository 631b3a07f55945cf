"""getAttr and setAttr on the model over lists and dictionaries of variables."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(4, name="x")
m.update()
m.setAttr("UB", list(x.values()), [1.0, 2.0, 3.0, 4.0])
m.setAttr(GRB.Attr.Obj, x.select(), [4.0, 3.0, 2.0, 1.0])
m.setAttr("ModelSense", GRB.MAXIMIZE)
m.addConstr(x.sum() <= 6)
m.optimize()
print("= X", m.getAttr("X", m.getVars()))
byname = m.getAttr("x", x)
print("= dict", [byname[i] for i in range(4)], type(byname).__name__)
print("= UB", m.getAttr(GRB.Attr.UB, [x[1], x[3]]))
print("= obj", m.getAttr("ObjVal"), m.getAttr(GRB.Attr.Status))
