"""Writing models into MPS and LP files: all or nothing, and read back first."""

import bz2
import dataclasses
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from ordojo.core.errors import DataError
from ordojo.core.outputs import whole_file
from ordojo.milp.files.reading import read_problem
from ordojo.milp.files.text import is_lp
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.writers import lp_lines, mps_lines

_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


_MPS_WORDS = frozenset(
    [
        "name",
        "objsense",
        "rows",
        "columns",
        "rhs",
        "ranges",
        "bounds",
        "endata",
        "max",
        "min",
        "sos",
    ]
)
_LP_WORDS = frozenset(
    ["free", "inf", "infinity", "st", "bounds", "bin", "gen", "int", "semi", "sos", "end"]
)
"""Names that other readers take for words of the format, some in silence."""


def write_model(model: Model, path: Path | str) -> None:
    """Write .mps or .lp, perhaps .gz, .bz2 or .xz, all or nothing; rows without sides are left out.

    The file is read back before it takes its place. Raises DataError where it cannot be written,
    or where a name or a number would not come back (LP files do not take every name).
    """
    path = Path(path)
    as_lp, live = is_lp(path), _live(model)
    _check_names(live, path, as_lp)
    lines = lp_lines(live) if as_lp else mps_lines(live)
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: there is no folder {path.parent}; make it first")
    with whole_file(path) as draft:
        text = "".join(f"{line}\n" for line in lines).encode()
        draft.write_bytes(_PACKERS.get(path.suffix, bytes)(text))
        _check_back(live, draft)


def _refusal(path: Path, problem: str, advice: str) -> DataError:
    return DataError(f"{path.name} {problem}; {advice}")


def _live(model: Model) -> Model:
    """The model without the rows that constrain nothing."""
    live = np.flatnonzero((model.row_lower > -INF) | (model.row_upper < INF))
    if len(live) == model.m:
        return model
    kept = np.isin(model.entry_rows, live)
    lengths = np.diff(model.starts)[live]
    return dataclasses.replace(
        model,
        row_names=tuple(model.row_names[i] for i in live.tolist()),
        row_lower=model.row_lower[live],
        row_upper=model.row_upper[live],
        starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        index=model.index[kept],
        value=model.value[kept],
    )


def _check_names(model: Model, path: Path, as_lp: bool) -> None:
    """Raise DataError for what is known not to come back; `_check_back` finds the rest."""
    two = (model.row_lower > -INF) & (model.row_upper < INF) & (model.row_lower != model.row_upper)
    if as_lp and two.any():
        name = model.row_names[int(np.argmax(two))]
        raise _refusal(path, f"cannot hold row '{name}', a range", "write an .mps file")
    for name in (*model.col_names, *model.row_names):
        plain = name.split() == [name] and name.isprintable()
        if not plain or name.lower() in (_LP_WORDS if as_lp else _MPS_WORDS):
            raise _refusal(path, f"cannot hold the name {name!r}", "rename it")


def _check_back(model: Model, draft: Path) -> None:
    """Raise DataError unless the file says what the model says, to the rounding of a range."""
    try:
        back = read_problem(draft).model
    except DataError as error:
        raise DataError(
            f"{draft.name} cannot hold this model ({error}); write an .mps file or rename columns"
        ) from None
    advice = "write an .mps file" if is_lp(draft) else "rename it"
    for mine, read in ((model.col_names, back.col_names), (model.row_names, back.row_names)):
        if mine != read:
            name = next((a for a, b in zip(mine, read, strict=False) if a != b), mine[-1])
            raise _refusal(draft, f"cannot hold the name '{name}'", advice)
    mine, read = (_numbers(m) for m in (model, back))
    if len(mine) != len(read) or not np.allclose(mine, read, rtol=1e-12, atol=0):
        raise _refusal(draft, "would not hold every number", "use finite ones")


def _numbers(model: Model) -> Any:
    matrix = csr_matrix((model.value, model.index, model.starts), (model.m, model.n), copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    parts = (matrix.data, matrix.indices, matrix.indptr, model.objective, *model.effective_bounds)
    whole = np.where(model.types == VarType.BINARY, VarType.INTEGER, model.types)
    sides = (model.row_lower, model.row_upper, whole, [model.offset, model.maximize])
    return np.concatenate([*parts, *sides])
