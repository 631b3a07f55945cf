"""Model methods that write and read files: models in LP and MPS, solutions, starts, parameters."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ordojo.compat.core.assemble import problem_of
from ordojo.compat.core.subsystem import members_in, only
from ordojo.compat.gurobipy.attribute_files import (
    attribute_lines,
    hint_lines,
    priority_lines,
    read_attributes,
    start_lines,
    value_lines,
)
from ordojo.compat.gurobipy.basis import basis_lines, read_basis
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, invalid, named, unsupported
from ordojo.compat.gurobipy.params import read_params, write_params
from ordojo.core.errors import DataError
from ordojo.core.files import PACKED, pack, read_bytes
from ordojo.milp import writers
from ordojo.milp.files import read_problem
from ordojo.milp.model import distinct
from ordojo.milp.problem import Problem, Settings, with_pieces, without_pieces


def lp_lines(state: Any) -> Iterator[str]:
    """The lines of an LP file of an updated state."""
    yield f"\\ Model {state.name}"
    yield from _written(_LP, _whole(state))


_LP = partial(writers.lp_lines, every=False)


def _whole(state: Any) -> Problem:
    if state.formulas:
        raise unsupported("writing nonlinear formulas", "keep the program that builds the model")
    pieces = {var._col: numbers for var, numbers in state.pieces.items()}
    return with_pieces(problem_of(state, Settings()), pieces)


def _written(write: Callable[[Problem], Iterator[str]], problem: Problem) -> list[str]:
    try:
        return [*write(without_blanks(problem))]
    except DataError as error:
        raise unsupported(f"writing this model: {error}", "keep its program") from None


def without_blanks(problem: Problem) -> Problem:
    """The problem with `_` for blanks in names: model files part words by them."""

    def joined(name: str) -> str:
        return "_".join(name.split())

    def parts(found: Any) -> Any:
        return tuple(part._replace(name=joined(part.name)) for part in found)

    model = problem.model
    return dataclasses.replace(
        problem,
        model=dataclasses.replace(
            model,
            col_names=distinct([joined(name) for name in model.col_names]),
            row_names=distinct([joined(name) for name in model.row_names]),
        ),
        quadratic_rows=parts(problem.quadratic_rows),
        indicators=parts(problem.indicators),
        general=parts(problem.general),
        objectives=parts(problem.objectives),
    )


def _kind(filename: Any) -> tuple[Path, str, bool]:
    """The path, the ending that says what to write, and whether it is packed."""
    path = filename if isinstance(filename, Path) else Path(named(filename))
    packed = path.suffix in PACKED
    if path.suffix in (".zip", ".7z"):
        raise unsupported(f"a file packed as {path.suffix}", "pack it as .gz or not at all")
    return path, Path(path.stem).suffix if packed else path.suffix, packed


def write(model: Any, filename: Any) -> None:
    """Write the model or its solution, by the name's ending."""
    path, ending, packed = _kind(filename)
    state = model._state
    if ending in _TEXTS:
        state.update()
        text = _TEXTS[ending](state)
    elif ending == ".json":
        if state.result is None:
            raise failure("DATA_NOT_AVAILABLE", "No optimization information available")
        text = getJSONSolution(model)
    elif ending == ".prm":
        write_params(state.params, str(path))
        return
    elif ending == ".ilp":
        title = f"\\ Model {state.name}_copy"
        text = _lines([title, *_written(_LP, _subsystem(state))])
    else:
        raise failure("FILE_WRITE", f"Unknown file type for file '{path}'")
    data = text.encode()
    try:
        path.write_bytes(pack(data, path.suffix) if packed else data)
    except OSError:
        raise failure("FILE_WRITE", f"Unable to write to file '{path}'") from None


def _lines(lines: Any) -> str:
    return "".join(f"{line}\n" for line in lines)


def _solution(state: Any) -> str:
    """The solution that SolutionNumber asks for."""
    found = state.solution(state.params["SolutionNumber"])
    if found is None:
        raise failure("DATA_NOT_AVAILABLE", "No solution available")
    objective, x = found
    title = f"# Solution for model {state.name}\n" if state.name else ""
    return f"{title}# Objective value = {objective:.16g}\n{value_lines(state, x)}"


