"""Statements over the gurobipy interface, for comparing ours with the real one.

Each block starts from the names `gp`, `m`, `x`, `y`, `z`, `b` (a model with two continuous, one
integer and one binary variable, updated) and runs line by line; a line is an expression whose
value is compared, or a statement.
"""

SETUP = """
m = gp.Model("t", env=env)
x = m.addVar(ub=4, name="x")
y = m.addVar(lb=-1, ub=5, name="y")
z = m.addVar(vtype=GRB.INTEGER, ub=9, name="z")
b = m.addVar(vtype="B", name="b")
m.update()
"""

BLOCKS = {
    "expressions": """
x
2 * x + 3 * y + 1
x - x
x + x
LinExpr()
LinExpr(3)
LinExpr([1, 2], [x, y])
LinExpr([(1, x), (2, y)])
LinExpr([1], [x, y])
LinExpr([x, y])
LinExpr(1.0, x)
-x
x / 2
x * True
x + None
x * None
x + "a"
x + [1]
abs(x)
+x
x * y + x + 3
x * x
(x + y) ** 2
(x + y) * (x - y)
x ** 0
x ** 1
x ** 3
x / y
2 / x
2 ** x
x ** y
len(x + y)
hash(x + y)
bool(x + y)
float(x)
f"{x} {2 * x + y}"
f"{x:.2f}"
e = x + y; f = e; f += 1; e
e -= x; e
e.addTerms(3, x); e
e.addTerms([1, 2], [x, y]); e
e.addConstant(4); e
e.add(x, 2); e
e.remove(x); e
e.remove(0); e
e.clear(); e
e = 2 * x; f = e; f += y; e
e = 2 * x; e.addConstant(1); e
e = 2 * x; e.add(y, 3); e
e = 2 * x; (e.size(), e.getVar(0), e.getCoeff(0), e.getConstant(), e.copy())
e = 2 * x + 1; (e.getConstant(), e.copy(), e.size())
q = x * y + 2 * x + 1; (q.getLinExpr(), q.size(), q.getVar1(0), q.getVar2(0), q.getCoeff(0))
q.addTerms(1, x, y); q
q.addTerms([1, 2], [x, y]); q
q.addTerms([1, 2], [x, y], [y, y]); q
q.add(x * x, 2); q
q * 2
q / 2
-q
q += x; q
q -= x * y; q
QuadExpr()
QuadExpr(x)
quicksum([])
quicksum(i for i in range(3))
quicksum([x, y, 2 * x, 3, x + y])
quicksum([x * y, x])
quicksum({1: x})
quicksum("ab")
quicksum([None])
quicksum([[x]])
sum([x, y])
isinstance(2 * x, LinExpr)
np.float64(2) * x
x * np.float64(2)
np.int64(2) * x
np.float64(2) + x
np.float64(2) - x
np.array([1, 2]) * x
x * np.array([1, 2])
x - np.array([1, 2])
np.array([1, 2]) @ np.array([x, y])
np.dot([1, 2], [x, y])
np.array([x, y]).sum()
np.array(3) * x
""",
    "comparisons": """
x == y
x <= 3
3 <= x
1 <= x <= 3
bool(x <= y)
2 * x + 3 * y <= 4 * x + 1
x * y <= 4
2 * x + 3 * y == [1, 2]
x != y
x < y
x + y < 3
max(x, y)
x in [y, x]
{x: 1}[x]
x.sameAs(y)
(b == 1) >> (x <= 3)
x <= np.float64(2)
np.float64(2) >= x
""",
    "attributes": """
(x.LB, x.lb, x.Lb, x.UB, z.VType, b.vtype, x.VarName, x.varName, x.index)
m.addVar().UB
w = m.addVar(); m.update(); (w.UB, w.VarName)
w.lb = -GRB.INFINITY; m.update(); w.LB
x.X
x.foo
x.foo = 3
x.X = 3
x.LB = "a"
x.VType = 3
x.VType = "Q"
x.VarName = 3
x.getAttr("foo")
x.Start
x.start = 1; x.Start
m.update(); x.Start
x._mine = 3; x._mine
m._mine = 3; m._mine
m.Foo
m.Foo = 3
m.ObjVal
m.objVal
m.X
m.NumVars, m.numvars, m.NumConstrs, m.NumIntVars, m.NumBinVars
m.Status = 3
m.ModelName
m.ModelName = 3
m.ModelSense = -1; m.ModelSense
m.update(); m.ModelSense
m.getAttr("VarName", [x, y])
m.getAttr("varname", {1: x})
m.getAttr("LB", 3)
m.getAttr("foo")
m.setAttr("UB", m.getVars(), 3.0); m.update(); x.UB
m.setAttr("ub", {1: x}, {1: 7}); m.update(); x.UB
m.setAttr("UB", [x], [1, 2])
m
GRB.Foo
GRB.Attr.Foo
GRB.Status.OPTIMAL, GRB.OPTIMAL, GRB.INFINITY, GRB.Callback.MIPSOL_OBJ, GRB.Error.CALLBACK
GurobiError(3, "a")
str(GurobiError(3, "a")), GurobiError(3, "a").errno, GurobiError(3, "a").message
""",
    "attributes of one": """
m.setAttr("UB", y, 3); m.setAttr("LB", y, 1); m.update(); (y.LB, y.UB)
m.setAttr("VarName", y, "tons"); m.update(); y.VarName
m.getAttr("UB", y)
m.getAttr("foo", y)
m.setAttr("foo", y, 3)
m.setAttr("UB", 3, 3)
m.setAttr("UB", "y", 3)
m.setAttr("UB", y)
m.setAttr("UB", [1, 2])
m.setAttr(3, 4)
m.getAttr("UB", np.array([x, y]))
m.setAttr("UB", {1: x, 2: y}, [1, 2])
m.printAttr("X")
m.getTuneResult(0)
m.singleScenarioModel()
m.discardConcurrentEnvs()
m.setObjective(max_(x, y))
m.addConstr(y >= "2")
m.addConstr(lhs=y >= 2)
LinExpr(None)
LinExpr("y")
k = m.addConstr((x == 1) >> (y <= 2)); m.update(); (x.VType, x.UB, m.NumBinVars)
k = m.addQConstr(x + y, ">=", 20); m.update(); (m.NumQConstrs, m.NumConstrs)
""",
    "relaxed, in conflict": """
w = m.addConstr(x + y >= 12, "w"); m.feasRelaxS(2, False, True, True); m.optimize(); m.ObjVal
sorted(v.VarName for v in m.getVars()), sorted(c.ConstrName for c in m.getConstrs())
b.VType, m.getConstrByName("CArtPB_w").RHS, m.Status
""",
    "conflicts with a switch": """
k = m.addConstr((b == 1) >> (x + y >= 20)); on = m.addConstr(b >= 1); m.update()
m.computeIIS(); (k.IISGenConstr, on.IISConstr, m.getAttr("IISUB", [x, y, z, b]), m.IISMinimal)
""",
    "conflicts with a set": """
s = m.addSOS(1, [x, y]); c = m.addConstr(x >= 1); d = m.addConstr(y >= 1); m.update()
m.computeIIS(); (s.IISSOS, c.IISConstr, d.IISConstr, m.getAttr("IISLB", [x, y, z, b]))
""",
    "parameters": """
m.Params.TimeLimit = 10; m.Params.timelimit
m.Params.foo
m.Params.foo = 3
m.setParam("foo", 3)
m.setParam("TimeLimit", -3)
m.setParam("TimeLimit", "abc")
m.setParam("MIPFocus", 7)
m.setParam("OutputFlag", "x")
m.setParam("Threads", 1.5); m.Params.Threads
m.Params.TimeLimit = None
m.getParamInfo("TimeLimit")
m.getParamInfo("MIPGap")
m.getParamInfo("foo")
m.resetParams(); m.Params.TimeLimit
""",
    "building": """
m.addVar(lb="a")
m.addVar(vtype="Q")
m.addVar(foo=3)
m.addVar(name=3)
m.addVar(lb=None)
m.addVar(lb=float("nan"))
m.addVars(2, lb=[1, 2, 3])
m.addVars(2.0)
m.addVars([1, 1])
v = m.addVars([1, 2], lb={1: 1}, name="g"); m.update(); [a.LB for a in v.values()]
v = m.addVars([1, 2], obj={2: 1}, vtype={1: "B"}); m.update(); [a.Obj for a in v.values()]
v = m.addVars([("a", 1)], [2, 3], name="k"); m.update(); v
v = m.addVars(2, 3, name="t"); m.update(); v
v.sum("*", 1), v.sum(0, "*"), v.sum(), v.sum(9, "*"), v.sum([0, 1], 2)
v.prod({(0, 0): 1.5, (1, 1): 2}), v.prod({(0, 0): 1.5, (1, 1): 2}, 0, "*")
v.select("*", 1), v.select([0, 1], 2), v.select()
v.sum(0, "*", 1)
v[9, 9]
c = m.addConstr(2 * x + y + 1 <= 4 * x + 3, name="c"); c
c.RHS
m.update(); c
(c.RHS, c.Sense, c.ConstrName, c.index)
(m.getRow(c), m.getCoeff(c, x), m.getCol(x))
m.addConstr(x)
m.addConstr(x + y)
m.addConstr(x <= None)
m.addConstr(x <= float("nan"))
m.addConstr(np.bool_(True))
m.addConstr(x <= [1, 2])
m.addConstr(x == [1, 2, 3])
m.addConstr(x + y == (1, 2))
m.addLConstr(x + y, "!", 3)
m.addLConstr(x * x <= 3)
m.chgCoeff(3, x, 3)
m.chgCoeff(c, x, 5); m.update(); m.getRow(c)
list(m.addConstrs((quicksum(v[i, j] for j in range(3)) <= k for i in range(2) for k in range(3))))
R = range(2); list(m.addConstrs((v.sum(i, "*") + k + l <= 3 for k in R for i in R for l in R)))
list(m.addConstrs((quicksum(v[i, j] + k + l for j in R) <= 3 for k in R for i in R for l in R)))
list(m.addConstrs((v[i, j] <= 1 for j in range(2) for i in range(2))))
list(m.addConstrs((v[a] <= 1 for a in v.keys()), name="z"))
list(m.addConstrs((x + y <= w for i, (j, w) in enumerate([(1, 2), (1, 1)]))))
list(m.addConstrs(([x <= q for q in (1, 2)][i] for i in range(2)), name="in"))
m.addConstrs([x <= 3])
m.addConstrs((x for i in range(2)))
m.update(); [k.ConstrName for k in m.getConstrs()][-8:]
m.remove(c); m.update(); c
c.RHS
m.remove(x); m.update(); x
x.VarName
m.remove(3)
m.getConstrs()[0] is m.getConstrs()[0]
m.getVarByName("nope"), m.getConstrByName("nope"), m.getVarByName("y")
d = m.addConstr(y <= 3); m.update(); d.ConstrName
m2 = gp.Model("b", env=env); w = m2.addVar()
m2.addConstr(w + y <= 3)
m2.addConstr(y - w <= 3)
m2.setObjective(y)
m.getAttr("LB", [w])
""",
    "ranges and quadratic rows": """
r = m.addRange(x + y + 1, 1, 3, "r"); m.update(); (m.getVars()[-1], r.Sense, r.RHS, m.getRow(r))
r = m.addConstr(x + y == [1, 3]); m.update(); (m.getVars()[-1].VarName, m.getVars()[-1].UB)
q = m.addConstr(x * x + y <= 3 + x, name="q"); m.update(); (q, q.QCName, q.QCRHS)
q.QCSense, m.getQCRow(q)
m.getQConstrs(), m.NumQConstrs, m.IsQCP
m.addQConstr(x * x, "<", 2, "lab")
s = m.addSOS(GRB.SOS_TYPE1, [x, y], [1, 2]); m.update(); (s, m.getSOS(s), m.NumSOS)
m.addSOS(1, [x, y], [1])
m.setObjective(x * x + 2 * x * y - y * y + 3); m.update(); m.getObjective()
m.ObjCon, m.IsQP, m.NumQNZs
x.Obj = 5; m.update(); m.getObjective()
m.setObjective(x ** 3)
m.setObjective(x <= 3)
m.setObjective(None)
m.setObjective(x, 5)
m.setObjective(x, GRB.MAXIMIZE); m.setObjective(y); m.update(); m.ModelSense
m.setObjectiveN(x * x, 1)
m.setObjectiveN(x, 1, priority=2, weight=1.5, name="a"); m.update(); m.NumObj
m.Params.ObjNumber = 1; (m.ObjNPriority, m.ObjNWeight, m.ObjNName, m.getObjective(1))
m.getObjective(7)
m.setPWLObj(x, [0, 1, 2], [0, 1, 4]); m.update(); (m.NumPWLObjVars, m.getPWLObj(x))
""",
    "general constraints": """
max_(x, y, 3)
max_([x, y], constant=3)
abs_(x)
and_(b, b)
max_(x, y) + 1
m.addConstr(z == abs_(x - y))
m.addConstr(z == max_(x - y, 0))
m.addConstr(2 * z == max_(x, y))
m.addConstr(max_(x, y) == z)
m.addConstr(z >= abs_(x))
m.addConstr(z == norm([x, y], 3))
m.addGenConstrAbs(z, x - y)
m.addGenConstrMax(z, x)
m.addGenConstrIndicator(b, 2, y <= 3)
m.addGenConstrIndicator(b, True, y * y <= 3)
m.addGenConstrIndicator(b, 0, y, "=", x)
m.addConstr((b <= 1) >> (x <= 3))
m.addConstr((2 * b == 1) >> (x <= 3))
m.addGenConstrPWL(x, z, [0, 1], [0, 1, 2])
m.addGenConstrPWL(x, z, [1, 0], [0, 1])
m.addGenConstrPow(x, z, "a")
m.addGenConstrExpA(x, z, -1)
m.addConstr(y <= x ** 3)
m.addConstr(x / y <= 4)
""",
    "general constraints, added": """
g = m.addConstr(z == max_(x, y, 2), name="g"); h = m.addConstr((b == 1) >> (x + y <= 3))
m.update(); (g, h)
g.GenConstrName, h.GenConstrName, g.GenConstrType, h.GenConstrType, m.NumGenConstrs
m.getGenConstrMax(g), m.getGenConstrIndicator(h)
m.getGenConstrMin(g)
m.getGenConstrs()[0] is g
m.remove(g); m.update(); (m.NumGenConstrs, g)
""",
    "containers": """
multidict({"a": [1, 2], "b": [3, 4]})
multidict({"a": 1, "b": 2})
tuplelist([(1, 2), (1, 3), (2, 3)])
tuplelist([(1, 2), (1, 3), (2, 3)]).select(1, "*")
tuplelist([(1, 2), (1, 3), (2, 3)]).select("*", [2, 3])
tuplelist([(1, 2), (1, 3)]) + [(2, 3)]
tuplelist([1, 2, 3]).select(1)
t = tuplelist([(1, 2)]); t.append((1, 3)); t.select(1, "*")
tupledict([((1, 2), "a")])
tupledict({1: x, 2: y}).prod({1: 3, 2: 4})
tupledict({1: x, 2: y}).prod([0, 3, 4])
tupledict({1: 2, 3: 4}).sum("*")
t = tupledict({(1, 2): x}); t.select(1, "*"); t[1, 3] = y; len(t.select(1, "*"))
Column()
""",
    "callbacks outside": """
m.cbGet(3)
m.cbLazy(x <= 1)
m.cbGetSolution(x)
m.optimize(3)
m.terminate()
m.dispose()
m.NumVars
m
""",
}
