"""Reference models of problems: read, solved, and compared with an answer's model."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from ordojo.compat.service import problem_hash
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, SolverError
from ordojo.core.files import shipped_table
from ordojo.datasets.golds import GoldAnswer
from ordojo.datasets.store import sha256_of
from ordojo.milp.files import linear, read_problem
from ordojo.milp.model import Model
from ordojo.solvers.answers import SolveResult
from ordojo.solvers.answers import Status as SolveStatus
from ordojo.solvers.equivalence import EquivalenceVerdict, compare
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.problem import Problem
from ordojo.solvers.residuals import check_optimal
from ordojo.structures.inspection import structural

SOLVE_SECONDS = 300.0
"""For the optimum of a reference model, which is found once a process."""

COMPARE_SECONDS = 10.0
"""For a comparison, of which there is one after each answer."""


@lru_cache(maxsize=1024)
def reference_model(path: Path) -> Model | None:
    """The model in a dataset's LP file, None for a quadratic one; raises DataError."""
    problem = read_problem(path)
    return linear(problem) if problem.is_linear else None


@lru_cache(maxsize=4096)
def reference_gold(path: Path) -> GoldAnswer:
    """What a reference model's optimum is, by HiGHS; "unknown" for an unsolved one.

    Of quadratic ones, which HiGHS may not take, the optimum was found once, by Gurobi.
    """
    model = reference_model(path)
    if model is None:
        unknown = GoldAnswer("unknown", note="the reference model is quadratic")
        return _quadratic().get(sha256_of(path), unknown)
    found = HighsOracle().solve(model, SOLVE_SECONDS)
    if found.status == SolveStatus.OPTIMAL and found.objective is not None:
        return GoldAnswer(
            "number", found.objective, repr(found.objective), "of the reference model"
        )
    if found.status == SolveStatus.INFEASIBLE:
        return GoldAnswer("infeasible", note="the reference model")
    if found.status == SolveStatus.UNBOUNDED:
        return GoldAnswer("unbounded", note="the reference model")
    return GoldAnswer("unknown", note=f"the reference model ended as {found.status}")


@cache
def _quadratic() -> Mapping[str, GoldAnswer]:
    """Optima of quadratic references by the hash of the file, proven to a gap of 0."""
    return {
        row["sha256"]: GoldAnswer(
            "number", float(row["value"]), row["value"], "of the reference model"
        )
        if row["kind"] == "number"
        else GoldAnswer("infeasible" if row["kind"] == "infeasible" else "unbounded")
        for row in shipped_table(__package__, "tables/quadratic_references.csv")
    }


def confirm(path: Path, golds: tuple[GoldAnswer, ...]) -> None:
    """Check that the reference model's optimum is one of the golds; raises DataError."""
    found = reference_gold(path)
    if found.kind == "unknown":
        return
    for gold in golds:
        if gold.kind == found.kind and (
            gold.value is None
            or found.value is None
            or abs(gold.value - found.value) <= 1e-6 * max(1.0, abs(found.value))
        ):
            return
    stated = " or ".join(gold.text or gold.kind for gold in golds) or "nothing"
    raise DataError(
        f"{path} has the optimum {found.text or found.kind}, its problem states {stated}; "
        "correct one of them"
    )


def equivalence(
    reference: Path, solved: list[tuple[Problem, SolveResult]], wanted: str
) -> Mapping[str, Json]:
    """How the model that an answer solved compares with the reference, for the turn's info.

    `wanted` is the content hash of the model to compare. "feasible": whether the answer's point
    satisfies the reference, None where their columns have other names. "answer" is "incomparable"
    where the reference is quadratic, as nothing is compared with it. "faults": what differs, a kind
    and a family or group each; none where the models are built in another way.
    """
    model = reference_model(reference)
    if model is None:
        detail = "the reference model is quadratic"
        return {"answer": "incomparable", "detail": detail, "feasible": None}
    chosen = next((pair for pair in reversed(solved) if problem_hash(pair[0]) == wanted), None)
    if chosen is None:
        return {"answer": "unknown", "detail": "its model was not kept", "feasible": None}
    problem, result = chosen
    if not problem.is_linear:
        return {
            "answer": "unknown",
            "detail": "the answer's model is not linear, the reference is",
            "feasible": None,
        }
    faults: list[Json] = []
    try:
        found = compare(problem.model, model, COMPARE_SECONDS)
        fits = _fits(problem.model, result, model)
        if found.verdict is not EquivalenceVerdict.EQUAL:
            listed = structural(model, problem.model, COMPARE_SECONDS)
            faults = [{"kind": one.kind.value, "family": one.name} for one in listed]
    except (SolverError, DataError, ArithmeticError, ValueError) as error:
        # The answer's own numbers, beyond what a solver or a float can hold.
        return {"answer": "unknown", "detail": f"not comparable: {error}", "feasible": None}
    told: dict[str, Json] = {"answer": found.verdict.value, "detail": found.reason}
    return {**told, "feasible": fits, "faults": faults}


def _fits(model: Model, result: SolveResult, reference: Model) -> bool | None:
    if result.x is None or not set(reference.col_names) <= set(model.col_names):
        return None
    point = np.array([result.x[model.cols[name]] for name in reference.col_names])
    value = reference.value_at(point)
    try:
        check_optimal(reference, SolveResult(SolveStatus.OPTIMAL, value, x=point))
    except SolverError:
        return False
    return True
