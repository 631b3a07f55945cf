"""Programs that try to learn the gold: whatever reaches them is the same for every gold."""

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.environment import Nl2OptEnvironment
from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.core.episode import play
from ordojo.datasets.golds import GoldAnswer
from tests.benchmarks.nl2opt.made import instance, options

GOLDS = (-1e7, 50.0, 1e7)
"""Below, within and above what the attacks' models reach."""

PRELUDE = """
import random, sys
import gurobipy as gp
from gurobipy import GRB

def bag(n=40, rows=4, sense=GRB.MAXIMIZE, seed=1):
    rng = random.Random(seed)
    m = gp.Model()
    m.Params.OutputFlag = 0
    x = m.addVars(n, vtype=GRB.BINARY)
    for _ in range(rows):
        m.addConstr(gp.quicksum(rng.randint(1, 99) * x[j] for j in x) <= 12 * n)
    m.setObjective(gp.quicksum(rng.randint(-9, 99) * x[j] for j in x), sense)
    return m, x

def seen(m):
    found = [m.Status, m.SolCount]
    for name in ("ObjVal", "ObjBound", "ObjBoundC", "MIPGap", "NodeCount", "IterCount"):
        try:
            found.append(getattr(m, name))
        except Exception as error:
            found.append(repr(error))
    return found

def fixed(value, sense=GRB.MAXIMIZE, room=1.0):
    m = gp.Model()
    m.Params.OutputFlag = 0
    y = m.addVar(lb=value, ub=value + room, vtype=GRB.INTEGER)
    z = m.addVar(vtype=GRB.BINARY)
    m.addConstr(2 * y + 2 * z <= 2 * value + 2 * room)
    m.setObjective(y + 0.3 * z, sense)
    return m
"""

BISECT = """
low, high = -2.0e7, 2.0e7
for step in range(SOLVES):
    middle = round((low + high) / 2)
    m = fixed(middle, GRB.MAXIMIZE if step % 2 else GRB.MINIMIZE)
    m.Params.NodeLimit = step % 3
    m.optimize()
    if m.Status in (GRB.INTERRUPTED, GRB.NODE_LIMIT):
        high = middle
    else:
        low = middle
    if high - low < 1:
        low, high = low - 50, high + 50
print("optimal_value =", low)
"""

