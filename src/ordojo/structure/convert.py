"""Any model as a flat one, the project's own, an LP file, an MPS file; and back for a solver."""

from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from ordojo.core.errors import DataError
from ordojo.core.files import reading
from ordojo.milp.files import read_model
from ordojo.milp.model import Model, VarType
from ordojo.structure.flat import (
    EQ,
    FREE,
    GE,
    INTEGER,
    LE,
    Flat,
    NameBuffer,
)
from ordojo.structure.reader import read_mps

READING = 600.0
"""Seconds in which a model must be read: ten times what the largest, 4 GiB, takes here."""

_TYPES = np.array(
    [VarType.CONTINUOUS, VarType.INTEGER, VarType.SEMICONTINUOUS, VarType.SEMIINTEGER], np.uint8
)
"""The type in a `Model` for each of a `Flat`'s; binaries are integers with their bounds there."""


def flat_model(model: Model) -> Flat:
    """The flat model of a `Model`; raises DataError where a range cannot be said exactly."""
    low, up = model.row_lower, model.row_upper
    senses = np.where(low == up, EQ, np.where(np.isfinite(up), LE, GE))
    senses = np.where(np.isinf(low) & np.isinf(up), FREE, senses).astype(np.uint8)
    rhs = np.where(senses == GE, low, np.where(senses == FREE, 0.0, up))
    two = np.isfinite(low) & np.isfinite(up) & (low != up)
    with np.errstate(invalid="ignore"):
        ranges = np.where(two, up - low, np.nan)
    other = two & (up - ranges != low)
    senses, rhs = np.where(other, GE, senses).astype(np.uint8), np.where(other, low, rhs)
    wrong = np.flatnonzero(other & (low + ranges != up))
    if len(wrong):
        name = model.row_names[int(wrong[0])]
        raise DataError(f"row '{name}' has sides that no range says exactly; write two rows")
    place = np.arange(model.nonzeros)
    shape = (model.m, model.n)
    columns = csr_matrix((place, model.index, model.starts), shape).tocsc()
    columns.sort_indices()
    codes = np.full(max(VarType) + 1, INTEGER, np.uint8)
    codes[_TYPES] = np.arange(len(_TYPES))
    return Flat(
        name=model.name.encode(),
        maximize=model.maximize,
        objective_name=b"",
        objective=model.objective,
        offset=model.offset,
        cols=NameBuffer.of([name.encode("utf-8", "surrogateescape") for name in model.col_names]),
        lower=model.col_lower,
        upper=model.col_upper,
        types=codes[model.types],
        rows=NameBuffer.of([name.encode("utf-8", "surrogateescape") for name in model.row_names]),
        senses=senses,
        rhs=rhs,
        ranges=ranges,
        starts=columns.indptr.astype(np.int64),
        index=columns.indices.astype(np.int32),
        value=model.value[columns.data],
    )


def model_of(flat: Flat) -> Model:
    """A flat model for a solver; names that repeat are replaced by running ones."""
    starts, index, place = flat.by_rows
    low, up = flat.row_bounds
    types = np.where(flat.binary, np.uint8(VarType.BINARY), _TYPES[flat.types])
    return Model(
        name=flat.name.decode("utf-8", "replace"),
        maximize=flat.maximize,
        objective=flat.objective,
        offset=flat.offset,
        col_names=_single(flat.cols, "C"),
        col_lower=flat.lower,
        col_upper=flat.upper,
        types=types,
        row_names=_single(flat.rows, "R"),
        row_lower=low,
        row_upper=up,
        starts=starts.astype(np.int32),
        index=index.astype(np.int32),
        value=flat.value[place],
    )


def _single(names: NameBuffer, letter: str) -> tuple[str, ...]:
    texts = tuple(name.decode("utf-8", "replace") for name in names.to_list())
    if len(set(texts)) == len(texts):
        return texts
    return tuple(f"{letter}{k + 1}" for k in range(len(names)))


def read_flat(path: Path | str) -> Flat:
    """Read an MPS file as it stands, or an LP file through HiGHS; packed ones too.

    Raises DataError, also where it takes more than READING seconds.
    """
    path = Path(path)
    with reading(READING):
        if path.name.endswith((".lp", ".lp.gz")):
            return flat_model(read_model(path))
        return read_mps(path)
