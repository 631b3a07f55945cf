"""Model methods that write and read files: models in LP and MPS, solutions, starts, parameters."""

import bz2
import gzip
import json
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import infinite, model_of
from ordojo.compat.core.store import (
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    QuadraticPart,
    SosPart,
    StoredConstraint,
)
from ordojo.compat.gurobipy.building import add_general
from ordojo.compat.gurobipy.errors import failure, unsupported
from ordojo.compat.gurobipy.expressions import LinExpr, quicksum
from ordojo.compat.gurobipy.handles import new_constr, new_var
from ordojo.compat.gurobipy.params import read_params, write_params
from ordojo.core.errors import DataError
from ordojo.core.files import read_bytes
from ordojo.milp.algebra import number
from ordojo.milp.files import read_problem
from ordojo.milp.model import Model, VarType
from ordojo.milp.writers import mps_lines
from ordojo.solvers.problem import GeneralFunction, Problem, Quadratic

_WIDTH = 8
"""Terms a line, so that lines of ordinary names fit a screen."""
_SIGNS = {"<": "<=", ">": ">=", "=": "="}
Terms = Iterable[tuple[float, str]]


def lp_lines(state: Any) -> Iterator[str]:
    """The lines of an LP file of an updated state."""
    names = state.col_names.all()
    yield f"\\ Model {state.name}"
    yield "Maximize" if state.maximize else "Minimize"
    yield from _objective(state, names)
    yield "Subject To"
    for i, name in enumerate(state.row_names.all()[: state.rows_live]):
        index, value = state.row(i)
        terms = [(c, names[j]) for c, j in zip(value, index, strict=True)]
        sense, rhs = _SIGNS[chr(state.senses[i])], number(state.rhs[i])
        yield from _wrapped(f" {_name(name)}: ", terms, f" {sense} {rhs}")
    yield from _quadratic_rows(state, names)
    yield from _indicators(state, names)
    yield from _bounds(state, names)
    yield from _types(state, names)
    yield from _sos(state, names)
    yield from _general(state, names)
    yield "End"


def _name(name: str) -> str:
    return "_".join(name.split())


def _terms(coeffs: Any, variables: Any, names: list[str]) -> list[tuple[float, str]]:
    return [(c, names[v._col]) for c, v in zip(coeffs, variables, strict=True) if v._col >= 0]


def _wrapped(start: str, terms: Terms, end: str = "") -> Iterator[str]:
    line, count = start, 0
    for k, (c, name) in enumerate(terms):
        if k and k % _WIDTH == 0:
            yield line
            line = "  "
        sign = "- " if c < 0 else "+ " if k else ""
        by = "" if abs(c) == 1 else f"{number(abs(c))} "
        line += f"{sign}{by}{_name(name)} "
        count += 1
    yield (line if count else f"{start}0 ").rstrip() + end


def _products(products: Any, names: list[str], by: float) -> str:
    parts = []
    for q, a, b in zip(*products, strict=True):
        if a._col < 0 or b._col < 0:
            continue
        first, second = _name(names[a._col]), _name(names[b._col])
        pair = f"{first} ^ 2" if a is b else f"{first} * {second}"
        parts.append(f"{'- ' if q < 0 else '+ '}{number(abs(by * q))} {pair}")
    return f"[ {' '.join(parts)} ]"


def _objective(state: Any, names: list[str]) -> Iterator[str]:
    if state.goals:
        raise unsupported(
            "writing several objectives", "write the model before the further ones are set"
        )
    if state.extra.get("PWLObj"):
        raise unsupported("writing a piecewise-linear objective", "state it by addGenConstrPWL")
    used = set(state.index[: state.starts[state.rows_live]])
    terms = [(c, names[j]) for j, c in enumerate(state.cost) if c != 0.0 or j not in used]
    end = f" + {number(state.goal.constant)} Constant" if state.goal.constant else ""
    if state.goal.products:
        end += f" + {_products(state.goal.products, names, 2.0)} / 2"
    yield from _wrapped("  ", terms, end)


