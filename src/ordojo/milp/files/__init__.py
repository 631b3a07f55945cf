"""Model files: one reading of MPS and LP files, plain or packed, and their writing.

`mps.py` reads what an MPS file says, `sections.py` makes it a problem, `lp.py` reads an LP file as
one; `text.py` opens files and says places. Here is what all doors of the package share that take a
model file, as a problem or a linear model, and writing, whose lines are those of `milp/writers.py`:
all or nothing, and read back first. docs/files.md has the conventions.
"""

import dataclasses
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.core.files import pack
from ordojo.milp.files.mps import LARGEST, MpsFile, read_mps
from ordojo.milp.files.sections import by_rows, problem_of
from ordojo.milp.files.text import is_lp, refused
from ordojo.milp.model import INF, Floats, Model, VarType, check
from ordojo.milp.problem import GeneralFunction, Problem, Quadratic, beyond_linear
from ordojo.milp.tolerances import ROUNDING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "LARGEST",
    "MAX_NONZEROS",
    "MpsFile",
    "linear",
    "lp_text",
    "numbers_of",
    "read_model",
    "read_mps",
    "read_problem",
    "write_model",
]

MAX_NONZEROS = 50_000_000
_BYTES = 64
"""The text of one coefficient is shorter than this."""


def read_problem(path: "Path | str", max_nonzeros: int = MAX_NONZEROS) -> Problem:
    """Read .mps or .lp, perhaps with .gz, .bz2 or .xz: names kept, nothing left out or repaired.

    Integer columns within [0, 1] are BINARY. `notes` of the problem say what the file left to its
    reader. Raises DataError, in a sentence with line and column, for anything that is not a whole
    model.
    """
    path, largest = str(path), _BYTES * max_nonzeros
    if is_lp(path, there=True):
        from ordojo.milp.files.lp import read_lp  # most files are of the other format

        problem = read_lp(path, largest)
    else:
        problem = problem_of(read_mps(path, largest))
    model = problem.model
    if not model.n:
        raise refused(path, "is not a model: it has no column", "give an MPS or LP file")
    if model.nonzeros > max_nonzeros:
        raise refused(path, f"has {model.nonzeros} nonzeros", f"allow more than {max_nonzeros}")
    try:
        check(model)
    except DataError as error:
        raise DataError(f"{os.path.basename(path)}: {error}") from None
    return problem


def read_model(path: "Path | str", max_nonzeros: int = MAX_NONZEROS) -> Model:
    """As `read_problem`, of a linear model; DataError, too, where the file has more."""
    problem = read_problem(path, max_nonzeros)
    if beyond := beyond_linear(problem):
        raise refused(str(path), f"has {beyond}", "write it as a linear model")
    return linear(problem)


def linear(problem: Problem) -> Model:
    """The linear rows of a problem; what its file left to its reader is logged as a warning."""
    for note in problem.notes:
        import logging

        logging.getLogger("ordojo").warning("%s: %s", problem.model.name, note)
    return problem.model


_MPS_WORDS = "name objsense rows columns rhs ranges bounds endata max min sos"
_LP_WORDS = (
    "free inf infinity st st. s.t. max min maximize minimize maximum minimum bound bounds bin "
    "binary binaries gen general generals int integer integers semi semis semi-continuous sos "
    "pwlobj scenario end"
)
"""Names that other readers take for words of the format, some in silence."""


def write_model(model: Model | Problem, path: "Path | str") -> None:
    """Write .mps or .lp, perhaps .gz, .bz2 or .xz, all or nothing; rows without sides are left out.

    The file is read back before it takes its place. Raises DataError where it cannot be written,
    or where a name or a number would not come back (LP files do not take every name).
    """
    # Readers need nothing of these.
    from pathlib import Path

    from ordojo.core.outputs import whole_file
    from ordojo.milp.writers import lp_lines, mps_lines

    path, problem = Path(path), Problem(model) if isinstance(model, Model) else model
    live, lp = dataclasses.replace(problem, model=_live(problem.model)), is_lp(path.name)
    _check_names(live, path.name, lp)
    try:
        lines = [*(lp_lines if lp else mps_lines)(live)]
    except DataError as error:
        raise DataError(f"{path.name} cannot hold this model: {error}") from None
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: there is no folder {path.parent}; make it first")
    with whole_file(path) as draft:
        draft.write_bytes(pack("".join(f"{line}\n" for line in lines).encode(), path.suffix))
        _check_back(live, str(draft), lp)


