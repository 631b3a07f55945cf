"""Conflicts and repairs in which parts take part that are no linear rows."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

import ordojo
from ordojo.core.errors import SolverError
from ordojo.milp.files import read_problem
from ordojo.solvers.answers import Iis, Side, Status
from ordojo.solvers.conflicts import members
from ordojo.solvers.gurobi import GurobiOracle
from ordojo.solvers.iis import subsystem
from ordojo.solvers.kept import KeptOracle, settled
from ordojo.solvers.scip import run_until
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
    oracle = KeptOracle(found)
    session = oracle.session()
    session.load(found.model)
    iis = session.iis(30.0)
    assert iis.proven and iis.method == "deletion filter"
    assert iis.row_names(found.model) == ("a", "b", "q")
    assert oracle.solve(subsystem(found.model, iis)).status == Status.INFEASIBLE
    assert not iis.integral
    for name in iis.row_names(found.model):
        rest = found.model.without_row(found.model.rows[name])
        assert oracle.solve(rest).status != Status.INFEASIBLE


SET = """Maximize
 c: x + 2 y + 3 z
Subject To
 a: x + y + z >= 25
Bounds
 x <= 10
 y <= 10
 z <= 10
SOS
 s1: S1:: x:1 y:2 z:3
End
"""
SWITCH = """Minimize
 c: x + b
Subject To
 i1: b = 1 -> x <= 5
 need: x >= 150
Bounds
 x <= 100
Binary
 b
End
"""
PRODUCT = """Minimize
 c: x + b
Subject To
 q: [ b * x ] >= 150
Bounds
 x <= 100
Binary
 b
End
"""
FREE = """Minimize
 c: x
Subject To
 i1: b = 1 -> x + y >= 10
 r: x <= 3
 k: y <= 2
 f: b >= 1
Bounds
 x free
 y free
Binary
 b
End
"""
FUNCTION = """Minimize
 c: r
Subject To
 need: r >= 8
Bounds
 x <= 5
 y <= 4
 r <= 90
General Constraints
 top: r = MAX ( x , y , 3 )