def _quadratic_rows(state: Any, names: list[str]) -> Iterator[str]:
    for part in state.family("quadratic"):
        assert isinstance(part, QuadraticPart)
        if part.low is not None:
            raise unsupported("writing a quadratic range", "state it as two quadratic constraints")
        terms = _terms(part.linear._c, part.linear._v, names)
        title = _name(part.name or f"qc{part.number}")
        end = f" + {_products(part.products, names, 1.0)} {_SIGNS[part.sense]} {number(part.rhs)}"
        yield from _wrapped(f" {title}: ", terms, end)


def _indicators(state: Any, names: list[str]) -> Iterator[str]:
    for part in state.family("general"):
        if isinstance(part, IndicatorPart):
            terms = _terms(part.coeffs, part.variables, names)
            start = f" {_label(part)}: {_name(names[part.binary._col])} = {part.active} -> "
            yield from _wrapped(start, terms, f" {_SIGNS[part.sense]} {number(part.rhs)}")


def _label(part: StoredConstraint) -> str:
    return _name(part.name or f"GC{part.number}")


def _bounds(state: Any, names: list[str]) -> Iterator[str]:
    yield "Bounds"
    if state.goal.constant:
        yield " Constant = 1"
    lows, ups = infinite(state.view("lower")).tolist(), infinite(state.view("upper")).tolist()
    infinity = float("inf")
    for name, kind, low, up in zip(names, state.kinds, lows, ups, strict=True):
        name = _name(name)
        if kind == 2 and (low, up) == (0.0, 1.0):
            continue
        if (low, up) == (-infinity, infinity):
            yield f" {name} free"
        elif low == up:
            yield f" {name} = {number(low)}"
        elif up < infinity:
            yield f" {'-inf' if low == -infinity else number(low)} <= {name} <= {number(up)}"
        elif low != 0.0:
            yield f" {name} >= {'-inf' if low == -infinity else number(low)}"


def _types(state: Any, names: list[str]) -> Iterator[str]:
    for title, codes in (("Binaries", (2,)), ("Generals", (1, 4)), ("Semi-Continuous", (3, 4))):
        found = [_name(n) for n, kind in zip(names, state.kinds, strict=True) if kind in codes]
        if found:
            yield title
            for k in range(0, len(found), _WIDTH):
                yield " " + " ".join(found[k : k + _WIDTH])


def _sos(state: Any, names: list[str]) -> Iterator[str]:
    sets = [part for part in state.family("sos") if isinstance(part, SosPart)]
    if sets:
        yield "SOS"
    for part in sets:
        pairs = _terms(part.weights, part.variables, names)
        members = "  ".join(f"{_name(name)}:{number(weight)}" for weight, name in pairs)
        yield f" s{part.number}: S{part.kind} :: {members}"


def _general(state: Any, names: list[str]) -> Iterator[str]:
    shown = False
    for part in state.family("general"):
        if isinstance(part, FormulaPart):
            raise unsupported(
                "writing nonlinear formulas", "keep the program that builds the model"
            )
        if not isinstance(part, GeneralPart):
            continue
        if not shown:
            yield "General Constraints"
            shown = True
        members = [_name(names[var._col]) for var in part.operands]
        result, numbers = _name(names[part.result._col]), [number(c) for c in part.numbers]
        title = part.function.value.upper()
        if part.function == GeneralFunction.PWL:
            points = " ".join(
                f"({x}, {y})" for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            )
            yield f" {_label(part)}: {result} = PWL ( {members[0]} ) : {points}"
        elif part.function in (GeneralFunction.MAX, GeneralFunction.MIN):
            yield f" {_label(part)}: {result} = {title} ( {' , '.join(members + numbers)} )"
        elif numbers:
            ends = " ".join(numbers)
            yield f" {_label(part)}: {result} = {title} ( {', '.join(members)}; {ends} )"
        else:
            yield f" {_label(part)}: {result} = {title} ( {' , '.join(members)} )"


