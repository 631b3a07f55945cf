"""Goals with deviations up and down, as dictionaries of pairs."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("goals")
x = m.addVars(["a", "b"], name="x")
goals = {"profit": ({"a": 12, "b": 9}, 250), "labour": ({"a": 3, "b": 4}, 60)}
up = m.addVars(goals, name="up")
down = m.addVars(goals, name="down")
for g, (c, target) in goals.items():
    m.addConstr(x.prod(c) + down[g] - up[g] == target, name=f"goal[{g}]")
m.addConstr(x["a"] <= 8)
m.addConstr(x.sum() <= 18)
m.setObjective(5 * down["profit"] + 2 * up["labour"], GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
