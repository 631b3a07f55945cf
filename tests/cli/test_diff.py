"""`ordojo diff`: programs, folders and files against the model that they should state."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.cli import cli
from ordojo.core.errors import DataError, UsageError
from tests.structures.toys import LOTS

GUROBI = """
import csv
import gurobipy as gp

with open("data/periods.csv") as file:
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
model = gp.Model()
make = model.addVars(3, ub=50)
stock = model.addVars(3)
setup = model.addVars(3, vtype="B")
for t in range(3):
    model.addConstr(make[t] + (stock[t - 1] if t else 0) == rows[t]["demand"] + stock[t])
    model.addConstr(make[t] <= 100 * setup[t])
model.setObjective(sum(rows[t]["cost"] * make[t] + 30 * setup[t] for t in range(3)) + 7)
model.optimize()
"""
HIGHS = """
import csv
import highspy

def read(name):
    with open(f"data/{name}.csv") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]

rows = read("periods")
h = highspy.Highs()
make = [h.addVariable(ub=50) for t in range(3)]
stock = [h.addVariable() for t in range(3)]
setup = [h.addBinary() for t in range(3)]
for t in range(3):
    h.addConstr(make[t] + (stock[t - 1] if t else 0) - stock[t] == rows[t]["demand"])
    h.addConstr(make[t] <= 100 * setup[t])
h.minimize(sum(rows[t]["cost"] * make[t] + 30 * setup[t] for t in range(3)) + 7)
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "lots.mps").write_text(LOTS)
    (tmp_path / "inst" / "data").mkdir(parents=True)
    (tmp_path / "inst" / "data" / "periods.csv").write_text("demand,cost\n10,1.5\n20,2.5\n10,1.5\n")
    return tmp_path


def inspect(here: Path, candidate: str, *words: str) -> Result:
    return CliRunner().invoke(cli, ["diff", str(here / "lots.mps"), str(here / candidate), *words])


def test_a_program_beside_its_data(here: Path) -> None:
    (here / "inst" / "solve.py").write_text(GUROBI)
    done = inspect(here, "inst/solve.py")
    assert done.exit_code == 0, done.output
    assert done.stdout == "equal: the models match, 9 columns and 6 rows\n"


def test_a_folder_that_structure_wrote_or_exported_on_either_side(here: Path) -> None:
    model, kept, out = (str(here / name) for name in ("lots.mps", "kept", "exported"))
    made = CliRunner().invoke(cli, ["structure", model, "-o", kept, "--export", out])
    assert made.exit_code == 0, made.output
    for one, other in ((model, out), (out, model), (kept, out), (out, kept), (out, out)):
        done = CliRunner().invoke(cli, ["diff", one, other])
        assert done.stdout == "equal: the models match, 9 columns and 6 rows\n", done.output


def test_of_an_exported_reference_the_kept_model_counts_and_of_a_candidate_the_program(
    here: Path,
) -> None:
    out = here / "exported"
    made = CliRunner().invoke(cli, ["structure", str(here / "lots.mps"), "--export", str(out)])
    assert made.exit_code == 0, made.output
    (out / "solve.py").write_text("1 / 0\n")
    done = CliRunner().invoke(cli, ["diff", str(out), str(here / "lots.mps")])
    assert done.exit_code == 0, done.output
    assert isinstance(inspect(here, "exported").exception, DataError)


def test_a_damaged_folder_is_one_sentence(here: Path) -> None:
    out = here / "kept"
    assert CliRunner().invoke(cli, ["structure", str(here / "lots.mps"), "-o", str(out)])
    (out / "structure.json").write_text('{"version": 3}')
    error = CliRunner().invoke(cli, ["diff", str(out), str(here / "lots.mps")]).exception
    assert isinstance(error, DataError) and "write it again" in str(error)


def test_a_folder_with_a_wrong_program(here: Path) -> None:
    (here / "inst" / "solve.py").write_text(HIGHS.replace("100 * setup", "12 * setup"))
    done = inspect(here, "inst", "--json")
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["deviation"] == "over-constrained"
    assert [d["name"] for d in told["differences"]] == ["cap[*]"]
    assert "x[1] - 12 y[1] <= 0" in told["differences"][0]["sentence"]


def test_files(here: Path) -> None:
    (here / "other.mps").write_text(LOTS.replace("-100", "-90", 1))
    done = inspect(here, "other.mps")
    assert done.exit_code == 0
    assert "the optima agree" in done.stdout and "'cap[*]' has other coefficients" in done.stdout


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import highspy\n1 / 0\n", "ZeroDivisionError"),
        ("print(1)\n", "solved no model"),
    ],
)
def test_programs_without_a_model(here: Path, source: str, words: str) -> None:
    (here / "inst" / "solve.py").write_text(source)
    error = inspect(here, "inst").exception
    assert isinstance(error, DataError) and words in str(error)


def test_bad_input(here: Path) -> None:
    error = inspect(here, "inst").exception
    assert isinstance(error, DataError) and "neither solve.py nor structure.json" in str(error)
    alone = CliRunner().invoke(cli, ["diff", str(here / "lots.mps")])
    assert isinstance(alone.exception, UsageError) and "--runs RUNS" in str(alone.exception)


def test_the_former_name_works(tmp_path: Path) -> None:
    (tmp_path / "lots.mps").write_text(LOTS)
    done = CliRunner().invoke(cli, ["inspect", *[str(tmp_path / "lots.mps")] * 2])
    assert done.exit_code == 0 and "is called ordojo diff now" in done.stderr


FLAT = "Minimize\n obj: x + 2 y\nSubject To\n a: x + y >= 4\n b: x + y <= 6\n c: x <= 3\nEnd\n"


@pytest.mark.parametrize(
    ("old", "new", "deviation", "says"),
    [
        ("2 y", "2 y + 7", "other objective", "candidate optimum 12, by the reference's"),
        ("x + 2 y", "2 x + 4 y", "other objective", "the objective differs"),
        ("Minimize", "Maximize", "other objective", "the objective differs"),
        # Both: the rows are judged by the reference's objective.
        (
            "2 y\nSubject To\n a: x + y >= 4",
            "3 y\nSubject To\n a: x + y >= 5",
            "over-constrained",
            "7)",
        ),
    ],
)
def test_an_objective_that_differs_constrains_nothing(
    tmp_path: Path, old: str, new: str, deviation: str, says: str
) -> None:
    (tmp_path / "one.lp").write_text(FLAT)
    (tmp_path / "two.lp").write_text(FLAT.replace(old, new))
    words = ["diff", str(tmp_path / "one.lp"), str(tmp_path / "two.lp"), "--json"]
    done = CliRunner().invoke(cli, words)
    found = json.loads(done.stdout)
    assert found["deviation"] == deviation and not found["validated"]
    assert says in found["notes"][0]
    assert (
        not any("breaks" in one["sentence"] for one in found["differences"]) or "over" in deviation
    )
