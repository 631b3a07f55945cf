"""Conflicts in which a product that no linear row expresses takes part."""

from pathlib import Path

import pytest

import ordojo
from ordojo.core.errors import SolverError
from ordojo.milp.files import read_problem
from ordojo.solvers.answers import Status
from ordojo.solvers.gurobi import GurobiOracle
from ordojo.solvers.iis import subsystem
from ordojo.solvers.kept import KeptOracle, settled
from tests import needs

pytestmark = needs("pyscipopt", "scip")

MODEL = """Minimize
 obj: x
Subject To
 a: x <= 5
 b: y <= 5
 c: x + y <= 100
 d: x - y >= -50
 q: [ x * y ] >= 30
End
"""


def test_the_conflict_is_irreducible_and_has_no_spare_row(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text(MODEL)
    found = settled(read_problem(tmp_path / "m.lp"))
    assert found.kept is not None
    oracle = KeptOracle(found.kept)
    session = oracle.session()
    session.load(found.model)
    iis = session.iis(30.0)
    assert iis.proven and iis.method == "deletion filter"
    assert iis.row_names(found.model) == ("a", "b", "q")
    assert oracle.solve(subsystem(found.model, iis)).status == Status.INFEASIBLE
    for name in iis.row_names(found.model):
        rest = found.model.without_row(found.model.rows[name])
        assert oracle.solve(rest).status != Status.INFEASIBLE


def test_gurobi_solves_with_what_is_kept_where_it_is_asked(tmp_path: Path) -> None:
    try:
        GurobiOracle()
    except SolverError as error:
        pytest.skip(str(error))
    (tmp_path / "m.lp").write_text(MODEL)
    told = {name: ordojo.explain(tmp_path / "m.lp", solver=name) for name in ("gurobi", "scip")}
    assert told["gurobi"].solver.startswith("gurobi ") and told["scip"].solver.startswith("scip ")
    for one in told.values():
        assert one.iis is not None and one.iis.row_names(one.model) == ("a", "b", "q")
        assert one.repairs and all(repair.verified for repair in one.repairs)
