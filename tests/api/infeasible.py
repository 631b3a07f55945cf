"""Infeasible models of eleven kinds of source, whose conflicts and least repairs are known.

Each was built around its conflict: `conflicts` are all its irreducible sets, by the names of rows
and bounds (`x.lb`, `x.ub`), worked out by hand; `least` is the smallest total move of sides that
makes it feasible. Where several conflicts share nothing, `independent` of them must be shown.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    kind: str
    text: str
    conflicts: frozenset[frozenset[str]]
    least: float
    independent: int = 1
    whole: bool = False
    """Whether it needs whole numbers, or a choice of 0 or a large value."""


CASES: list[Case] = []


def case(
    name: str, kind: str, text: str, conflicts: list[str], least: float, **more: object
) -> None:
    sets = frozenset(frozenset(words.split()) for words in conflicts)
    CASES.append(Case(name, kind, text, sets, least, **more))  # type: ignore[arg-type]


SOLVE = {
    "gurobipy": "model.optimize()",
    "coptpy": "model.solve()",
    "pyomo": "po.SolverFactory('appsi_highs').solve(model, load_solutions=False)",
    "pulp": "model.solve(pulp.HiGHS(msg=False))",
    "linopy": "model.solve('highs')",
    "highspy": "model.run()",
    "mip": "model.optimize()",
    "ortools": "model.Solve()",
    "cvxpy": "model.solve()",
}
"""What makes a program of a model's text."""

# -------------------------------------------------------------------------------------- LP files
case(
    "transport",
    "lp",
    """\\ three customers, two plants
Minimize
 cost: 3 x_an + 2 x_aw + 4 x_ae + x_bn + 5 x_bw + 2 x_be
Subject To
 capacity(a): x_an + x_aw + x_ae <= 10
 capacity(b): x_bn + x_bw + x_be <= 12
 demand(n): x_an + x_bn >= 9
 demand(w): x_aw + x_bw >= 9
 demand(e): x_ae + x_be >= 6
 policy: x_an - x_bn <= 8
End
""",
    ["capacity(a) capacity(b) demand(n) demand(w) demand(e)"],
    2.0,
)
case(
    "indicator",
    "lp",
    """Minimize
 obj: x + 10 open
Subject To
 small: open = 1 -> x <= 10
 need: x >= 25
 must: open >= 1
 other: x + open <= 39
Bounds
 x <= 40
Binaries
 open
End
""",
    ["small need must"],
    1.0,
)
case(
    "sos",
    "lp",
    """Maximize
 obj: x + y + z
Subject To
 some: x >= 2
 more: y >= 3
 all: x + y + z <= 25
Bounds
 x <= 10
 y <= 10
 z <= 10
SOS
 one: S1:: x:1 y:2 z:3
End
""",
    ["some more one"],
    2.0,
)

# ------------------------------------------------------------------------------------- MPS files
case(
    "blending",
    "mps",
    """NAME blend
ROWS
 N cost
 E mix
 G protein
 L fat
COLUMNS
 x1 cost 3 mix 1
 x1 protein 0.1 fat 5
 x2 cost 4 mix 1
 x2 protein 0.2 fat 4
 x3 cost 9 mix 1
 x3 protein 0.3 fat 2
RHS
 RHS mix 1 protein 0.35
 RHS fat 6
ENDATA
""",
    ["mix protein x1.lb x2.lb"],
    0.05,
)
case(
    "semicontinuous",
    "mps",
    """NAME batch
ROWS
 N cost
 L small
 G some
COLUMNS
 x cost 1 small 1
 x some 1
RHS
 RHS small 3 some 1
BOUNDS
 LO BND x 5
 SC BND x 20
ENDATA
""",
    ["small some x.lb"],
    1.0,
    whole=True,
)
case(
    "disc",
    "mps",
    """NAME disc
ROWS
 N cost
 L disc
 G sum
 L spare
COLUMNS
 x cost 1 sum 1
 x spare 1
 y cost 1 sum 1
RHS
 RHS disc 25 sum 8
 RHS spare 7
QCMATRIX disc
 x x 1
 y y 1
ENDATA
""",
    ["disc sum"],
    8 - 50**0.5,
)