def _start(state: Any) -> str:
    """The best solution's whole columns as a start, else the start that was given."""
    if state.x is not None:
        whole = [v if kind else None for v, kind in zip(state.x, state.kinds, strict=False)]
        return "# MIP start\n" + value_lines(state, whole)
    if not state.extra.get("Start"):
        raise failure("DATA_NOT_AVAILABLE", "No MIP starts available")
    return start_lines(state)


def _attributes(state: Any) -> str:
    solution = "" if state.solution(0) is None else _solution(state)
    return "".join(attribute_lines(state, solution))


_TEXTS: dict[str, Callable[[Any], str]] = {
    ".sol": _solution,
    ".mst": _start,
    ".hnt": hint_lines,
    ".ord": priority_lines,
    ".attr": _attributes,
    ".bas": lambda state: "\n".join(basis_lines(state)),
    **dict.fromkeys((".lp", ".rlp", ".dlp"), lambda state: _lines(lp_lines(state))),
    **dict.fromkeys(
        (".mps", ".rew", ".dua"), lambda state: _lines(_written(writers.mps_lines, _whole(state)))
    ),
}
"""What files of an updated state have, by their endings."""


def getJSONSolution(model: Any) -> str:
    """The solution's figures and the variables that are not zero, as JSON."""
    state = model._state
    if state.result is None:
        raise invalid("Model not optimized or recently updated")
    info: dict[str, Any] = {}
    for name in (_FIGURES + _OF_MIP if state.is_mip else _FIGURES).split():
        with suppress(AttributeError):
            value = getattr(model, name)
            info[name] = min(max(value, -GRB.INFINITY), GRB.INFINITY)
    if state.x is None:
        return json.dumps({"SolutionInfo": info})
    pairs = zip(state.col_names.all(), state.x, strict=False)
    variables = [{"VarName": name, "X": value} for name, value in pairs if value != 0.0]
    return json.dumps({"SolutionInfo": info, "Vars": variables})


_FIGURES = "Status Runtime Work ObjVal BoundVio ConstrVio IterCount BarIterCount "
_OF_MIP = "ObjBound ObjBoundC MIPGap IntVio NodeCount SolCount PoolObjBound"


def _subsystem(state: Any) -> Problem:
    """The problem of the rows, bounds and parts of the infeasible subsystem."""
    if state.iis is None:
        raise failure("DATA_NOT_AVAILABLE", "No IIS available for current model")
    small = only(problem_of(state, Settings()), members_in(state, state.iis))
    # Nameless quadratic rows are called by their numbers among those that are left.
    named_ones = {part.name for part in state.family("quadratic")}
    rows = [
        row if row.name in named_ones else row._replace(name=f"qc{k}")
        for k, row in enumerate(small.quadratic_rows)
    ]
    return dataclasses.replace(small, quadratic_rows=tuple(rows))


def read(model: Any, filename: Any) -> None:
    """Read a start, hints, priorities, a basis, all of these (.attr) or parameters (.prm)."""
    path, ending, packed = _kind(filename)
    if ending == ".prm":
        read_params(model._state.params, str(path))
        return
    if ending not in _READ:
        raise unsupported(
            f"reading {ending} files into a model", f"read {', '.join(_READ)} or .prm"
        )
    try:
        data = read_bytes(path, unpack=packed)
    except OSError:
        raise invalid(f"Unable to open file '{path}' for input") from None
    if ending == ".bas":
        read_basis(model, data.decode())
        return
    read_attributes(model, data.decode(), ending)


_READ = (".mst", ".sol", ".hnt", ".ord", ".attr", ".bas")


def read_model_file(made: Any, filename: Any) -> Any:
    """Fill a new model with what an LP or MPS file says."""
    path, ending, _ = _kind(filename)
    if not path.exists():
        raise GurobiError(0, f"Unable to open file '{path}' for input")
    if ending not in (".lp", ".mps"):
        raise unsupported(f"reading {ending} files", "write the model as .lp or .mps")
    try:
        problem = read_problem(path)
    except DataError as error:
        raise GurobiError(0, f"Unable to read file: {error}") from None
    problem, pieces = without_pieces(problem)
    named_model = dataclasses.replace(problem.model, name=problem.title)
    made._take(dataclasses.replace(problem, model=named_model))
    x = made.getVars()
    for j, points in pieces.items():
        made.setPWLObj(x[j], points[::2], points[1::2])
    made.update()
    return made
