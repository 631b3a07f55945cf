"""The model of a user's program: run contained, its last linear model taken, else one sentence."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from ordojo.compat.capture import (
    lent_sandbox,
    linear_model,
    model_of_program,
    problems_of_program,
    run_captured,
)
from ordojo.compat.service import Cache
from ordojo.core.errors import DataError, SandboxError
from ordojo.milp.model import VarType
from ordojo.milp.problem import beyond_linear
from ordojo.sandbox.outcome import ProgramOutcome
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.problem import Problem, Settings
from tests import needs
from tests.milp.builder import ModelBuilder

HEAD = "import gurobipy as gp\nfrom gurobipy import GRB\n"
BAKERY = f"""{HEAD}
m = gp.Model("bakery")
bread, cake = m.addVar(name="bread"), m.addVar(ub=9, vtype=GRB.INTEGER, name="cake")
m.addConstr(2 * bread + 3 * cake <= 60, name="oven")
m.addConstr(2 * bread + 3 * cake >= 75, name="orders")
m.setObjective(3 * bread + 5 * cake, GRB.MAXIMIZE)
m.optimize()
"""
COPT = """
import coptpy as cp
from coptpy import COPT
m = cp.Envr().createModel("mill")
x = m.addVar(lb=0, ub=3, name="x")
m.addConstr(x >= 5, name="big")
m.setObjective(x, COPT.MINIMIZE)
m.solve()
"""


@pytest.fixture(autouse=True, scope="module")
def contained() -> None:
    try:
        with lent_sandbox("auto", 5.0):
            pass
    except SandboxError as error:
        pytest.skip(str(error))


def program(folder: Path, source: str, name: str = "work.py") -> Path:
    path = folder / name
    path.write_text(source)
    return path


def test_the_model_is_the_programs(tmp_path: Path) -> None:
    model = model_of_program(program(tmp_path, BAKERY))
    assert (model.name, model.maximize) == ("bakery", True)
    assert model.row_names == ("oven", "orders") and model.col_names == ("bread", "cake")
    assert list(model.types) == [VarType.CONTINUOUS, VarType.INTEGER]
    assert list(model.objective) == [3, 5] and list(model.col_upper) == [float("inf"), 9]
    assert list(model.row_upper) == [60, float("inf")] and model.row_lower[1] == 75
    assert HighsOracle().solve(model).status == Status.INFEASIBLE


def test_coptpy_and_a_model_without_a_name(tmp_path: Path) -> None:
    assert model_of_program(program(tmp_path, COPT)).row_names == ("big",)
    nameless = BAKERY.replace('"bakery"', "")
    assert model_of_program(program(tmp_path, nameless, "cakes.py")).name == "cakes"


def test_what_it_does_after_its_last_solve_does_not_matter(tmp_path: Path) -> None:
    assert model_of_program(program(tmp_path, f"{BAKERY}\nprint(bread.X)\n")).name == "bakery"
    assert model_of_program(program(tmp_path, f"{BAKERY}\nm.computeIIS()\n")).name == "bakery"


def test_the_last_linear_model_counts(tmp_path: Path) -> None:
    more = f"{BAKERY}\nm.addConstr(bread >= 1, name='late')\nm.optimize()\n"
    assert model_of_program(program(tmp_path, more)).row_names == ("oven", "orders", "late")
    square = f"{more}\nm.setObjective(bread * bread)\nm.optimize()\n"
    assert model_of_program(program(tmp_path, square)).objective[1] == 5


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("print('hello')\n", "solved no model: it must build one"),
        (f"{HEAD}m = gp.Model()\nraise ValueError('no\\ndata')\n", "ValueError: no data"),
        (f"{HEAD}m = gp.Model(\n", "SyntaxError"),
        (f"{HEAD}while True: pass\n", "wall time"),
        (f"{BAKERY.replace('+ 3 * cake <=', '+ cake * cake <=')}", "quadratic constraints"),
        (f"open({str(Path(__file__))!r}).read()\n", "Error"),
    ],
)
def test_what_has_no_linear_model_is_one_sentence(tmp_path: Path, source: str, says: str) -> None:
    with pytest.raises(DataError, match=says) as found:
        model_of_program(program(tmp_path, source), time_limit=3.0)
    assert "work.py" in str(found.value) and "\n" not in str(found.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    for name in ("none.py", "bytes.py"):
        with pytest.raises(DataError, match=f"{name} cannot be read"):
            model_of_program(tmp_path / name)


def test_files_that_it_or_its_modules_name_are_there_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("75\n")
    (tmp_path / "secret.txt").write_text("1\n")
    (tmp_path / "ledger.py").write_text("def read():\n    return open('orders.csv').read()\n")
    (tmp_path / "demand.py").write_text(
        "import ledger\ndef need():\n    return float(ledger.read())\n"
    )
    source = BAKERY.replace(">= 75", ">= need()").replace(HEAD, f"{HEAD}from demand import need\n")
    source = f"import os\nassert 'secret' not in str(os.listdir())\n{source}"
    assert model_of_program(program(tmp_path, source)).row_lower[1] == 75


def test_names_given_twice_are_told_apart() -> None:
    b = ModelBuilder("twice")
    b.col("x", upper=1.0)
    b.row("a", {"x": 1.0}, "<=", 5.0)
    b.row("b", {"x": 1.0}, "<=", 6.0)
    b.row("c", {"x": 1.0}, "<=", 7.0)
    model = replace(b.build(), row_names=("c", "c", "c#2"))
    assert linear_model(Problem(model)).row_names == ("c", "c#3", "c#2")
    assert linear_model(Problem(b.build())) is not None


def test_a_relaxed_model_has_no_whole_numbers() -> None:
    b = ModelBuilder("relaxed")
    b.col("x", upper=9.0, kind=VarType.BINARY)
    b.row("a", {"x": 1.0}, "<=", 5.0)
    model = linear_model(Problem(b.build(), settings=Settings(relaxed=True)))
    assert not model.is_mip and list(model.col_upper) == [1.0]
    lazy = Problem(b.build(), settings=Settings(lazy=True))
    assert beyond_linear(lazy) == "lazy constraints"
    with pytest.raises(DataError, match="lazy constraints"):
        linear_model(lazy)


def test_equal_models_are_solved_once(tmp_path: Path) -> None:
    cache = Cache()
    with lent_sandbox("auto", 20.0) as sandbox:
        for _ in range(3):
            found = run_captured(sandbox, BAKERY, 5.0, 5.0, cache=cache)
            assert found.execution.ok and found.solves == len(found.problems) == 1
    assert (cache.misses, cache.hits) == (1, 2)


CP_SAT = """
from ortools.sat.python import cp_model
c = cp_model.CpModel()
c.AddAllDifferent([c.NewIntVar(0, 5, name) for name in "abc"])
cp_model.CpSolver().Solve(c)
"""
CONE = """
import cvxpy as cp
x = cp.Variable(2, name="x")
cp.Problem(cp.Minimize(cp.norm(x, 2)), [x[0] + x[1] >= 2]).solve(solver=cp.GUROBI)
"""


@needs("ortools", "programs")
@needs("cvxpy", "programs")
def test_a_refused_model_is_the_last_one(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be taken up: 'c0' of the CP-SAT model"):
        problems_of_program(program(tmp_path, BAKERY + CP_SAT))
    (last,) = problems_of_program(program(tmp_path, CP_SAT + BAKERY))
    assert last.model.name == "bakery"
    # No problem holds a cvxpy model with a norm, but the one by which the service solves it.
    (own,) = problems_of_program(program(tmp_path, BAKERY + CONE))
    assert own.quadratic_rows and own.model.name != "bakery"


def test_a_sandbox_is_lent_to_one_and_kept_for_the_next() -> None:
    with lent_sandbox("auto", 5.0) as one, lent_sandbox("auto", 5.0) as two:
        assert one is not two and one.run("print(1)").stdout == two.run("print(1)").stdout == "1\n"
    with lent_sandbox("auto", 0.5, memory=512) as again:
        assert again in (one, two) and again.limits.memory == 512 << 20
        assert again.run("while True: pass").outcome == ProgramOutcome.TIME_LIMIT
        worker = again._worker
        assert worker is not None and worker.process is not None
    # Killed while it waits: the next program finds another one.
    os.kill(worker.process.pid, signal.SIGKILL)
    worker.process.wait(10)
    with lent_sandbox("auto", 5.0) as last:
        assert last is again and last.run("print(2)").stdout == "2\n"
    with pytest.raises(ZeroDivisionError), lent_sandbox("auto", 5.0) as broken:
        1 / 0  # noqa: B018
    with pytest.raises(SandboxError, match="closed"):
        broken.run("print(3)")
