"""Programs in nine libraries, each with the verdict that a person gave it before it was run."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.environment import Nl2OptEnvironment
from ordojo.benchmarks.nl2opt.judge import LEAKING, MODELLED, STDOUT
from ordojo.benchmarks.nl2opt.policies import reply, stating
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, outcome_of
from ordojo.core.episode import play
from ordojo.core.instance import Instance
from ordojo.core.records import MISSING, SampleRecord
from ordojo.evaluation.session import EvaluationSession

PROBLEMS = {
    "cups": ("A potter makes at most 4 cups a day and earns 9 a cup. The most a day?", 36),
    "knapsack": ("Worth 8, 7, 6; weights 5, 4, 3; carry 8. What is the most worth?", 14),
    "fence": ("Least (x - 3)^2 + (y - 1)^2 with x + y at least 6?", 2),
    "nurses": ("5 nurses are needed and 4 are there. How few can be called?", "infeasible"),
    "tap": ("Water earns 2 a litre, and nothing bounds it. The most it earns?", "unbounded"),
    "one": ("One of three goods, 2 units at most, earning 3, 5, 4 a unit. The most?", 10),
    "switch": ("8 units: 3 each, or 10 for a machine and then 1 each. The least cost?", 18),
    "apart": ("Jobs worth 5 and 4 that must not both be done. The most worth?", 5),
    "guests": ("As many guests as 10 seats allow, at 2 each; then the least cost?", 20),
}

GUROBI = "import gurobipy as gp\nfrom gurobipy import GRB\nm = gp.Model()\n"
COPT = "import coptpy as cp\nfrom coptpy import COPT\nm = cp.Envr().createModel()\n"
PULP = "import pulp\nm = pulp.LpProblem('a', pulp.LpMaximize)\n"
PULP_END = "m.solve(pulp.PULP_CBC_CMD(msg=0))\n"
PYOMO = "import pyomo.environ as pyo\nm = pyo.ConcreteModel()\n"
PYOMO_END = "r = pyo.SolverFactory('appsi_highs').solve(m, load_solutions=%s)\n"
GLOP = "from ortools.linear_solver import pywraplp\nm = pywraplp.Solver.CreateSolver('SCIP')\n"
CPSAT = "from ortools.sat.python import cp_model\nm, s = cp_model.CpModel(), cp_model.CpSolver()\n"
CVXPY = "import cvxpy as cp\nx = cp.Variable()\n"
HIGHS = "import highspy\nh = highspy.Highs()\nh.silent()\n"
SCIP = "from pyscipopt import Model\nm = Model()\nm.hideOutput()\n"
SCIPY = "import numpy as np\nfrom scipy.optimize import Bounds, LinearConstraint, linprog, milp\n"
KNAPSACK = "worth, weight = [8, 7, 6], [5, 4, 3]\n"
RIGHT, WRONG = AnswerOutcome.CORRECT, AnswerOutcome.WRONG

CASES: dict[str, tuple[str, str, AnswerOutcome]] = {
    # The gurobipy layer
    "gurobipy right": (
        "cups",
        GUROBI + "x = m.addVar(ub=4)\nm.setObjective(9 * x, GRB.MAXIMIZE)\nm.optimize()\n"
        "print('optimal_value =', m.ObjVal)",
        RIGHT,
    ),
    "gurobipy wrong": (
        "cups",
        GUROBI + "x = m.addVar(ub=5)\nm.setObjective(9 * x, GRB.MAXIMIZE)\nm.optimize()\n"
        "print('optimal_value =', m.ObjVal)",
        WRONG,
    ),
    "gurobipy wrong sign": (
        "cups",
        GUROBI + "x = m.addVar(ub=4)\nm.setObjective(-9 * x, GRB.MINIMIZE)\nm.optimize()\n"
        "print('optimal_value =', m.ObjVal)",
        WRONG,
    ),
    "gurobipy infeasible": (
        "cups",
        GUROBI + "x = m.addVar(ub=4)\nm.addConstr(x >= 5)\nm.setObjective(9 * x, GRB.MAXIMIZE)\n"
        "m.optimize()\nprint('optimal_value = INFEASIBLE')",
        AnswerOutcome.INFEASIBLE,
    ),
    "gurobipy time limit": (
        "knapsack",
        GUROBI + "import random\nrandom.seed(1)\n"
        "x = m.addVars(40, vtype=GRB.BINARY)\ns = m.addVars(5)\nt = m.addVars(5)\n"
        "for i in range(5):\n"
        "    a = [random.randrange(100) for _ in range(40)]\n"
        "    row = gp.quicksum(a[j] * x[j] for j in range(40))\n"
        "    m.addConstr(row + s[i] - t[i] == sum(a) // 2)\n"
        "m.setObjective(s.sum() + t.sum())\nm.Params.TimeLimit = 0.5\nm.optimize()",
        AnswerOutcome.TIME_LIMIT,
    ),
    "gurobipy several objectives": (
        "guests",
        GUROBI + "n = m.addVar(ub=10)\nc = m.addVar()\nm.addConstr(c >= 2 * n)\n"
        "m.setObjective(n, GRB.MAXIMIZE)\nm.optimize()\nm.addConstr(n >= n.X)\n"
        "m.setObjective(c, GRB.MINIMIZE)\nm.optimize()\nprint('optimal_value =', m.ObjVal)",
        RIGHT,
    ),
    "gurobipy quadratic": (
        "fence",
        GUROBI + "x, y = m.addVar(), m.addVar()\nm.addConstr(x + y >= 6)\n"
        "m.setObjective((x - 3) * (x - 3) + (y - 1) * (y - 1))\nm.optimize()\n"
        "print('optimal_value =', m.ObjVal)",
        RIGHT,
    ),
    "gurobipy special ordered set": (
        "one",
        GUROBI + "x = [m.addVar(ub=2) for _ in range(3)]\nm.addSOS(GRB.SOS_TYPE1, x, [1, 2, 3])\n"
        "m.setObjective(3 * x[0] + 5 * x[1] + 4 * x[2], GRB.MAXIMIZE)\nm.optimize()\n"
        "print('optimal_value =', m.ObjVal)",
        RIGHT,
    ),
    "gurobipy indicator": (
        "switch",
        GUROBI + "on = m.addVar(vtype=GRB.BINARY)\nmade, bought = m.addVar(ub=20), m.addVar()\n"
        "m.addConstr((on == 0) >> (made <= 0))\nm.addConstr(made + bought >= 8)\n"
        "m.setObjective(10 * on + made + 3 * bought)\nm.optimize()\n"
        "print('optimal_value =', m.ObjVal)",
        RIGHT,
    ),
    "gurobipy callback": (
        "apart",
        GUROBI + "x, y = m.addVar(vtype='B'), m.addVar(vtype='B')\n"
        "m.setObjective(5 * x + 4 * y, GRB.MAXIMIZE)\nm.Params.LazyConstraints = 1\n"
        "def cut(m, where):\n"
        "    if where == GRB.Callback.MIPSOL and sum(m.cbGetSolution([x, y])) > 1.5:\n"
        "        m.cbLazy(x + y <= 1)\n"
        "m.optimize(cut)\nprint('optimal_value =', m.ObjVal)",
        RIGHT,
    ),
    "gurobipy asked for what we lack": (
        "cups",
        GUROBI + "x = m.addVar(ub=4)\nm.setObjective(9 * x, GRB.MAXIMIZE)\nm.tune()",
        AnswerOutcome.UNSUPPORTED,
    ),
    # The coptpy layer
    "coptpy right": (
        "cups",
        COPT + "x = m.addVar(ub=4)\nm.setObjective(9 * x, COPT.MAXIMIZE)\nm.solve()\n"
        "print('optimal_value =', m.objval)",
        RIGHT,
    ),
    "coptpy infeasible as it is": (
        "nurses",
        COPT + "x = m.addVar(ub=4)\nm.addConstr(x >= 5)\nm.setObjective(x, COPT.MINIMIZE)\n"
        "m.solve()\nprint('optimal_value = INFEASIBLE')",
        RIGHT,
    ),
    "coptpy negated, said as profit": (
        "cups",
        COPT + "x = m.addVar(ub=4)\nm.setObjective(-9 * x, COPT.MINIMIZE)\nm.solve()\n"
        "print('optimal_value =', -m.objval)",
        RIGHT,
    ),
    # PuLP
    "PuLP right": (
        "cups",
        PULP + "x = pulp.LpVariable('x', 0, 4)\nm += 9 * x\n"
        + PULP_END + "print('optimal_value =', pulp.value(m.objective))",
        RIGHT,
    ),
    "PuLP wrong sense": (
        "cups",
        PULP.replace("Maximize", "Minimize") + "x = pulp.LpVariable('x', 0, 4)\nm += 9 * x\n"
        + PULP_END + "print('optimal_value =', pulp.value(m.objective))",
        WRONG,
    ),
    "PuLP unbounded as it is": (
        "tap",
        PULP + "x, y = pulp.LpVariable('x', 0), pulp.LpVariable('y', 0)\nm += 2 * x\n"
        "m += x - y <= 1\n" + PULP_END + "print('optimal_value = UNBOUNDED')",
        RIGHT,
    ),
    "PuLP never solved": (
        "cups",
        PULP + "x = pulp.LpVariable('x', 0, 4)\nm += 9 * x\nprint('optimal_value =', 36)",
        AnswerOutcome.PRINTED,
    ),
    "PuLP never solved, said before a long listing": (
        "cups",
        "print('optimal_value = 36')\nfor i in range(5000):\n    print(f'x_{i} is 0 here')",
        AnswerOutcome.PRINTED,
    ),
    "PuLP relaxed": (
        "knapsack",
        PULP + KNAPSACK + "x = [pulp.LpVariable(f'x{i}', 0, 1) for i in range(3)]\n"
        "m += pulp.lpDot(worth, x)\nm += pulp.lpDot(weight, x) <= 8\n"
        + PULP_END + "print('optimal_value =', pulp.value(m.objective))",
        WRONG,
    ),
    # Pyomo
    "Pyomo right": (
        "cups",
        PYOMO + "m.x = pyo.Var(bounds=(0, 4))\nm.o = pyo.Objective(expr=9 * m.x, sense=-1)\n"
        + PYOMO_END % True + "print('optimal_value =', pyo.value(m.o))",
        RIGHT,
    ),
    "Pyomo negated, said as profit": (
        "cups",
        PYOMO + "m.x = pyo.Var(bounds=(0, 4))\nm.o = pyo.Objective(expr=-9 * m.x)\n"
        + PYOMO_END % True + "print('optimal_value =', 9 * pyo.value(m.x))",
        RIGHT,
    ),
    "Pyomo infeasible": (
        "cups",
        PYOMO + "m.x = pyo.Var(bounds=(0, 4))\nm.o = pyo.Objective(expr=9 * m.x, sense=-1)\n"
        "m.c = pyo.Constraint(expr=m.x >= 5)\n"
        + PYOMO_END % False + "print(r.solver.termination_condition)",
        AnswerOutcome.INFEASIBLE,
    ),
    "Pyomo over gurobipy": (
        "knapsack",
        PYOMO + KNAPSACK + "m.x = pyo.Var(range(3), domain=pyo.Binary)\n"
        "m.o = pyo.Objective(expr=sum(worth[i] * m.x[i] for i in range(3)), sense=-1)\n"
        "m.c = pyo.Constraint(expr=sum(weight[i] * m.x[i] for i in range(3)) <= 8)\n"
        "pyo.SolverFactory('gurobi').solve(m)\nprint('optimal_value =', pyo.value(m.o))",
        RIGHT,
    ),
    # OR-Tools
    "OR-Tools linear solver right": (
        "cups",
        GLOP + "x = m.NumVar(0, 4, 'x')\nm.Maximize(9 * x)\nm.Solve()\n"
        "print('optimal_value =', m.Objective().Value())",
        RIGHT,
    ),
    "OR-Tools CP-SAT right": (
        "knapsack",
        CPSAT + KNAPSACK + "x = [m.new_bool_var('') for _ in range(3)]\n"
        "m.add(sum(w * v for w, v in zip(weight, x)) <= 8)\n"
        "m.maximize(sum(w * v for w, v in zip(worth, x)))\ns.solve(m)\n"
        "print('optimal_value =', s.objective_value)",
        RIGHT,
    ),
    "OR-Tools CP-SAT infeasible as it is": (
        "nurses",
        CPSAT + "x = m.NewIntVar(0, 4, 'x')\nm.Add(x >= 5)\nm.Minimize(x)\n"
        "print(s.StatusName(s.Solve(m)))",
        RIGHT,
    ),
    "OR-Tools CP-SAT several objectives": (
        "guests",
        CPSAT + "n = m.new_int_var(0, 10, 'n')\nc = m.new_int_var(0, 99, 'c')\n"
        "m.add(c >= 2 * n)\nm.maximize(n)\ns.solve(m)\nm.add(n == s.value(n))\nm.minimize(c)\n"
        "s.solve(m)\nprint('optimal_value =', s.objective_value)",
        RIGHT,
    ),
    "OR-Tools MathOpt wrong": (
        "cups",
        "from ortools.math_opt.python import mathopt\nm = mathopt.Model()\n"
        "x = m.add_variable(lb=0, ub=3)\nm.maximize(9 * x)\n"
        "print('optimal_value =', mathopt.solve(m, mathopt.SolverType.GLOP).objective_value())",
        WRONG,
    ),
    # cvxpy
    "cvxpy Maximize": (
        "cups",
        CVXPY + "p = cp.Problem(cp.Maximize(9 * x), [x <= 4, x >= 0])\np.solve()\n"
        "print('optimal_value =', p.value)",
        RIGHT,
    ),
    "cvxpy quadratic": (
        "fence",
        "import cvxpy as cp\nx = cp.Variable(2)\n"
        "p = cp.Problem(cp.Minimize(cp.sum_squares(x - [3, 1])), [cp.sum(x) >= 6])\n"
        "p.solve(solver='CLARABEL')\nprint('optimal_value =', p.value)",
        RIGHT,
    ),
    "cvxpy unbounded as it is": (
        "tap",
        CVXPY + "p = cp.Problem(cp.Maximize(2 * x), [x >= 0])\np.solve()\nprint(p.status)",
        RIGHT,
    ),
    "cvxpy infeasible": (
        "cups",
        CVXPY + "p = cp.Problem(cp.Maximize(9 * x), [x <= 4, x >= 5])\np.solve()\nprint(p.status)",
        AnswerOutcome.INFEASIBLE,
    ),
    # highspy
    "highspy right": (
        "cups",
        HIGHS + "x = h.addVariable(0, 4)\nh.maximize(9 * x)\n"
        "print('optimal_value =', h.getObjectiveValue())",
        RIGHT,
    ),
    "highspy says what it did not solve": (
        "cups",
        HIGHS + "x = h.addVariable(0, 5)\nh.maximize(9 * x)\nprint('optimal_value =', 36)",
        AnswerOutcome.OTHERWISE,
    ),
    # PySCIPOpt
    "PySCIPOpt right": (
        "knapsack",
        SCIP + KNAPSACK + "x = [m.addVar(vtype='B') for _ in range(3)]\n"
        "m.addCons(sum(w * v for w, v in zip(weight, x)) <= 8)\n"
        "m.setObjective(sum(w * v for w, v in zip(worth, x)), 'maximize')\nm.optimize()\n"
        "print('optimal_value =', m.getObjVal())",
        RIGHT,
    ),
    "PySCIPOpt indicator": (
        "switch",
        SCIP + "on, made, bought = m.addVar(vtype='B'), m.addVar(ub=20), m.addVar()\n"
        "off = m.addVar(vtype='B')\nm.addCons(on + off == 1)\n"
        "m.addConsIndicator(made <= 0, binvar=off)\nm.addCons(made + bought >= 8)\n"
        "m.setObjective(10 * on + made + 3 * bought)\nm.optimize()\n"
        "print('optimal_value =', m.getObjVal())",
        RIGHT,
    ),
    "PySCIPOpt unbounded": (
        "cups",
        SCIP + "x = m.addVar()\nm.setObjective(9 * x, 'maximize')\nm.optimize()\n"
        "print(m.getStatus())",
        AnswerOutcome.UNBOUNDED,
    ),
    # scipy
    "scipy negated, said as profit": (
        "cups",
        SCIPY + "found = linprog([-9], bounds=[(0, 4)])\nprint('optimal_value =', -found.fun)",
        RIGHT,
    ),
    "scipy wrong sign": (
        "cups",
        SCIPY + "found = linprog([-9], bounds=[(0, 4)])\nprint('optimal_value =', found.fun)",
        WRONG,
    ),
    "scipy milp": (
        "knapsack",
        SCIPY + "found = milp([-8, -7, -6], integrality=np.ones(3), bounds=Bounds(0, 1),\n"
        "    constraints=LinearConstraint([[5, 4, 3]], ub=8))\n"
        "print('optimal_value =', -found.fun)",
        RIGHT,
    ),
    "scipy quadratic": (
        "fence",
        "from scipy.optimize import minimize\n"
        "found = minimize(lambda z: (z[0] - 3) ** 2 + (z[1] - 1) ** 2, [0, 0],\n"
        "    constraints={'type': 'ineq', 'fun': lambda z: z[0] + z[1] - 6})\n"
        "print('optimal_value =', found.fun)",
        RIGHT,
    ),
    # None of them
    "printed only": ("cups", "print('optimal_value = 36')", AnswerOutcome.PRINTED),
    "says that it is not supported": (
        "cups",
        "print(\"addConstr is not supported by ordojo's gurobipy\")",
        AnswerOutcome.NO_SOLUTION,
    ),
    "raises that it is not supported": (
        "cups",
        "raise NotImplementedError(\"tune is not supported by ordojo's gurobipy\")",
        AnswerOutcome.NOT_EXECUTABLE,
    ),
    "raises a licence error of its own": (
        "cups",
        "import gurobipy\n"
        "raise gurobipy.GurobiError(10010, 'Model too large for size-limited license')",
        AnswerOutcome.NOT_EXECUTABLE,
    ),
    "imports what nobody declared": ("cups", "import gekko", AnswerOutcome.NOT_EXECUTABLE),
    "imports what clashes": (
        "cups",
        "import highspy\nfrom ortools.linear_solver import pywraplp",
        AnswerOutcome.UNSUPPORTED,
    ),
}  # fmt: skip

FLIPPED = {name for name in CASES if "said as profit" in name} | {"scipy milp"}


@pytest.fixture(scope="module")
def asked(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Nl2OptEnvironment, dict[str, Instance[Any]]]]:
    file = tmp_path_factory.mktemp("own") / "problems.jsonl"
    rows = [
        {"id": name, "question": question, "answer": answer}
        for name, (question, answer) in PROBLEMS.items()
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    options = BENCHMARK.options(dataset=str(file), program_limit=20.0)
    environment = Nl2OptEnvironment(options)
    yield environment, {i.id: i for i in BENCHMARK.load(options, 0)}
    environment.close()


@pytest.mark.parametrize("name", CASES)
def test_judged_as_a_person_would(name: str, asked: Any) -> None:
    environment, instances = asked
    problem, program, expected = CASES[name]
    instance = instances[problem]
    episode = play(environment, instance, lambda observation: reply(program))
    verdict = BENCHMARK.rules["strict-1e-6"](instance, episode)
    info = episode.turns[-1].info
    assert outcome_of(verdict) is expected, (verdict.reason, info["execution"], info["solves"])
    assert verdict.metrics.get("flipped", 0.0) == float(name in FLIPPED)
    assert episode.turns[-1].reward == verdict.score == float(expected is RIGHT)
    if expected is AnswerOutcome.PRINTED:
        assert BENCHMARK.rules[STDOUT](instance, episode).score == 1.0


UNTOLD = {"scipy milp": "scipy", "cvxpy quadratic": "cvxpy"}
AGAIN = {
    "PuLP relaxed": "PuLP",
    "PySCIPOpt right": "PySCIPOpt",
    "OR-Tools linear solver right": "OR-Tools",
    "OR-Tools CP-SAT right": "OR-Tools",
    "highspy right": "highspy",
    "Pyomo negated, said as profit": "Pyomo",
}


@pytest.mark.parametrize("name", [*UNTOLD, *AGAIN])
def test_a_model_at_hand_is_solved_again_by_our_service(name: str, asked: Any) -> None:
    environment, instances = asked
    problem, program, expected = CASES[name]
    episode = play(environment, instances[problem], lambda observation: reply(program))
    solve = episode.turns[-1].info["solves"][-1]
    metrics = BENCHMARK.rules["strict-1e-6"](instances[problem], episode).metrics
    told = name in UNTOLD
    assert solve["library"] == {**UNTOLD, **AGAIN}[name]
    assert (solve["told"], bool(solve["hash"]), bool(solve["solver"])) == (told, not told, not told)
    assert (metrics["told"], metrics["from_service"]) == (float(told), float(not told))
    modelled = BENCHMARK.rules[MODELLED](instances[problem], episode)
    trivial = bool(metrics["trivial"])
    assert modelled.score == float(expected is RIGHT and not told and not trivial)
    assert trivial is (problem == "cups")  # each of these is a column between bounds


def test_what_a_library_lies_about_stays_told(asked: Any) -> None:
    environment, instances = asked
    program = PULP + (
        "import pulp.pulp\nfrom ordojo.compat import transport\n"
        "from ordojo.solvers.answers import Status\n"
        "was = transport.tell\n"
        "transport.tell = lambda *_: was('PuLP', Status.OPTIMAL, 36.0, True)\n"
        "x = pulp.LpVariable('x', 0, 3)\nm += 9 * x\n"
    )
    text = reply(program + PULP_END + "print('optimal_value = 36')")
    episode = play(environment, instances["cups"], lambda observation: text)
    scores = {
        rule: BENCHMARK.rules[rule](instances["cups"], episode)
        for rule in ("strict-1e-6", MODELLED)
    }
    assert scores["strict-1e-6"].metrics["told"] == 1.0
    assert [verdict.score for verdict in scores.values()] == [1.0, 0.0]
    assert "told of a solve without its model" in scores[MODELLED].reason


def test_a_fixed_variable_is_no_model_of_the_problem(asked: Any) -> None:
    """The rule that leaves it out is an option of the environment's reward, and of training's."""
    environment, instances = asked
    dressed = stating(36.0)
    honest = reply(CASES["gurobipy quadratic"][1])
    paid = Nl2OptEnvironment(environment._options.model_copy(update={"reward": MODELLED}))
    for place, wanted in ((environment, 1.0), (paid, 0.0)):
        episode = play(place, instances["cups"], lambda observation: dressed)
        assert episode.reward == wanted
        assert play(place, instances["fence"], lambda observation: honest).reward == 1.0
    paid.close()
    verdicts = {rule: BENCHMARK.rules[rule](instances["cups"], episode) for rule in BENCHMARK.rules}
    assert verdicts["strict-1e-6"].score == 1.0 and verdicts[MODELLED].score == 0.0
    assert verdicts["strict-1e-6"].metrics["trivial"] == 1.0


def test_abstaining_does_not_pay(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """5 right answers and 22 abstentions are 5 of 27, whatever is abstained by, under any rule."""
    monkeypatch.setattr(
        "ordojo.benchmarks.nl2opt.workshop.declared_versions",
        lambda isolation: {"ortools": MISSING},
    )
    options = BENCHMARK.options(dataset="nl2opt@ordojo", leaks=True)
    session = EvaluationSession(BENCHMARK, options, 0)
    # Whole optima come first: two rules of publishers ask for more digits than programs print.
    items = sorted(session.instances, key=lambda one: "." in one.problem.golds[0].text)
    ways = [CASES[name][1] for name in CASES if "support" in name or "licence" in name]
    ways.append(CASES["imports what clashes"][1])  # of which one is missing here
    ways.append(GUROBI + "x = m.addVar()\nm.addConstr(x * x <= 4)\nm.setObjective(-x)\n")
    ways[-1] += "m.optimize()"  # of a form that cannot be compared
    ways += [CASES[f"gurobipy {name}"][1] for name in ("quadratic", "time limit", "indicator")]
    ways += ["", "import gekko", "import sys; sys.exit()", "print('optimal_value = nan')"]
    programs = [one.problem.program for one in items[:5]] + ways + ways
    records: list[SampleRecord] = []
    for instance, program in zip(items, programs, strict=False):
        attempt = session.begin(instance)
        attempt.steps.reply(reply(program))
        records.append(attempt.record(1))
    session.close()
    assert len(records) == 27
    for rule in BENCHMARK.rules:
        verdicts = [record.verdicts[rule] for record in records]
        assert [verdict.score for verdict in verdicts] == [1.0] * 5 + [0.0] * 22, rule
        # What is counted is the items that have an optimum, or all, and not what was answered.
        found = BENCHMARK.metrics(records, rule)["pass@1"]
        assert found.n in (26, 27) and found.value == pytest.approx(5 / found.n), rule
    assert any("undecided" in record.verdicts["equivalent"].reason for record in records)
    figures = BENCHMARK.metrics(records, "strict-1e-6")
    lacking = figures["outcome/library missing"]
    assert next(iter(figures)) == "pass@1" and figures["unscored"].value == 0.0
    assert figures["unsupported"] == lacking and lacking.value == pytest.approx(2 / lacking.n)
    assert figures["pass@1 where scored"].value == pytest.approx(5 / (lacking.n - 2))
    assert sum(record.episode.turns[-1].reward for record in records) == 5.0


def test_what_our_world_lacks_is_not_solved(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is called missing where our own check has not found it, and there alone."""
    environment, instances = asked
    program = reply(CASES["imports what clashes"][1])
    versions = {"ortools": MISSING}
    monkeypatch.setattr(
        "ordojo.benchmarks.nl2opt.workshop.declared_versions", lambda isolation: versions
    )
    episode = play(environment, instances["cups"], lambda observation: program)
    for rule in set(BENCHMARK.rules) - {"equivalent", *LEAKING}:
        verdict = BENCHMARK.rules[rule](instances["cups"], episode)
        assert (verdict.outcome, verdict.score, verdict.reason) == (
            "unsupported",
            0.0,
            "library missing: our world lacks ortools",
        )


def test_a_forged_lack_is_an_abstention(asked: Any) -> None:
    """The program's word that a library is missing counts for nothing but itself."""
    environment, instances = asked
    program = "from ordojo.compat import transport\ntransport.tell('PuLP', 'LACKING')"
    episode = play(environment, instances["cups"], lambda observation: reply(program))
    verdict = BENCHMARK.rules["strict-1e-6"](instances["cups"], episode)
    assert (verdict.outcome, verdict.score) == ("unsupported", 0.0)
