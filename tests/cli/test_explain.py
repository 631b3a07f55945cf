"""`ordojo explain`: conflicts, repairs, and one sentence for what is no infeasible model."""

import dataclasses
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import ordojo
from ordojo.cli import cli
from ordojo.compat.capture import lent_sandbox
from ordojo.core.errors import DataError, OrdojoError, SandboxError
from ordojo.milp.files import read_model, read_problem
from ordojo.milp.problem import LinearObjective
from ordojo.solvers.highs import HighsOracle

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


# No double tells these apart at 5e8, where d and e meet a and b.
NARROW = """Minimize
 c: x + y
Subject To
 a: x + y >= 1000000000
 b: x + y <= 1000000000
 d: x - y >= 0.1
 e: 2 y - 2 x >= -0.1999998
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
    assert done.exit_code == 0 and says in done.stdout.splitlines()[0]
    assert "cannot all hold" not in done.stdout


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("empty.lp", "", "empty"),
        ("cut.mps", "NAME x\nROWS\n N obj\n L c1\nCOLUMNS\n x c1", "cut.mps"),
        ("prose.lp", "Dear solver, please help me.\n", "prose.lp"),
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


TWO = """Minimize
 obj: a_n + a_w + b_n + b_w
Subject To
 capacity(a): a_n + a_w <= 10
 capacity(b): b_n + b_w <= 12
 demand(n): a_n + b_n >= 15
 demand(w): a_w + b_w >= 18
 total: y + z <= 3
 floor(y): y >= 2
 floor(z): z >= 2
End
"""


def test_conflicts_without_a_row_in_common(tmp_path: Path) -> None:
    found = json.loads(explain(tmp_path, TWO, "--json").stdout)
    first, (second,) = found["iis"], found["further_conflicts"]
    names = [{row["name"] for row in one["rows"]} for one in (first, second)]
    whole = (
        {"capacity(a)", "capacity(b)", "demand(n)", "demand(w)"},
        {"total", "floor(y)", "floor(z)"},
    )
    assert sorted(map(len, names)) == [3, 4] and all(one in whole for one in names)
    assert first["irreducible"] and second["irreducible"]
    assert "capacity of a and b against demand of n and w" in (first["words"], second["words"])
    done = explain(tmp_path, TWO, "--conflicts", "1")
    assert "Nor can these" not in done.stdout


def test_hard_rows_stand_firm_and_the_repair_is_written(tmp_path: Path) -> None:
    target = tmp_path / "repaired.mps"
    words = ["--hard", "demand*", "--hard", "total", "--choose", "2", "--write", str(target)]
    done = explain(tmp_path, TWO, *words, "--json")
    moved = [move["target"] for one in json.loads(done.stdout)["repairs"] for move in one["moves"]]
    assert moved and not any(name.startswith(("demand", "total")) for name in moved)
    mended = read_model(target)
    assert HighsOracle().solve(mended).status == "OPTIMAL"
    again = explain(tmp_path, TWO, "--write", str(target))
    assert isinstance(again.exception, OrdojoError) and "exists already" in str(again.exception)
    done = explain(tmp_path, TWO, "--write", str(tmp_path / "x.lp"), "--choose", "40")
    assert "no repair 40" in str(done.exception) and not (tmp_path / "x.lp").exists()


def test_repairs_by_the_count_of_their_moves(tmp_path: Path) -> None:
    # One side by 10, or two by 1: the rows that end in 1 and 2 would have to give way together.
    text = "Minimize\n obj: x\nSubject To\n top: x + y <= 0\n c1: x >= 1\n c2: y >= 1\nEnd\n"
    words = ["--weight", "top=10", "--weight", "x.lb=inf", "--weight", "y.lb=inf", "--json"]
    sizes = {}
    for rank in ("size", "count"):
        done = explain(tmp_path, text, *words, "--rank", rank)
        sizes[rank] = [len(one["moves"]) for one in json.loads(done.stdout)["repairs"]]
    assert sizes["size"][0] == 2 and sizes["count"] == sorted(sizes["count"])
    assert sizes["count"][0] == 1


def test_a_ray_is_proved(tmp_path: Path) -> None:
    text = """Maximize
 obj: 3 x + 2 y - 5 z
Subject To
 a: 0.1 x - 0.2 y <= 4
 b: x + y - 0.3 z >= 1
