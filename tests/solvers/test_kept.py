"""Conflicts in which a product that no linear row expresses takes part."""

from pathlib import Path

from ordojo.milp.files import read_problem
from ordojo.solvers.answers import Status
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
