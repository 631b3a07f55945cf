"""Transport with addVars over two lists, tupledict.sum in rows and columns."""

import gurobipy as gp
from gurobipy import GRB

supply = {"north": 30, "south": 25, "west": 21}
demand = {"a": 15, "b": 17, "c": 22, "d": 12}
cost = {
    ("north", "a"): 6,
    ("north", "b"): 2,
    ("north", "c"): 6,
    ("north", "d"): 7,
    ("south", "a"): 4,
    ("south", "b"): 9,
    ("south", "c"): 5,
    ("south", "d"): 3,
    ("west", "a"): 8,
    ("west", "b"): 8,
    ("west", "c"): 1,
    ("west", "d"): 5,
}
m = gp.Model("transport")
ship = m.addVars(cost.keys(), obj=cost, name="ship")
m.addConstrs((ship.sum(i, "*") <= supply[i] for i in supply), name="supply")
m.addConstrs((ship.sum("*", j) == demand[j] for j in demand), name="demand")
m.ModelSense = GRB.MINIMIZE
m.optimize()
print("= cost", m.ObjVal)
print("= names", ship["north", "a"].VarName, [c.ConstrName for c in m.getConstrs()])