# -------------------------------------------------------------------------------------- gurobipy
GUROBI = "import gurobipy as gp\nfrom gurobipy import GRB\n"
case(
    "schedule",
    "gurobipy",
    GUROBI
    + """
model = gp.Model("schedule")
s = model.addVars(4, name="start")
model.addConstr(s[1] >= s[0] + 4, "after(1)")
model.addConstr(s[2] >= s[1] + 5, "after(2)")
model.addConstr(s[2] + 3 <= 10, "deadline")
model.addConstr(s[3] >= 2, "release")
model.addConstr(s[3] + s[0] <= 30, "window")
model.setObjective(s.sum())
""",
    ["after(1) after(2) deadline start[0].lb"],
    2.0,
)
case(
    "gcd",
    "gurobipy",
    GUROBI
    + """
model = gp.Model("gcd")
x = model.addVar(vtype=GRB.INTEGER, name="x")
y = model.addVar(vtype=GRB.INTEGER, name="y")
model.addConstr(6 * x + 10 * y == 15, "exact")
model.addConstr(x + y <= 100, "roof")
model.setObjective(x + y)
""",
    ["exact"],
    1.0,
    whole=True,
)
case(
    "product",
    "gurobipy",
    GUROBI
    + """
model = gp.Model("pair")
x, y, z = (model.addVar(vtype=GRB.BINARY, name=n) for n in "xyz")
model.addQConstr(x * y + 0.5 * z >= 1, "both")
model.addConstr(x + y <= 1, "rivals")
model.addConstr(z <= 0, "closed")
model.addConstr(x + y + z >= 1, "any")
model.setObjective(x + y + z)
""",
    ["both rivals"],  # z is at most 1 in any case
    1.0,
)

# ---------------------------------------------------------------------------------------- coptpy
COPT = "import coptpy as cp\nfrom coptpy import COPT\n"
case(
    "staffing",
    "coptpy",
    COPT
    + """
model = cp.Envr().createModel("staffing")
a = model.addVar(name="a")
b = model.addVar(ub=2, name="b")
c = model.addVar(name="c")
model.addConstr(a + b >= 5, name="morning")
model.addConstr(b + c >= 6, name="evening")
model.addConstr(a + b + c <= 8, name="staff")
model.addConstr(a + c <= 50, name="office")
model.setObjective(a + b + c, COPT.MINIMIZE)
""",
    ["morning evening staff b.ub"],
    1.0,
)
case(
    "lots",
    "coptpy",
    COPT
    + """
model = cp.Envr().createModel("lots")
p1, p2, i1, i2 = (model.addVar(name=n) for n in ("p1", "p2", "i1", "i2"))
y1, y2 = (model.addVar(vtype=COPT.BINARY, name=n) for n in ("y1", "y2"))
model.addConstr(p1 - i1 == 30, name="balance1")
model.addConstr(p2 + i1 - i2 == 60, name="balance2")
model.addConstr(p1 - 40 * y1 <= 0, name="lot1")
model.addConstr(p2 - 40 * y2 <= 0, name="lot2")
model.addConstr(y1 + y2 <= 1, name="setups")
model.setObjective(i1 + i2 + 10 * y1 + 10 * y2, COPT.MINIMIZE)
""",
    [
        "balance1 balance2 lot1 lot2 setups i2.lb",
        "balance1 balance2 lot1 lot2 y1.ub y2.ub i2.lb",
    ],
    11.0,
)
case(
    "network",
    "coptpy",
    COPT
    + """
model = cp.Envr().createModel("network")
sa = model.addVar(ub=4, name="sa")
sb = model.addVar(ub=3, name="sb")
at, bt = model.addVar(name="at"), model.addVar(name="bt")
z = model.addVar(ub=3, name="z")
model.addConstr(sa - at == 0, name="node(a)")
model.addConstr(sb - bt == 0, name="node(b)")
model.addConstr(at + bt >= 9, name="sink")
model.addConstr(2 * z >= 7, name="toll")
model.setObjective(at + bt + z, COPT.MINIMIZE)
""",
    ["node(a) node(b) sink sa.ub sb.ub", "toll z.ub"],
    2.5,
    independent=2,
)