End
"""


@pytest.mark.parametrize(
    ("text", "hard", "moves"),
    [
        (SET, "a", {("x.ub", 25), ("y.ub", 25), ("z.ub", 25)}),
        (SWITCH, "need", {("x.ub", 150)}),
        (PRODUCT, "q", {("x.ub", 150)}),
        (FUNCTION, "need", {("x.ub", 8), ("y.ub", 8)}),
    ],
)
def test_a_bound_of_a_part_s_column_may_move(
    tmp_path: Path, text: str, hard: str, moves: set[tuple[str, float]]
) -> None:
    (tmp_path / "m.lp").write_text(text)
    found = ordojo.explain(tmp_path / "m.lp", hard=[hard])
    assert found.alone and not found.beyond_repair
    assert all(one.verified and len(one.shifts) == 1 for one in found.repairs)
    told = {(name, one.shifts[0].new) for one in found.repairs for name in _alike(one)}
    assert {(name, round(new, 6)) for name, new in told} == moves
    assert "#" not in found.text()
    mended = found.repaired_problem()
    assert ordojo.explain(mended).status == Status.OPTIMAL


def _alike(repair: ordojo.Repair) -> list[str]:
    return [repair.shifts[0].target, *repair.alike]


@pytest.mark.parametrize("text", [SET, SWITCH, FUNCTION])
def test_without_scip_nothing_is_denied_of_bounds_that_stand_firm(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ordojo.solvers.scip.installed", lambda: False)
    (tmp_path / "m.lp").write_text(text)
    for hard in ((), ("need",) if "need" in text else ("a",)):
        found = ordojo.explain(tmp_path / "m.lp", hard=hard)
        assert found.status == Status.INFEASIBLE and "Without SCIP" in found.text()
        assert not re.search("No repair:|least in all|fewest|suffices alone", found.text())
        assert bool(found.repairs) is not bool(hard)


@pytest.mark.parametrize(
    ("part", "rows", "told"),
    [
        (
            "i1: b = 1 -> x + y >= 10",
            " r: x <= 3\n k: y <= 2\n f: b >= 1",
            "i1  b = 1 -> x + y >= 10",
        ),
        (
            "i1: b = 1 -> x + y = 10",
            " r: x <= 3\n k: y <= 2\n f: b >= 1",
            "i1  b = 1 -> x + y = 10",
        ),
        ("q: [ x * y ] >= 10", " r: x <= 3\n k: y <= 2", "q  x*y >= 10"),
    ],
)
def test_a_part_of_a_conflict_is_told_as_in_the_file(
    tmp_path: Path, part: str, rows: str, told: str
) -> None:
    text = f"Minimize\n c: x\nSubject To\n {part}\n{rows}\nBounds\n y free\nBinary\n b\nEnd\n"
    (tmp_path / "m.lp").write_text(text)
    for found in (
        ordojo.explain(tmp_path / "m.lp"),
        ordojo.whatif(tmp_path / "m.lp", ["r <= 2"]),
    ):
        lines = [" ".join(line.split()) for line in found.text().splitlines()]
        assert " ".join(told.split()) in lines and "#" not in found.text()


def test_a_set_or_function_is_a_member_of_the_conflict_that_it_makes(tmp_path: Path) -> None:
    text = "Maximize\n c: x\nSubject To\n a: x >= 1\n b: z >= 1\nSOS\n s1: S2:: x:1 y:2 z:3\nEnd\n"
    (tmp_path / "set.lp").write_text(text)
    (tmp_path / "top.lp").write_text(FUNCTION)
    for name, line in (("set", "s1 S2 :: x:1 y:2 z:3"), ("top", "top r = MAX ( x , y , 3 )")):
        found = ordojo.explain(tmp_path / f"{name}.lp")
        assert line in [" ".join(told.split()) for told in found.text().splitlines()]
        assert found.to_json()["iis"]["parts"] and found.repairs[0].shifts[0].target != line[:2]
    asked = ordojo.whatif(tmp_path / "set.lp", ["b >= 2"]).conflict
    assert asked is not None and [one.name for one in asked.members] == ["a", "b", "s1"]


def test_a_semicontinuous_bound_is_told_with_its_zero(tmp_path: Path) -> None:
    text = "Maximize\n c: x\nSubject To\n lo: x >= 1\n hi: x <= 2\nBounds\n 4 <= x <= 10\n"
    (tmp_path / "m.lp").write_text(text + "Semi-continuous\n x\nEnd\n")
    told = ordojo.explain(tmp_path / "m.lp").text()
    assert "x >= 4 or 0" in told and "whole" not in told
    asked = ordojo.whatif(tmp_path / "m.lp", ["hi <= 3"]).text()
    assert "x >= 4 or 0" in asked and "whole" not in asked


@pytest.mark.parametrize("objective", ["x + z", "z + [ z^2 ]"])
def test_a_ray_beside_the_parts_is_shown(tmp_path: Path, objective: str) -> None:
    text = f"Maximize\n c: {objective}\nSubject To\n i: b = 1 -> x <= 2\n r: x - y <= 3\n"
    (tmp_path / "m.lp").write_text(text + "Bounds\n x <= 3\nBinary\n b\nEnd\n")
    told = ordojo.explain(tmp_path / "m.lp")
    assert told.status == Status.UNBOUNDED and told.ray is not None and told.ray.proven
    assert {"z"} <= {told.model.col_names[j] for j, _ in told.ray.moves} <= {"y", "z"}


@pytest.fixture
def gurobi() -> None:
    try:
        GurobiOracle()
    except SolverError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("gurobi")
@pytest.mark.parametrize(("text", "hard"), [(SET, "a"), (SWITCH, "need"), (FREE, "f")])
def test_by_gurobi_bounds_may_move_too(
    tmp_path: Path, text: str, hard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.lp").write_text(text)
    told = ordojo.explain(tmp_path / "m.lp", hard=[hard], solver="scip").to_json()
    monkeypatch.setattr("ordojo.solvers.scip.installed", lambda: False)
    found = ordojo.explain(tmp_path / "m.lp", hard=[hard], solver="gurobi")
    assert "Gurobi solves with them" in found.text() and found.iis is not None
    for one, other in zip(found.to_json()["repairs"], told["repairs"], strict=True):
        assert one["moves"] == other["moves"] and one["least"] == other["least"]


@pytest.mark.usefixtures("gurobi")
def test_gurobi_solves_with_what_is_kept_where_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text(MODEL)
    told = {name: ordojo.explain(tmp_path / "m.lp", solver=name) for name in ("gurobi", "scip")}
    assert told["gurobi"].solver.startswith("gurobi ") and told["scip"].solver.startswith("scip ")
    for one in told.values():
        assert one.iis is not None and one.iis.row_names(one.model) == ("a", "b", "q")
        assert one.repairs and all(repair.verified for repair in one.repairs)


def test_where_scip_fails_the_whole_objective_has_its_ray(tmp_path: Path) -> None:
    """SCIP raises "SCIP: error in LP solver!" here."""
    (tmp_path / "m.lp").write_text(
        "Minimize\n obj: x + [ - 2 x * y + y ^ 2 ] / 2\nSubject To\n c: x - y >= -5\nEnd\n"
    )
    found = ordojo.explain(tmp_path / "m.lp", time_limit=8.0)
    assert found.status == Status.UNBOUNDED and found.ray is not None and found.ray.proven


class Failing:
    """What SCIP does in the middle of a solve: it warns on the process's stderr, and fails."""

    def optimize(self) -> None:
        os.write(2, b"Cannot set feasibility tolerance\n")
        raise Exception("SCIP: error in LP solver!")


