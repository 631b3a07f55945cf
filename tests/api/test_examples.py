"""The front door: every public function's example runs, and every name is where it is said."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import ordojo
from ordojo.api import benchmarks, data, models, programs, reports, runs, structures

BAKERY = """\\ bakery
maximize
 value: 3 bread + 5 cake
subject to
 oven: 2 bread + 3 cake <= 60
 orders: 2 bread + 3 cake >= 75
end
"""
PROGRAM = """
import gurobipy as gp
m = gp.Model()
x = m.addVar(ub=4.0)
m.setObjective(x, gp.GRB.MAXIMIZE)
m.Params.OutputFlag = 0
m.optimize()
print(m.ObjVal)
"""


WITHOUT = {
    *("describe_datasets", "grade", "prepare", "ask", "retell", "survey", "validate"),
    *("observe", "pull_dataset", "pull_model", "reproduce", "workbench"),
}
"""They need more than a line of data, a person, or the network; the commands' tests show them."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bakery.lp").write_text(BAKERY)
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("module", [models, programs, structures, benchmarks, runs, reports, data])
def test_every_function_has_an_example_that_runs(module: object, place: Path) -> None:
    finder = doctest.DocTestFinder(exclude_empty=False)
    runner = doctest.DocTestRunner()
    for test in finder.find(module):
        if test.name.rpartition(".")[2] not in ordojo._WHERE:
            continue
        name = test.name.rpartition(".")[2]
        shown = isinstance(getattr(ordojo, name), type) or name in WITHOUT
        assert test.examples or shown, f"{test.name} has no example"
        failed, _ = runner.run(test)
        assert not failed, test.name


def test_type_checkers_see_the_same_names() -> None:
    stub = ast.parse(Path(ordojo.__file__).with_suffix(".pyi").read_text("utf-8"))
    places = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert places == ordojo._WHERE
    assert all(getattr(ordojo, name) is not None for name in ordojo.__all__)
    with pytest.raises(AttributeError, match="nothing_here"):
        ordojo.nothing_here  # noqa: B018


def test_the_import_loads_nothing() -> None:
    code = "import ordojo, sys; print(*[m for m in sys.modules if m.startswith('ordojo.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ordojo.core", "ordojo.core.former"]


def test_bad_input_is_one_sentence(place: Path) -> None:
    cases = [
        (lambda: ordojo.read_model("nowhere.lp"), ordojo.DataError, "nowhere.lp"),
        (lambda: ordojo.read_model(object()), ordojo.DataError, "no model; give a path"),
        (lambda: ordojo.explain("bakery.lp", weights={"oen": 1}), ordojo.UsageError, "oen"),
        (lambda: ordojo.solve("bakery.lp", solver="cplex"), ordojo.OrdojoError, "cplex"),
        (lambda: ordojo.load("orqa", datset="x"), ordojo.UsageError, "did you mean 'dataset'"),
        (lambda: ordojo.load("nothing"), ordojo.UsageError, "nothing"),
        (lambda: ordojo.build("or-bias", "x.jsonl", mode=1), ordojo.UsageError, "mode"),
        (lambda: ordojo.verify("nowhere.jsonl"), ordojo.DataError, "nowhere.jsonl"),
        (lambda: ordojo.run_program("nowhere.py"), ordojo.UsageError, "nowhere.py"),
    ]
    for act, kind, says in cases:
        with pytest.raises(kind, match=says) as error:
            act()
        assert "\n" not in str(error.value)


def test_a_package_of_the_same_name_hides_no_function() -> None:
    code = (
        "import ordojo, ordojo.evaluation.runs, ordojo.reports.site, ordojo.structures.flat\n"
        "from ordojo import evaluate, report, structure\n"
        "assert [f.__module__[:10] for f in (evaluate, report, structure)] == 3 * ['ordojo.api']\n"
        "assert ordojo.evaluate is evaluate and ordojo.structure is structure\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_suggestion_is_shown_with_what_the_solver_made_of_it(place: Path) -> None:
    repaired = ordojo.suggest("bakery.lp", "ordojo/gold", text="A bakery has 60 minutes.")
    assert repaired.objective is not None and len(repaired.actions) == 1
    assert "solved again: optimum" in repaired.text()
    nothing = ordojo.suggest("bakery.lp", "ordojo/noop")
    assert nothing.objective is None and "none of which made" in nothing.text()
    with pytest.raises(ordojo.UsageError, match="there is no model 'ordojo/nobody'"):
        ordojo.suggest("bakery.lp", "ordojo/nobody")
    (place / "fine.lp").write_text(BAKERY.replace(">= 75", ">= 5"))
    with pytest.raises(ordojo.DataError, match="it is feasible, not infeasible"):
        ordojo.suggest("fine.lp", "ordojo/gold")


def test_former_names_of_packages_are_the_packages() -> None:
    code = (
        "from ordojo.structure.abstraction.folder import model\n"
        "import ordojo, ordojo.report.site, ordojo.reports.site\n"
        "from ordojo.structures.abstraction import folder\n"
        "assert folder.model is model and folder.__spec__.name == folder.__name__\n"
        "assert ordojo.reports.site is __import__('sys').modules['ordojo.report.site']\n"
        "assert ordojo.structure.__module__ == 'ordojo.api.structures'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
