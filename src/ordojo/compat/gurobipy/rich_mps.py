"""MPS files with more than linear rows: SOS, QUADOBJ, QCMATRIX, INDICATORS and GENCONS sections."""

from collections.abc import Iterable, Mapping
from typing import Any

from ordojo.compat.gurobipy.errors import failure, unsupported

_SETS = frozenset({"SOS", "SOS1", "SOS2", "SETS"})
_SQUARES = frozenset({"QUADOBJ", "QMATRIX", "QSECTION"})
_FURTHER = _SETS | _SQUARES | {"QCMATRIX", "INDICATORS", "GENCONS"}
Section = tuple[list[str], list[list[str]]]
"""A header's words, and those of each line below it."""


def taken_apart(lines: Iterable[str]) -> tuple[str, list[Section]]:
    """The linear file, each other line left empty, and the sections that were in its way."""
    kept: list[str] = []
    found: list[Section] = []
    inside = False
    for line in lines:
        words = line.split()
        plain = not words or line[0] in "*$"
        if not plain and not line[0].isspace():
            inside = words[0].upper() in _FURTHER
            if inside:
                found.append((words, []))
        elif inside and not plain:
            found[-1][1].append(words)
        kept.append("\n" if inside else line)
    return "".join(kept), found


def add(made: Any, section: Section) -> None:
    """Put a section into the model; raises Gurobi's error where it does not fit."""
    head, lines = section
    kind = head[0].upper()
    try:
        if kind in _SETS:
            _sets(made, head, lines)
        elif kind in _SQUARES:
            _objective(made, kind, lines)
        elif kind == "QCMATRIX":
            _row(made, head[1], lines)
        elif kind == "INDICATORS":
            for _, row, binary, value in lines:
                _indicator(made, row, binary, int(float(value)))
        else:
            _functions(made, lines)
    except (KeyError, ValueError, IndexError):
        raise failure("FILE_READ", f"Unable to read '{' '.join(head)}'") from None


def _columns(made: Any) -> Mapping[str, Any]:
    return {var.VarName: var for var in made.getVars()}


def _sets(made: Any, head: list[str], lines: list[list[str]]) -> None:
    columns, sets = _columns(made), list[tuple[int, str, list[str], list[float]]]()
    if head[0].upper() in ("SOS1", "SOS2"):
        sets.append((int(head[0][-1]), head[-1] if head[1:] else "", [], []))
    for words in lines:
        if words[0].upper() in ("S1", "S2"):
            sets.append((int(words[0][1]), words[min(2, len(words) - 1)], [], []))
        else:
            sets[-1][2].append(words[-2])
            sets[-1][3].append(float(words[-1]))
    for number, name, members, weights in sets:
        added = made.addSOS(number, [columns[member] for member in members], weights)
        added._part.name = name


def _named_row(made: Any, name: str) -> Any:
    row = made.getConstrByName(name)
    if row is None:
        raise KeyError(name)
    return row


def _products(made: Any, lines: list[list[str]]) -> Any:
    columns = _columns(made)
    return [(float(v), columns[first], columns[second]) for first, second, v in lines]


def _objective(made: Any, kind: str, lines: list[list[str]]) -> None:
    """The matrix of x'Qx / 2; of QUADOBJ one half is given."""
    total = made.getObjective()
    for value, first, second in _products(made, lines):
        whole = kind != "QMATRIX" and first is not second
        total = total + (value if whole else value / 2) * first * second
    made.setObjective(total, made.ModelSense)


def _row(made: Any, name: str, lines: list[list[str]]) -> None:
    row = _named_row(made, name)
    left = made.getRow(row) + sum(v * first * second for v, first, second in _products(made, lines))
    made.addQConstr(left, row.Sense, row.RHS, name)
    made.remove(row)
    made.update()


def _indicator(made: Any, name: str, binary: str, value: int) -> None:
    row, switch = _named_row(made, name), _columns(made)[binary]
    left = made.getRow(row)
    made.addGenConstrIndicator(switch, value, left, row.Sense, row.RHS, name)
    made.remove(row)
    made.update()


def _functions(made: Any, lines: list[list[str]]) -> None:
    columns = _columns(made)
    parts: list[tuple[str, str, list[str]]] = []
    for words in lines:
        if len(words) == 2 and words[0].upper() in ("MAX", "MIN", "ABS", "AND", "OR"):
            parts.append((words[0].upper(), words[1], []))
        elif len(words) == 1:
            parts[-1][2].append(words[0])
        else:
            raise unsupported(f"reading a general constraint {words[0]}", "add it after reading")
    for kind, name, members in parts:
        result, *operands = members
        variables = [columns[word] for word in operands if word in columns]
        numbers = [float(word) for word in operands if word not in columns]
        call = getattr(made, f"addGenConstr{kind.capitalize()}")
        more = variables[:1] if kind == "ABS" else [variables, *numbers[:1]]
        call(columns[result], *more, name=name)
