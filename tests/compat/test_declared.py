"""The declared libraries: all can be imported in the sandbox, and their solves are told."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

from click.testing import CliRunner
from pytest import MonkeyPatch

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.cli import cli
from ordojo.compat.capture import open_sandbox
from ordojo.compat.declared import _CHECK, DECLARED, declared_versions
from ordojo.compat.service import Service, SolverLimits
from ordojo.core.records import MISSING

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def told(program: str) -> list[tuple[str, str, float | None]]:
    """What the service has on record of a program: library, ending, objective."""
    with open_sandbox("auto", 20.0) as sandbox, Service(SolverLimits(seconds=20.0)) as service:
        done = sandbox.run(program, handler=service.handle)
    assert done.ok, done.stderr
    return [(one.library, one.ending, one.objective) for one in service.records]


def test_each_is_there_and_installed_by_the_extra() -> None:
    assert declared_versions("auto") == {name: version(name) for name in DECLARED}
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["programs"]]
    names = {re.split(r"[^A-Za-z0-9-]", need)[0].lower() for need in asked}
    assert {name.lower() for name in DECLARED} <= names


def test_a_library_whose_import_is_killed_is_not_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "victim.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    (tmp_path / "broken.py").write_text("import no_such_module\n")

    def look(**libraries: list[str]) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", _CHECK % (json.dumps(libraries), MISSING)]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)

    killed = look(numpy=["numpy"], victim=["victim"])
    assert killed.returncode == 1 and "victim was killed while it was imported" in killed.stderr
    assert json.loads(look(broken=["broken"]).stdout) == {"broken": MISSING}


def test_what_is_missing_is_said_before_anything_is_asked(
    tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    versions = {**declared_versions("auto"), "PuLP": MISSING, "cvxpy": MISSING}
    monkeypatch.setattr(type(BENCHMARK), "libraries", lambda self, options: versions)
    words = ["eval", "nl2opt", "--model", "ordojo/noop", "--limit", "1", "--runs", str(tmp_path)]
    done = CliRunner().invoke(cli, words)
    assert "PuLP, cvxpy cannot be imported" in done.output
    assert "pip install 'ordojo[programs]'" in done.output
    assert done.output.index("cannot be imported") < done.output.index("1/1")


def test_the_outermost_solve_is_told_and_the_services_own_beside_it() -> None:
    program = """
import cvxpy as cp
x = cp.Variable()
cp.Problem(cp.Maximize(9 * x), [x <= 4]).solve(solver="GUROBI")
"""
    assert told(program) == [("", "optimal", -36.0), ("cvxpy", "optimal", 36.0)]


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
    transport.tell_solve("PuLP", Status.OPTIMAL, value, False)
"""
    with open_sandbox("auto", 20.0) as sandbox, Service(SolverLimits(solves=10)) as service:
        sandbox.run(program, handler=service.handle)
    assert len(service.records) == 10 and service.records[-1].objective == 29.0
