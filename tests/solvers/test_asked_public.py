"""Ten questions on public models, each answered anew by SCIP or Gurobi with their own readers."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ordojo
from ordojo.solvers.answers import Status

SAME = 1e-6
SECONDS = 10.0


@pytest.fixture(autouse=True)
def within_ten_seconds_of_processor() -> Iterator[None]:
    begin = time.process_time()
    yield
    assert time.process_time() - begin < SECONDS


@pytest.fixture
def public() -> Any:
    root = Path(os.environ.get("ORDOJO_DATA", "nowhere"), "mps")
    if not root.is_dir():
        pytest.skip("needs the public models under $ORDOJO_DATA")

    def path(name: str) -> Path:
        found = root / name
        if not found.is_file():
            pytest.skip(f"$ORDOJO_DATA has no mps/{name}")
        return found

    return path


class Scip:
    """The same file in SCIP, read by SCIP."""

    def __init__(self, path: Path) -> None:
        self.m = pytest.importorskip("pyscipopt").Model()
        self.m.hideOutput()
        self.m.readProblem(str(path))
        self.m.setParam("limits/gap", 0)
        self.vars = {v.name: v for v in self.m.getVars()}
        self.rows = {c.name: c for c in self.m.getConss()}

    def row(self, name: str) -> Any:
        """What a row adds up to."""
        terms = self.m.getValsLinear(self.rows[name])
        return sum(value * self.vars[column] for column, value in terms.items())

    def solve(self) -> float | None:
        """The optimum, None where there is no solution."""
        self.m.optimize()
        assert self.m.getStatus() in ("optimal", "infeasible"), self.m.getStatus()
        return float(self.m.getObjVal()) if self.m.getStatus() == "optimal" else None


@pytest.fixture
def real_gurobi() -> Iterator[Any]:
    gurobipy = pytest.importorskip("gurobipy")
    if not hasattr(gurobipy, "gurobi"):
        pytest.skip("gurobipy is the emulator here")
    yield gurobipy


def close(value: float | None, other: float | None) -> bool:
    return other is not None and value == pytest.approx(other, rel=SAME, abs=SAME)


def test_1_a_limit_loosened(public: Any) -> None:
    path = public("lseu.mps.gz")
    found = ordojo.whatif(path, ["R102 <= 2"])
    scip = Scip(path)
    scip.m.chgRhs(scip.rows["R102"], 2.0)
    assert close(found.before.objective, 1120) and close(found.after.objective, scip.solve())
    assert found.gain == pytest.approx(183)


def test_2_a_row_dropped(public: Any) -> None:
    path = public("egout.mps.gz")
    found = ordojo.whatif(path, ["drop U.042..."])
    scip = Scip(path)
    scip.m.delCons(scip.rows["U.042..."])
    assert close(found.after.objective, scip.solve())


def test_3_costs_and_bounds_of_an_lp(public: Any, real_gurobi: Any) -> None:
    path = public("boeing2.mps.gz")
    found = ordojo.whatif(path, ["PBOSORD0 <= 5", "obj.CORDBOS4 = -0.5"])
    with real_gurobi.Env(params={"OutputFlag": 0}) as env, real_gurobi.read(str(path), env) as m:
        m.getVarByName("PBOSORD0").UB = 5
        m.getVarByName("CORDBOS4").Obj = -0.5
        m.optimize()
        assert close(found.after.objective, m.ObjVal)
    assert found.closest and found.after.objective != found.before.objective


def test_4_a_coefficient(public: Any, real_gurobi: Any) -> None:
    path = public("khb05250.mps.gz")
    row, column = "U.SUPW24", "I.SUPW24"
    found = ordojo.whatif(path, [f"{row}[{column}] = -50"])
    with real_gurobi.Env(params={"OutputFlag": 0}) as env, real_gurobi.read(str(path), env) as m:
        m.Params.MIPGap = 0
        m.chgCoeff(m.getConstrByName(row), m.getVarByName(column), -50)
        m.optimize()
        assert close(found.after.objective, m.ObjVal)
    assert found.gain is not None and found.gain < 0


def test_5_the_closest_plan_is_as_close_as_scip_proves(public: Any) -> None:
    path = public("lseu.mps.gz")
    model = ordojo.read_model(path)
    found = ordojo.whatif(path, ["R102 <= 0", "C101 + C102 <= 1"])
    former = dict(zip(model.col_names, found.before.x.tolist(), strict=True))
    distance = sum(abs(one.after - one.before) for one in found.changes)
    scip = Scip(path)
    scip.m.chgRhs(scip.rows["R102"], 0.0)
    scip.m.addCons(scip.vars["C101"] + scip.vars["C102"] <= 1)
    best = scip.solve()
    assert close(found.after.objective, best) and found.closest
    scip.m.freeTransform()
    scip.m.addCons(scip.m.getObjective() <= best + 1e-6)
    apart = sum(1 - v if former[name] > 0.5 else v for name, v in scip.vars.items())
    scip.m.setObjective(apart, "minimize")
    assert distance == pytest.approx(scip.solve()) and distance == len(found.changes)


def test_6_what_forcing_costs(public: Any) -> None:
    path = public("gap4_2.txt.lp.gz")
    found = ordojo.whynot(path, "x#1#1 + x#1#2 >= 2")
    scip = Scip(path)
    scip.m.addCons(scip.vars["x#1#1"] + scip.vars["x#1#2"] >= 2)
    assert close(found.after.objective, scip.solve()) and found.maximize


def test_7_what_forbids(public: Any) -> None:
    path = public("gap4_2.txt.lp.gz")
    found = ordojo.whynot(path, "x#1#1 + x#2#1 >= 2")
    scip = Scip(path)
    scip.m.addCons(scip.vars["x#1#1"] + scip.vars["x#2#1"] >= 2)
    assert scip.solve() is None and found.after.status == Status.INFEASIBLE
    assert found.conflict is not None and found.conflict.irreducible and found.conflict.takes_part
    assert "m_job_;1;" in {member.name for member in found.conflict.members}


def test_8_what_a_row_is_worth_and_how_far_it_goes(public: Any) -> None:
    path = public("afiro.mps.gz")
    found = ordojo.worth(path, "X51", by=290)
    (side,) = found.sides
    for step in side.steps:
        scip = Scip(path)
        scip.m.chgRhs(scip.rows["X51"], step.value)
        assert close(step.outcome.objective, scip.solve())
    # The least that the row can be, in any solution and in the best.
    for best, end in ((False, side.feasible[0]), (True, side.idle[0])):
        scip = Scip(path)
        scip.m.chgRhs(scip.rows["X51"], scip.m.infinity())
        if best:
            optimum = scip.solve()
            assert side.free is not None and close(side.free.objective, optimum)
            scip.m.freeTransform()
            scip.m.addCons(scip.m.getObjective() <= optimum)
        scip.m.setObjective(scip.row("X51"), "minimize")
        assert end.value == pytest.approx(scip.solve(), abs=1e-4)


def test_9_a_slip_of_a_unit_is_found_and_its_undo_gives_the_known_optimum(public: Any) -> None:
    path = public("stein27.mps.gz")
    model = ordojo.read_model(path)
    wrong = model.with_row_bounds(model.rows["A60"], 10.0, np.inf)  # it is 1, as in all others
    found = ordojo.suspects(wrong)
    first = found.found[0]
    assert found.base.status == Status.INFEASIBLE
    assert (first.target, first.suggested) == ("A60", 1.0)
    assert first.outcome is not None and close(first.outcome.objective, Scip(path).solve())


def test_10_plans_of_other_solvers(public: Any, real_gurobi: Any, tmp_path: Path) -> None:
    path = public("lseu.mps.gz")
    scip = Scip(path)
    best = scip.solve()
    scip.m.writeBestSol(str(tmp_path / "scip.sol"))
    with real_gurobi.Env(params={"OutputFlag": 0}) as env, real_gurobi.read(str(path), env) as m:
        m.Params.MIPGap = 0
        m.optimize()
        m.write(str(tmp_path / "gurobi.sol"))
        names = {v.VarName: round(v.X) for v in m.getVars()}
        rows = {c.ConstrName: (m.getRow(c), c.RHS) for c in m.getConstrs()}
        used = next(name for name, x in names.items() if x and name not in ("C101", "C102"))
        off = {used: 0}
        broken = {
            name: sum(
                row.getCoeff(k) * {**names, **off}[row.getVar(k).VarName] for k in range(row.size())
            )
            - side
            for name, (row, side) in rows.items()
        }
    for kind in ("scip.sol", "gurobi.sol"):
        told = ordojo.check(path, tmp_path / kind)
        assert told.feasible and close(told.objective, best) and not told.unknown
    told = ordojo.check(path, {**names, **off})
    expected = {name: by for name, by in broken.items() if by > 1e-6}
    assert {one.name: one.by for one in told.broken} == pytest.approx(expected) and expected
    again = ordojo.check(path, {n: x for n, x in names.items() if n < "C150"}, complete=True)
    assert again.completed is not None and close(again.objective, best)


def test_what_simplex_leaves_open_is_solved_otherwise(public: Any) -> None:
    model = ordojo.read_model(public("misc06.mps.gz"))
    best = ordojo.solve(model).objective
    assert best is not None and best == pytest.approx(12850.8607)
    costs = np.flatnonzero(model.objective).tolist()
    values = model.objective[costs].tolist()
    cut = model.with_new_row("cut", costs, values, -np.inf, 0.9 * best)
    assert ordojo.solve(cut).status == Status.INFEASIBLE
