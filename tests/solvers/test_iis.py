import csv
import os
from pathlib import Path

import numpy as np
import pytest

from ordojo.core.errors import OrdojoError, UsageError
from ordojo.milp.files import read_model
from ordojo.milp.model import INF
from ordojo.solvers.answers import Iis, Side, Status
from ordojo.solvers.choose import get_oracle
from ordojo.solvers.deletion import Subsystems, out_of_reach, shrink
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.iis import is_irreducible
from ordojo.solvers.protocol import Oracle
from tests.milp.builder import ModelBuilder

from .cases import affine_plane, random_models

ORACLE = HighsOracle()


def other(name: str) -> Oracle:
    pytest.importorskip({"gurobi": "gurobipy", "scip": "pyscipopt"}[name])
    return get_oracle(name)


@pytest.mark.parametrize(("count", "mip", "least"), [(280, False, 200), (130, True, 60)])
def test_every_iis_is_irreducible_member_by_member(count: int, mip: bool, least: int) -> None:
    session = ORACLE.session()
    tried = 0
    for model in random_models(count, mip, "irreducible"):
        session.load(model)
        if session.solve().status == Status.INFEASIBLE:
            iis = session.iis()
            assert is_irreducible(model, iis, ORACLE) is None
            assert iis.proven
            tried += 1
    assert tried >= least


def test_the_check_finds_what_is_wrong() -> None:
    model = next(m for m in random_models(50, False, "wrong") if len(_rows(m)) > 1)
    iis = ORACLE.iis(model)
    less = iis._replace(rows=iis.rows[1:])
    assert "not INFEASIBLE" in str(is_irreducible(model, less, ORACLE))
    spare = next(
        (i, Side.LOWER)
        for i in range(model.m)
        if i not in dict(iis.rows) and model.row_lower[i] > -1e30
    )
    more = iis._replace(rows=tuple(sorted((*iis.rows, spare))))
    assert "is still INFEASIBLE" in str(is_irreducible(model, more, ORACLE))
    none = Iis(rows=((0, Side.BOTH),), bounds=())
    assert "no such side" in str(is_irreducible(model.without_row(0), none, ORACLE))


def _rows(model: object) -> tuple[object, ...]:
    try:
        return ORACLE.iis(model).rows  # type: ignore[arg-type]
    except OrdojoError:
        return ()


@pytest.mark.parametrize(("name", "count"), [("gurobi", 80), ("scip", 12)])
@pytest.mark.parametrize("mip", [False, True])
def test_other_solvers_agree(name: str, count: int, mip: bool) -> None:
    oracle = other(name)
    infeasible = 0
    for model in random_models(count, mip, "agree"):
        ours, theirs = ORACLE.solve(model), oracle.solve(model)
        assert ours.status == theirs.status
        if ours.objective is not None:
            assert theirs.objective == pytest.approx(ours.objective, rel=1e-6, abs=1e-6)
        if ours.status == Status.INFEASIBLE:
            infeasible += 1
            if name == "gurobi":
                assert is_irreducible(model, ORACLE.iis(model), oracle) is None
            assert is_irreducible(model, oracle.iis(model), ORACLE) is None
    assert infeasible > count // 3


def test_the_registry() -> None:
    assert get_oracle("highs").name == "highs"
    with pytest.raises(UsageError, match="choose one of highs, gurobi, scip"):
        get_oracle("cplex")


def _infeasible_files() -> list[str]:
    root = os.environ.get("ORDOJO_DATA")
    if not root:
        return []
    folder = Path(root) / "mps"
    with (folder / "index.csv").open() as file:
        names = [row["file"] for row in csv.DictReader(file) if "nfeas" in row["highs_status"]]
    with (folder / "index-edge.csv").open() as file:
        small = [row for row in csv.DictReader(file) if row["rows"] and int(row["rows"]) <= 150]
    return names + [row["file"] for row in small if not row["file"].endswith("stein27_inf.lp")]


@pytest.mark.data
@pytest.mark.skipif(not _infeasible_files(), reason="needs ORDOJO_DATA")
def test_infeasible_files_have_an_iis() -> None:
    found = 0
    for name in _infeasible_files():
        try:
            model = read_model(Path(os.environ["ORDOJO_DATA"]) / "mps" / name)
        except OrdojoError:
            continue
        session = ORACLE.session()
        session.load(model)
        status = session.solve(5.0).status
        assert status != Status.ERROR
        if status == Status.INFEASIBLE:
            iis = session.iis(20.0)
            found += 1
            assert not iis.proven or is_irreducible(model, iis, ORACLE) is None
    assert found >= 12


@pytest.mark.parametrize("seed", range(40))
def test_a_row_out_of_reach_of_its_bounds_is_a_conflict_without_a_solve(seed: int) -> None:
    rng = np.random.default_rng(seed)
    b = ModelBuilder(f"reach-{seed}")
    for j in range(5):
        low = float(rng.integers(-4, 1)) if rng.random() < 0.9 else -INF
        b.col(f"x{j}", 1.0, low, float(rng.integers(1, 9)))
    for i in range(4):
        terms = {f"x{j}": float(rng.integers(-3, 4)) for j in range(5) if rng.random() < 0.6}
        b.row(f"r{i}", terms, ">=" if rng.random() < 0.5 else "<=", float(rng.integers(-60, 60)))
    model = b.build()
    low, up = np.maximum(model.col_lower, -1e9), model.col_upper
    reach = [
        sum(np.maximum(a * low[j], a * up[j]) for j, a in zip(*model.row(i), strict=True))
        < model.row_lower[i]
        or sum(np.minimum(a * low[j], a * up[j]) for j, a in zip(*model.row(i), strict=True))
        > model.row_upper[i]
        for i in range(model.m)
    ]
    found = out_of_reach(model)
    assert (found is not None) == any(reach)
    if found is not None:
        assert len(found.rows) == 1 and reach[found.rows[0][0]]
        assert is_irreducible(model, found, HighsOracle(), 10.0) is None


def test_points_beside_one_found_show_members_without_a_solve() -> None:
    model = affine_plane(4.0)
    systems, asked = Subsystems(model, True), list[int]()
    feasible = systems.feasible

    def counted(members: set[int] | None, seconds: float) -> tuple[bool | None, set[int]]:
        asked.append(len(members or ()))
        return feasible(members, seconds)

    systems.feasible = counted  # type: ignore[method-assign]
    found = shrink(systems, 60.0)
    assert found is not None and found[1]
    members = found[0]
    assert len(asked) < len(members)
    for member in members:
        assert Subsystems(model, True).feasible(set(members) - {member}, 60.0)[0]