End
"""
    (tmp_path / "x").mkdir()
    found = json.loads(explain(tmp_path / "x", text, "--json").stdout)
    assert found["ray"] == {"moves": {"x": 2.0, "y": 1.0}, "gain": 8.0, "proven": True}
    done = explain(tmp_path, text)
    assert "proved in fractions" in done.stdout and "  x up by 2\n  y up by 1" in done.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BAKERY.replace("60", "74.99996"), "infeasible by 4e-05 only"),
        (BAKERY.replace("flour: bread", "flour: 1e12 bread"), "Its numbers are doubtful"),
        (NARROW, "rows 'd' and 'e' have the same terms, and contradict each other by 1e-07"),
    ],
)
def test_doubtful_numbers_are_said_to_be_so(tmp_path: Path, text: str, says: str) -> None:
    assert says in explain(tmp_path, text).stdout
    assert says not in explain(tmp_path, BAKERY).stdout


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        ("roof=2", "no row or bound of that name"),
        ("fl*r?=2", "no row or bound of that name"),
        ("oven=much", "--weight oven much: give a number"),
        ("oven=0", "--weight oven 0.0: give a number"),
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
        with lent_sandbox("auto", 5.0):
            pass
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
    ],
)
def test_a_program_without_a_linear_model_is_one_sentence(
    tmp_path: Path, text: str, says: str
) -> None:
    done = explain(tmp_path, text, name="bakery.py")
    assert isinstance(done.exception, DataError)
    assert says in str(done.exception) and "\n" not in str(done.exception)


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("m.add(x != y)", "'c0' (over x, y) of the CP-SAT model has a domain with holes"),
        ("m.add_all_different(x, y)", "'c0' of the CP-SAT model (all_diff) is not linear"),
        ("m.new_int_var_from_domain(cp_model.Domain.from_values([1, 3]), 'odd')", "'odd' of the"),
    ],
)
def test_a_model_that_cannot_be_taken_up_is_refused_by_its_part(
    tmp_path: Path, line: str, says: str
) -> None:
    pytest.importorskip("ortools")
    text = f"""from ortools.sat.python import cp_model
m = cp_model.CpModel()
x, y = m.new_int_var(0, 5, "x"), m.new_int_var(0, 5, "y")
{line}
cp_model.CpSolver().solve(m)
"""
    done = explain(tmp_path, text, name="odd.py")
    assert isinstance(done.exception, DataError)
    assert f"odd.py solved a model that cannot be taken up: {says}" in str(done.exception)


@pytest.mark.usefixtures("contained")
def test_a_syntax_error_names_the_file_that_was_given(tmp_path: Path) -> None:
    done = explain(tmp_path, "def f(:", name="odd.py")
    assert "invalid syntax (odd.py, line 1)" in str(done.exception)


def test_a_program_is_not_run_where_nothing_contains_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ordojo.sandbox.worker.shutil.which", lambda name: None)
    done = explain(tmp_path, PROGRAM, "--isolation", "bwrap", name="bakery.py")
    assert isinstance(done.exception, SandboxError) and "contained" in str(done.exception)
    done = explain(tmp_path, PROGRAM, "--isolation", "unsafe", name="bakery.py")
    assert done.exit_code == 0 and "bakery is infeasible" in done.stdout


INDICATOR = """import gurobipy as gp
m = gp.Model("shop")
x = m.addVars(["n", "s"], ub=20.0, name="make")
on, most = m.addVar(vtype="B", name="on"), m.addVar({bound}, name="most")
m.addGenConstrIndicator(on, True, x["n"] + x["s"] <= 10, name="small")
m.addGenConstrMax(most, [x["n"], x["s"]], name="top")
m.addSOS(gp.GRB.SOS_TYPE2, [x["n"], x["s"]])
m.addConstr(on >= 1, "open")
m.addConstrs((x[k] >= 8 for k in x), name="need")
m.setObjective({objective})
m.optimize()
"""


def test_the_parts_of_a_program_are_kept(tmp_path: Path) -> None:
    text = INDICATOR.format(bound="ub=20", objective="most")
    found = json.loads(explain(tmp_path, text, "--json", name="shop.py").stdout)
    names = [row["name"].partition("#")[0] for row in found["iis"]["rows"]]
    assert sorted(names) == ["need[n]", "need[s]", "open", "small"]
    text = INDICATOR.format(bound="ub=20", objective="x['n'] ** 2").replace("ub=20.0, ", "")
    told = explain(tmp_path, text, name="shop.py").stdout
    assert "products in its objective are left out" in told
    assert "Not written as rows: small, " in told and "Sets and functions stand firm." in told
    assert "optimum" not in told and "shop is infeasible" in told


def test_products_are_kept_and_decide(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    text = """Minimize
 obj: x + y
