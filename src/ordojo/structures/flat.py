"""A flat model: the arrays that an MPS file says, nothing more, with names as bytes.

Any model as one, the project's own or a file's; and back for a solver.
"""

import hashlib
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import DataError
from ordojo.core.files import reading
from ordojo.milp import files
from ordojo.milp.files.sections import TYPES, row_bounds
from ordojo.milp.files.text import is_lp
from ordojo.milp.model import Model, VarType
from ordojo.structures.arrays import begins, ordered

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]

CONTINUOUS, INTEGER, SEMICONTINUOUS, SEMIINTEGER = 0, 1, 2, 3
EQ, LE, GE, FREE = ord("E"), ord("L"), ord("G"), ord("N")


@dataclass(frozen=True)
class NameBuffer:
    """Names one after another in one buffer; name k is `buffer[starts[k]:starts[k + 1]]`."""

    buffer: Bytes
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, k: int) -> bytes:
        return self.buffer[self.starts[k] : self.starts[k + 1]].tobytes()

    def text(self, k: int) -> str:
        """Name k for a person; bytes that are no UTF-8 are replaced."""
        return self[k].decode("utf-8", "replace")

    @cached_property
    def lengths(self) -> Ints:
        """How many bytes each name has."""
        return np.diff(self.starts)

    def take(self, index: Ints) -> "NameBuffer":
        """The names at `index`, in that order."""
        lengths = self.lengths[index]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        shift = np.repeat(self.starts[:-1][index] - starts[:-1], lengths)
        return NameBuffer(self.buffer[np.arange(starts[-1], dtype=np.int64) + shift], starts)

    def to_list(self) -> list[bytes]:
        """All names as Python bytes."""
        whole, ends = self.buffer.tobytes(), self.starts.tolist()
        return [whole[a:b] for a, b in pairwise(ends)]

    @classmethod
    def of(cls, names: list[bytes]) -> "NameBuffer":
        """Names from Python bytes."""
        starts = np.concatenate([[0], np.cumsum([len(name) for name in names])]).astype(np.int64)
        return cls(np.frombuffer(b"".join(names), np.uint8), starts)


@dataclass(frozen=True)
class Flat:
    """A model with n columns and m rows; the matrix by columns, rows ascending in each.

    `senses` holds the letters E, L, G, N of the rows; `rhs` and `ranges` (NaN: none) are the file's
    own numbers, from which `row_bounds` follow. `objective` is a dense row, `offset` its constant.
    `sections` are those kept as they stand: (header with its lines), in file order.
    """

    name: bytes
    maximize: bool
    objective_name: bytes
    objective: Floats
    offset: float
    cols: NameBuffer
    lower: Floats
    upper: Floats
    types: NDArray[np.uint8]
    rows: NameBuffer
    senses: NDArray[np.uint8]
    rhs: Floats
    ranges: Floats
    starts: Ints
    index: NDArray[np.int32]
    value: Floats
    sections: tuple[bytes, ...] = field(default=())

    @property
    def n(self) -> int:
        """The number of columns."""
        return len(self.cols)

    @property
    def m(self) -> int:
        """The number of rows, the objective not among them."""
        return len(self.rows)

    @property
    def nonzeros(self) -> int:
        """The number of stored coefficients, the objective's not among them."""
        return len(self.value)

    @cached_property
    def entry_cols(self) -> NDArray[np.int32]:
        """The column of each stored coefficient."""
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def by_rows(self) -> tuple[Ints, Ints, Ints]:
        """The matrix by rows: where each row begins; of entries the column and place in `value`."""
        place = ordered(self.index)
        return begins(self.index, self.m), self.entry_cols[place].astype(np.int64), place

    @cached_property
    def unit(self) -> NDArray[np.bool_]:
        """Columns whose bounds are 0 and 1."""
        return np.asarray((self.lower == 0) & (self.upper == 1))

    @cached_property
    def binary(self) -> NDArray[np.bool_]:
        """Integer columns whose bounds are 0 and 1."""
        return np.asarray((self.types == INTEGER) & self.unit)

    @cached_property
    def row_bounds(self) -> tuple[Floats, Floats]:
        """The rows' lower and upper sides; a range widens by the rules of the format."""
        return row_bounds(self.senses, self.rhs, self.ranges)


def digest(flat: Flat) -> str:
    """SHA-256 over every bit of a model."""
    whole = hashlib.sha256()
    for part in fields(Flat):
        whole.update(repr(part.name).encode())
        bits = _bits(flat, part.name)
        for piece in bits if isinstance(bits, tuple) else (bits,):
            text = piece if isinstance(piece, bytes) else repr(piece).encode()
            whole.update(b"%d:" % len(text))
            whole.update(text)
    return whole.hexdigest()


def differences(a: Flat, b: Flat) -> list[str]:
    """The names of the parts in which two models differ in any bit."""
    return [part.name for part in fields(Flat) if _bits(a, part.name) != _bits(b, part.name)]


def _bits(flat: Flat, name: str) -> object:
    part = getattr(flat, name)
    if isinstance(part, NameBuffer):
        return part.buffer.tobytes(), part.starts.astype(np.int64).tobytes()
    if isinstance(part, np.ndarray):
        return part.dtype.str, part.tobytes()
    if isinstance(part, float):
        return np.float64(part).tobytes()
    return part


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
    place = ordered(model.index)
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
        starts=begins(model.index, model.n),
        index=np.repeat(np.arange(model.m, dtype=np.int32), np.diff(model.starts))[place],
        value=model.value[place],
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
    with reading(READING):
        if is_lp(str(path), there=True):
            return flat_model(files.read_model(path))
        return read_mps(path)


def read_mps(path: Path | str, largest: int = files.LARGEST) -> Flat:
    """The flat model of an MPS file (.gz, .xz and .bz2 too): no number is changed.

    Raises DataError, in a sentence with line and column, for whatever is not a whole model, has
    several objectives, or more than `largest` bytes.
    """
    found = files.read_mps(str(path), largest)
    if found.goals:
        raise DataError(f"{Path(path).name} has several objectives; write it with one")
    said: dict[str, Any] = {part.name: getattr(found, part.name) for part in fields(Flat)}
    names = {"cols": NameBuffer.of([*found.cols]), "rows": NameBuffer.of([*found.rows])}
    return Flat(**said | names | {"sections": tuple(text for _, text in found.sections)})
