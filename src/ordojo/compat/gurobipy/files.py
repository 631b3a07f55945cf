"""Model methods that write and read files: models in LP and MPS, solutions, starts, parameters."""

import gzip
import json
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ordojo.compat.core.assemble import infinite, model_of
from ordojo.compat.core.store import (
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    QuadraticPart,
    SosPart,
    StoredConstraint,
)
from ordojo.compat.gurobipy import rich_mps
from ordojo.compat.gurobipy.errors import failure, unsupported
from ordojo.compat.gurobipy.handles import new_constr, new_var
from ordojo.compat.gurobipy.params import read_params, write_params
from ordojo.core.errors import DataError
from ordojo.core.files import read_bytes
from ordojo.milp.algebra import number
from ordojo.milp.files import read_model
from ordojo.milp.model import Model, VarType
from ordojo.milp.scan import lines_of
from ordojo.milp.writers import mps_lines
from ordojo.solvers.problem import GeneralFunction

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


_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NAME = r"[^\s\d+\-*/^<>=()\[\]:,;.][^\s+\-*/^<>=:;]*"
_ENDS = re.compile(rf"(<=|=<|>=|=>|<|>|=)\s*([-+]?\s*(?:{_NUMBER}|inf\w*))\s*$", re.I)
_TERM = re.compile(rf"([-+]?)\s*({_NUMBER})?\s*({_NAME})")
_PAIR = re.compile(rf"([-+]?)\s*({_NUMBER})?\s*({_NAME})\s*(?:\^\s*2|\*\s*({_NAME}))")
_BRACKET = re.compile(r"([-+]?)\s*(?<!\S)\[(\s.*?\s)\](?!\S)\s*(/\s*2)?", re.S)
_GROUP = re.compile(r"(?<=[\s:+\-])\[([^\[\]]*(?:\[[^\]]*\][^\[\]]*)*)\]")
_RELATION = re.compile(r"(->|<=|>=|=<|=>|<|>|=)")
_LABEL = re.compile(rf"^\s*({_NAME})\s*:(?!:)")
_INDICATOR = re.compile(rf"({_NAME})\s*=\s*([01])\s*->(.*)", re.S)
_SOS = re.compile(r"^\s*(?:[^\s:]+\s*:\s*)?S([12])\s*::(.*)", re.I)
_GENERAL = re.compile(rf"({_NAME})\s*=\s*(\w+)\s*\(\s(.*?)\s\)\s*(?::(.*))?$", re.S)
_POINT = re.compile(r"\(\s*([^,()]+),\s*([^,()]+)\)")
_SECTION = re.compile(
    r"^\s*(?:(?P<goal>min\w*|max\w*)|(?P<rows>subject to|such that|st|s\.t\.)|(?P<sos>sos[12]?)"
    r"|(?P<general>general constraints?|gencons?)|(?P<stop>end)"
    r"|(?P<other>bounds?|binar\w+|bin|generals?|gen|integers?|int|semi\S*|semis?|lazy \w+|pwlobj))"
    r"(?:\s.*)?$",
    re.I,
)


def read_rich(made: Any, path: Path, fill: Any) -> None:
    """Fill a new model from a file with indicators, SOS, quadratic and general constraints.

    `fill` puts a linear model into the state. Raises Gurobi's error where the text is none.
    """
    lines = lines_of(path)
    if ".lp" not in path.suffixes[-2:]:
        linear, sections = rich_mps.taken_apart(lines)
        fill(made._state, _read(linear, path, ".mps"))
        for section in sections:
            rich_mps.add(made, section)
        made.update()
        return
    text = re.sub(r"\\.*", "", "".join(lines))
    text = _GROUP.sub(r" [ \1 ] ", _RELATION.sub(r" \1 ", text))  # not all writers leave blanks
    linear, beyond = _taken_apart(text)
    fill(made._state, _read(linear, path, ".lp"))
    for kind, statement in beyond:
        try:
            _ADD[kind](made, statement)
        except (KeyError, ValueError, TypeError):
            raise failure("FILE_READ", f"Unable to read '{statement.strip()}'") from None
    made.update()


def _read(text: str, path: Path, ending: str) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / f"{path.name.split('.')[0]}{ending}"
        draft.write_text(text, encoding="utf-8")
        return read_model(draft)