def test_what_scip_says_on_its_way_is_not_heard(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(Exception, match="SCIP:"):
        run_until(Failing(), 1.0, 1.0)
    os.write(2, b"heard\n")
    assert capfd.readouterr().err == "heard\n"


def test_what_is_not_proved_is_not_told_as_the_optimum(tmp_path: Path) -> None:
    # Costs of both signs in all pairs of 40 columns: the bound closes in hours.
    costs = np.random.default_rng(1).integers(1, 50, (40, 40)).tolist()
    pairs = [
        f"{'+' if costs[i][j] % 2 else '-'} {costs[i][j]} x{i} * x{j}"
        for i in range(40)
        for j in range(i)
    ]
    bounds = "\n".join(f" x{j} <= 1" for j in range(40))
    (tmp_path / "m.lp").write_text(
        f"Minimize\n obj: [ {' '.join(pairs)} ] / 2\nSubject To\n"
        f" c: {' + '.join(f'x{j}' for j in range(40))} <= 12\nBounds\n{bounds}\nEnd\n"
    )
    found = ordojo.explain(tmp_path / "m.lp", time_limit=4.0)
    assert found.objective is None and "optimum is unknown" in found.text()
    assert re.fullmatch(
        r"Its whole objective: not finished within the limit \(best found -?[\d.]+, gap [^,]+, "
        r"proved bound -[\d.]+\)\.",
        found.unfinished,
    )


def test_a_conflict_of_parts_alone_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text(
        "Minimize\n obj: x\nSubject To\n c: x + y + w >= -100\nBounds\n x free\n y free\n w free\n"
        "General Constraints\n g1: y = MAX ( x , 3 )\n g2: y = MIN ( w , 2 )\nEnd\n"
    )
    found = ordojo.explain(tmp_path / "m.lp", conflicts=4, time_limit=10.0)
    assert [len(iis.parts) for iis in found.conflicts] == [2]


def test_a_part_has_one_name_and_a_long_one_is_cut(tmp_path: Path) -> None:
    long = " + ".join(f"x{j}" for j in range(99))
    (tmp_path / "m.lp").write_text(
        "Minimize\n obj: x\nSubject To\n i1: x + y <= 100\n i1#2: x <= 50\n"
        " i1: b = 1 -> x + y >= 30\n b = 1 -> x - y >= 5\n i1: b = 1 -> x - y <= 3\n"
        f" o: b = 1\n big: b = 1 -> x + y + {long} >= 1\n"
        "Bounds\n x <= 10\n y <= 10\nBinaries\n b\nEnd\n"
    )
    parts = settled(read_problem(tmp_path / "m.lp"))
    assert len(set(parts.model.row_names)) == parts.model.m
    names = [parts.part_text(("indicators", k))[0] for k in range(4)]
    assert names == [parts.model.row_names[i] for i in sorted(parts.parts)]
    assert f"Not written as rows: {', '.join(names)}; SCIP solves with them." in parts.said
    found = ordojo.explain(tmp_path / "m.lp", time_limit=10.0, hard=["o"])
    told = {row["name"]: row["text"] for row in found.to_json()["iis"]["rows"]}
    assert set(told) >= set(names[1:3]) and "needs_integrality" in found.to_json()["iis"]
    big = Iis(((parts.model.rows["big"], Side.LOWER),), ())
    text = next(members(parts, big)).text
    assert text.startswith("b = 1 -> ") and " ... " in text and len(text) < 210
