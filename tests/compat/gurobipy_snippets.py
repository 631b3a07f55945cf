"""Programs as users of gurobipy write them, for comparing our layer with the real library.

They were written without a look at the layer, as a set held out; each is run by itself, and what it
prints is compared, exceptions with their messages. `tell` prints what a call gives or raises.
"""

PREAMBLE = """
import os
import sys
import math
import numpy as np
import gurobipy as gp
from gurobipy import GRB, quicksum, tupledict, tuplelist, multidict

env = gp.Env(empty=True)
env.setParam("OutputFlag", 0)
env.start()

def new(name="t"):
    return gp.Model(name, env=env)

def tell(call):
    try:
        print(repr(call()))
    except Exception as error:
        print(type(error).__name__, getattr(error, "errno", None), error)

def show(values):
    print([round(float(v), 4) + 0.0 for v in values])
"""

SNIPPETS = {
    "diet": """
foods = ["bread", "milk", "eggs"]
cost = {"bread": 2.0, "milk": 3.5, "eggs": 8.0}
food, protein = multidict({"bread": 4.0, "milk": 8.0, "eggs": 13.0})
m = new("diet")
buy = m.addVars(foods, name="buy")
m.setObjective(buy.prod(cost), GRB.MINIMIZE)
m.addConstr(buy.prod(protein) >= 50, name="protein")
m.addConstrs((buy[f] <= 4 for f in foods), name="limit")
m.optimize()
print(m.Status, round(m.ObjVal, 6))
for v in m.getVars():
    print(v.VarName, round(v.X, 6), round(v.RC, 6))
for c in m.getConstrs():
    print(c.ConstrName, round(c.Pi, 6), round(c.Slack, 6), c.Sense, c.RHS)
""",
    "knapsack": """
w, v = [3, 4, 5, 9, 4], [3, 4, 4, 10, 4]
m = new("knapsack")
x = m.addVars(5, vtype=GRB.BINARY, name="take")
m.addConstr(quicksum(w[i] * x[i] for i in range(5)) <= 11, "weight")
m.setObjective(quicksum(v[i] * x[i] for i in range(5)), GRB.MAXIMIZE)
m.optimize()
print(m.Status == GRB.OPTIMAL, m.ObjVal, m.ObjBound, m.IsMIP, m.NumBinVars, m.NumIntVars)
print(m.MIPGap, m.SolCount > 0)
tell(lambda: m.getConstrByName("weight").Pi)
tell(lambda: x[0].RC)
""",
    "assignment as a dictionary": """
m = new()
cost = {(i, j): (i * 3 + j * 5) % 7 for i in range(4) for j in range(4)}
x = m.addVars(cost.keys(), obj=cost, ub=1, name="x")
m.addConstrs((x.sum(i, "*") == 1 for i in range(4)), "row")
m.addConstrs((x.sum("*", j) == 1 for j in range(4)), "col")
m.optimize()
print(m.ObjVal)
print(len(x.select(1, "*")), len(x.select("*", 2)), x.select(9, "*"))
print(m.getVarByName("x[1,2]"), m.getVarByName("nothing"))
print(m.getConstrByName("row[3]"), m.NumNZs, m.Fingerprint != 0)
""",
    "status unbounded and infeasible": """
m = new()
x = m.addVar(lb=-GRB.INFINITY, name="x")
m.setObjective(x)
m.optimize()
print(m.Status)
tell(lambda: m.ObjVal)
tell(lambda: x.X)
m.addConstr(x >= 2)
m.addConstr(x <= 1)
m.Params.DualReductions = 0
m.optimize()
print(m.Status, m.SolCount)
tell(lambda: m.getAttr("X", [x]))
""",
    "iis of an infeasible plan": """
m = new()
x = m.addVars(3, ub=[2, 3, 4], name="x")
need = m.addConstr(x.sum() >= 10, "need")
free = m.addConstr(x[0] - x[1] <= 5, "free")
m.optimize()
print(m.Status)
m.computeIIS()
print(m.IISMinimal, need.IISConstr, free.IISConstr)
print([v.IISUB for v in x.values()], [v.IISLB for v in x.values()])
m.remove(need)
m.optimize()
print(m.Status)
tell(lambda: free.IISConstr)
""",
    "iis of a feasible model": """
m = new()
x = m.addVar(ub=3)
m.addConstr(x >= 1)
m.optimize()
tell(lambda: m.computeIIS())
tell(lambda: m.IISMinimal)
tell(lambda: x.IISLB)
""",
    "feasRelaxS": """
m = new()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.addConstr(x + y >= 12, "need")
m.addConstr(x - y == 0, "same")
m.optimize()
print(m.Status)
tell(lambda: m.feasRelaxS(0, False, False, True))
m.optimize()
print(m.Status, m.ObjVal, m.NumVars)
print(sorted(v.VarName for v in m.getVars()))
""",
    "feasRelax with penalties": """
m = new()
x = m.addVar(ub=4, obj=1, name="x")
c = m.addConstr(x >= 6, "c")
d = m.addConstr(x <= 5, "d")
print(m.feasRelax(1, True, [x], [1.0], [2.0], [c, d], [1.0, 3.0]))
m.optimize()
print(m.Status, round(m.ObjVal, 6), round(x.X, 6))
tell(lambda: m.feasRelax(5, False, None, None, None, [c], [1]))
tell(lambda: m.feasRelax(0, False, [x], [1.0], None, None, None))
""",
    "relax and fixed": """
m = new("whole")
x = m.addVar(vtype="I", ub=5.5, name="x")
y = m.addVar(ub=3, name="y")
m.addConstr(2 * x + y <= 9.5, "c")
m.setObjective(x + y, GRB.MAXIMIZE)
r = m.relax()
r.optimize()
print(r.ObjVal, r.IsMIP, r.getVars()[0].VType)
m.optimize()
f = m.fixed()
f.optimize()
print(f.ObjVal, f.IsMIP, [(v.VarName, v.LB, v.UB) for v in f.getVars()], f.getConstrs()[0].Pi)
""",
    "presolve gives a model": """
m = new()
x = m.addVars(3, ub=1, name="x")
m.addConstr(x[0] == 1)
m.setObjective(x.sum(), GRB.MAXIMIZE)
p = m.presolve()
print(type(p).__name__, p.NumVars <= 3)
""",
    "copy is independent": """
m = new("one")
x = m.addVar(ub=1, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.update()
c = m.copy()
c.getVarByName("x").UB = 9
c.optimize()
m.optimize()
print(m.ObjVal, c.ObjVal, c.ModelName, c)
print(x.sameAs(c.getVars()[0]), x.sameAs(m.getVars()[0]))
""",
    "attributes before update": """
m = new()
x = m.addVar(ub=3, obj=2, name="x")
tell(lambda: x.UB)
tell(lambda: x.VarName)
tell(lambda: m.NumVars)
tell(lambda: x.index)
print(x)
m.update()
print(x, x.index, x.UB, x.Obj, m.NumVars)
x.UB = 7
print(x.UB)
m.update()
print(x.UB)
""",
    "removed variables": """
m = new()
x = m.addVars(3, name="x")
c = m.addConstr(x.sum() <= 3, "c")
m.update()
m.remove(x[1])
m.update()
print(m.getRow(c), m.NumVars, x[1].index, x[2].index)
tell(lambda: x[1].UB)
tell(lambda: m.remove(x[1]))
print(x[1])
tell(lambda: m.addConstr(x[1] <= 1))
tell(lambda: m.update())
""",
    "unknown attributes and parameters": """
m = new()
x = m.addVar(name="x")
m.update()
tell(lambda: m.NotThere)
tell(lambda: x.NotThere)
tell(lambda: m.getAttr("Nope"))
tell(lambda: m.getParamInfo("Nope"))
tell(lambda: m.setParam("Nope", 1))
tell(lambda: setattr(m.Params, "Nope", 1))
tell(lambda: setattr(m, "NumVars", 3))
tell(lambda: setattr(x, "X", 3))
tell(lambda: setattr(x, "VType", "Q"))
""",
    "parameters": """
m = new()
m.Params.TimeLimit = 12.5
m.setParam("MIPGap", 0.01)
m.setParam(GRB.Param.Threads, 1)
print(m.Params.TimeLimit, m.Params.MIPGap, m.Params.Threads, m.Params.Method)
print(m.getParamInfo("TimeLimit"))
tell(lambda: m.setParam("Threads", -4))
tell(lambda: m.setParam("MIPGap", "a"))
tell(lambda: m.setParam("timelimit", 3))
print(m.Params.TimeLimit)
m.resetParams()
print(m.Params.TimeLimit, m.Params.MIPGap)
""",
    "tuplelist": """
t = tuplelist([("a", 1), ("a", 2), ("b", 1)])
t.append(("c", 3))
print(t.select("a", "*"), t.select("*", 1), t.select("*", [1, 3]))
print(len(t), ("b", 1) in t, t[0])
print(t.select(), t.select("z"))
tell(lambda: t.select("a", 1, 2, 3))
print(t + tuplelist([("d", 4)]))
print(tuplelist([1, 2, 3]).select(2))
print(repr(t))
""",
    "tupledict": """
d = tupledict({(1, "a"): 3, (1, "b"): 4, (2, "a"): 5})
print(d.select(1, "*"), d.sum(1, "*"), d.sum("*", "a"))
print(d.keys(), type(d.keys()).__name__)
d[3, "c"] = 9
print(d.select("*", ["a", "c"]))
print(d.prod({(1, "a"): 2, (2, "a"): 3}))
print(d)
d.clean() if hasattr(d, "clean") else None
print(len(d), max(d, key=d.get))
""",
    "tupledict of variables": """
m = new()
x = m.addVars([("s", 1), ("s", 2), ("t", 1)], name="x")
m.update()
print(x)
print(x.sum("s", "*"), x.sum("q", "*"), x.prod({("s", 1): 4}))
print(x.prod({("s", 1): 4, ("t", 1): 5}, "t", "*"))
print(x["s", 2], list(x.keys()), len(x))
tell(lambda: x["z", 1])
tell(lambda: x.prod([1, 2, 3]))
""",
    "multidict": """
keys, a, b = multidict({("x", 1): [3, "u"], ("y", 2): [4, "v"]})
print(keys, a, b, type(keys).__name__, type(a).__name__)
print(a["x", 1], b.select("y", "*"))
k, only = multidict({"p": 1, "q": 2})
print(k, only)
tell(lambda: multidict({"p": [1, 2], "q": [3]}))
tell(lambda: multidict({}))
tell(lambda: multidict([1, 2]))
""",
    "addVars forms": """
m = new()
a = m.addVars(2, 3, name="a")
b = m.addVars(["p", "q"], [1, 2], lb=-1, ub=[[1, 2], [3, 4]][0][0], name="b")
c = m.addVars(range(2), vtype=[GRB.BINARY, GRB.INTEGER], name=["first", "second"])
m.update()
print(len(a), [v.VarName for v in b.values()], [v.VarName for v in c.values()])
print([v.VType for v in c.values()], a[1, 2])
tell(lambda: m.addVars(2, lb=[1, 2, 3]))
tell(lambda: m.addVars(2, name=["only"]))
tell(lambda: m.addVars([1, 1]))
tell(lambda: m.addVars("abc", name="s"))
""",
    "addConstrs forms": """
m = new()
x = m.addVars(3, name="x")
c = m.addConstrs((x[i] + x[j] <= i + j for i in range(3) for j in range(3) if i < j), name="pair")
m.update()
print(c, len(c), c[0, 1].RHS)
print([q.ConstrName for q in c.values()])
tell(lambda: m.addConstrs(x[i] <= 1 for i in range(2)))
tell(lambda: m.addConstrs([x[0] <= 1]))
tell(lambda: m.addConstrs((True for i in range(2)), "bad"))
e = m.addConstrs((x[i] == [1, 2] for i in range(2)), "range")
m.update()
print(m.NumVars)
""",
    "constraint errors": """
m = new()
x = m.addVar(name="x")
m.update()
tell(lambda: m.addConstr(x))
tell(lambda: m.addConstr(3))
tell(lambda: m.addConstr(True))
tell(lambda: m.addConstr(x <= "a"))
tell(lambda: m.addConstr(x + None <= 3))
tell(lambda: m.addConstr(x, "<", 3))
tell(lambda: m.addConstr(x, GRB.LESS_EQUAL, 3, "named"))
tell(lambda: m.addLConstr(x * x <= 3))
tell(lambda: m.addQConstr(x <= 3))
""",
    "chained comparison": """
m = new()
x = m.addVar(name="x")
y = m.addVar(name="y")
m.update()
c = m.addConstr(x + y == [2, 5], "between")
m.update()
print(m.getRow(c), c.Sense, c.RHS, m.NumVars)
d = m.addRange(x - y, -1, 1, "diff")
m.update()
print(d, m.NumVars, m.getVars()[-1].VarName, m.getVars()[-1].UB)
tell(lambda: 1 <= x <= 3)
tell(lambda: bool(x <= 3))
tell(lambda: x == y)
tell(lambda: bool(x))
""",
    "linear expressions": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
m.update()
e = gp.LinExpr()
e += 2 * x
e.add(y, 3)
e.addTerms([1, 4], [x, y])
e.addConstant(7)
print(e, e.size(), e.getConstant(), [e.getCoeff(i) for i in range(e.size())], e.getVar(1))
e -= 1
e *= 2
print(e)
e.remove(x)
print(e)
tell(lambda: e.getCoeff(99))
tell(lambda: e * e)
tell(lambda: e / x)
tell(lambda: e.getValue())
""",
    "quadratic expressions": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
m.update()
q = x * x + 2 * x * y - y + 3
print(q, q.size(), q.getLinExpr(), q.getCoeff(1), q.getVar1(1), q.getVar2(1))
q.addTerms([5], [y], [y])
q.add(x, 2)
print(q)
q.remove(x)
print(q)
tell(lambda: x * x * x)
tell(lambda: (x + y) ** 2)
tell(lambda: x ** 3)
tell(lambda: x ** 0.5)
print((x + 1) * (y - 1))
""",
    "quadratic objective": """
m = new()
x = m.addVar(lb=-5, name="x")
y = m.addVar(lb=-5, name="y")
m.setObjective(x * x + y * y - 2 * x - 4 * y + 5)
m.addConstr(x + y <= 2)
m.optimize()
print(m.Status, round(m.ObjVal, 4), round(x.X, 3), round(y.X, 3), m.IsQP, m.NumQNZs)
print(m.getObjective())
m.setObjective(-x * x, GRB.MINIMIZE)
tell(lambda: m.optimize())
print(m.Status in (GRB.OPTIMAL, GRB.UNBOUNDED, GRB.INF_OR_UNBD))
""",
    "quadratic constraints": """
m = new()
x = m.addVar(name="x")
y = m.addVar(name="y")
q = m.addConstr(x * x + y * y <= 2, "ball")
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
print(m.Status, round(m.ObjVal, 3), q.QCName, q.QCSense, q.QCRHS, m.IsQCP, m.NumQConstrs)
print(m.getQCRow(q), m.getQConstrs(), type(q).__name__)
print(abs(q.QCSlack) < 1e-3)
tell(lambda: q.QCPi)
""",
    "nonconvex product": """
m = new()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.addConstr(x * y == 6)
m.setObjective(x + y)
m.optimize()
print(m.Status, round(m.ObjVal, 2))
""",
    "general constraints": """
m = new()
x = m.addVars(3, lb=-5, ub=5, name="x")
hi, lo, ab = m.addVar(lb=-9, name="hi"), m.addVar(lb=-9, name="lo"), m.addVar(name="ab")
m.addConstr(hi == gp.max_(x, constant=1), "hi")
m.addConstr(lo == gp.min_(x[0], x[1], 2), "lo")
m.addConstr(ab == gp.abs_(x[2]), "ab")
m.addConstr(x[0] == -2)
m.addConstr(x[1] == 3)
m.addConstr(x[2] == -4)
m.optimize()
show([hi.X, lo.X, ab.X])
print([(g.GenConstrName, g.GenConstrType) for g in m.getGenConstrs()])
print(m.getGenConstrAbs(m.getGenConstrs()[2]))
print(m.getGenConstrMax(m.getGenConstrs()[0]))
tell(lambda: m.getGenConstrMin(m.getGenConstrs()[0]))
""",
    "and or": """
m = new()
a, b, c, d = (m.addVar(vtype="B", name=n) for n in "abcd")
m.addConstr(c == gp.and_(a, b))
m.addConstr(d == gp.or_([a, b]), name="or")
m.setObjective(2 * c - d + 0.5 * a, GRB.MAXIMIZE)
m.optimize()
print(m.ObjVal, [int(round(v.X)) for v in (a, b, c, d)])
print(m.getGenConstrAnd(m.getGenConstrs()[0]))
tell(lambda: m.addConstr(c == gp.and_(a, 3)))
tell(lambda: gp.max_())
""",
    "indicators": """
m = new()
on = m.addVar(vtype="B", name="on")
x = m.addVar(ub=10, name="x")
g = m.addConstr((on == 1) >> (x <= 3), "cap")
m.addGenConstrIndicator(on, False, x, GRB.GREATER_EQUAL, 8, name="floor")
m.setObjective(x - 2 * on, GRB.MAXIMIZE)
m.optimize()
print(m.ObjVal, on.X, x.X)
print(m.getGenConstrIndicator(g))
tell(lambda: (x == 1) >> (x <= 3))
tell(lambda: (on == 2) >> (x <= 3))
tell(lambda: m.addConstr((x == 1) >> (x <= 3)))
tell(lambda: m.update())
""",
    "sos": """
m = new()
x = m.addVars(3, ub=[2, 4, 3], name="x")
s = m.addSOS(GRB.SOS_TYPE1, [x[0], x[1], x[2]], [1, 2, 3])
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print(m.ObjVal, m.NumSOS, m.getSOS(s), s)
m.remove(s)
m.addSOS(GRB.SOS_TYPE2, list(x.values()))
m.optimize()
print(m.ObjVal)
tell(lambda: m.addSOS(3, [x[0]]))
tell(lambda: m.addSOS(1, [x[0]], [1, 2]))
""",
    "piecewise objective": """
m = new()
x = m.addVar(ub=10, name="x")
m.setPWLObj(x, [0, 2, 5, 10], [0, 4, 3, 8])
m.addConstr(x >= 1)
m.optimize()
print(m.ObjVal, x.X, m.NumPWLObjVars, m.getPWLObj(x))
tell(lambda: m.setPWLObj(x, [0, 1], [0]))
tell(lambda: m.setPWLObj(x, [3, 1], [0, 1]))
x.Obj = 2
m.optimize()
print(m.ObjVal, m.NumPWLObjVars)
""",
    "piecewise constraint": """
m = new()
x, y = m.addVar(ub=6, name="x"), m.addVar(lb=-10, name="y")
g = m.addGenConstrPWL(x, y, [0, 2, 4, 6], [0, 5, 1, 3], "bend")
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print(round(m.ObjVal, 4), round(x.X, 4))
print(m.getGenConstrPWL(g))
tell(lambda: m.addGenConstrPWL(x, y, [0, 2], [1]))
""",
    "several objectives": """
m = new()
x = m.addVars(2, ub=5, name="x")
m.addConstr(x.sum() <= 7)
m.ModelSense = GRB.MAXIMIZE
m.setObjectiveN(x[0] + 2 * x[1], 0, priority=2, name="first")
m.setObjectiveN(x[0] - x[1], 1, priority=1, name="second")
m.optimize()
print(m.NumObj, m.Status)
show([v.X for v in x.values()])
for i in range(m.NumObj):
    m.Params.ObjNumber = i
    print(m.ObjNName, round(m.ObjNVal, 4), m.ObjNPriority, m.ObjNWeight)
print(m.getObjective(1))
tell(lambda: m.setObjectiveN(x[0] * x[0], 2))
""",
    "objectives by their number": """
m = new()
x, y = m.addVar(ub=3, name="x"), m.addVar(ub=4, name="y")
m.addConstr(x + y <= 5)
m.ModelSense = GRB.MAXIMIZE
tell(lambda: m.ObjNWeight)
tell(lambda: m.getAttr("ObjN", [x]))
tell(lambda: setattr(m, "ObjNWeight", 2))
m.NumObj = 3
for i, costs in enumerate([(1, 2), (3, 1), (4, 5)]):
    m.Params.ObjNumber = i
    m.ObjNPriority, m.ObjNWeight, m.ObjNName = 3 - i, i + 1, f"o{i}"
    m.setAttr("ObjN", [x, y], costs)
m.optimize()
for i in range(3):
    m.Params.ObjNumber = i
    print(m.ObjNPriority, m.ObjNWeight, m.ObjNName, round(m.ObjNVal, 4), m.getAttr("ObjN", [x, y]))
m.Params.ObjNumber = 3
for name in ("ObjNVal", "ObjNCon", "ObjNPriority", "ObjNWeight", "ObjNName", "ObjNAbsTol"):
    tell(lambda: getattr(m, name))
tell(lambda: x.ObjN)
tell(lambda: m.getAttr("ObjN", [x, y]))
tell(lambda: setattr(x, "ObjN", 1))
tell(lambda: m.setAttr("ObjN", [x, y], [1, 2]))
tell(lambda: m.getObjective(3))
tell(lambda: m.getObjective(-1))
tell(lambda: m.setObjectiveN(x, -1))
m.NumObj = 0
m.update()
print(m.NumObj, m.IsMultiObj)
tell(lambda: m.getObjective(0))
""",
    "several objectives blended": """
m = new()
x = m.addVar(ub=4, vtype="I", name="x")
y = m.addVar(ub=4, vtype="I", name="y")
m.addConstr(x + y >= 3)
m.setObjectiveN(x, 0, weight=2)
m.setObjectiveN(y, 1, weight=1)
m.optimize()
print([int(round(v.X)) for v in (x, y)], m.ObjVal)
tell(lambda: m.ObjBound)
tell(lambda: m.MIPGap)
m.NumObj = 1
m.update()
print(m.NumObj)
""",
    "solution pool": """
m = new()
x = m.addVars(3, vtype="B", name="x")
m.addConstr(x.sum() == 2)
m.setObjective(x[0] + 2 * x[1] + 3 * x[2], GRB.MAXIMIZE)
m.Params.PoolSearchMode = 2
m.Params.PoolSolutions = 10
m.optimize()
print(m.SolCount)
for k in range(m.SolCount):
    m.Params.SolutionNumber = k
    print(m.PoolObjVal, [int(round(v.Xn)) for v in x.values()])
tell(lambda: setattr(m.Params, "SolutionNumber", 99))
tell(lambda: x[0].Xn)
""",
    "warm start": """
m = new()
x = m.addVars(4, vtype="B", obj=[4, 3, 2, 1], name="x")
m.addConstr(quicksum((i + 1) * x[i] for i in range(4)) >= 4)
for i in range(4):
    x[i].Start = 1
m.update()
print([v.Start for v in x.values()])
m.optimize()
print(m.ObjVal)
x[0].Start = GRB.UNDEFINED
m.update()
print(x[0].Start)
m.NumStart = 2
m.Params.StartNumber = 1
x[1].Start = 0
m.update()
print(m.NumStart)
m.optimize()
print(m.ObjVal)
""",
    "hints and priorities": """
m = new()
x = m.addVars(2, vtype="I", ub=9, name="x")
m.addConstr(3 * x[0] + 5 * x[1] >= 17)
m.setObjective(x.sum())
x[0].VarHintVal = 4
x[0].VarHintPri = 2
x[1].BranchPriority = 5
m.update()
print(x[0].VarHintVal, x[0].VarHintPri, x[1].BranchPriority, x[1].VarHintVal)
m.optimize()
print(m.ObjVal)
""",
    "callback counts": """
m = new()
x = m.addVars(6, vtype="B", name="x")
m.addConstr(quicksum((i + 2) * x[i] for i in range(6)) <= 11)
m.setObjective(quicksum((2 * i + 1) * x[i] for i in range(6)), GRB.MAXIMIZE)
m._seen = []
def call(model, where):
    if where == GRB.Callback.MIPSOL:
        model._seen.append(round(model.cbGet(GRB.Callback.MIPSOL_OBJ), 4))
        values = model.cbGetSolution(model.getVars())
        assert len(values) == 6
m.optimize(call)
print(m.ObjVal, m._seen[-1] == m.ObjVal, m._seen == sorted(m._seen))
""",
    "lazy constraints": """
m = new()
n = 5
dist = {(i, j): abs(i * i - j * 2) % 11 + 1 for i in range(n) for j in range(n) if i != j}
x = m.addVars(dist.keys(), obj=dist, vtype="B", name="e")
m.addConstrs((x.sum(i, "*") == 1 for i in range(n)), "out")
m.addConstrs((x.sum("*", i) == 1 for i in range(n)), "in")
def cut(model, where):
    if where == GRB.Callback.MIPSOL:
        sol = model.cbGetSolution(x)
        nxt = {i: j for i, j in x if sol[i, j] > 0.5}
        tour, at = [0], nxt[0]
        while at != 0:
            tour.append(at); at = nxt[at]
        if len(tour) < n:
            model.cbLazy(quicksum(x[i, j] for i in tour for j in tour if i != j) <= len(tour) - 1)
m.Params.LazyConstraints = 1
m.optimize(cut)
print(m.Status, m.ObjVal)
""",
    "lazy without the parameter": """
m = new()
x = m.addVars(3, vtype="B", name="x")
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.addConstr(x.sum() <= 2.5)
def cut(model, where):
    if where == GRB.Callback.MIPSOL:
        model.cbLazy(x[0] <= 0)
tell(lambda: m.optimize(cut))
""",
    "callback errors": """
m = new()
x = m.addVar(vtype="B", name="x")
m.setObjective(x, GRB.MAXIMIZE)
def bad(model, where):
    raise ValueError("mine")
tell(lambda: m.optimize(bad))
tell(lambda: m.cbGet(GRB.Callback.RUNTIME))
tell(lambda: m.cbLazy(x <= 1))
tell(lambda: m.optimize(3))
tell(lambda: m.terminate())
""",
    "terminate in a callback": """
m = new()
x = m.addVars(8, vtype="B", name="x")
m.addConstr(quicksum((3 * i % 7 + 1) * x[i] for i in range(8)) <= 13)
m.setObjective(quicksum((5 * i % 9 + 1) * x[i] for i in range(8)), GRB.MAXIMIZE)
def stop(model, where):
    if where == GRB.Callback.MIPSOL:
        model.terminate()
m.optimize(stop)
print(m.Status in (GRB.INTERRUPTED, GRB.OPTIMAL), m.SolCount >= 1)
""",
    "duals and sensitivity": """
m = new()
x = m.addVar(obj=-3, name="x")
y = m.addVar(obj=-5, name="y")
c1 = m.addConstr(x <= 4, "c1")
c2 = m.addConstr(2 * y <= 12, "c2")
c3 = m.addConstr(3 * x + 2 * y <= 18, "c3")
m.optimize()
show([c.Pi for c in (c1, c2, c3)])
show([c.SARHSLow for c in (c2, c3)] + [c2.SARHSUp, c3.SARHSUp])
show([x.SAObjLow, x.SAObjUp, y.SAObjLow])
print([v.VBasis for v in (x, y)], [c.CBasis for c in (c1, c2, c3)])
""",
    "farkas": """
m = new()
x = m.addVar(name="x")
a = m.addConstr(x >= 3, "a")
b = m.addConstr(x <= 1, "b")
m.Params.InfUnbdInfo = 1
m.optimize()
print(m.Status)
print(abs(a.FarkasDual) > 0, abs(b.FarkasDual) > 0, round(m.FarkasProof, 6) > 0)
""",
    "unbounded ray": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
m.addConstr(x - y <= 1)
m.setObjective(x + y, GRB.MAXIMIZE)
m.Params.InfUnbdInfo = 1
m.optimize()
print(m.Status)
print(x.UnbdRay > 0 or y.UnbdRay > 0)
""",
    "chgCoeff and getCoeff": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
c = m.addConstr(2 * x + 3 * y <= 6, "c")
m.update()
print(m.getCoeff(c, x), m.getCoeff(c, y))
m.chgCoeff(c, x, 7)
print(m.getCoeff(c, x))
m.update()
print(m.getCoeff(c, x), m.getRow(c), m.getCol(x), m.getCol(y).getCoeff(0))
c.RHS = 9
c.Sense = ">"
m.update()
print(c.RHS, c.Sense)
""",
    "columns": """
m = new()
c = [m.addConstr(gp.LinExpr() <= 4, name=f"c{i}") for i in range(2)]
col = gp.Column([1, 2], c)
x = m.addVar(obj=-1, column=col, name="x")
col2 = gp.Column()
col2.addTerms(3, c[1])
y = m.addVar(obj=-1, column=col2, name="y")
m.optimize()
print(m.ObjVal, m.getCol(x), col2.size(), col2.getCoeff(0), col2.getConstr(0))
col.clear()
print(col.size(), col)
tell(lambda: gp.Column([1], c))
""",
    "getA and matrices": """
m = new()
x = m.addVars(3, name="x")
m.addConstr(x[0] + 2 * x[1] <= 3)
m.addConstr(x[1] - x[2] == 1)
m.update()
A = m.getA()
print(A.shape, A.nnz, A.toarray().tolist())
print(m.getAttr("RHS", m.getConstrs()), m.getAttr("Sense"))
print(m.getAttr("VarName"), m.getAttr("UB", x))
m.setAttr("UB", list(x.values()), [1, 2, 3])
m.setAttr("Obj", m.getVars(), [1.0] * 3)
m.update()
print(m.getAttr("UB", x), m.getAttr(GRB.Attr.Obj))
""",
    "matrix variables": """
m = new()
x = m.addMVar(3, ub=4, name="x")
A = np.array([[1.0, 2, 0], [0, 1, 3]])
b = np.array([4.0, 6.0])
c = m.addConstr(A @ x <= b, name="rows")
m.setObjective(np.array([1, 1, 1]) @ x, GRB.MAXIMIZE)
m.optimize()
print(round(m.ObjVal, 4), x.shape, x.X.shape, c.shape)
show(x.X)
show(c.Pi)
show(c.Slack)
print(x[0], x[1:].shape, x.sum(), type(x[0]).__name__)
print([v.VarName for v in x.tolist()])
""",
    "matrix products and shapes": """
m = new()
x = m.addMVar((2, 3), name="x")
y = m.addMVar(3, vtype="B", name="y")
m.update()
print((x @ y).shape, (x.T).shape, x.reshape(6).shape, x[0].shape, x[:, 1].shape)
print((x + 1).shape, (2 * y).shape, (x * np.ones((2, 3))).shape)
tell(lambda: x @ x)
tell(lambda: y + np.ones(2))
print((y @ y).shape, type(y @ y).__name__, type(x @ y).__name__)
print(x.size, x.ndim, len(y))
""",
    "matrix attributes": """
m = new()
x = m.addMVar(4, name="x")
x.UB = np.arange(4.0)
x.Obj = 2.0
m.update()
print(x.UB.tolist(), x.Obj.tolist(), x.VarName.tolist(), x.LB)
x.setAttr("LB", -1.0)
m.update()
print(x.getAttr("LB"))
tell(lambda: setattr(x, "UB", np.ones(3)))
tell(lambda: x.X)
tell(lambda: x.Nope)
""",
    "matrix quadratic": """
m = new()
x = m.addMVar(2, lb=-GRB.INFINITY, name="x")
Q = np.array([[2.0, 0.5], [0.5, 1.0]])
m.setObjective(x @ Q @ x - np.array([1.0, 1.0]) @ x)
m.optimize()
print(round(m.ObjVal, 5))
show(x.X)
c = m.addConstr(x @ Q @ x <= 1)
m.update()
print(m.NumQConstrs, type(c).__name__)
""",
    "setMObjective and addMConstr": """
m = new()
x = m.addMVar(3, ub=5, name="x")
A = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0]])
c = m.addMConstr(A, x, "<", np.array([6.0, 1.0]), name="c")
m.setMObjective(None, np.array([1.0, 2.0, 3.0]), 4.0, None, None, x, GRB.MAXIMIZE)
m.optimize()
print(round(m.ObjVal, 4), m.ObjCon, type(c).__name__, m.NumConstrs)
tell(lambda: m.addMConstr(A, x, "<", np.array([6.0])))
""",
    "addMVar from lists": """
m = new()
x = m.addMVar(shape=(2,), lb=[1, 2], ub=[3, 4], vtype=["I", "C"], name=["a", "b"])
m.update()
print(x.VarName, x.LB, x.VType)
y = gp.MVar.fromlist([m.addVar(name="p"), m.addVar(name="q")])
m.update()
print(y.shape, y.VarName)
z = gp.concatenate([x, y]) if hasattr(gp, "concatenate") else None
print(z.shape)
print(gp.hstack([x, y]).shape, gp.vstack([x, y]).shape)
""",
    "write and read lp": """
m = new("two words")
x = m.addVar(ub=4, vtype="I", name="x")
y = m.addVar(lb=-1, name="y")
m.addConstr(x + y >= 2.5, "c")
m.setObjective(x + 3 * y + 2)
m.write("a.lp")
r = gp.read("a.lp", env)
r.optimize()
print(r.ObjVal, r.NumVars, r.ModelName, [(v.VarName, v.LB, v.UB, v.VType) for v in r.getVars()])
print([(c.ConstrName, c.Sense, c.RHS) for c in r.getConstrs()], r.ObjCon)
os.remove("a.lp")
""",
    "write and read mps": """
m = new("mps")
x = m.addVars(2, ub=4, name="x")
m.addRange(x.sum(), 2, 5, "r")
m.addSOS(2, list(x.values()), [1, 2])
m.setObjective(x[0] - x[1], GRB.MAXIMIZE)
m.write("a.mps")
r = gp.read("a.mps", env)
r.optimize()
print(r.ObjVal, r.NumVars, r.NumSOS, r.ModelSense, r.ModelName)
print([v.VarName for v in r.getVars()])
os.remove("a.mps")
""",
    "write a solution": """
m = new()
x = m.addVar(vtype="I", ub=7, name="x")
m.setObjective(x, GRB.MAXIMIZE)
tell(lambda: m.write("a.sol"))
m.optimize()
m.write("a.sol")
print([line for line in open("a.sol").read().splitlines() if not line.startswith("#")])
m.reset()
tell(lambda: x.X)
m.read("a.sol")
m.update()
print(x.Start)
os.remove("a.sol")
tell(lambda: m.write("a.unknown"))
""",
    "write parameters": """
m = new()
m.Params.MIPGap = 0.125
m.Params.TimeLimit = 60
m.write("a.prm")
text = open("a.prm").read()
print("MIPGap" in text, "TimeLimit" in text, "Threads" in text)
n = new()
n.read("a.prm")
print(n.Params.MIPGap, n.Params.TimeLimit)
os.remove("a.prm")
tell(lambda: n.read("missing.prm"))
""",
    "errors of reading": """
tell(lambda: gp.read("missing.lp", env))
tell(lambda: gp.read("missing.mps.bz2", env))
open("a.lp", "w").write("this is no model")
tell(lambda: type(gp.read("a.lp", env)).__name__)
os.remove("a.lp")
m = new()
tell(lambda: m.read("missing.mst"))
tell(lambda: m.write("no_such_folder/a.lp"))
""",
    "disposed": """
m = new()
x = m.addVar(name="x")
m.update()
m.dispose()
tell(lambda: m.NumVars)
tell(lambda: m.optimize())
with new() as n:
    n.addVar()
    n.update()
    print(n.NumVars)
""",
    "model text": """
m = new("plan")
print(m)
x = m.addVars(2, vtype="B", name="x")
m.addConstr(x.sum() <= 1, "c")
m.Params.MIPGap = 0.1
print(m)
m.update()
print(m, repr(m))
print(x[0], repr(x[0]), m.getConstrs()[0], m.getConstrs())
m.optimize()
print(x[0] in [x[0]], isinstance(x[0].X, float), x[0])
""",
    "variable values in text": """
m = new()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=2, name="y")
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
print(x, y, x + y, [x, y])
print((x + 2 * y).getValue(), (x * y).getValue(), m.getObjective().getValue())
print(f"{x.VarName}={x.X:g}")
m.printAttr("X")
""",
    "print quality": """
m = new()
x = m.addVar(ub=3, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print(m.ConstrVio, m.BoundVio, m.MaxVio if hasattr(m, "MaxVio") else None, m.IntVio)
print(m.IterCount >= 0, m.NodeCount, m.Runtime >= 0, m.Work >= 0)
print(m.NumNZs, m.NumConstrs, m.DNumNZs, m.IsQP, m.IsMultiObj)
""",
    "time and solution limits": """
m = new()
x = m.addVars(10, vtype="B", name="x")
m.addConstr(quicksum((i + 1) * x[i] for i in range(10)) == 23)
m.setObjective(quicksum((i * 7 % 5) * x[i] for i in range(10)), GRB.MAXIMIZE)
m.Params.TimeLimit = 100
m.optimize()
print(m.Status, m.ObjVal)
m.Params.Cutoff = 1000
m.optimize()
print(m.Status)
tell(lambda: m.ObjVal)
""",
    "best objective stop": """
m = new()
x = m.addVars(5, vtype="I", ub=10, name="x")
m.addConstr(x.sum() <= 23)
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.Params.BestObjStop = 5
m.optimize()
print(m.Status in (GRB.USER_OBJ_LIMIT, GRB.OPTIMAL), m.ObjVal >= 5)
""",
    "reset and optimize again": """
m = new()
x = m.addVar(ub=3, obj=-1, name="x")
m.optimize()
print(m.ObjVal)
x.UB = 5
m.update()
print(m.Status)
tell(lambda: x.X)
m.optimize()
print(m.ObjVal, m.Status)
m.reset()
print(m.Status)
tell(lambda: m.ObjVal)
""",
    "scenarios": """
m = new()
x = m.addVar(ub=3, obj=-1, name="x")
y = m.addVar(ub=2, obj=-1, name="y")
m.NumScenarios = 2
m.Params.ScenarioNumber = 1
x.ScenNUB = 1
m.update()
print(m.NumScenarios)
tell(lambda: x.ScenNUB)
""",
    "environments": """
e = gp.Env(params={"OutputFlag": 0, "MIPGap": 0.2})
m = gp.Model("m", env=e)
print(m.Params.MIPGap, m.Params.OutputFlag)
e.setParam("MIPGap", 0.3)
print(m.Params.MIPGap, gp.Model(env=e).Params.MIPGap)
e.dispose()
tell(lambda: gp.Env(params={"Nope": 1}))
tell(lambda: gp.Env(params={"MIPGap": -1}))
""",
    "versions and constants": """
print(type(gp.gurobi.version()).__name__, len(gp.gurobi.version()))
print(GRB.INFINITY, GRB.OPTIMAL, GRB.INFEASIBLE, GRB.BINARY, GRB.MAXIMIZE, GRB.UNDEFINED)
print(GRB.Status.TIME_LIMIT, GRB.Callback.MIPSOL, GRB.Attr.X, GRB.Param.MIPGap)
print(GRB.LESS_EQUAL, GRB.EQUAL, GRB.GREATER_EQUAL, GRB.SOS_TYPE1, GRB.SEMICONT)
print(GRB.Error.NOT_IN_MODEL, GRB.ERROR_DATA_NOT_AVAILABLE)
tell(lambda: GRB.NOPE)
""",
    "semicontinuous": """
m = new()
x = m.addVar(lb=3, ub=8, vtype=GRB.SEMICONT, name="x")
y = m.addVar(ub=2, name="y")
m.addConstr(x + y >= 2.5)
m.setObjective(x + 5 * y)
m.optimize()
print(round(m.ObjVal, 4), round(x.X, 4), m.IsMIP)
z = m.addVar(lb=2, ub=6, vtype="N", name="z")
m.addConstr(z >= 0.5)
m.optimize()
print(round(z.X, 4) >= 2)
""",
    "integer rounding": """
m = new()
x = m.addVar(vtype="I", name="x")
m.addConstr(3 * x >= 10)
m.setObjective(x)
m.optimize()
print(m.ObjVal, x.X, int(x.X), abs(x.X - round(x.X)))
x.VType = "C"
m.optimize()
print(round(x.X, 5), m.IsMIP)
""",
    "functions": """
m = new()
x = m.addVar(lb=0.5, ub=2, name="x")
y = m.addVar(lb=-10, name="y")
g = m.addGenConstrExp(x, y, name="exp")
m.setObjective(y)
m.optimize()
print(abs(y.X - math.exp(0.5)) < 1e-2)
h = m.addGenConstrPow(x, m.addVar(name="z"), 2)
m.update()
print(m.getGenConstrExp(g), m.NumGenConstrs, g.GenConstrName)
tell(lambda: m.getGenConstrLog(g))
""",
    "nonlinear formulas": """
m = new()
x = m.addVar(lb=0.1, ub=3, name="x")
y = m.addVar(lb=-5, ub=5, name="y")
m.addGenConstrNL(y, gp.nlfunc.log(x) + x, "nl")
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print(abs(m.ObjVal - (math.log(3) + 3)) < 1e-2)
m.addConstr(y == gp.nlfunc.sin(x))
m.update()
print(m.NumGenConstrs)
tell(lambda: gp.nlfunc.sqrt("a"))
print(gp.nlfunc.exp(x))
print(gp.nlfunc.sin(x) == y)
m.addConstr(gp.nlfunc.sin(x) == y)
m.update()
print(m.NumGenConstrs)
""",
    "files of names with blanks": """
m = new()
x = m.addVar(vtype="I", ub=5, obj=-1, name="a b")
y = m.addVar(ub=3, obj=-1, name="y")
m.addConstr(x + 2 * y <= 7, name="r 1")
m.optimize()
for ending in ("sol", "mst"):
    m.write(f"out.{ending}")
    print(open(f"out.{ending}").read())
r = m.relax()
r.Params.OutputFlag = 0
r.optimize()
r.write("out.bas")
print(open("out.bas").read())
s = r.copy()
s.read("out.bas")
s.update()
print([v.VBasis for v in s.getVars()], [c.CBasis for c in s.getConstrs()])
""",
    "rays without rows": """
free = -GRB.INFINITY
for costs, low, sense in [([-1, 2], 0, 1), ([2, -1], free, 1), ([0, 1], 0, -1)]:
    m = new()
    m.Params.InfUnbdInfo = 1
    x = [m.addVar(lb=low, obj=cost) for cost in costs]
    m.ModelSense = sense
    m.optimize()
    print(m.Status, [v.UnbdRay for v in x])
m = new()
m.Params.InfUnbdInfo = 1
x = m.addVar(obj=-1)
m.addConstr(gp.LinExpr() <= 5)
m.optimize()
print(m.Status, x.UnbdRay)
""",
    "norm": """
m = new()
x = m.addVars(2, lb=-5, ub=5, name="x")
n = m.addVar(name="n")
g = m.addConstr(n == gp.norm(x, 1), "norm")
m.addConstr(x[0] == 3)
m.addConstr(x[1] == -2)
m.optimize()
print(round(n.X, 4), m.getGenConstrNorm(g))
tell(lambda: gp.norm(x, 3))
tell(lambda: gp.norm([1, 2], 1))
""",
    "quicksum forms": """
m = new()
x = m.addVars(3, name="x")
m.update()
print(quicksum(x), quicksum(x.values()), quicksum([]), quicksum([x[0], 3, x[1] * x[2]]))
print(quicksum(x[i] for i in range(0)), sum(x.values()))
tell(lambda: quicksum(["a"]))
tell(lambda: quicksum(3))
tell(lambda: quicksum([[x[0]]]))
print(type(quicksum([1, 2])).__name__, gp.quicksum([1, 2]))
""",
    "get by names": """
m = new()
a = m.addVars(["n s", "e,w"], name="flow")
m.addConstr(a.sum() == 1, "total flow")
m.update()
print([v.VarName for v in m.getVars()], m.getVarByName("flow[n s]"))
print(m.getConstrByName("total flow"))
a["n s"].VarName = "other"
m.update()
print(m.getVarByName("flow[n s]"), m.getVarByName("other"))
tell(lambda: m.getVarByName(3))
""",
    "duplicate names": """
m = new()
a = m.addVar(name="x")
b = m.addVar(name="x")
m.addConstr(a + b >= 2, "c")
m.addConstr(a - b == 0, "c")
m.setObjective(a + b)
m.optimize()
print(m.ObjVal, m.getVarByName("x").sameAs(a), m.NumConstrs)
print(m.getConstrs())
""",
    "removing constraints": """
m = new()
x = m.addVars(2, ub=9, name="x")
c = m.addConstrs((x[i] <= i + 1 for i in range(2)), "c")
q = m.addConstr(x[0] * x[0] <= 4, "q")
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print(round(m.ObjVal, 4))
m.remove(c)
m.remove(q)
m.update()
print(m.NumConstrs, m.NumQConstrs)
m.optimize()
print(m.ObjVal)
tell(lambda: m.remove(3))
tell(lambda: m.remove("c"))
tell(lambda: m.remove(new().addVar()))
""",
    "objects of another model": """
m, n = new("m"), new("n")
x = m.addVar(name="x")
m.update()
y = n.addVar(name="y")
n.update()
tell(lambda: n.addConstr(x + y <= 1))
tell(lambda: n.update())
tell(lambda: n.setObjective(x))
tell(lambda: n.getCoeff(n.addConstr(y <= 1), x))
tell(lambda: m.getCol(y))
""",
    "changing the objective": """
m = new()
x = m.addVar(ub=2, name="x")
y = m.addVar(ub=3, name="y")
m.setObjective(x + y + 10, GRB.MAXIMIZE)
m.update()
print(m.getObjective(), m.ObjCon, m.ModelSense)
m.setObjective(5)
m.update()
print(m.getObjective(), m.ModelSense)
m.setObjective(x, sense=GRB.MINIMIZE)
m.ModelSense = -1
m.ObjCon = 4
m.optimize()
print(m.ObjVal)
tell(lambda: m.setObjective("x"))
tell(lambda: m.setObjective(x, 3))
tell(lambda: m.setObjective(x <= 3))
""",
    "numpy numbers": """
m = new()
a = np.array([1.5, 2.5])
x = m.addVars(2, ub=np.array([3.0, 4.0]), name="x")
m.setObjective(a[0] * x[0] + x[1] * a[1], GRB.MAXIMIZE)
m.addConstr(np.float64(2) * x[0] + np.int64(1) * x[1] <= np.float32(8))
m.optimize()
print(m.ObjVal, type(x[0].X).__name__)
tell(lambda: m.addVar(ub=np.nan))
tell(lambda: m.update())
""",
    "not a number": """
m = new()
x = m.addVar(name="x")
m.update()
tell(lambda: m.addConstr(x <= float("nan")))
tell(lambda: m.addVar(lb="a"))
tell(lambda: m.addVar(vtype="Z"))
tell(lambda: m.addVar(ub=None))
tell(lambda: setattr(x, "LB", "a"))
tell(lambda: m.addConstr(float("nan") * x <= 3))
m.addConstr(x <= float("inf"))
tell(lambda: m.update())
""",
    "bounds crossing": """
m = new()
x = m.addVar(lb=5, ub=3, name="x")
m.optimize()
print(m.Status)
x.LB = -GRB.INFINITY
x.UB = -1
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print(m.Status, m.ObjVal, x.LB)
x.LB = -1e30
m.update()
print(x.LB)
""",
    "empty models": """
m = new("empty")
m.optimize()
print(m.Status, m.ObjVal, m.SolCount)
print(m.getVars(), m.getConstrs(), m.getObjective(), m.NumVars)
m.addConstr(gp.LinExpr() >= 1, "never")
m.optimize()
print(m.Status)
tell(lambda: m.addVars(0))
tell(lambda: m.addVars([]))
""",
    "lot sizing": """
demand = [4, 6, 2, 8]
m = new("lots")
T = range(4)
make = m.addVars(T, name="make")
stock = m.addVars(T, obj=1, name="stock")
setup = m.addVars(T, vtype="B", obj=9, name="setup")
for t in T:
    before = stock[t - 1] if t else 0
    m.addConstr(before + make[t] == demand[t] + stock[t], f"balance[{t}]")
m.addConstrs((make[t] <= 20 * setup[t] for t in T), "setup")
m.optimize()
print(m.ObjVal, [int(round(setup[t].X)) for t in T])
print(m.getAttr("X", stock))
""",
    "transport from data": """
supply = {"A": 30, "B": 40}
demand = {"p": 20, "q": 25, "r": 15}
arcs, cost = multidict({(i, j): ord(i) % 3 + ord(j) % 5 + 1 for i in supply for j in demand})
m = new("transport")
f = m.addVars(arcs, obj=cost, name="f")
m.addConstrs((f.sum(i, "*") <= supply[i] for i in supply), "s")
m.addConstrs((f.sum("*", j) == demand[j] for j in demand), "d")
m.optimize()
print(m.ObjVal, sum(v.X for v in f.values()))
print({k: c.RHS for k, c in enumerate(m.getConstrs())})
""",
    "cutting patterns by columns": """
sizes, need, roll = [3, 5, 7], [20, 10, 5], 16
m = new("cut")
rows = m.addConstrs((gp.LinExpr() >= need[i] for i in range(3)), "need")
for i in range(3):
    m.addVar(obj=1, column=gp.Column(roll // sizes[i], rows[i]), name=f"only{i}")
m.optimize()
print(round(m.ObjVal, 4))
duals = [rows[i].Pi for i in range(3)]
show(duals)
m.addVar(obj=1, column=gp.Column([3.0, 1.0], [rows[0], rows[2]]), name="mixed")
m.optimize()
print(round(m.ObjVal, 4), m.NumVars)
""",
    "basis": """
m = new()
x = m.addVars(2, obj=[1, 2], name="x")
c = m.addConstr(x.sum() >= 3, "c")
m.optimize()
print([v.VBasis for v in x.values()], c.CBasis, m.IterCount >= 0)
show([v.RC for v in x.values()])
x[0].PStart = 3
m.update()
print(x[0].PStart)
tell(lambda: x[0].BarX)
""",
    "basis files": """
m = new()
x, y, z = (m.addVar(ub=4, obj=c, name=n) for n, c in (("x", 1), ("y", -2), ("z", 3)))
c = m.addConstr(x + y + z >= 5.5, "c")
d = m.addConstr(x - z <= 9, "d")
tell(lambda: m.write("early.bas"))
m.optimize()
m.write("kept.bas")
print(open("kept.bas").read())
other = m.copy()
other.read("kept.bas")
other.update()
print(other.getAttr("VBasis"), other.getAttr("CBasis"))
other.write("again.bas")
print(open("again.bas").read())
other.optimize()
print(round(other.ObjVal, 4))
tell(lambda: m.read("none.bas"))
open("bad.bas", "w").write("NAME t\\n XU nosuch c\\nENDATA\\n")
tell(lambda: m.read("bad.bas"))
open("bad.bas", "w").write("NAME t\\n XU x nosuch\\nENDATA\\n")
tell(lambda: m.read("bad.bas"))
fresh = new("fresh")
x, y = fresh.addVar(ub=3, name="x"), fresh.addVar(ub=3, name="y")
c, d = fresh.addConstr(x + y >= 1, "c"), fresh.addConstr(x + y == 2, "d")
fresh.update()
x.VBasis, y.VBasis, c.CBasis, d.CBasis = -1, 0, 0, -1
fresh.update()
print(x.VBasis, y.VBasis, d.CBasis)
fresh.write("set.bas")
print(open("set.bas").read())
""",
    "bases that were set": """
m = new()
x, y = m.addVar(ub=4, name="x"), m.addVar(name="y")
r = m.addConstr(x + y <= 3, "r")
m.update()
x.VBasis = -1
m.update()
tell(lambda: x.VBasis)
y.VBasis, r.CBasis = -1, 0
m.update()
tell(lambda: (x.VBasis, r.CBasis))
x.UB = 2
m.update()
tell(lambda: x.VBasis)
x.VBasis, y.VBasis, r.CBasis = -1, -1, 0
m.update()
z = m.addVar()
m.update()
tell(lambda: (x.VBasis, z.VBasis))
x.VBasis, y.VBasis, z.VBasis, r.CBasis = -1, -1, -1, 0
m.optimize()
m.reset()
tell(lambda: x.VBasis)
""",
    "starts and solutions in files": """
m = new()
x = m.addVars(3, vtype="B", name="x")
m.update()
tell(lambda: m.write("a.mst"))
x[1].Start = 1
m.update()
m.write("a.mst")
print(open("a.mst").read())
m.setObjective(x[0] + 2 * x[1] + 4 * x[2], GRB.MAXIMIZE)
m.addConstr(x.sum() <= 2)
m.Params.PoolSearchMode = 2
m.optimize()
for number in (0, 2, m.SolCount - 1):
    m.Params.SolutionNumber = number
    m.write("q.sol")
    print(open("q.sol").read().partition("# Objective")[2])
m.write("q.mst")
print(open("q.mst").read().partition("MIP start")[2])
""",
    "hints and priorities in files": """
m = new()
x = m.addVars(3, ub=5, vtype="I", name="x")
m.update()
tell(lambda: m.write("a.hnt"))
tell(lambda: m.write("a.ord"))
x[0].VarHintVal, x[0].VarHintPri, x[1].VarHintVal, x[2].VarHintPri = 1 / 3, 2, 0.1, 4
x[2].BranchPriority = 7
m.update()
for ending in ("hnt", "ord"):
    m.write(f"a.{ending}")
    print(open(f"a.{ending}").read())
for ending, text in (
    ("hnt", "# c\\n x[0] 1 2\\nno 1 3\\n\\n"), ("hnt", "x[0] 1"), ("hnt", "x[0] 1 a\\nx[1] 2 1.5"),
    ("ord", "x[1] 3\\nno 2"), ("ord", "x[1] 3.5"), ("ord", "x[1]"),
    ("mst", "x[0] 1 2"), ("mst", "x[0]"), ("mst", "x[0] a\\nx[1] 2\\nno 3"),
):
    open(f"b.{ending}", "w").write(text)
    tell(lambda: m.read(f"b.{ending}"))
    m.update()
    print(*(m.copy().getAttr(a) for a in ("VarHintPri", "BranchPriority", "Start")), m.NumStart)
    print(*(m.getAttr(a) for a in ("VarHintVal", "VarHintPri", "BranchPriority", "Start")))
tell(lambda: m.read("none.hnt"))
""",
    "attributes in files": """
m = new()
x, y = m.addVar(ub=3, obj=1, vtype="I", name="x"), m.addVar(lb=-2, obj=2, name="y")
c = m.addConstr(x + y >= 2.5, "c")
m.update()

def written(model):
    model.write("a.attr")
    text = open("a.attr").read().split("\\n")
    k = text.index("SECTION FINGERPRINT")
    return "\\n".join(text[:k] + text[k + 2 :])

print(written(m))
x.VarHintVal, y.Start, x.BranchPriority, c.Lazy, x.Partition, x.PoolIgnore = 1, 0.1, 3, 1, 2, 1
x.VTag, c.CTag, x.IISLBForce, c.IISConstrForce = 'a "b', "row", 1, 0
m.update()
print(written(m))
m.optimize()
print(written(m))
m = new()
x, y = m.addVar(name="x", vtype="I"), m.addVar(name="y")
m.addConstr(x + y >= 1, "c")
m.update()
m.read("a.attr")
m.update()
for name in ("VarHintVal", "Start", "BranchPriority", "Partition", "VTag", "PoolIgnore"):
    print(name, m.getAttr(name)[:2])
print(m.getAttr("Lazy"), m.getAttr("CTag"), m.NumStart)
for text in ("SECTION NONE\\nx 1", "x 1", "SECTION VTAG\\nx a b", "SECTION VARHINTS\\nx 1",
             "SECTION LAZYCONSTRS\\nc 1 2", "SECTION CTAG\\nc", "SECTION PARTITION\\nx"):
    open("b.attr", "w").write(text)
    tell(lambda: m.read("b.attr"))
""",
    "a basis among attributes": """
m = new()
x, y = m.addVar(name="x", obj=1), m.addVar(name="y", obj=3)
c = m.addConstr(x + y >= 1, "c")
m.optimize()
m.write("a.attr")
told = open("a.attr").read()
print([line for line in told.split("\\n") if line.startswith("SECTION")])
other = m.copy()
other.reset()
other.read("a.attr")
other.update()
other.write("b.bas")
print(open("b.bas").read())
""",
    "fingerprints": """
def model(change=lambda m: None):
    m = new()
    x = m.addVars(2, ub=4, vtype="I", name="x")
    m.addConstr(x[0] + 2 * x[1] <= 5, "c")
    m.setObjective(x[0] + x[1])
    m.update()
    change(m)
    m.update()
    return m.Fingerprint

base = model()
print(type(base), base == model(), -(2**31) <= base < 2**31)
for change in (
    lambda m: setattr(m.getVars()[0], "VarName", "z"), lambda m: setattr(m.getVars()[0], "UB", 3),
    lambda m: setattr(m, "ModelName", "z"), lambda m: setattr(m.getVars()[0], "Start", 1),
    lambda m: setattr(m.getVars()[0], "VTag", "z"), lambda m: setattr(m.getVars()[0], "Obj", 3),
    lambda m: setattr(m.getConstrs()[0], "Lazy", 1), lambda m: setattr(m, "ObjCon", 3),
    lambda m: setattr(m.getVars()[0], "VarHintVal", 1), lambda m: m.optimize(),
    lambda m: setattr(m.getVars()[0], "VarHintPri", 1), lambda m: setattr(m.Params, "Seed", 3),
    lambda m: m.addConstr(m.getVars()[0] * m.getVars()[1] <= 3),
):
    print(model(change) == base)
""",
    "numbers that are none": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
c = m.addConstr(x + y <= 3)
m.update()
tell(lambda: setattr(x, "UB", float("nan")))
tell(lambda: setattr(c, "RHS", float("nan")))
tell(lambda: m.addVar(lb=float("nan")))
tell(lambda: m.setObjectiveN(x, 1, priority="a"))
tell(lambda: m.addGenConstrExpA(x, y))
tell(lambda: m.addGenConstrPow(x, y))
for value in (GRB.INFINITY, 1e100, 1e99, -1e100):
    c.RHS = value
    m.update()
    print(c.RHS)
m.Params.NodeLimit = GRB.INFINITY
print(m.Params.NodeLimit)
for sense in (5, 0, -7, 2):
    m.ModelSense = sense
    m.update()
    print(m.ModelSense)
""",
    "texts of formulas": """
m = new()
x, y, z = (m.addVar(name=n) for n in "xyz")
m.update()
nl = gp.nlfunc
for made in (
    x / (y / x), (x / y) / y, x - (y - x / z), (x - z) - (y - x / z), (x + y / z) * z,
    2 - x / y, -(x + y / z), -(x * y * z), (x / y - z) - z, (x / y + z) - y, z + (-(x / y)),
    (x / y) * (2 * z + 1), (2 * z) * (x / y), (2 * z + 1) - (x / y), 3 * (-(x / y)), -(-(x / y)),
    (x / y) ** 2, (x ** 3) ** 0.5, x ** 3 / y, y / x ** 3, (2 * x) ** y, 2 ** x, (x * y) / z,
    (x * x) / y, y / (2 * x * x), (3 * x * x) ** 3, x * y * z * x, (x * y + 3 * x + 1) * y,
    nl.sin(x / y) * nl.cos(y) / nl.exp(2 * z), nl.square(x + y), nl.log(3 * x * y - 2 * y + 1),
):
    print(made)
""",
    "starts by their number": """
m = new()
x = m.addVars(2, vtype="B", name="x")
m.update()
print(m.NumStart, x[0].Start)
x[0].Start = 1
m.NumStart = 2
m.Params.StartNumber = 1
x[1].Start = 1
m.update()
print(m.NumStart, x[0].Start, x[1].Start)
m.Params.StartNumber = 0
print(x[0].Start, x[1].Start)
m.Params.StartNumber = -1
x[0].Start = 0
m.update()
print(m.NumStart)
tell(lambda: x[0].Start)
m.Params.StartNumber = 7
tell(lambda: setattr(x[0], "Start", 1))
m.NumStart = 1
m.update()
print(m.NumStart)
m.reset(1)
print(m.NumStart)
""",
    "products with coefficients of other kinds": """
m = new()
x = m.addVars(3, name="x")
w = m.addVars([("s", 1), ("s", 2)], name="w")
m.update()
for made in ([1, 2, 3], [1, 2], (1, 2, 3), 3, None, "abc", np.array([1, 2, 3]), {0: 1, 9: 4}):
    tell(lambda: x.prod(made))
tell(lambda: w.prod([1, 2]))
tell(lambda: w.prod([1, 2], "s", "*"))
for data in ([1, 2], 3, [(1, 2)], [(1, 2, 3)], None):
    tell(lambda: multidict(data))
""",
    "attributes on lists": """
m = new()
x = m.addVars(3, name="x")
m.update()
m.setAttr("VType", [x[0], x[1]], ["B", "I"])
m.setAttr(GRB.Attr.LB, x, 1)
m.update()
print(m.getAttr("VType", x), m.getAttr("LB", [x[2]]))
tell(lambda: m.setAttr("UB", [x[0], x[1]], [1]))
tell(lambda: m.getAttr("Pi", m.getVars()))
tell(lambda: m.getAttr("X", x))
tell(lambda: m.setAttr("ModelName", 3))
x[0].setAttr("UB", 1)
tell(lambda: x[0].getAttr("Pi"))
""",
    "iteration over results": """
m = new()
x = m.addVars(["a", "b", "c"], ub=2, obj=[-1, -2, 1], name="x")
m.optimize()
for name, var in x.items():
    print(name, var.X > 0.5)
print({k: v for k, v in m.getAttr("X", x).items() if v > 0})
print(m.getAttr("X", x).select("a"), sum(m.getAttr("X", x).values()))
print(sorted(x.keys()), "a" in x, x.get("z"))
""",
    "equality of handles": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
m.update()
d = {x: 1, y: 2}
first = m.getVars()[0]
print(d[first], x is first, x.sameAs(first), hash(x) == hash(first))
print(len({x, y, m.getVarByName("x")}))
tell(lambda: x < y)
tell(lambda: sorted([x, y]))
tell(lambda: x in [y])
""",
    "single and multi solutions": """
m = new()
x = m.addVar(vtype="B", name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
m.Params.SolutionNumber = 0
print(m.PoolObjVal, x.Xn, m.PoolObjBound)
print(m.getJSONSolution()[:1], "ObjVal" in m.getJSONSolution())
""",
    "logging": """
m = new()
m.Params.LogToConsole = 0
m.Params.OutputFlag = 1
x = m.addVar(ub=1, obj=-1, name="x")
m.optimize()
print(m.ObjVal)
m.message("hello")
m.setParam("OutputFlag", 0)
print(m.Params.OutputFlag)
""",
    "fixing by bounds in a loop": """
m = new()
x = m.addVars(4, vtype="I", ub=5, name="x")
m.addConstr(quicksum((i + 1) * x[i] for i in range(4)) <= 17, "cap")
m.setObjective(quicksum((3 * i + 2) * x[i] for i in range(4)), GRB.MAXIMIZE)
found = []
for value in range(3):
    x[0].LB = x[0].UB = value
    m.optimize()
    found.append(round(m.ObjVal, 4))
print(found)
""",
    "constraint handles": """
m = new()
x = m.addVar(name="x")
c = m.addConstr(2 * x + 1 <= 7 + x, "c")
m.update()
print(m.getRow(c), c.RHS, c.Sense, c.index, c.ConstrName, repr(c), str(c))
c.ConstrName = "new"
m.update()
print(c)
tell(lambda: c.Pi)
tell(lambda: c.Nope)
tell(lambda: setattr(c, "Sense", "!"))
tell(lambda: c <= 3)
""",
    "user cuts": """
m = new()
x = m.addVars(4, vtype="B", name="x")
m.addConstr(2 * x.sum() <= 5)
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.Params.PreCrush = 1
def cut(model, where):
    if where == GRB.Callback.MIPNODE and model.cbGet(GRB.Callback.MIPNODE_STATUS) == GRB.OPTIMAL:
        model.cbGetNodeRel(x)
        model.cbCut(x.sum() <= 2)
m.optimize(cut)
print(m.Status, m.ObjVal)
""",
    "a solution given in a callback": """
m = new()
x = m.addVars(5, vtype="B", name="x")
m.addConstr(quicksum((i + 1) * x[i] for i in range(5)) <= 7)
m.setObjective(quicksum((i + 2) * x[i] for i in range(5)), GRB.MAXIMIZE)
def give(model, where):
    if where == GRB.Callback.MIPNODE:
        model.cbSetSolution([x[0], x[1]], [1.0, 1.0])
        model.cbUseSolution()
m.optimize(give)
print(m.Status, m.ObjVal)
""",
    "abs of expressions and errors of helpers": """
m = new()
x, y = m.addVar(lb=-5, name="x"), m.addVar(name="y")
m.update()
tell(lambda: gp.abs_(x + 1))
tell(lambda: gp.max_(x, 3, 4))
tell(lambda: gp.and_())
tell(lambda: m.addConstr(y == gp.abs_(x), "a"))
tell(lambda: m.addConstr(y >= gp.abs_(x)))
tell(lambda: m.addGenConstrMax(y, [x, "a"]))
tell(lambda: m.addGenConstrAbs(y, 3))
m.update()
print(m.NumGenConstrs)
""",
    "binary and back": """
m = new()
x = m.addVar(ub=7, vtype="I", obj=-1, name="x")
y = m.addVar(lb=-3, ub=9, vtype="B", name="y")
m.update()
print(y.LB, y.UB)
x.VType = "B"
y.VType = "C"
y.UB, y.LB = 3, -1
m.update()
print(x.LB, x.UB, y.LB, y.UB)
m.optimize()
print(m.ObjVal, x.X)
print([(v.LB, v.UB, v.VType) for made in (m.copy(), m.relax()) for v in made.getVars()])
x.VType = "I"
y.VType = "B"
y.Obj = -1
m.optimize()
print(m.ObjVal, x.X, y.X, x.UB, y.UB)
x.VType = "B"
m.addConstr(x >= 2)
m.optimize()
print(m.Status)
""",
    "numbers beyond all bounds": """
inf, nan = float("inf"), float("nan")
def fresh(call):
    m = new()
    x, y = m.addVar(ub=1, name="x"), m.addVar(ub=1, name="y")
    c = m.addConstr(x + y <= 1, "c")
    m.update()
    tell(lambda: call(m, x, y, c))
    m.optimize()
    print(m.Status, m.NumVars, m.NumConstrs)
fresh(lambda m, x, y, c: m.chgCoeff(c, x, inf))
fresh(lambda m, x, y, c: m.chgCoeff(c, x, nan))
fresh(lambda m, x, y, c: m.addConstr(x + inf * y <= 1))
fresh(lambda m, x, y, c: m.addConstrs((inf * z <= 1 for z in (x, y)), name="q"))
fresh(lambda m, x, y, c: m.addRange(inf * x, 1, 3))
fresh(lambda m, x, y, c: m.addConstr(x <= nan))
fresh(lambda m, x, y, c: m.addConstr(x * x <= nan))
fresh(lambda m, x, y, c: m.addConstr(inf * x + x * x <= 1))
fresh(lambda m, x, y, c: m.setObjective(nan * x))
fresh(lambda m, x, y, c: m.setObjective(inf * x * y))
fresh(lambda m, x, y, c: m.setObjective(x + inf))
fresh(lambda m, x, y, c: m.setObjectiveN(inf * x, 0))
fresh(lambda m, x, y, c: m.addMVar(2, lb=[1, nan]))
fresh(lambda m, x, y, c: m.addMConstr(np.array([[1.0, inf]]), None, "<", np.array([1.0])))
fresh(lambda m, x, y, c: m.addMConstr(np.array([[1.0, 1.0]]), None, "<", np.array([nan])))
fresh(lambda m, x, y, c: m.addVar(column=gp.Column([inf], [c])))
fresh(lambda m, x, y, c: m.addGenConstrMax(x, [y], constant=nan))
fresh(lambda m, x, y, c: m.addGenConstrPWL(x, y, [0, nan], [0, 1]))
fresh(lambda m, x, y, c: m.addGenConstrPWL(x, y, [0, 1], [0, inf]))
fresh(lambda m, x, y, c: m.addGenConstrPoly(x, y, [inf, 1]))
fresh(lambda m, x, y, c: m.addGenConstrPow(x, y, nan))
fresh(lambda m, x, y, c: m.setPWLObj(x, [0, 1], [0, nan]))
""",
    "counts of kinds": """
m = new()
for kind in "SNIB":
    m.addVar(vtype=kind, ub=1)
m.addVar(vtype="I")
m.addVar()
m.update()
print(m.NumIntVars, m.NumBinVars, m.IsMIP)
for sense in (1, -1):
    for ys in ([0, 3, 0], [0, -3, 0], [0, 2, 4]):
        m = new()
        x = m.addVar(ub=4)
        m.setPWLObj(x, [0, 2, 4], ys)
        m.ModelSense = sense
        m.update()
        print(m.IsMIP, x.PWLObjCvx, m.NumPWLObjVars)
""",
    "members forced into an IIS": """
def conflict(**forced):
    m = new()
    x = m.addVar(lb=-5, ub=5, vtype="I", name="x")
    y = m.addVar(lb=-5, ub=5, name="y")
    rows = [m.addConstr(x + y >= 3), m.addConstr(x - y >= 9), m.addConstr(x <= 4.5)]
    m.update()
    for name, force in forced.items():
        where, _, place = name.partition("_")
        setattr(rows[int(place)] if place else x, f"IIS{where}Force", force)
    try:
        m.computeIIS()
    except gp.GurobiError as error:
        print(forced, error.errno, error)
        return
    print(forced, m.IISMinimal, [c.IISConstr for c in rows], x.IISLB, x.IISUB, y.IISLB, y.IISUB)
conflict()
conflict(UB=0)
conflict(Constr_2=0)
conflict(Constr_2=0, UB=0)
conflict(UB=1)
conflict(UB=1, Constr_2=1)
conflict(UB=-1, Constr_0=1)
""",
    "a binary's own bounds are in no IIS": """
def conflict(sides, least, **force):
    m = new()
    x, y = m.addVar(vtype="B", name="x"), m.addVar(vtype=force.pop("other", "B"), ub=1, name="y")
    m.update()
    x.lb, x.ub = sides
    c = m.addConstr(x + y >= least if least > 0 else x + y <= -least)
    m.update()
    for name, value in force.items():
        setattr(x, name, value)
    m.computeIIS()
    print(m.IISMinimal, c.IISConstr, x.IISLB, x.IISUB, y.IISLB, y.IISUB)
conflict((0, 1), 2.5)
conflict((0, 1), 2.5, other="I")
conflict((0, 1), 2.5, IISUBForce=0)
conflict((0, 1), 2.5, IISUBForce=1)
conflict((1, 1), -0.5)
conflict((0, 0), 1.5)
conflict((-3, 5), 4)
conflict((2, 5), -7)
conflict((1, 0), -7)
""",
    "parts forced into an IIS": """
def conflict(*forced):
    m = new()
    x, y = m.addVar(ub=1, name="x"), m.addVar(ub=1, name="y")
    z = m.addVar(lb=-10, name="z")
    q = m.addConstr(x * x + y * y <= 0.1, "q")
    s = m.addSOS(1, [x, y])
    g = m.addGenConstrMax(z, [x, y], name="g")
    m.addConstr(x >= 0.9)
    m.addConstr(z <= 0.5)
    m.addConstr(y >= 0.9)
    m.update()
    q.IISQConstrForce, s.IISSOSForce, g.IISGenConstrForce = forced
    try:
        m.computeIIS()
        print(q.IISQConstr, s.IISSOS, g.IISGenConstr, m.IISMinimal)
    except gp.GurobiError as error:
        print(error.errno, error)
conflict(0, 0, -1)
conflict(0, -1, 0)
conflict(-1, 0, 0)
conflict(0, 0, 0)
conflict(1, 1, 1)
""",
    "elements of arrays in calls": """
def fresh(call):
    m = new()
    y, z = m.addMVar(3, ub=2, name="y"), m.addMVar(2, vtype="B", name="z")
    c = m.addConstr(y.sum() <= 4, name="c")
    m.update()
    tell(lambda: call(m, y, z, c))
    m.update()
    print(m.NumConstrs, m.NumGenConstrs, m.NumSOS)
fresh(lambda m, y, z, c: m.addConstr(y[2] == gp.max_(y[0], y[1])))
fresh(lambda m, y, z, c: m.addConstr(y[2] == gp.abs_(y[1])))
fresh(lambda m, y, z, c: m.addConstr(y[2] == gp.norm(y, 2)))
fresh(lambda m, y, z, c: m.addConstr(z[0] == gp.and_(z[1], z[1])))
fresh(lambda m, y, z, c: m.addConstr(y == gp.max_(y[0])))
fresh(lambda m, y, z, c: m.addGenConstrIndicator(z[0], True, y[1] <= 2))
fresh(lambda m, y, z, c: m.addGenConstrIndicator(z[0].item(), True, y[1] <= 2))
fresh(lambda m, y, z, c: m.addGenConstrIndicator(z[0].item(), True, y <= 2))
fresh(lambda m, y, z, c: m.addGenConstrIndicator(z[0], 1, y[1].item() <= 2))
fresh(lambda m, y, z, c: m.addGenConstrIndicator(z[0].item(), 1, y[0], "<", 2))
fresh(lambda m, y, z, c: m.addGenConstrIndicator(z, 1, y[1] <= 2))
fresh(lambda m, y, z, c: m.addConstr((z[0] == 1) >> (y <= 2)))
fresh(lambda m, y, z, c: m.addConstr((z[0].item() == 1) >> (y <= 2)))
fresh(lambda m, y, z, c: m.addConstr((z == 1) >> (y[:2] <= 2)))
fresh(lambda m, y, z, c: m.addConstr((z == 1) >> (y[0].item() <= 2)))
fresh(lambda m, y, z, c: m.setPWLObj(y[2], [0, 1], [0, 1]))
fresh(lambda m, y, z, c: m.getPWLObj(y[2]))
fresh(lambda m, y, z, c: m.getCol(y[0]))
fresh(lambda m, y, z, c: m.getRow(c))
fresh(lambda m, y, z, c: m.getCoeff(c, y[0]))
fresh(lambda m, y, z, c: m.chgCoeff(c, y[0], 2))
fresh(lambda m, y, z, c: m.chgCoeff(c.item(), y[0].item(), 2))
fresh(lambda m, y, z, c: m.addSOS(1, [y[0], y[1]]))
fresh(lambda m, y, z, c: gp.LinExpr([1, 2], [y[0], y[1]]))
fresh(lambda m, y, z, c: gp.Column([1], [c]))
m = new()
y = m.addMVar(3, lb=-2, ub=2, name="y")
m.addConstr(y[2] == gp.max_(y[0], y[1]))
m.addConstr(y[0] == gp.abs_(y[1]))
m.addConstr(y[1] <= -1)
m.setObjective(y[2])
m.optimize()
print(m.ObjVal, y.X)
""",
    "multidict of anything": """
for data in (
    {1: np.array([1, 2]), 2: np.array([3, 4])},
    {1: [1, 2], 2: 3},
    {1: 3, 2: [1, 2]},
    {1: "ab", 2: "cd"},
    {1: "ab", 2: 3},
    {1: {"a": 1, "b": 2}, 2: {"a": 2, "b": 3}},
    {1: [1, 2], 2: [1, 2, 3]},
    {1: [], 2: []},
    {1: {1, 2}},
    {1: range(2), 2: range(2)},
    {1: np.array(3)},
    {1: None},
    {},
    [(1, [2, 3])],
    5,
):
    tell(lambda: multidict(data))
""",
    "arguments that Gurobi checks": """
m = new()
x, y = m.addVar(ub=3, name="x"), m.addVar(ub=3, name="y")
c = m.addConstr(x + y <= 4, "c")
m.update()
tell(lambda: m.addGenConstrPWL(x, y, [1], [1]))
tell(lambda: m.addGenConstrPWL(x, y, [], []))
tell(lambda: m.addGenConstrPWL(x, y, [1, 1], [1, 2]))
tell(lambda: m.addGenConstrPWL(x, y, [0, 2, 1], [1, 2, 3]))
tell(lambda: m.addGenConstrPoly(x, y, []))
tell(lambda: m.addGenConstrLogA(x, y, 0))
tell(lambda: m.addGenConstrLogA(x, y, -1))
tell(lambda: m.addGenConstrExpA(x, y, 0))
tell(lambda: m.addSOS(1, [x, x]))
tell(lambda: m.addSOS(1, [x, "a"]))
tell(lambda: m.addSOS("a", [x, y]))
tell(lambda: m.addGenConstrIndicator(x, "a", y <= 3))
tell(lambda: m.addGenConstrIndicator(x, None, y <= 3))
tell(lambda: m.setPWLObj(3, [1, 2], [1, 2]))
tell(lambda: m.getCol(c))
tell(lambda: m.getCoeff(x, c))
tell(lambda: m.getRow(x))
tell(lambda: m.chgCoeff(x, c, 1))
tell(lambda: gp.LinExpr([1], ["a"]))
tell(lambda: gp.LinExpr().addTerms([1], [3]))
""",
    "names of 256 characters": """
m, long = new(), "n" * 256
tell(lambda: m.addVar(name=long))
tell(lambda: m.addVars(2, name=long))
tell(lambda: m.addVars([0], name=[long]))
tell(lambda: m.addMVar(2, name=long))
x, y = m.addVar(name=long[1:]), m.addVar()
m.update()
print(m.NumVars, len(x.VarName))
tell(lambda: m.addConstr(x <= 1, long))
tell(lambda: m.addConstrs((x <= k for k in range(2)), name=long))
tell(lambda: m.addConstr(x * y <= 1, long))
tell(lambda: m.addGenConstrMax(x, [y], name=long))
tell(lambda: setattr(x, "VarName", long))
tell(lambda: m.addVars(2, name=["a"]))
m.update()
print(m.NumVars, m.NumConstrs, m.NumQConstrs)
""",
    "tuples of several lengths": """
tell(lambda: tuplelist([(1, 2), (3,)]))
tell(lambda: tuplelist([(1, 2), 3]))
tell(lambda: tuplelist([1, (2, 3)]))
tell(lambda: tuplelist(["ab", "c"]))
pairs = tuplelist([(1, 2)])
tell(lambda: pairs.append((1,)))
tell(lambda: pairs.append(3))
tell(lambda: pairs.extend([(1,)]))
tell(lambda: pairs.insert(0, (1,)))
tell(lambda: pairs + [(1,)])
pairs.append((3, 4))
pairs += [(5, 6)]
print(pairs, pairs.select(3, "*"))
tell(lambda: multidict({(1, 2): 3, (1,): 4}))
""",
    "parts before the update": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
q, s = m.addConstr(x * x <= 1, "q"), m.addSOS(1, [x, y])
g, c = m.addGenConstrMax(x, [y], name="g"), m.addConstr(x <= 1)
tell(lambda: q.QCRHS)
tell(lambda: setattr(q, "QCRHS", 3))
tell(lambda: g.GenConstrName)
tell(lambda: s.IISSOS)
tell(lambda: m.getQCRow(q))
tell(lambda: m.getSOS(s))
tell(lambda: m.getGenConstrMax(g))
tell(lambda: m.getRow(c))
tell(lambda: m.getCol(x))
tell(lambda: m.getCoeff(c, x))
tell(lambda: m.remove(q))
tell(lambda: m.remove(g))
m.update()
print(m.NumQConstrs, m.NumGenConstrs)
tell(lambda: m.getQCRow(c))
tell(lambda: m.getGenConstrMin(c))
z = m.addVar(name="z")
m.update()
m.remove(z)
m.remove(c)
m.update()
tell(lambda: m.getCol(z))
tell(lambda: m.getRow(c))
""",
    "after disposal": """
m = new()
x = m.addVar(ub=1, obj=-1, name="x")
c, q = m.addConstr(x <= 1, "c"), m.addConstr(x * x <= 2, "q")
m.optimize()
params = m.Params
m.dispose()
tell(lambda: x.X)
tell(lambda: x.LB)
tell(lambda: setattr(x, "LB", 1))
tell(lambda: c.Pi)
tell(lambda: q.QCRHS)
tell(lambda: x)
tell(lambda: c)
tell(lambda: q)
tell(lambda: x + 1)
tell(lambda: params.TimeLimit)
tell(lambda: setattr(params, "TimeLimit", 3))
tell(lambda: m.Status)
with gp.Model(env=env) as other:
    z = other.addVar(ub=1)
    other.optimize()
tell(lambda: z.X)
tell(lambda: other.ObjVal)
""",
    "printAttr": """
m = new()
m.Params.OutputFlag = 1
x, y = m.addVar(ub=3, obj=-1, name="x"), m.addVar(name="yy")
c, q = m.addConstr(x + y <= 2, "c"), m.addConstr(x * x <= 9, "q")
m.Params.OutputFlag = 0
m.optimize()
m.Params.OutputFlag = 1
tell(lambda: m.printAttr("Foo"))
tell(lambda: m.printAttr(["X", "Pi"]))
for what in ("X", ["X", "LB"], "ObjVal", ["Status", "NumVars"], "QCRHS", "VType", "Sense"):
    m.printAttr(what)
m.printAttr("UB", "y*")
""",
    "piecewise-linear objectives that are none": """
def one(xs, ys, ub=4):
    m = new()
    x = m.addVar(ub=ub, name="x")
    m.update()
    def give():
        m.setPWLObj(x, xs, ys)
        m.update()
        m.optimize()
        print(m.getPWLObj(x), m.ObjVal)
    tell(give)
one([1], [1])
one([2, 1], [1, 2])
one([1, 1 + 1e-7], [1, 2])
one([0, 2, 1], [1, 2, 3])
one([], [])
one([1, 1, 2], [1, 2, 3])
one([0, 1, 1], [1, 2, 3])
one([0, 1, 1], [1, 2, 3], ub=1)
one([0, 1, 1, 2], [0, 1, 3, 4])
""",
    "products of the same variables": """
m = new()
x = m.addVars(3, name="x")
m.update()
a, b, c = x[0], x[1], x[2]
print(a * b + b * a + a * a, (a * b + b * a + a * a).size())
m.setObjective(a * b + b * a + a * a + 2 * a)
m.update()
print(m.getObjective(), m.NumQNZs, m.getQ().toarray().tolist(), m.getQ().nnz)
m.setObjective(b * a + c * a + a * a + c * b)
m.update()
print(m.getObjective(), m.getObjective().size())
m.setObjective(a * b - b * a + c)
m.update()
print(m.getObjective(), m.NumQNZs, m.IsQP)
q = m.addConstr(b * a + a * b + c * c - c * c + a <= 3, "q")
r = m.addConstr(b * a + c * a + a * a + c * b <= 3)
m.update()
print(m.getQCRow(q), m.getQCRow(r), m.getQCRow(q).size(), m.NumQCNZs, q, r)
""",
    "constants of maxima": """
m = new()
x, y = m.addVar(name="x"), m.addVar(name="y")
made = [m.addGenConstrMax(x, [y]), m.addGenConstrMax(x, [y], 3), m.addConstr(x == gp.max_(y, 5))]
least = m.addGenConstrMin(x, [y])
m.update()
for each in made:
    print(m.getGenConstrMax(each))
print(m.getGenConstrMin(least))
""",
    "limits of work and duals of curves": """
m = new()
x, y = m.addVar(ub=3, obj=-1, name="x"), m.addVar(ub=3, obj=-2, name="y")
m.addConstr(x + y <= 4)
m.Params.WorkLimit = 0
m.optimize()
print(m.Status, m.SolCount)
tell(lambda: m.ObjVal)
tell(lambda: m.write("a.json"))
m.Params.WorkLimit = float("inf")
q = m.addConstr(x * x + y * y <= 9, "q")
m.update()
tell(lambda: m.getJSONSolution())
m.optimize()
print(m.Status)
for name in ("Pi", "RC", "QCPi"):
    tell(lambda: m.getAttr(name))
tell(lambda: x.VBasis)
tell(lambda: x.SAObjUp)
x.VType = "I"
m.Params.QCPDual = 1
m.optimize()
tell(lambda: q.QCPi)
""",
    "callbacks at the wrong place": """
m = new()
x = m.addVars(4, vtype="I", ub=9, name="x")
m.addConstr(quicksum((3 * i + 7) * x[i] for i in range(4)) <= 101)
m.setObjective(quicksum((5 * i + 9) * x[i] for i in range(4)), GRB.MAXIMIZE)
seen = set()
def call(model, where):
    if where != GRB.Callback.MIPSOL or seen:
        return
    seen.add(where)
    tell(lambda: model.cbGet(GRB.Callback.MIP_OBJBST))
    tell(lambda: model.cbGet(GRB.Callback.MSG_STRING))
    tell(lambda: model.cbGet("a"))
    tell(lambda: model.cbGetNodeRel(x))
    tell(lambda: model.cbLazy(x[0] <= 3))
m.optimize(call)
print(len(seen))
""",
    "ranges without an end": """
inf = float("inf")
for low, up in ((2, inf), (-inf, 3), (1, 1), (2, 1e30), (-1e25, 5)):
    m = new()
    x = m.addVar(lb=-10, ub=10, obj=1, name="x")
    c = m.addRange(x + 1, low, up, "r")
    m.update()
    print(low, up, m.NumVars, c.Sense, c.RHS, m.getRow(c))
    m.optimize()
    print(m.Status, m.ObjVal)
""",
    "attributes of whole numbers": """
m = new()
x = m.addVar(name="x")
c = m.addConstr(x >= 1)
m.update()
for value in (1.5, 2.0, "2", np.int64(3), True, None, np.array(2), -1):
    for owner, name in ((x, "BranchPriority"), (m, "ModelSense"), (c, "Lazy")):
        tell(lambda: setattr(owner, name, value))
m.update()
print(x.BranchPriority, m.ModelSense, c.Lazy)
""",
    "names of quadratic constraints": """
m = new()
x = m.addVar(ub=1, name="x")
q, r = m.addConstr(x * x <= 1), m.addConstr(x * x + x <= 2, "r")
m.update()
print([q.QCName, r.QCName], m.getQConstrs(), m.getAttr("QCName", m.getQConstrs()))
m.remove(q)
m.update()
print(q, r, m.getQConstrs())
""",
    "the solution as JSON": """
import json
m = new()
x, y = m.addVar(ub=3, obj=-1, vtype="I", name="x"), m.addVar(name="y")
tell(lambda: m.getJSONSolution())
m.optimize()
told = json.loads(m.getJSONSolution())
info = told["SolutionInfo"]
print(told["Vars"] == [{"VarName": "x", "X": 3}], info["ObjVal"] == info["ObjBound"] == -3)
print([name in info for name in ("MIPGap", "IntVio", "NodeCount", "SolCount", "IterCount")])
m.addConstr(x >= 5)
m.optimize()
told = json.loads(m.getJSONSolution())
print(told["SolutionInfo"]["Status"], "Vars" in told, "ObjVal" in told["SolutionInfo"])
""",
}
