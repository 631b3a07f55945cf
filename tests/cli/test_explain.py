"""`ordojo explain`: conflicts, repairs, and one sentence for what is no infeasible model."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.cli import cli
from ordojo.compat.capture import open_sandbox
from ordojo.core.errors import DataError, OrdojoError, SandboxError

BAKERY = """\\ A bakery whose orders exceed its oven.
Maximize
 obj: 3 bread + 5 cake
Subject To
 oven: 2 bread + 3 cake <= 60
 flour: bread + cake <= 40
 orders: 2 bread + 3 cake >= 75
End
"""
KNAPSACK = """Minimize
 obj: x + y
Subject To
 even: 2 x + 2 y = 7
Bounds
 x <= 9
 y <= 9
Generals
 x y
End
"""


def explain(folder: Path, text: str, *words: str, name: str = "model.lp") -> Result:
    path = folder / name
    path.write_text(text)
    return CliRunner().invoke(cli, ["explain", str(path), *words])


def test_a_conflict_in_algebra_and_its_repairs(tmp_path: Path) -> None:
    done = explain(tmp_path, BAKERY)
    assert done.exit_code == 0
    assert "These 2 cannot all hold" in done.stdout
    assert "oven    2 bread + 3 cake <= 60" in done.stdout
    assert "orders >= 75 becomes 60" in done.stdout
    assert "oven <= 60 becomes 75" in done.stdout
    assert "flour" not in done.stdout
    assert "looking for the smallest repairs" in done.stderr


def test_json_has_it_all(tmp_path: Path) -> None:
    found = json.loads(explain(tmp_path, BAKERY, "--json").stdout)
    assert found["status"] == "INFEASIBLE"
    assert [row["name"] for row in found["iis"]["rows"]] == ["oven", "orders"]
    assert found["iis"]["irreducible"] and not found["iis"]["needs_integrality"]
    costs = [repair["cost"] for repair in found["repairs"]]
    assert costs == sorted(costs) and all(repair["verified"] for repair in found["repairs"])


def test_weights_decide_what_moves(tmp_path: Path) -> None:
    done = explain(tmp_path, BAKERY, "--weight", "orders=10", "--limit", "1", "--json")
    (repair,) = json.loads(done.stdout)["repairs"]
    assert [move["target"] for move in repair["moves"]] == ["oven"]
    assert repair["moves"][0]["to"] == pytest.approx(75)


def test_a_conflict_of_whole_numbers(tmp_path: Path) -> None:
    done = explain(tmp_path, KNAPSACK)
    assert "for whole numbers" in done.stdout and "2 x + 2 y = 7" in done.stdout
    assert "solved again" in done.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BAKERY.replace("75", "35"), "feasible, so there is no conflict to explain"),
        ("Maximize\n obj: x\nSubject To\n c: x >= 1\nEnd\n", "unbounded"),
    ],
)
def test_what_is_not_infeasible_is_said_to_be_so(tmp_path: Path, text: str, says: str) -> None:
    done = explain(tmp_path, text)
    assert done.exit_code == 0 and says in done.stdout and len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("empty.lp", "", "empty"),
        ("cut.mps", "NAME x\nROWS\n N obj\n L c1\nCOLUMNS\n x c1", "cut.mps"),
        ("prose.lp", "Dear solver, please help me.\n", "prose.lp"),
        ("square.lp", "Minimize\n obj: [ x^2 ] / 2\nSubject To\n c: x >= 1\nEnd\n", "square.lp"),
        (
            "nan.mps",
            "NAME x\nROWS\n N obj\n L c1\nCOLUMNS\n x c1 nan\nRHS\n RHS c1 1\nENDATA\n",
            "nan.mps",
        ),
        (
            "twice.mps",
            "NAME x\nROWS\n N obj\n L c1\n G c1\nCOLUMNS\n x c1 1\nRHS\n RHS c1 1\nENDATA\n",
            "c1",
        ),
        ("model.xls", "x", ".mps"),
    ],
)
def test_a_file_that_is_no_linear_model_is_one_sentence(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    done = explain(tmp_path, text, name=name)
    assert isinstance(done.exception, OrdojoError)
    assert says in str(done.exception) and "\n" not in str(done.exception)


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        ("roof=2", "no row or bound of that name"),
        ("oven=much", "not a number"),
        ("oven=0", "above 0"),
    ],
)
def test_a_weight_must_fit(tmp_path: Path, weight: str, says: str) -> None:
    done = explain(tmp_path, BAKERY, "--weight", weight)
    assert isinstance(done.exception, OrdojoError) and says in str(done.exception)


def test_no_such_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["explain", str(tmp_path / "none.lp")])
    assert isinstance(done.exception, OrdojoError) and "none.lp" in str(done.exception)


PROGRAM = """
import gurobipy as gp
m = gp.Model("bakery")
x = m.addVars(["bread", "cake"], name="make")
m.addConstr(2 * x["bread"] + 3 * x["cake"] <= 60, name="oven")
m.addConstr(2 * x["bread"] + 3 * x["cake"] >= 75, name="orders")
m.setObjective(3 * x["bread"] + 5 * x["cake"], gp.GRB.MAXIMIZE)
m.optimize()
print("profit", m.ObjVal)
"""


@pytest.fixture
def contained() -> None:
    try:
        open_sandbox("auto", 5.0).close()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("contained")
def test_a_program_of_ones_own_is_explained(tmp_path: Path) -> None:
    done = explain(tmp_path, PROGRAM, "--weight", "orders=10", name="bakery.py")
    assert done.exit_code == 0 and "running" in done.stderr
    assert "bakery is infeasible (2 rows, 2 columns" in done.stdout
    assert "oven    2 make[bread] + 3 make[cake] <= 60" in done.stdout
    assert "oven <= 60 becomes 75" in done.stdout


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("print('no model')", "solved no model"),
        (PROGRAM.replace("gp.Model", "gp.Modell"), "AttributeError"),
        (PROGRAM.replace('3 * x["bread"] +', 'x["bread"] ** 2 +'), "quadratic objective"),
    ],
)
def test_a_program_without_a_linear_model_is_one_sentence(
    tmp_path: Path, text: str, says: str
) -> None:
    done = explain(tmp_path, text, name="bakery.py")
    assert isinstance(done.exception, DataError)
    assert says in str(done.exception) and "\n" not in str(done.exception)


def test_a_program_is_not_run_where_nothing_contains_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ordojo.sandbox.worker.shutil.which", lambda name: None)
    done = explain(tmp_path, PROGRAM, "--isolation", "bwrap", name="bakery.py")
    assert isinstance(done.exception, SandboxError) and "contained" in str(done.exception)
    done = explain(tmp_path, PROGRAM, "--isolation", "unsafe", name="bakery.py")
    assert done.exit_code == 0 and "bakery is infeasible" in done.stdout
