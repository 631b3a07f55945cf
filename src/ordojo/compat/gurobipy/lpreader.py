"""What an LP file says beyond linear rows: taken out of its text, and added through the API.

The format's grammar is that of Gurobi's reference manual ("LP format").
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ordojo.compat.gurobipy.errors import failure, unsupported
from ordojo.milp.files import read_model
from ordojo.milp.model import Model

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NAME = r"[^\s\d+\-*/^<>=()\[\]:,;.][^\s+\-*/^<>=:;]*"
_ENDS = re.compile(rf"(<=|=<|>=|=>|<|>|=)\s*([-+]?\s*(?:{_NUMBER}|inf\w*))\s*$", re.I)
_TERM = re.compile(rf"([-+]?)\s*({_NUMBER})?\s*({_NAME})")
_PAIR = re.compile(rf"([-+]?)\s*({_NUMBER})?\s*({_NAME})\s*(?:\^\s*2|\*\s*({_NAME}))")
_BRACKET = re.compile(r"([-+]?)\s*(?<!\S)\[(\s.*?\s)\](?!\S)\s*(/\s*2)?", re.S)
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
    """Fill a new model from an LP file with indicators, SOS, quadratic and general constraints.

    `fill` puts a linear model into the state. Raises Gurobi's error where the text is none.
    """
    text = re.sub(r"\\.*", "", path.read_text(encoding="utf-8", errors="replace"))
    linear, beyond = _taken_apart(text)
    fill(made._state, _read(linear, path))
    for kind, statement in beyond:
        try:
            _ADD[kind](made, statement)
        except (KeyError, ValueError, TypeError):
            raise failure("FILE_READ", f"Unable to read '{statement.strip()}'") from None
    made.update()


def _read(text: str, path: Path) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / f"{path.stem}.lp"
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
                raise unsupported("reading a piecewise-linear objective")
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
    for sign, number, name in _TERM.findall(text):
        total = total + float(f"{sign}{number or 1}") * made.getVarByName(name)
    return total


def _quadratic(made: Any, text: str) -> Any:
    total: Any = 0.0
    for sign, body, half in _BRACKET.findall(text):
        by = (-1.0 if sign == "-" else 1.0) * (0.5 if half else 1.0)
        for own, number, first, second in _PAIR.findall(body):
            a = made.getVarByName(first)
            total = total + by * float(f"{own}{number or 1}") * (
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


def _objective(made: Any, statement: str) -> None:
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


def _sos(made: Any, statement: str) -> None:
    found = [pair.rpartition(":") for pair in _pairs(statement)]
    kind = int(_SOS.match(statement).group(1))  # type: ignore[union-attr]  # _pairs has matched it
    variables = [made.getVarByName(name.strip()) for name, _, _ in found]
    made.addSOS(kind, variables, [float(weight) for _, _, weight in found])


def _general(made: Any, statement: str) -> None:
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
        raise unsupported(f"reading a general constraint {kind}")


_ADD = {
    "objective": _objective,
    "row": _row,
    "indicator": _indicator,
    "sos": _sos,
    "general": _general,
}
