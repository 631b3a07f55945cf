"""Any model as a flat one, the project's own or a file's; and back for a solver."""

from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from ordojo.core.errors import DataError
from ordojo.core.files import reading
from ordojo.milp import files
from ordojo.milp.files.sections import TYPES
from ordojo.milp.files.text import is_lp
from ordojo.milp.model import Model, VarType
from ordojo.structures.flat import (
    EQ,
    FREE,
    GE,
    INTEGER,
    LE,
    Flat,
    NameBuffer,
)

READING = 600.0
"""Seconds in which a model must be read: ten times what the largest, 4 GiB, takes here."""


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
    codes[TYPES] = np.arange(len(TYPES))
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
    types = np.where(flat.binary, np.uint8(VarType.BINARY), TYPES[flat.types])
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
    """The flat model of an MPS file as it stands, or of an LP file, which must be linear.

    Raises DataError, in a sentence with line and column, for whatever is neither, and where it
    takes more than READING seconds.
    """
    path = Path(path)
    with reading(READING):
        return flat_model(files.read_model(path)) if is_lp(path) else read_mps(path)


def read_mps(path: Path | str, largest: int = files.LARGEST) -> Flat:
    """The flat model of an MPS file (.gz, .xz and .bz2 too): no number is changed.

    Raises DataError, in a sentence with line and column, for whatever is not a whole model, has
    several objectives, or more than `largest` bytes.
    """
    found = files.read_mps(Path(path), largest)
    if found.goals:
        raise DataError(f"{Path(path).name} has several objectives; write it with one")
    return Flat(
        name=found.name,
        maximize=found.maximize,
        objective_name=found.objective_name,
        objective=found.objective,
        offset=found.offset,
        cols=NameBuffer.of(found.cols),
        lower=found.lower,
        upper=found.upper,
        types=found.types,
        rows=NameBuffer.of(found.rows),
        senses=found.senses,
        rhs=found.rhs,
        ranges=found.ranges,
        starts=found.starts,
        index=found.index,
        value=found.value,
        sections=tuple(text for _, text in found.sections),
    )