_LP = (".lp", ".rlp", ".dlp")
_MPS = (".mps", ".rew", ".dua")
_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def _kind(filename: Any) -> tuple[Path, str, bool]:
    """The path, the ending that says what to write, and whether it is packed."""
    if not isinstance(filename, str | Path):
        raise AttributeError(f"'{type(filename).__name__}' object has no attribute 'encode'")
    path = Path(filename)
    packed = path.suffix in _PACKERS
    if path.suffix in (".zip", ".7z"):
        raise unsupported(f"a file packed as {path.suffix}", "pack it as .gz or not at all")
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
        raise unsupported(
            f"writing {ending} files", "write .lp or .mps for the model, .sol or .mst for a point"
        )
    else:
        raise failure("FILE_WRITE", f"Unknown file type for file '{path}'")
    data = text.encode()
    try:
        path.write_bytes(_PACKERS[path.suffix](data) if packed else data)
    except OSError:
        raise failure("FILE_WRITE", f"Unable to write to file '{path}'") from None


def _lines(lines: Any) -> str:
    return "".join(f"{line}\n" for line in lines)


def _mps(state: Any) -> str:
    if any(state.parts.values()) or state.goal.products or state.goals:
        raise unsupported("writing a model that is not linear as MPS", "write it as .lp")
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


def read(model: Any, filename: Any) -> None:
    """Read a start (.mst, .sol) or parameters (.prm) into the model."""
    path, ending, packed = _kind(filename)
    if ending == ".prm":
        read_params(model._state.params, str(path))
        return
    if ending not in (".mst", ".sol"):
        raise unsupported(f"reading {ending} files into a model", "read .mst, .sol or .prm")
    try:
        data = read_bytes(path, unpack=packed)
    except (OSError, EOFError, zlib.error):
        raise failure("FILE_READ", f"Unable to open file '{path}' for input") from None
    for line in data.decode().splitlines():
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
        raise unsupported(f"reading {ending} files", "write the model as .lp or .mps")
    try:
        problem = read_problem(path)
    except DataError as error:
        raise failure("FILE_READ", f"Unable to read model: {error}") from None
    _put(made, problem)
    return made


def _put(made: Any, problem: Problem) -> None:
    """Put a problem into a new model."""
    model, general = problem.model, problem.general
    pieces = {part.result: part for part in general if model.col_names[part.result] == part.name}
    fill(made._state, model)
    x = made.getVars()

    def total(index: Any, value: Any) -> Any:
        return LinExpr(value.tolist(), [x[j] for j in index.tolist()])

    def products(found: Quadratic) -> Any:
        pairs = zip(found.value.tolist(), found.first.tolist(), found.second.tolist(), strict=True)
        return quicksum(c * x[a] * x[b] for c, a, b in pairs)

    if problem.quadratic is not None:
        made.setObjective(made.getObjective() + products(problem.quadratic), made.ModelSense)
    for row in problem.quadratic_rows:
        left = total(row.index, row.value) + products(row.quadratic)
        for sense, side in _one_sided(row.lower, row.upper):
            made.addQConstr(left, sense, side, row.name)
    for part in problem.indicators:
        left = total(part.index, part.value)
        for sense, side in _one_sided(part.lower, part.upper):
            made.addGenConstrIndicator(x[part.binary], part.active, left, sense, side, part.name)
    for sos in problem.sos:
        added = made.addSOS(sos.kind, [x[j] for j in sos.index.tolist()], sos.weights.tolist())
        added._part.name = sos.name
    for each in general:
        if each.result not in pieces:
            operands = [x[j] for j in each.operands.tolist()]
            add_general(made, each.name, each.function, x[each.result], operands, each.numbers)
    for k, goal in enumerate(problem.objectives):
        expression = total(np.arange(model.n), goal.coefficients) + goal.offset
        numbers = goal.priority, goal.weight, goal.abs_tol, goal.rel_tol
        made.setObjectiveN(expression, k, *numbers, goal.name)
    for piece in pieces.values():
        points = piece.numbers
        made.setPWLObj(x[piece.operands.item()], list(points[::2]), list(points[1::2]))
        made.remove(x[piece.result])
    made.update()


def _one_sided(low: float, up: float) -> list[tuple[str, float]]:
    """The senses and right sides that say what two sides say."""
    if low == up:
        return [("=", low)]
    infinity = float("inf")
    return [(s, side) for s, side in ((">", low), ("<", up)) if abs(side) < infinity]


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
