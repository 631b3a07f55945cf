"""What HiGHS is given beside the linear model: options, a cutoff, quadratic terms."""

import math
from typing import Any

import highspy
import numpy as np

from ordojo.compat.problem import Quadratic, Settings
from ordojo.compat.service.engine.search import Search
from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Model

MIP_GAP = 1e-4
"""The relative gap where the program asks for none, as in Gurobi."""


def options(settings: Settings, search: Search) -> dict[str, object]:
    """HiGHS's options for what the program asked for."""
    gap = MIP_GAP if settings.mip_gap is None else max(settings.mip_gap, 0.0)
    asked: dict[str, object | None] = {
        "output_flag": False,
        "log_to_console": False,
        "threads": 1,
        "random_seed": settings.seed % (2**31 - 1),
        "time_limit": max(search.left, 0.001),
        "presolve": None if settings.presolve else "off",
        "mip_rel_gap": gap,
        "mip_abs_gap": None if settings.mip_gap_abs is None else max(settings.mip_gap_abs, 1e-9),
        "mip_feasibility_tolerance": settings.integrality_tol
        and max(settings.integrality_tol, 1e-10),
        "mip_max_nodes": None
        if settings.node_limit is None or settings.node_limit > 2**31 - 2
        else max(int(settings.node_limit), 0),
        "mip_max_improving_sols": settings.solution_limit or None,
        "objective_target": settings.best_obj_stop,
        "small_matrix_value": 1e-12,
    }
    if settings.feasibility_tol is not None:
        asked["primal_feasibility_tolerance"] = max(settings.feasibility_tol, 1e-10)
    return {name: value for name, value in asked.items() if value is not None}


def cut_off(h: Any, model: Model, settings: Settings) -> bool:
    """Add the objective as a row where the program asked for a cutoff."""
    if settings.cutoff is None or not math.isfinite(settings.cutoff):
        return False
    used = np.flatnonzero(model.objective).astype(np.int32)
    side = settings.cutoff - model.offset
    low, up = (side, INF) if model.maximize else (-INF, side)
    h.addRow(low, up, len(used), used, model.objective[used])
    return True


def pass_hessian(h: Any, quadratic: Quadratic, n: int) -> None:
    """Give HiGHS the quadratic part: 1/2 x'Qx, lower triangle by columns."""
    rows = np.maximum(quadratic.first, quadratic.second).astype(np.int64)
    cols = np.minimum(quadratic.first, quadratic.second).astype(np.int64)
    keys, places = np.unique(cols * n + rows, return_inverse=True)
    values = np.bincount(places, quadratic.value, len(keys))
    found_cols, found_rows = keys // n, keys % n
    values = np.where(found_cols == found_rows, 2 * values, values)
    starts = np.zeros(n + 1, np.int32)
    starts[1:] = np.cumsum(np.bincount(found_cols, minlength=n))
    triangular = int(highspy.HessianFormat.kTriangular)
    status = h.passHessian(n, len(keys), triangular, starts, found_rows.astype(np.int32), values)
    if int(status) == int(highspy.HighsStatus.kError):
        raise SolverError("HiGHS refuses the quadratic objective; look for entries above 1e15")
