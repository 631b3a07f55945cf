"""A flat model in HiGHS: status, optimum, bound and log, checked by residuals."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from ordojo.core.canonical import significant
from ordojo.core.errors import SolverError
from ordojo.structure.artifact import INFEASIBLE, UNBOUNDED
from ordojo.structure.flat import Flat, Floats

RESIDUAL = 1e-5
"""By how much a side or bound may be broken, relative to 1 + the row's largest term."""
GAP = 1e-9
STATUS = {7: "optimal", 8: "infeasible", 10: "unbounded", 13: "time limit"}


@dataclass(frozen=True)
class Outcome:
    """What HiGHS said; `objective` is the best value known, `gap` relative to it.

    A proven optimum counts to 12 digits.
    """

    status: str
    objective: float | None
    bound: float | None
    gap: float | None
    seconds: float
    log: str

    @property
    def optimal_value(self) -> float | str | None:
        """A proven optimum, the word for a proven absence, None where it is open."""
        if self.status == "optimal" and self.objective is not None:
            return significant(self.objective)
        return {"infeasible": INFEASIBLE, "unbounded": UNBOUNDED}.get(self.status)


def solve(flat: Flat, seconds: float) -> Outcome:
    """Solve a model; raises SolverError for an answer that is false.

    With further sections, as of indicators, the status is "unknown": the arrays do not say them.
    """
    import highspy

    if flat.sections:
        kinds = ", ".join(part.split()[0].decode("latin-1") for part in flat.sections)
        log_text = f"not solved: {kinds} are more than rows and bounds; run solve.py\n"
        return Outcome("unknown", None, None, None, 0.0, log_text)

    h: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "highs.log"
        options: dict[str, object] = {
            "log_to_console": False,
            "log_file": str(log),
            "threads": 1,
            "time_limit": float(seconds),
            "mip_rel_gap": GAP,
            "mip_abs_gap": GAP,
        }
        for name, value in options.items():
            h.setOptionValue(name, value)
        h.passModel(_model(flat))
        begin = perf_counter()
        h.run()
        if h.getModelStatus() == highspy.HighsModelStatus.kUnboundedOrInfeasible:
            h.setOptionValue("presolve", "off")
            h.run()
        taken = perf_counter() - begin
        words = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    status = STATUS.get(int(h.getModelStatus().value), "unknown")
    info = h.getInfo()
    found = info.primal_solution_status == 2
    objective = float(info.objective_function_value) + 0.0 if found else None
    if found:
        _check(flat, np.array(h.getSolution().col_value))
    whole = bool(flat.types.any())
    bound = float(info.mip_dual_bound) if whole and found else objective
    gap = float(info.mip_gap) if whole and found else (0.0 if status == "optimal" else None)
    return Outcome(
        status,
        objective if status in ("optimal", "time limit") else None,
        bound if bound is not None and np.isfinite(bound) else None,
        gap if gap is not None and np.isfinite(gap) else None,
        taken,
        words,
    )


def _model(flat: Flat) -> Any:
    import highspy

    kinds = [
        highspy.HighsVarType.kContinuous,
        highspy.HighsVarType.kInteger,
        highspy.HighsVarType.kSemiContinuous,
        highspy.HighsVarType.kSemiInteger,
    ]
    lp: Any = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = flat.n, flat.m
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = flat.objective, flat.lower, flat.upper
    lp.row_lower_, lp.row_upper_ = flat.row_bounds
    lp.offset_ = flat.offset
    sense = highspy.ObjSense
    lp.sense_ = sense.kMaximize if flat.maximize else sense.kMinimize
    lp.integrality_ = [kinds[k] for k in flat.types.tolist()]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = flat.starts.astype(np.int32)
    lp.a_matrix_.index_ = flat.index.astype(np.int32)
    lp.a_matrix_.value_ = flat.value
    return lp


def _check(flat: Flat, x: Floats) -> None:
    """Raise SolverError where a point breaks the model."""
    matrix = csc_matrix((flat.value, flat.index, flat.starts), (flat.m, flat.n))
    activity, size = matrix @ x, 1 + abs(matrix) @ np.abs(x)
    low, up = flat.row_bounds
    rows = np.maximum(low - activity, activity - up) / size
    cols = np.maximum(flat.lower - x, x - flat.upper) / (1 + np.abs(x))
    # A semicontinuous column may be 0 below its lower bound.
    cols = np.where((flat.types > 1) & (np.abs(x) <= RESIDUAL), 0.0, cols)
    whole = np.where(flat.types % 2 == 1, np.abs(x - np.round(x)), 0.0)
    worst = max(rows.max(initial=0.0), cols.max(initial=0.0), whole.max(initial=0.0))
    if not worst <= RESIDUAL:
        raise SolverError(f"HiGHS gave a point that breaks the model by {worst:.1e}; report it")