# ----------------------------------------------------------------------------------------- Pyomo
PYOMO = "import pyomo.environ as po\n"
case(
    "cover",
    "pyomo",
    PYOMO
    + """
model = po.ConcreteModel("cover")
model.sets = po.Set(initialize=["A", "B", "C"])
model.pick = po.Var(model.sets, domain=po.Binary)
model.pairs = po.Set(initialize=[1, 2, 3])
pairs = {1: "AB", 2: "BC", 3: "AC"}
model.cover = po.Constraint(
    model.pairs, rule=lambda m, k: sum(m.pick[s] for s in pairs[k]) >= 1
)
model.budget = po.Constraint(expr=sum(model.pick[s] for s in model.sets) <= 1.5)
model.cost = po.Objective(expr=sum(model.pick[s] for s in model.sets))
""",
    ["cover[1] cover[2] cover[3] budget"],
    0.5,
    whole=True,
)
case(
    "ratios",
    "pyomo",
    PYOMO
    + """
model = po.ConcreteModel("ratios")
model.x, model.y, model.z = po.Var(), po.Var(), po.Var()
model.xy = po.Constraint(expr=model.x == 2 * model.y)
model.yz = po.Constraint(expr=model.y == 3 * model.z)
model.xz = po.Constraint(expr=model.x == 5 * model.z)
model.floor = po.Constraint(expr=model.z >= 1)
model.cap = po.Constraint(expr=model.x + model.y <= 100)
model.cost = po.Objective(expr=model.x)
""",
    ["xy yz xz floor"],
    0.5,
)
case(
    "crossed",
    "pyomo",
    PYOMO
    + """
model = po.ConcreteModel("crossed")
model.p = po.Var(bounds=(4, 10))
model.q = po.Var(bounds=(0, 10))
model.p.setub(2)
model.use = po.Constraint(expr=model.p + model.q <= 15)
model.cost = po.Objective(expr=model.p + model.q)
""",
    ["p.lb p.ub"],
    2.0,
)

# ------------------------------------------------------------------------------------------ PuLP
PULP = "import pulp\n"
case(
    "diet",
    "pulp",
    PULP
    + """
model = pulp.LpProblem("diet", pulp.LpMinimize)
bread, meat = pulp.LpVariable("bread", 0), pulp.LpVariable("meat", 0)
model += 2 * bread + 6 * meat
model += 200 * bread + 300 * meat >= 2500, "calories"
model += 2 * bread + 6 * meat <= 20, "budget"
model += bread <= 40, "basket"
""",
    ["calories budget meat.lb"],
    5 / 3,
)
case(
    "pigeons",
    "pulp",
    PULP
    + """
model = pulp.LpProblem("pigeons", pulp.LpMinimize)
x = pulp.LpVariable.dicts("x", (range(3), range(2)), cat="Binary")
model += pulp.lpSum(x[i][k] * (i + k) for i in range(3) for k in range(2))
for i in range(3):
    model += x[i][0] + x[i][1] == 1, f"job_{i}"
for k in range(2):
    model += pulp.lpSum(x[i][k] for i in range(3)) <= 1, f"machine_{k}"
""",
    ["job_0 job_1 job_2 machine_0 machine_1"],
    1.0,
)
case(
    "change",
    "pulp",
    PULP
    + """
model = pulp.LpProblem("change", pulp.LpMinimize)
x, y = (pulp.LpVariable(n, 0, cat="Integer") for n in "xy")
model += x + y
model += 3 * x + 5 * y == 7, "sum"
model += x + y <= 30, "purse"
""",
    ["sum x.lb y.lb"],
    1.0,
    whole=True,
)