Subject To
 ring: [ x ^2 + y ^2 ] {sense} 25
 box: x + y <= 4
 spare: x - y <= 3
End
"""
    told = explain(tmp_path, text.format(sense=">=")).stdout
    assert "box      x + y <= 4" in told and "ring     x^2 + y^2 >= 25" in told
    assert "(bound)  x >= 0" in told and "not verified" not in told
    assert "Not written as rows: ring; SCIP solves with them." in told and "; scip" in told
    assert "solved again" in told
    explain(tmp_path, text.format(sense=">="), "--write", str(tmp_path / "new.mps"))
    again = read_problem(tmp_path / "new.mps")
    assert len(again.quadratic_rows) == 1 and ordojo.explain(again).status == "OPTIMAL"
    assert "feasible, so there is no conflict" in explain(tmp_path, text.format(sense="<=")).stdout


def test_a_repair_is_no_smaller_by_the_solver_s_tolerance(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    text = "Minimize\n o: x + y\nSubject To\n disc: [ x^2 + y^2 ] <= 4\n need: x + y >= 6\n"
    text += "Bounds\n x <= 5\n y <= 5\nEnd\n"
    first, second = json.loads(explain(tmp_path, text, "--json").stdout)["repairs"]
    (need,), (disc,) = first["moves"], second["moves"]
    assert 0 <= math.sqrt(8) - need["to"] < 1e-6  # x + y is at most the root of 8
    assert 0 <= disc["to"] - 18 < 1e-6


PARTS = """Minimize
 obj: x + 2 y
Subject To
 need: x + y >= 10
 ring: [ x ^2 + y ^2 ] <= 8
 fit: b = 1 -> x + y <= 4
 room: b = 0 -> x - y >= 2
 on: b >= 1
Bounds
 x <= 5
 y <= 50
Binaries
 b
SOS
 one: S1 :: x:1 y:2
End
"""


@pytest.mark.parametrize("ending", [".lp", ".mps", ".lp.gz"])
@pytest.mark.parametrize(
    ("hard", "sides"),
    [((), {"ring": 8.0, "fit": 4.0}), (("need", "on"), {"ring": 100.0, "fit": 10.0})],
)
def test_the_repaired_file_has_its_parts_and_is_feasible_to_gurobi(
    tmp_path: Path, ending: str, hard: tuple[str, ...], sides: dict[str, float]
) -> None:
    pytest.importorskip("pyscipopt")
    target = tmp_path / f"new{ending}"
    explain(
        tmp_path, PARTS, *[w for name in hard for w in ("--hard", name)], "--write", str(target)
    )
    again = read_problem(target)
    assert len(again.sos) == 1 and {one.name for one in again.indicators} == {"fit", "room"}
    parts = {one.name: one.upper for one in (*again.quadratic_rows, *again.indicators)}
    assert sides.items() <= {name: round(side, 6) for name, side in parts.items()}.items()
    assert ordojo.explain(target).status == "OPTIMAL"
    gurobipy = pytest.importorskip("gurobipy")
    with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.read(str(target), env) as m:
        m.optimize()
        assert m.Status == gurobipy.GRB.OPTIMAL


TIGHT = """min
obj: x
st
i: b=1->x<=5
q: [x^2+2 x*y]>=400
c: x>=7
d: b>=1
bounds
x<=10
y<=3
binary
b
end
"""


def test_an_lp_file_without_blanks(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    found = json.loads(explain(tmp_path, TIGHT, "--json").stdout)
    rows = [
        {row["name"] for row in one["rows"]} for one in (found["iis"], *found["further_conflicts"])
    ]
    assert sorted(map(sorted, rows)) == [["c", "d", "i"], ["q"]]
    assert not found["iis"]["needs_integrality"]


MPS = """NAME x
ROWS
 N obj
 L c
COLUMNS
 x obj 1 c 1
