"""Models in MPS and LP files, read and written through HiGHS."""

import dataclasses
import gzip
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from ordojo.core.errors import DataError
from ordojo.core.outputs import whole_file
from ordojo.milp.from_highs import check_ranges, model_of
from ordojo.milp.lp_errors import misplaced
from ordojo.milp.model import INF, Model, VarType, check
from ordojo.milp.scan import edited_copy, lines_of, look, placeholder, plain_copy, refusal
from ordojo.milp.writers import lp_lines, mps_lines

MAX_NONZEROS = 50_000_000
_HARMLESS = ("packed vector contains", "names with spaces", "inconsistent bounds")
"""Warnings that change nothing: tiny coefficients dropped, fixed format, an infeasible column."""
_PLACEHOLDER = re.compile(placeholder(r"\w+"))


def read_model(path: Path | str, max_nonzeros: int = MAX_NONZEROS) -> Model:
    """Read .mps or .lp, perhaps .gz; names kept, integer columns within [0, 1] BINARY.

    Coefficients under 1e-9 are left out, as HiGHS does. Raises DataError, in a sentence, for
    anything that is not a whole linear model, and wherever HiGHS leaves out or renames a part.
    """
    path = Path(path)
    with tempfile.TemporaryDirectory() as folder:
        source, scan = Path(folder) / path.name.removesuffix(".gz"), None
        names: dict[str, str] = {}
        if _is_lp(path):
            names = plain_copy(path, source, max_nonzeros)
        else:
            scan = look(path, max_nonzeros)
            if scan.edits:
                edited_copy(path, source, scan.edits)
            else:
                source = path
        log = Path(folder) / "log"
        highs = _quiet()
        highs.setOptionValue("log_file", str(log))
        try:
            status = highs.readModel(str(source))
            model = None if status.name == "kError" else model_of(highs, path, names)
        except (UnicodeError, MemoryError, RuntimeError, ValueError) as error:
            raise refusal(path, f"cannot be read ({type(error).__name__})") from None
        highs.setOptionValue("log_file", "")
        said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    said = _PLACEHOLDER.sub(lambda found: names.get(found[0], found[0]), said)
    _check_log(path, said, refused=model is None)
    if model is None and _is_lp(path) and (found := misplaced(lines_of(path))):
        raise refusal(path, found, "correct the file")
    if model is None or (model.n, model.m) == (0, 0):
        raise refusal(path, "is not a model that HiGHS can read", "give an MPS or LP file")
    if model.nonzeros > max_nonzeros:
        raise refusal(path, f"has {model.nonzeros} nonzeros", f"allow more than {max_nonzeros}")
    if scan is None:
        check_ranges(path, highs, model)
    elif len(scan.columns) != model.n:
        raise refusal(
            path,
            f"names {len(scan.columns)} columns, HiGHS reads {model.n}",
            "rename those named like sections",
        )
    try:
        check(model)
    except DataError as error:
        raise DataError(f"{path.name}: {error}") from None
    return model


def write_model(model: Model, path: Path | str) -> None:
    """Write .mps or .lp, perhaps .gz, all or nothing; rows without sides are left out.

    The file is read back before it takes its place. Raises DataError where it cannot be written,
    or where a name or a number would not come back (LP files do not take every name).
    """
    path = Path(path)
    is_lp, live = _is_lp(path), _live(model)
    _check_names(live, path, is_lp)
    lines = lp_lines(live) if is_lp else mps_lines(live)
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: there is no folder {path.parent}; make it first")
    with whole_file(path) as draft:
        with draft.open("wb") as raw:
            packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
            with packed as file:
                file.writelines(f"{line}\n".encode() for line in lines)
        _check_back(live, draft)


def _is_lp(path: Path) -> bool:
    name = path.name.removesuffix(".gz")
    if not name.endswith((".mps", ".lp")):
        raise DataError(f"{path.name} ends in neither .mps nor .lp, nor these with .gz; rename it")
    return name.endswith(".lp")


def _quiet() -> Any:
    # Not at the top: programs in the sandbox fork from a process that has this module, and where
    # highspy's library is loaded, that of OR-Tools cannot be.
    import highspy

    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("log_to_console", False)
    return highs


def _check_log(path: Path, said: str, refused: bool) -> None:
    """Raise DataError with HiGHS's first complaint, where it is more than a remark."""
    for line in said.splitlines():
        mark, _, text = line.partition(":")
        text = " ".join(text.split()).rstrip(".")
        if mark == "ERROR" and not text.startswith("Parser error"):
            raise refusal(path, f"cannot be read: {text}")
        if mark == "WARNING" and not refused and not any(h in text for h in _HARMLESS):
            raise refusal(path, f"would not be read as it stands: {text}", "correct the file")


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


def _check_names(model: Model, path: Path, is_lp: bool) -> None:
    """Raise DataError for what is known not to come back; `_check_back` finds the rest."""
    two = (model.row_lower > -INF) & (model.row_upper < INF) & (model.row_lower != model.row_upper)
    if is_lp and two.any():
        name = model.row_names[int(np.argmax(two))]
        raise refusal(path, f"cannot hold row '{name}', a range", "write an .mps file")
    for name in (*model.col_names, *model.row_names):
        if not name or name.split() != [name] or not name.isprintable():
            raise refusal(path, f"cannot hold the name {name!r}", "rename it")


def _check_back(model: Model, draft: Path) -> None:
    """Raise DataError unless the file says what the model says, to the rounding of a range."""
    try:
        back = read_model(draft)
    except DataError as error:
        raise DataError(
            f"{draft.name} cannot hold this model ({error}); write an .mps file or rename columns"
        ) from None
    advice = "rename it" if draft.name.endswith((".mps", ".mps.gz")) else "write an .mps file"
    for mine, read in ((model.col_names, back.col_names), (model.row_names, back.row_names)):
        if mine != read:
            name = next((a for a, b in zip(mine, read, strict=False) if a != b), mine[-1])
            raise refusal(draft, f"cannot hold the name '{name}'", advice)
    mine, read = (_numbers(m) for m in (model, back))
    if len(mine) != len(read) or not np.allclose(mine, read, rtol=1e-12, atol=0):
        raise refusal(draft, "would not hold every number", "scale coefficients under 1e-9")


def _numbers(model: Model) -> Any:
    matrix = csr_matrix((model.value, model.index, model.starts), (model.m, model.n), copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    parts = (matrix.data, matrix.indices, matrix.indptr, model.objective, *model.effective_bounds)
    whole = np.where(model.types == VarType.BINARY, VarType.INTEGER, model.types)
    sides = (model.row_lower, model.row_upper, whole, [model.offset, model.maximize])
    return np.concatenate([*parts, *sides])