# ---------------------------------------------------------------------------------------- linopy
LINOPY = "import linopy\nimport pandas as pd\n"
case(
    "dispatch",
    "linopy",
    LINOPY
    + """
model = linopy.Model()
units = pd.Index(["g1", "g2"], name="unit")
p = model.add_variables(lower=0, upper=pd.Series([50, 30], units), name="p")
model.add_constraints(p.sum() == 100, name="load")
model.add_constraints(p.sum() >= 5, name="spinning")
model.add_objective((p * pd.Series([2, 3], units)).sum())
""",
    ["load p[g1].ub p[g2].ub"],
    20.0,
)
case(
    "shifts",
    "linopy",
    LINOPY
    + """
model = linopy.Model()
days = pd.Index(["mon", "tue", "wed"], name="day")
w = model.add_variables(lower=0, coords=[days], name="w")
model.add_constraints(w >= pd.Series([3, 4, 5], days), name="need")
model.add_constraints(w.sum() <= 10, name="total")
model.add_constraints(w <= 9, name="room")
model.add_objective(w.sum())
""",
    ["need[mon] need[tue] need[wed] total"],
    2.0,
)
case(
    "even",
    "linopy",
    LINOPY
    + """
model = linopy.Model()
k = model.add_variables(lower=0, coords=[pd.Index(["a", "b"], name="n")], integer=True, name="k")
weights = pd.Series([4, 6], pd.Index(["a", "b"], name="n"))
model.add_constraints((k * weights).sum() >= 9, name="low")
model.add_constraints((k * weights).sum() <= 9.5, name="high")
model.add_objective(k.sum())
""",
    ["low high"],
    0.5,
    whole=True,
)

# --------------------------------------------------------------------------------------- highspy
HIGHS = """import highspy
model = highspy.Highs()
model.setOptionValue("output_flag", False)
"""
case(
    "levels",
    "highspy",
    HIGHS
    + """
a, b, c = (model.addVariable(lb=-100, ub=100, name=n) for n in "abc")
model.addConstr(a - b == 3, name="ab")
model.addConstr(b - c == 4, name="bc")
model.addConstr(a - c == 8, name="ac")
model.addConstr(a + b + c <= 50, name="cap")
""",
    ["ab bc ac"],
    1.0,
)
case(
    "band",
    "highspy",
    HIGHS
    + """
x, y = model.addVariable(lb=0, name="x"), model.addVariable(lb=0, name="y")
model.addConstr((x + y >= 2), name="start")
model.addRow(2, 4, 2, [0, 1], [1.0, 1.0])
model.passRowName(1, "band")
model.addConstr(x - y >= 6, name="far")
""",
    ["band far y.lb"],
    1.0,
)
case(
    "batches",
    "highspy",
    HIGHS
    + """
x, y = model.addVariable(lb=10, ub=20, name="x"), model.addVariable(lb=0, ub=2, name="y")
model.changeColIntegrality(0, highspy.HighsVarType.kSemiContinuous)
model.addConstr(x + y >= 6, name="need")
model.addConstr(x <= 8, name="tank")
""",
    ["need tank x.lb y.ub"],
    2.0,
    whole=True,
)

