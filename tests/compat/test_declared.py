"""The declared libraries: all solve in the sandbox, with what is installed, and it is told."""

import re
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from pytest import MonkeyPatch

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.cli import cli
from ordojo.compat.capture import lent_sandbox
from ordojo.compat.declared import declared_versions, failures
from ordojo.compat.libraries import DECLARED, PROGRAMS, SmallProgram
from ordojo.compat.service import Service, SolverLimits
from ordojo.core.errors import SandboxError
from ordojo.core.records import BROKEN, MISSING
from tests.installations import closure

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def told(program: str) -> list[tuple[str, str, float | None]]:
    """What the service has on record of a program: library, ending, objective."""
    with lent_sandbox("auto", 20.0) as sandbox, Service(SolverLimits(seconds=20.0)) as service:
        done = sandbox.run(program, handler=service.handle)
    assert done.ok, done.stderr
    return [(one.library, one.ending, one.objective) for one in service.records]


def asked(*extras: str) -> list[Requirement]:
    """What the package asks for with these extras."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    more = [need for extra in extras for need in project["optional-dependencies"][extra]]
    return [Requirement(need) for need in [*project["dependencies"], *more]]


def test_each_is_there_and_installed_by_the_extra() -> None:
    assert declared_versions("auto") == {name: version(name) for name in DECLARED}
    assert {name.lower() for name in DECLARED} <= {need.name.lower() for need in asked("programs")}
    assert {program.library for program in PROGRAMS.values()} >= {*DECLARED} - {"numpy"}


HIDING = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
def without(name, path=None, target=None):
    return None if name.partition(".")[0] in %r else find(name, path, target)
PathFinder.find_spec = without
"""


def hiding(modules: set[str]) -> dict[str, SmallProgram]:
    """The small programs where these modules are not installed."""
    before = HIDING % modules
    return {name: one._replace(text=before + one.text) for name, one in PROGRAMS.items()}


def test_what_the_readme_installs_is_all_that_solving_needs() -> None:
    """The development environment brings more, on which nothing may rest."""
    installed: dict[str, set[str]] = {}
    for need in asked("embedded", "programs"):
        closure(need.name, frozenset(need.extras), installed)
    others = {
        module
        for module, owners in packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} & {*installed}
    }
    assert {"pytest", "fpdf", "cbcbox"} <= others and "packaging" not in others
    assert failures("auto", hiding(others - {"gurobipy", "coptpy"})) == {}
    lacking = failures("auto", {"Pyomo": hiding({"packaging"})["Pyomo"]})
    assert lacking == {"Pyomo": (MISSING, "No module named 'packaging'")}


def test_what_does_not_solve_is_told_with_its_reason() -> None:
    small = PROGRAMS["gurobipy"].text
    texts = {
        "import no_such_module": "No module named 'no_such_module'",
        "raise ValueError('a licence\\nis missing')": "ValueError: a licence",
        "print(60.0)": "nothing was solved",
        small.replace("<= 40", "<= 20"): "it found 30 where 60 is right",
        small.replace("<= 40", "<= -1").replace("print", "#"): "its solve ended as infeasible",
        "import os, signal\nos.kill(os.getpid(), signal.SIGILL)": "ended by SIGILL",
        small: "",
    }
    programs = {text: SmallProgram("x", text) for text in texts}
    found = failures("auto", programs)
    assert {text: why for text, (_, why) in found.items()} == {
        t: why for t, why in texts.items() if why
    }
    assert [text for text, (lack, _) in found.items() if lack == MISSING] == [
        "import no_such_module"
    ]


def test_a_check_that_is_cut_short_does_not_say_that_a_library_is_missing() -> None:
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    with pytest.raises(SandboxError, match="whether victim solves was cut short"):
        failures("auto", {"victim": SmallProgram("victim", text)})


def test_our_own_layer_s_fault_is_none_of_a_program(monkeypatch: MonkeyPatch) -> None:
    broken = {"gurobipy": SmallProgram("", "raise ValueError")}
    monkeypatch.setattr("ordojo.compat.declared.PROGRAMS", broken)
    with pytest.raises(SandboxError, match="ordojo's gurobipy does not solve in the sandbox"):
        declared_versions.__wrapped__("auto")


def test_what_is_missing_is_said_before_anything_is_asked(
    tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    def said(**lacking: str) -> str:
        versions = {**declared_versions("auto"), **lacking}
        monkeypatch.setattr(type(BENCHMARK), "libraries", lambda self, options: versions)
        words = ["eval", "nl2opt", "--model", "ordojo/noop", "--limit", "1", "--runs"]
        done = CliRunner().invoke(cli, [*words, str(tmp_path / str(len(lacking)))])
        assert done.output.index("cannot solve") < done.output.index("asking ordojo/noop: 1")
        return done.output

    told = said(PuLP=MISSING, Pyomo=f"{MISSING}: No module named 'packaging'")
    assert "PuLP (not installed), Pyomo (No module named 'packaging') cannot solve" in told
    assert "pip install 'ordojo[programs]' gets them" in told
    told = said(PySCIPOpt=f"{BROKEN}: ended by SIGILL")
    assert "try pip install --force-reinstall PySCIPOpt" in told and "ordojo[programs]" not in told


def test_the_outermost_solve_is_told_and_the_services_own_beside_it() -> None:
    program = """
import cvxpy as cp
x = cp.Variable()
cp.Problem(cp.Maximize(9 * x), [x <= 4]).solve(solver="GUROBI")
"""
    assert told(program) == [("", "optimal", -36.0), ("cvxpy", "optimal", 36.0)]


def test_arguments_may_all_have_names() -> None:
    program = """
from scipy.optimize import linprog
linprog(c=[-1], A_ub=[[2]], b_ub=[9])
"""
    assert told(program) == [("scipy", "optimal", -4.5)]


def test_only_what_the_program_itself_imports_is_told() -> None:
    hidden = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
def without(name, path=None, target=None):
    return None if name.startswith(("highspy", "pyscipopt")) else find(name, path, target)
PathFinder.find_spec = without
import pulp, cvxpy  # both try highspy
"""
    assert told(hidden) == []
    tried = "try:\n    import highspy\nexcept ImportError:\n    pass\n"
    assert told(hidden + tried) == [("highspy", "lacking", None)]


def test_a_library_that_tells_without_end_is_bounded() -> None:
    program = """
from ordojo.compat import transport
from ordojo.solvers.answers import Status
for value in range(30):
    transport.tell("PuLP", Status.OPTIMAL, value, False)
"""
    with lent_sandbox("auto", 20.0) as sandbox, Service(SolverLimits(solves=10)) as service:
        sandbox.run(program, handler=service.handle)
    assert len(service.records) == 10 and service.records[-1].objective == 29.0
