"""`explain` on models of eleven kinds of source, against truths that were worked out by hand."""

import dataclasses
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

import ordojo
from ordojo.compat.capture import lent_sandbox
from ordojo.core.errors import SandboxError
from ordojo.milp.model import INF
from ordojo.milp.problem import PARTS
from ordojo.solvers.answers import Iis, Side
from ordojo.solvers.explain import Explanation
from ordojo.solvers.farkas import by_member, with_members
from ordojo.solvers.problem import Problem
from ordojo.solvers.reformulation import linearised, lowered

from .infeasible import CASES, SOLVE, Case

PROGRAMS = {"coptpy", "ortools"}
"""Taken as programs only: the one is not installed, the other's library cannot be loaded here."""


def test_every_kind_has_three() -> None:
    kinds = [case.kind for case in CASES]
    assert {kinds.count(kind) for kind in kinds} == {3} and len(set(kinds)) == 11


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}-{case.name}")
@pytest.mark.filterwarnings("ignore")  # what other libraries warn of is theirs
def test_right_conflict_and_proved_repair(case: Case, tmp_path: Path) -> None:
    told = ordojo.explain(source(case, tmp_path))
    assert told.status == "INFEASIBLE" and told.seconds < 10
    conflicts = [members(told, iis) for iis in told.conflicts]
    assert conflicts and all(names in case.conflicts for names in conflicts), conflicts
    assert len(conflicts) == case.independent
    for iis in told.conflicts:
        assert iis.integral == case.whole and iis.proven
        assert case.name == "disc" or irreducible(told, iis)
    best = told.repairs[0]
    assert best.verified and best.least and best.cost == pytest.approx(case.least, abs=1e-6)
    for number in range(1, len(told.repairs) + 1):
        check = within_disc if case.name == "disc" else feasible
        assert check(told.repaired_problem(number))
    assert told.repairs == tuple(sorted(told.repairs, key=lambda repair: repair.cost))


def source(case: Case, folder: Path) -> Any:
    """The path of a file or a program, or an object, each third model of a library a program."""
    if case.name == "disc":
        pytest.importorskip("pyscipopt")
    if case.kind in ("lp", "mps"):
        path = folder / f"{case.name}.{case.kind}"
        path.write_text(case.text)
        return path
    if case.kind != "coptpy" and importlib.util.find_spec(case.kind) is None:
        pytest.skip(f"{case.kind} is not installed")
    third = [c for c in CASES if c.kind == case.kind].index(case) == 2
    if case.kind in PROGRAMS or third:
        try:
            with lent_sandbox("auto", 5.0):
                pass
        except SandboxError as error:
            pytest.skip(str(error))
        path = folder / f"{case.name}.py"
        path.write_text(f"{case.text}\n{SOLVE[case.kind]}\n")
        return path
    space: dict[str, Any] = {}
    exec(case.text, space)
    return space["model"]


def members(told: Explanation, iis: Iis) -> frozenset[str]:
    model, whole = told.model, told.settled
    assert whole is not None
    ends = {Side.LOWER: (".lb",), Side.UPPER: (".ub",), Side.BOTH: (".lb", ".ub")}
    rows = {model.row_names[i].partition("#")[0] for i, _ in iis.rows}
    bounds = {model.col_names[j] + e for j, side in iis.bounds for e in ends[side]}
    return frozenset(rows | bounds | {whole.part_text(part)[0] for part in iis.parts})


def irreducible(told: Explanation, iis: Iis) -> bool:
    """By SciPy's solver: the members have no common point, and without any one of them they do."""
    whole = told.settled
    assert whole is not None
    sides = [("row", i, e) for i, side in iis.rows if i not in whole.parts for e in ends(side)]
    sides += [("col", j, e) for j, side in iis.bounds for e in ends(side)]
    parts = [*(whole.parts[i] for i, _ in iis.rows if i in whole.parts), *iis.parts]
    sides += [(field, k, 0) for field, k in parts]
    if part(whole.source, sides, iis.integral):
        return False
    each = {(kind, at) for kind, at, _ in sides}
    return all(part(whole.source, [s for s in sides if s[:2] != one], iis.integral) for one in each)


def ends(side: Side) -> tuple[int, ...]:
    return {Side.LOWER: (0,), Side.UPPER: (1,), Side.BOTH: (0, 1)}[side]


def part(problem: Problem, sides: list[tuple[str, int, int]], integral: bool) -> bool:
    """Whether these sides of rows and bounds, and these parts, alone have a point."""
    model, none = problem.model, np.array([[-INF], [INF]])
    rows, cols = none.repeat(model.m, 1), none.repeat(model.n, 1)
    full = {"row": (model.row_lower, model.row_upper), "col": model.effective_bounds}
    kept: dict[str, Any] = dict.fromkeys(PARTS, ())
    for kind, at, end in sides:
        if kind in kept:
            kept[kind] += (getattr(problem, kind)[at],)
        else:
            (rows if kind == "row" else cols)[end, at] = full[kind][end][at]
    # Beside parts binaries are what they are in any case.
    types = model.types if integral or not problem.is_linear else np.zeros_like(model.types)
    model = with_members(model, by_member(rows, cols), types=types)
    return feasible(Problem(model, **kept))


def within_disc(problem: Problem) -> bool:
    """Whether x + y may be as large as it must: at most the root of twice the disc's side."""
    least, disc = problem.model.row_lower[problem.model.rows["sum"]], problem.quadratic_rows[0]
    return bool(least <= (2 * disc.upper) ** 0.5 + 1e-6)


def feasible(problem: Problem) -> bool:
    model, (low, up) = problem.model, problem.model.effective_bounds
    if (low > up).any():
        return False
    # A box, without which a search over whole numbers has no end, and parts are no rows.
    low, up = np.maximum(low, np.where(model.semi, 0.0, -1000.0)), np.minimum(up, 1000.0)
    model = dataclasses.replace(model, col_lower=low, col_upper=up)
    if not problem.is_linear:
        model = linearised(lowered(dataclasses.replace(problem, model=model))).model
    found = milp(
        np.zeros(model.n),
        integrality=np.array([0, 1, 1, 2, 3])[model.types],
        bounds=Bounds(model.col_lower, model.col_upper),
        constraints=LinearConstraint(
            csr_matrix((model.value, model.index, model.starts), (model.m, model.n)),
            model.row_lower,
            model.row_upper,
        ),
    )
    return bool(found.status == 0)