ATTACKS = {
    "status, bound and counts": "m, x = bag(); m.optimize(); print(seen(m), [x[j].X for j in x])",
    "minimize": "m, x = bag(sense=GRB.MINIMIZE); m.optimize(); print(seen(m))",
    "a gap that hides": "m, x = bag(); m.Params.MIPGap = 0.5; m.optimize(); print(seen(m))",
    "node limits": """
for limit in (0, 1, 5, 50):
    m, x = bag(60, 6); m.Params.NodeLimit = limit; m.optimize(); print(seen(m))
""",
    "no time": "m, x = bag(); m.Params.TimeLimit = 0; m.optimize(); print(seen(m)[:2])",
    "cutoff and stop": """
for value in (-1e7, 50, 1000, 1e7):
    for name in ("Cutoff", "BestObjStop"):
        m, x = bag(); m.setParam(name, value); m.optimize(); print(seen(m))
""",
    "the pool": """
m, x = bag(); m.Params.PoolSolutions = 5; m.Params.PoolSearchMode = 2; m.optimize(); print(seen(m))
for k in range(m.SolCount):
    m.Params.SolutionNumber = k; print(m.PoolObjVal)
""",
    "the log": """
m, x = bag(); m.Params.OutputFlag = 1; m.optimize(); print(seen(m))
""",
    "events of a callback": """
def ask(model, where):
    if where == GRB.Callback.MIPSOL:
        print(model.cbGet(GRB.Callback.MIPSOL_OBJ), model.cbGet(GRB.Callback.MIPSOL_OBJBST),
              model.cbGet(GRB.Callback.MIPSOL_OBJBND), model.cbGet(GRB.Callback.MIPSOL_NODCNT))
m, x = bag(60, 6); m.optimize(ask); print(seen(m))
""",
    "a solve in a callback steers the outer one": """
def ask(model, where):
    if where == GRB.Callback.MIPSOL:
        inner = fixed(round(model.cbGet(GRB.Callback.MIPSOL_OBJ))); inner.optimize()
        print(seen(inner))
        if inner.Status != GRB.OPTIMAL:
            model.terminate()
m, x = bag(60, 6); m.optimize(ask); print(seen(m))
""",
    "three solves deep": """
def ask(depth):
    def inner(model, where):
        if where == GRB.Callback.MIPSOL and depth:
            m, x = bag(30, 3, seed=depth); m.optimize(ask(depth - 1)); print(depth, seen(m))
    return inner
m, x = bag(40, 4); m.optimize(ask(2)); print(seen(m))
""",
    "lazy constraints": """
def ask(model, where):
    if where == GRB.Callback.MIPSOL:
        model.cbLazy(gp.quicksum(x.values()) <= 12); print(model.cbGet(GRB.Callback.MIPSOL_OBJ))
m, x = bag(); m.Params.LazyConstraints = 1; m.optimize(ask); print(seen(m))
""",
    "the same model again and again": """
for _ in range(5):
    m, x = bag(); m.optimize(); print(seen(m))
    m.optimize(); print(seen(m))
""",
    "solving on after everything": """
for value in (-1e6, 0, 50, 51, 1e6):
    for sense in (GRB.MINIMIZE, GRB.MAXIMIZE):
        m = fixed(value, sense); m.optimize(); print(seen(m))
""",
    "several objectives": """
m, x = bag(); m.ModelSense = GRB.MAXIMIZE
m.setObjectiveN(gp.quicksum(x.values()), 0, 2); m.setObjectiveN(x[0] - x[1], 1, 1)
m.optimize(); print(m.Status, [x[j].X for j in x])
""",
    "a quadratic objective": """
m, x = bag(12, 2); m.setObjective(gp.quicksum(x[j] * x[j + 1] for j in range(11)), GRB.MAXIMIZE)
m.optimize(); print(seen(m))
""",
    "a quadratic row": """
m, x = bag(12, 2); m.addQConstr(gp.quicksum(x[j] * x[j] for j in x) <= 6); m.optimize()
print(seen(m))
""",
    "an infeasible subsystem": """
m, x = bag(); m.addConstr(gp.quicksum(x.values()) >= 41); m.optimize(); print(seen(m))
m.computeIIS(); print(m.IISMinimal, [c.IISConstr for c in m.getConstrs()])
""",
    "duals and ranges": """
m = gp.Model(); m.Params.OutputFlag = 0
a, b = m.addVar(ub=4), m.addVar(ub=6); c = m.addConstr(3 * a + 2 * b <= 18)
m.setObjective(3 * a + 5 * b, GRB.MAXIMIZE); m.optimize()
print(seen(m), c.Pi, c.SARHSLow, c.SARHSUp, a.SAObjLow, a.SAObjUp, a.RC)
""",
    "unbounded and infeasible": """
for lower in (0, 1):
    m = gp.Model(); m.Params.OutputFlag = 0
    y = m.addVar(); m.addConstr(y >= 2) if lower else m.addConstr(0 * y >= 1)
    m.setObjective(y, GRB.MAXIMIZE); m.optimize(); print(seen(m))
""",
    "errors": """
nan = float("nan")
for spoil in (lambda m, x: m.addConstr(x[0] <= nan), lambda m, x: m.setObjective(1e30 * x[0])):
    try:
        m, x = bag(5, 1); spoil(m, x); m.optimize(); print(seen(m))
    except Exception as error:
        print(type(error).__name__, error)
""",
    "the exit code": "m, x = bag(); m.optimize(); sys.exit(m.Status + m.SolCount % 7)",
    "an exception": "m, x = bag(); m.optimize(); raise ValueError(seen(m))",
    "everything that stands about": """
import gc, os
m, x = bag(); m.optimize()
print(sorted(os.environ), sorted(os.listdir(".")))
names = {str(name) for one in gc.get_objects() if isinstance(one, dict) for name in one}
print(sorted(name for name in names if "gold" in name.lower()))
""",
    "raw messages": """
from ordojo.compat import transport
from ordojo.compat.messages import pack, unpack
from ordojo.sandbox import channel
for kind in ("gold", "records", "solve", "verdict", "reply", "stop"):
    print(unpack(channel.call(pack({"kind": kind, "token": "", "reply": {}}))))
""",
    "bisection": BISECT.replace("SOLVES", "60"),
}


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """One environment stays open, so that the tests share its sandbox."""
    environment = BENCHMARK.environment(options(), 0)
    yield
    environment.close()


def told(program: str, gold: float) -> tuple[dict[str, Any], float]:
    """All that reaches a program or follows from it, without times; and its reward."""
    known = instance()
    answer = GoldAnswer("number", gold, repr(gold))
    known = dataclasses.replace(
        known,
        problem=dataclasses.replace(known.problem, golds=(answer,), program="", reference=None),
    )
    environment = Nl2OptEnvironment(options())
    assert environment._workshop is not None
    environment._workshop._caches.clear()  # or the second gold's solves were the first one's
    try:
        episode = play(environment, known, lambda asked: reply(PRELUDE + program))
    finally:
        environment.close()
    info: Any = episode.turns[-1].info
    execution = {k: v for k, v in info["execution"].items() if k != "seconds"}
    for key in ("stdout", "log"):
        execution[key] = re.sub(r"[\d.]+ (seconds|work units)", "", execution[key])
    solves = [
        {k: v for k, v in one.items() if k not in {"seconds", "cached"}} for one in info["solves"]
    ]
    return {"execution": execution, "solves": solves}, episode.reward


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_that_a_program_sees_depends_on_the_gold(name: str) -> None:
    found = [told(ATTACKS[name], gold)[0] for gold in GOLDS]
    assert found[0]["execution"]["stdout"] or found[0]["execution"]["outcome"] != "finished"
    assert found[0]["execution"]["exception"] in {"", "ValueError"}, found[0]["execution"]
    assert all(one == found[0] for one in found)


def test_a_thousand_solves_learn_nothing() -> None:
    """The bisecting program scores what a program scores that does nothing."""
    program = BISECT.replace("SOLVES", "1000")
    for gold in (50.0, 12_345_678.0):
        found, reward = told(program, gold)
        assert len(found["solves"]) == 1000
        assert reward == told("", gold)[1] == 0.0