# ------------------------------------------------------------------------------------ python-mip
MIP = "import mip\n"
case(
    "bins",
    "mip",
    MIP
    + """
model = mip.Model("bins", solver_name="CBC")
model.verbose = 0
x = [[model.add_var(var_type=mip.BINARY, name=f"x_{i}_{b}") for b in range(2)] for i in range(3)]
for i in range(3):
    model.add_constr(x[i][0] + x[i][1] == 1, name=f"item_{i}")
for b in range(2):
    model.add_constr(mip.xsum(6 * x[i][b] for i in range(3)) <= 10, name=f"bin_{b}")
model.objective = mip.minimize(x[0][0] + x[1][1])
""",
    ["item_0 item_1 item_2 bin_0 bin_1"],
    1.0,
    whole=True,
)
case(
    "tasks",
    "mip",
    MIP
    + """
model = mip.Model("tasks", solver_name="CBC")
model.verbose = 0
t1, t2, t3 = (model.add_var(name=f"t{k}") for k in (1, 2, 3))
model.add_constr(t2 - t1 >= 5, name="first")
model.add_constr(t3 - t2 >= 5, name="second")
model.add_constr(t3 - t1 <= 8, name="span")
model.add_constr(t1 + t2 + t3 <= 90, name="horizon")
model.objective = mip.minimize(t3)
""",
    ["first second span"],
    2.0,
)
case(
    "tanks",
    "mip",
    MIP
    + """
model = mip.Model("tanks", solver_name="CBC")
model.verbose = 0
x, y = model.add_var(ub=5, name="x"), model.add_var(ub=4, name="y")
model.add_constr(x + y >= 10, name="sum")
model.add_constr(x - y <= 3, name="tilt")
model.objective = mip.minimize(x)
""",
    ["sum x.ub y.ub"],
    1.0,
)

# -------------------------------------------------------------------------------------- OR-Tools
ORTOOLS = """from ortools.linear_solver import pywraplp
model = pywraplp.Solver.CreateSolver("SCIP")
"""
case(
    "parity",
    "ortools",
    ORTOOLS
    + """
x, y = model.IntVar(0, 10, "x"), model.IntVar(0, 10, "y")
model.Add(4 * x - 2 * y == 3, "odd")
model.Add(x + y <= 15, "roof")
model.Minimize(x + y)
""",
    ["odd"],
    1.0,
    whole=True,
)
case(
    "line",
    "ortools",
    ORTOOLS
    + """
a, b = model.NumVar(0, model.infinity(), "a"), model.NumVar(0, model.infinity(), "b")
model.Add(a + b <= 7, "line")
model.Add(a >= 4, "orders_a")
model.Add(b >= 5, "orders_b")
model.Add(a - b <= 3, "mix")
model.Maximize(2 * a + 3 * b)
""",
    ["line orders_a orders_b"],
    2.0,
)
case(
    "apart",
    "ortools",
    ORTOOLS
    + """
u = model.NumVar(0, 1, "u")
v, w = model.NumVar(0, model.infinity(), "v"), model.NumVar(0, model.infinity(), "w")
model.Add(2 * u >= 6, "r1")
model.Add(v + w >= 9, "p")
model.Add(v + w <= 6, "q")
model.Minimize(u + v + w)
""",
    ["r1 u.ub", "p q"],
    5.0,
    independent=2,
)

# ----------------------------------------------------------------------------------------- cvxpy
CVXPY = "import cvxpy as cp\n"
case(
    "split",
    "cvxpy",
    CVXPY
    + """
x = cp.Variable(2, nonneg=True, name="x")
model = cp.Problem(cp.Minimize(cp.sum(x)), [cp.sum(x) <= 4, x[0] >= 3, x[1] >= 2])
""",
    ["c0 c1 c2"],
    1.0,
)
case(
    "twice",
    "cvxpy",
    CVXPY
    + """
x, y = cp.Variable(name="x"), cp.Variable(name="y")
model = cp.Problem(cp.Minimize(x), [x == 2 * y, x + y == 9, x <= 5, y <= 50])
""",
    ["c0 c1 c2"],
    1.0,
)
case(
    "choice",
    "cvxpy",
    CVXPY
    + """
z = cp.Variable(3, boolean=True, name="z")
model = cp.Problem(cp.Maximize(cp.sum(z)), [cp.sum(z) == 2, z[0] + z[1] <= 1, z[2] <= 0])
""",
    ["c0 c1 c2"],
    1.0,
)
