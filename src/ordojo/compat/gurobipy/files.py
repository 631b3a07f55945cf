"""Model methods that write and read files: models, solutions, starts, parameters."""

import gzip
import json
from pathlib import Path
from typing import Any

from ordojo.compat.core.assemble import model_of
from ordojo.compat.gurobipy.env import read_params, write_params
from ordojo.compat.gurobipy.errors import failure, unsupported
from ordojo.compat.gurobipy.handles import new_constr, new_var
from ordojo.compat.gurobipy.lpfile import lp_lines
from ordojo.compat.gurobipy.lpreader import read_rich
from ordojo.core.errors import DataError
from ordojo.milp.files import read_model
from ordojo.milp.model import Model, VarType
from ordojo.milp.writers import mps_lines

_LP = (".lp", ".rlp", ".dlp")
_MPS = (".mps", ".rew", ".dua")
_PACKED = (".gz", ".bz2", ".zip", ".7z", ".xz")


def _kind(filename: Any) -> tuple[Path, str, bool]:
    """The path, the ending that says what to write, and whether it is packed by gzip."""
    if not isinstance(filename, str | Path):
        raise AttributeError(f"'{type(filename).__name__}' object has no attribute 'encode'")
    path = Path(filename)
    packed = path.suffix in _PACKED
    if packed and path.suffix != ".gz":
        raise unsupported(f"a file packed as {path.suffix}")
    return path, Path(path.stem).suffix if packed else path.suffix, packed


def write(model: Any, filename: Any) -> None:
    """Write the model or its solution, by the name's ending."""
    path, ending, packed = _kind(filename)
    state = model._state
    if ending in (".sol", ".mst"):
        text = _solution(state)
    elif ending == ".json":
        text = getJSONSolution(model)
    elif ending == ".prm":
        write_params(state.params, str(path))
        return
    elif ending in _LP:
        state.update()
        text = _lines(lp_lines(state))
    elif ending in _MPS:
        state.update()
        text = _mps(state)
    elif ending == ".ilp":
        text = _lines(lp_lines(_subsystem(model)._state))
    elif ending in (".hnt", ".bas", ".attr", ".dlp"):
        raise unsupported(f"writing {ending} files")
    else:
        raise failure("FILE_WRITE", f"Unknown file type for file '{path}'")
    data = text.encode()
    try:
        path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    except OSError:
        raise failure("FILE_WRITE", f"Unable to write to file '{path}'") from None


def _lines(lines: Any) -> str:
    return "".join(f"{line}\n" for line in lines)


def _mps(state: Any) -> str:
    if any(state.parts.values()) or state.goal.products or state.goals:
        raise unsupported("writing a model that is not linear as MPS")
    return _lines(mps_lines(model_of(state)))


def _solution(state: Any) -> str:
    if state.x is None:
        raise failure("DATA_NOT_AVAILABLE", "No solution available")
    names = state.col_names.all()
    title = (
        f"# Solution for model {state.name}\n# Objective value = {state.result.objective:.16g}\n"
    )
    pairs = zip(names, state.x, strict=False)
    return title + "".join(f"{name} {value:.17g}\n" for name, value in pairs)


def getJSONSolution(model: Any) -> str:
    """The solution's figures and the variables that are not zero, as JSON."""
    state = model._state
    info: dict[str, Any] = {"Status": model.Status, "Runtime": model.Runtime}
    if state.x is not None:
        info |= {"ObjVal": model.ObjVal, "SolCount": model.SolCount}
        info |= {"ObjBound": model.ObjBound} if state.is_mip else {}
    pairs = zip(state.col_names.all(), state.x or [], strict=False)
    variables = [{"VarName": name, "X": value} for name, value in pairs if value != 0.0]
    return json.dumps({"SolutionInfo": info, "Vars": variables})