RHS
 RHS c 1
{section}
ENDATA
"""


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("m.lp", TIGHT.replace("b=1->x<=5", "b = 2 -> x <= 5"), "line 4, column 10: '->' stands"),
        ("m.mps", MPS.format(section="QCMATRIX nope\n x x 1"), "line 9, column 10: 'nope'"),
        ("m.mps", MPS.format(section="INDICATORS\n IF c z 1"), "line 10, column 7: 'z'"),
        ("m.mps", MPS.format(section="SOS\n S1 s\n y 1"), "line 11, column 2: 'y'"),
    ],
)
def test_a_part_that_cannot_be_read_is_said_with_its_line(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    done = explain(tmp_path, text, name=name)
    assert isinstance(done.exception, DataError) and says in str(done.exception)


def test_a_page_that_loads_nothing_and_escapes_names(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    explain(tmp_path, TWO.replace("total", "total&<b>x"), "--html", str(page))
    if not page.exists():  # LP files do not take every name
        explain(tmp_path, TWO.replace("total", "total&x"), "--html", str(page))
    text = page.read_text("utf-8")
    assert "total&amp;" in text and "<b>" not in text
    assert text.count("<svg") == 2 and text.count("<line") == 8 + 4
    said = re.sub("<[^>]*>", "", text.partition("<summary>As text")[0])
    assert said.count("Repairs") == 1
    assert "http" not in text and "<script" not in text and "prefers-color-scheme: dark" in text
    done = explain(tmp_path, BAKERY, "--html", str(tmp_path / "none" / "page.html"))
    assert "cannot write" in str(done.exception)


QUADRATIC = """{sense}
 cost: {cost}
Subject To
 a: {row}
Bounds
 y >= -100
End
"""


@pytest.mark.parametrize(
    ("sense", "cost", "row", "says"),
    [
        # Each linear part grows without end; the square stops it at x = 1, 1/2 and 1/2.
        ("Maximize", "x + y - [ 2 x^2 ] / 2", "x - y = 0", "optimum is 1 ("),
        ("Maximize", "x + [ -2 x^2 ] / 2", "x >= 0.25", "optimum is 0.25 ("),
        ("Minimize", "[ 2 x^2 ] / 2 + y", "x + y >= 3", "optimum is 2.75 ("),
        # The linear part grows with z alone, which is in no product; along x = y the product does.
        ("Maximize", "x + z - [ 2 x^2 ] / 2", "x - y = 0", "  z up by 1\nEach time"),
        ("Minimize", "x - [ 2 x * y ] / 2", "x - y <= 1", "improves by more each time"),
        ("Maximize", "[ 4 x^2 ] / 2 - 9 x", "x - 2 y = 0", "  x up by 2\n  y up by 1\nIn the end"),
    ],
)
def test_of_a_quadratic_objective_the_whole_decides(
    tmp_path: Path, sense: str, cost: str, row: str, says: str
) -> None:
    pytest.importorskip("pyscipopt")
    told = explain(tmp_path, QUADRATIC.format(sense=sense, cost=cost, row=row)).stdout
    assert says in told
    assert ("is unbounded" in told) == ("optimum is" not in says)


def test_of_several_objectives_the_first_that_grows_without_end_is_told(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text("Maximize\n o:\nSubject To\n r: x + y >= 5\n x <= 3\nEnd\n")
    problem = read_problem(tmp_path / "m.lp")
    goals = [
        LinearObjective("", priority, 1.0, 0.0, 0.0, np.array(costs))
        for priority, costs in ((1, [1.0, 0.0]), (0, [0.0, 1.0]))
    ]
    told = ordojo.explain(dataclasses.replace(problem, objectives=tuple(goals)))
    assert told.status == "UNBOUNDED" and told.ray is not None
    assert told.ray.moves == ((1, 1.0),) and told.ray.gain == 1.0 and not told.notes


def test_semicontinuous_columns_may_be_0_beside_parts_that_scip_solves(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    text = "Minimize\n o: s + x\nSubject To\n q: [ x^2 ] >= 4\nBounds\n x <= 9\n 3 <= s <= 8\n"
    told = explain(tmp_path, text + "Semi-continuous\n s\nEnd\n").stdout
    assert "optimum is 2 (" in told


def test_an_equality_of_an_indicator_is_written_repaired(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    text = (
        "Minimize\n x + y\nSubject To\n all: x + y >= 9\n on: b = 1\n"
        " either: b = 1 -> y = 0\nBounds\n x <= 4\n y <= 8\nBinaries\n b\nEnd\n"
    )
    target = tmp_path / "new.lp"
    told = explain(tmp_path, text, "--hard", "all", "--hard", "on", "--hard", "x*", name="a.lp")
    assert "either <= 0 becomes 5" in told.stdout and "written as rows: either;" in told.stdout
    options = ("--hard", "all", "--hard", "on", "--hard", "x*", "--write", str(target))
    explain(tmp_path, text, *options, name="a.lp")
    assert "either.up: b = 1 -> y <= 5" in target.read_text()
    assert ordojo.solve(target).objective == 9