def lp_text(model: Model) -> str:
    """A linear model as the text of an LP file, without rows that have no sides.

    Raises DataError where it cannot be one.
    """
    from ordojo.milp.writers import lp_lines

    problem = Problem(_live(model))
    _check_names(problem, "model.lp", lp=True)
    return "".join(f"{line}\n" for line in lp_lines(problem))


def _live(model: Model) -> Model:
    """The model without the rows that constrain nothing."""
    live = np.flatnonzero((model.row_lower > -INF) | (model.row_upper < INF))
    return model if len(live) == model.m else model.with_rows(live.tolist())


def _check_names(problem: Problem, path: str, lp: bool) -> None:
    """Raise DataError for what is known not to come back; `_check_back` finds the rest."""
    words = set((_LP_WORDS if lp else _MPS_WORDS).split())
    for name in _names(problem):
        plain = name.split() == [name] and name.isprintable()
        if not plain or name.lower() in words:
            raise refused(path, f"cannot hold the name {name!r}", "rename it")


def _names(problem: Problem) -> list[str]:
    """All names; an objective without one is written by its number."""
    names = [*problem.model.col_names, *problem.model.row_names]
    names += [row.name for row in problem.quadratic_rows]
    names += [tie.name for tie in problem.indicators]
    names += [each.name for each in problem.general]
    return names + [goal.name or f"OBJ{k}" for k, goal in enumerate(problem.objectives)]


def _check_back(problem: Problem, draft: str, lp: bool) -> None:
    """Raise DataError unless the file says what the problem says, to the rounding of a range."""
    try:
        back = read_problem(draft)
    except DataError as error:
        why = f"cannot hold this model ({error})"
        raise refused(draft, why, "write an .mps file or rename columns") from None
    advice = "write an .mps file" if lp else "rename it"
    mine, read = _names(problem), _names(back)
    if mine != read:
        name = next((a for a, b in zip(mine, read, strict=False) if a != b), mine[-1])
        raise refused(draft, f"cannot hold the name '{name}'", advice)
    one, other = numbers_of(problem), numbers_of(back)
    if len(one) != len(other) or not np.allclose(one, other, rtol=ROUNDING, atol=0):
        raise refused(draft, "would not hold every number", "use finite ones")


def numbers_of(problem: Problem) -> Floats:
    """All numbers of a problem in one order, with which models are compared but for their names."""
    model = problem.model
    row = np.arange(model.m, dtype=np.int32).repeat(np.diff(model.starts))
    matrix = by_rows(row, model.index, model.value, model.m, model.n)
    parts = (*matrix, model.objective, *model.effective_bounds)
    whole = np.where(model.types == VarType.BINARY, VarType.INTEGER, model.types)
    sides = (model.row_lower, model.row_upper, whole, [model.offset, model.maximize])
    return np.concatenate([*parts, *sides, *_further(problem)])


def _further(problem: Problem) -> Iterator[Any]:
    """What is beyond linear rows, as arrays in an order of their own."""
    if problem.quadratic is not None:
        yield from _sorted(problem.quadratic)
    for row in problem.quadratic_rows:
        yield from (*_sum(row.index, row.value), *_sorted(row.quadratic), [row.lower, row.upper])
    for tie in problem.indicators:
        yield from (*_sum(tie.index, tie.value), [tie.binary, tie.active, tie.lower, tie.upper])
    for one in problem.sos:
        yield from ([one.kind], one.index, one.weights)
    for each in problem.general:
        yield from ([_CODES[each.function], each.result], each.operands, each.numbers)
    for goal in problem.objectives:
        yield goal.coefficients
        yield [goal.priority, goal.weight, goal.abs_tol, goal.rel_tol, goal.offset]


_CODES = {function: code for code, function in enumerate(GeneralFunction)}


def _sum(index: Any, value: Any) -> tuple[Any, Any]:
    order = np.argsort(index)
    return index[order], value[order]


def _sorted(found: Quadratic) -> tuple[Any, ...]:
    low, high = np.minimum(found.first, found.second), np.maximum(found.first, found.second)
    order = np.lexsort((high, low))
    return low[order], high[order], found.value[order]
