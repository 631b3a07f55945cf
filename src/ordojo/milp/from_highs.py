"""What HiGHS holds after it has read a file, as a `Model`; the names are put back."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from ordojo.milp.model import Model, VarType
from ordojo.milp.scan import refusal

_KINDS = (VarType.CONTINUOUS, VarType.INTEGER, VarType.SEMICONTINUOUS, VarType.SEMIINTEGER)
"""In the order of highspy's HighsVarType, which is not imported here: see `files._quiet`."""


def model_of(highs: Any, path: Path, names: Mapping[str, str]) -> Model:
    """The model that HiGHS has read from the file; `names` are those behind placeholders."""
    model = _model(highs, path, names)
    j = model.cols.get("Constant", -1)
    if j < 0 or model.types[j] or (model.col_lower[j], model.col_upper[j]) != (1, 1):
        return model
    return model if (model.index == j).any() else _without_constant(model, j)


def check_ranges(path: Path, highs: Any, model: Model) -> None:
    """HiGHS makes two rows of `c: 1 <= + x + y <= 3` in an LP file, the first without terms."""
    names = highs.getLp().row_names_
    for i in np.flatnonzero(np.diff(model.starts[:-1]) == 0).tolist():
        if names[i + 1] == f"HiGHS_R{i + 1}":
            problem = f"has a row '{model.row_names[i]}' with two sides"
            raise refusal(path, problem, "write a row for each, or an MPS file")


def _without_constant(model: Model, j: int) -> Model:
    """The objective's constant for the column that Gurobi writes in its place."""
    rest = np.delete(np.arange(model.n), j)
    return dataclasses.replace(
        model,
        offset=model.offset + float(model.objective[j]),
        objective=model.objective[rest],
        col_names=tuple(model.col_names[k] for k in rest.tolist()),
        col_lower=model.col_lower[rest],
        col_upper=model.col_upper[rest],
        types=model.types[rest],
        index=np.where(model.index > j, model.index - 1, model.index).astype(np.int32),
    )


def _names(names: list[str], count: int, letter: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The file's own names; a row without one is called R and its number, counted from 1."""
    if not names:
        return tuple(f"{letter}{k + 1}" for k in range(count))
    found = [known.get(name, name) for name in names]
    taken = set(found)
    for k, name in enumerate(names):
        if name == f"HiGHS_{letter}{k}" and f"{letter}{k + 1}" not in taken:
            found[k] = f"{letter}{k + 1}"
    return tuple(found)


def _model(highs: Any, path: Path, names: Mapping[str, str]) -> Model:
    if highs.getModel().hessian_.dim_:
        raise refusal(path, "is nonlinear: its objective is quadratic")
    lp = highs.getLp()
    n, m = lp.num_col_, lp.num_row_
    matrix = lp.a_matrix_
    parts = (np.asarray(matrix.value_), np.asarray(matrix.index_, np.int32), matrix.start_)
    rows = csc_matrix(parts, shape=(m, n)).tocsr()
    rows.sort_indices()
    lower, upper = np.array(lp.col_lower_, np.float64), np.array(lp.col_upper_, np.float64)
    kinds = [int(_KINDS[int(kind)]) for kind in lp.integrality_]
    types = np.array(kinds or [0] * n, np.uint8)
    types[(types == VarType.INTEGER) & (lower == 0) & (upper == 1)] = VarType.BINARY
    return Model(
        name=str(lp.model_name_) or path.name.split(".")[0],
        maximize=lp.sense_.name == "kMaximize",
        objective=np.array(lp.col_cost_, np.float64),
        offset=float(lp.offset_),
        col_names=_names(lp.col_names_, n, "C", names),
        col_lower=lower,
        col_upper=upper,
        types=types,
        row_names=_names(lp.row_names_, m, "R", names),
        row_lower=np.array(lp.row_lower_, np.float64),
        row_upper=np.array(lp.row_upper_, np.float64),
        starts=rows.indptr.astype(np.int32),
        index=rows.indices.astype(np.int32),
        value=rows.data.astype(np.float64),
    )