def _subsystem(model: Any) -> Any:
    """The model of the rows and bounds of the infeasible subsystem."""
    state = model._state
    if state.iis is None:
        raise failure("DATA_NOT_AVAILABLE", "Unable to retrieve attribute 'IISMinimal'")
    small = model.copy()
    other = small._state
    for j in range(len(other.columns)):
        if j not in state.iis["lb"]:
            other.lower[j] = -float("inf")
        if j not in state.iis["ub"]:
            other.upper[j] = float("inf")
    small.setObjective(0.0)
    small.remove([c for i, c in enumerate(other.rows) if i not in state.iis["row"]])
    used = {j for i in state.iis["row"] for j in state.row(i)[0]}
    used |= state.iis["lb"] | state.iis["ub"]
    small.remove([v for j, v in enumerate(other.columns) if j not in used])
    small.update()
    return small


def read_into(model: Any, filename: Any) -> None:
    """Read a start (.mst, .sol) or parameters (.prm) into the model."""
    path, ending, packed = _kind(filename)
    if ending == ".prm":
        read_params(model._state.params, str(path))
        return
    if ending not in (".mst", ".sol"):
        raise unsupported(f"reading {ending} files into a model")
    try:
        data = path.read_bytes()
    except OSError:
        raise failure("FILE_READ", f"Unable to open file '{path}' for input") from None
    for line in (gzip.decompress(data) if packed else data).decode().splitlines():
        words = line.rsplit(maxsplit=1)
        if len(words) == 2 and not line.startswith("#"):
            var = model.getVarByName(words[0])
            if var is not None:
                var.Start = float(words[1])


def read_model_file(made: Any, filename: Any) -> Any:
    """Fill a new model with what an LP or MPS file says."""
    path, ending, _ = _kind(filename)
    if not path.exists():
        raise failure("FILE_READ", f"Unable to open file '{path}' for input")
    if ending not in (".lp", ".mps"):
        raise unsupported(f"reading {ending} files")
    try:
        fill(made._state, read_model(path))
    except DataError as error:
        text = str(error)
        if any(part in text for part in ("nonlinear", "quadratic", "linear model")):
            return _beyond_linear(made, path, ending)
        raise failure("FILE_READ", f"Unable to read model: {text}") from None
    return made


def _beyond_linear(made: Any, path: Path, ending: str) -> Any:
    if ending != ".lp" or path.suffix != ".lp":
        raise unsupported("reading a model that is not linear") from None
    try:
        read_rich(made, path, fill)
    except DataError as error:
        raise failure("FILE_READ", f"Unable to read model: {error}") from None
    return made


def fill(state: Any, model: Model) -> None:
    """Put a linear model's columns and rows into an empty state; ranges become rows with slack."""
    infinity = float("inf")
    state.name, state.maximize, state.goal.constant = model.name, model.maximize, model.offset
    state.columns = [new_var(state, j) for j in range(model.n)]
    handles, state.columns = state.columns, []
    lower, upper = model.col_lower.tolist(), model.col_upper.tolist()
    state.add_cols(handles, lower, upper, model.objective.tolist(), bytes(model.types))
    state.col_names.add_many(model.col_names)
    for i, name in enumerate(model.row_names):
        index, value = (part.tolist() for part in model.row(i))
        low, up = model.row_lower.item(i), model.row_upper.item(i)
        variables, coeffs = [state.columns[j] for j in index], value
        sense, rhs = ("=", up) if low == up else ("<", up) if low == -infinity else (">", low)
        if -infinity < low < up < infinity:
            spare = new_var(state, len(state.columns))
            state.add_col(spare, 0.0, up - low, 0.0, VarType.CONTINUOUS)
            state.col_names.add(f"Rg{name}")
            variables, coeffs, sense, rhs = [*variables, spare], [*coeffs, 1.0], "=", up
        constr = new_constr(state, len(state.rows))
        state.add_row(constr, coeffs, variables, ord(sense), rhs)
        state.row_names.add(name)
    state.update()