def _taken_apart(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The linear text, and the other statements, each with its kind."""
    kept: dict[str, list[str]] = {"goal": [], "rows": [], "other": []}
    beyond: list[tuple[str, str]] = []
    for section, lines in _sections(text):
        if section == "goal":
            whole = " ".join(lines[1:])
            beyond += [("objective", m.group(0)) for m in _BRACKET.finditer(whole)]
            kept["goal"] += [lines[0], _BRACKET.sub(" ", whole)]
        elif section == "rows":
            kept["rows"].append(lines[0])
            for statement in _statements(lines[1:]):
                kind = (
                    "indicator"
                    if "->" in statement
                    else "row"
                    if _BRACKET.search(statement)
                    else ""
                )
                (beyond.append((kind, statement)) if kind else kept["rows"].append(statement))
        elif section in ("sos", "general"):
            beyond += [(section, statement) for statement in lines[1:] if statement.strip()]
        elif section == "other":
            if lines[0].lower().startswith("pwlobj"):
                raise unsupported("reading a piecewise-linear objective", "set it by setPWLObj")
            kept["other"] += lines
    known = set(re.findall(_NAME, "\n".join(kept["goal"] + kept["rows"])))
    names = dict.fromkeys(name for kind, part in beyond for name in _names(kind, part))
    kept["goal"].append(" ".join(f"+ 0 {name}" for name in names if name not in known))
    return "\n".join([*kept["goal"], *kept["rows"], *kept["other"], "End", ""]), beyond


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    section, lines = "", list[str]()
    for line in text.splitlines():
        found = _SECTION.match(line)
        if found and not _LABEL.match(line):
            if lines:
                yield section, lines
            section, lines = str(found.lastgroup), [line]
        elif line.strip():
            lines.append(line)
    if lines:
        yield section, lines


def _statements(lines: list[str]) -> Iterator[str]:
    """The rows of a section, each of which may run over several lines."""
    held = ""
    for line in lines:
        held += f" {line}"
        if _ENDS.search(line) and not held.rstrip().endswith("->"):
            yield held
            held = ""
    if held.strip():
        yield held


def _names(kind: str, statement: str) -> list[str]:
    if kind == "sos":
        return [pair.rpartition(":")[0].strip() for pair in _pairs(statement)]
    body = _LABEL.sub("", statement, count=1)
    if kind == "general":
        body = re.sub(r"=\s*\w+\s*\(\s|\s\).*", " ", body)
        return [word.strip(", ") for word in body.split() if re.match(_NAME, word)]
    return [name for name in re.findall(_NAME, body) if name.lower() not in ("inf", "infinity")]


def _pairs(statement: str) -> list[str]:
    found = _SOS.match(statement)
    if found is None:
        raise failure("FILE_READ", f"Unable to read '{statement.strip()}'")
    return re.findall(rf"[^\s:]+\s*:\s*[-+]?{_NUMBER}", found.group(2))


def _linear(made: Any, text: str) -> Any:
    total: Any = 0.0
    for sign, by, name in _TERM.findall(text):
        total = total + float(f"{sign}{by or 1}") * made.getVarByName(name)
    return total


def _quadratic(made: Any, text: str) -> Any:
    total: Any = 0.0
    for sign, body, half in _BRACKET.findall(text):
        by = (-1.0 if sign == "-" else 1.0) * (0.5 if half else 1.0)
        for own, times, first, second in _PAIR.findall(body):
            a = made.getVarByName(first)
            total = total + by * float(f"{own}{times or 1}") * (
                a * (made.getVarByName(second) if second else a)
            )
    return total


def _split(statement: str) -> tuple[str, str, str, float]:
    """Name, left side, sense and right side of a row."""
    label, ends = _LABEL.match(statement), _ENDS.search(statement)
    if ends is None:
        raise ValueError(statement)
    sense = ends.group(1).replace("=<", "<=").replace("=>", ">=")
    start = label.end() if label else 0
    value = float(ends.group(2).replace(" ", ""))
    return label.group(1) if label else "", statement[start : ends.start()], sense[0], value


def _add_objective(made: Any, statement: str) -> None:
    made.setObjective(made.getObjective() + _quadratic(made, statement), made.ModelSense)


def _row(made: Any, statement: str) -> None:
    name, left, sense, rhs = _split(statement)
    linear = _linear(made, _BRACKET.sub(" ", left))
    made.addQConstr(linear + _quadratic(made, left), sense, rhs, name)


def _indicator(made: Any, statement: str) -> None:
    name, _, sense, rhs = _split(statement)
    found = _INDICATOR.search(statement)
    if found is None:
        raise ValueError(statement)
    left = _ENDS.sub("", found.group(3))
    binary = made.getVarByName(found.group(1))
    made.addGenConstrIndicator(binary, int(found.group(2)), _linear(made, left), sense, rhs, name)


def _add_sos(made: Any, statement: str) -> None:
    found = [pair.rpartition(":") for pair in _pairs(statement)]
    kind = int(_SOS.match(statement).group(1))  # type: ignore[union-attr]  # _pairs has matched it
    variables = [made.getVarByName(name.strip()) for name, _, _ in found]
    added = made.addSOS(kind, variables, [float(weight) for _, _, weight in found])
    label = _LABEL.match(statement)
    added._part.name = label.group(1) if label else ""


def _add_general(made: Any, statement: str) -> None:
    label = _LABEL.match(statement)
    found = _GENERAL.search(statement[label.end() if label else 0 :])
    if found is None:
        raise ValueError(statement)
    name = label.group(1) if label else ""
    result, kind = made.getVarByName(found.group(1)), found.group(2).upper()
    words = re.split(r"\s*,\s+", found.group(3).strip())
    words = [word.strip(", ") for word in words]
    variables = [v for v in map(made.getVarByName, words) if v is not None]
    numbers = [float(w) for w in words if made.getVarByName(w) is None]
    if kind in ("MAX", "MIN"):
        add = made.addGenConstrMax if kind == "MAX" else made.addGenConstrMin
        add(result, variables, *numbers[:1], name=name)
    elif kind in ("AND", "OR"):
        add = made.addGenConstrAnd if kind == "AND" else made.addGenConstrOr
        add(result, variables, name=name)
    elif kind == "ABS":
        made.addGenConstrAbs(result, variables[0], name)
    elif kind == "PWL":
        points = [(float(x), float(y)) for x, y in _POINT.findall(found.group(4) or "")]
        made.addGenConstrPWL(variables[0], result, *map(list, zip(*points, strict=True)), name)
    else:
        raise unsupported(f"reading a general constraint {kind}", "add it after reading")


_ADD = {
    "objective": _add_objective,
    "row": _row,
    "indicator": _indicator,
    "sos": _add_sos,
    "general": _add_general,
}


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
        path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
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
        fill(made._state, read_model(path))
    except DataError as error:
        text = str(error)
        beyond = ("nonlinear", "quadratic", "linear model", "ordered sets", "a section '")
        try:
            if not any(part in text for part in beyond):
                raise
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
