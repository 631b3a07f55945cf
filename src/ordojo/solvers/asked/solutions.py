"""A plan of the user's as column values: of a solution file, JSON, CSV or a mapping.

A solution file is one of HiGHS, Gurobi, SCIP, CBC or MIPLIB.
"""

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.core.files import read_text
from ordojo.core.words import amount
from ordojo.milp.model import ENDLESS

_COLUMNS = re.compile(r"# Columns (-?)\d+", re.IGNORECASE)
"""Below a minus, HiGHS's sparse form, columns at 0 are left out, and each line ends in a place."""
_HEAD = re.compile(r"(solution status|objective value)\s*:|=obj=|#", re.IGNORECASE)
_NONE = re.compile(r"no solution available|=(infeas|unbd|unkn)=", re.IGNORECASE)
_CBC = re.compile(r".+ - objective value \S+")
_CBC_LINE = re.compile(r"(?:\*\*\s*)?(\d+)\s+(\S+)\s+(\S+)\s+\S+")
_OTHER = (
    (r"Columns\n\s*Index\s+Status", "HiGHS's pretty solution (style 1), whose numbers are rounded"),
    (r"c Problem:|Problem:\s", "a solution of GLPK's form (HiGHS's styles 2 and 3)"),
)
"""How files begin that hold a plan and are not read, and what they are."""
_COST = re.compile(r"\s*\(obj:[^)]*\)\s*$")


def read_solution(given: Mapping[str, float] | str | Path) -> tuple[dict[str, float], str]:
    """The values by name, and what to call the plan, of a path or a mapping of names to numbers.

    A `.json` file is an object {name: value} or Gurobi's, a `.csv` file has lines name,value,
    perhaps below a heading; any other is a solution file as HiGHS, Gurobi, SCIP, CBC and MIPLIB
    write it.
    Raises DataError, with the line, for what is none, a value that is no finite number (solvers
    call 1e20 infinite), a name twice.
    """
    if isinstance(given, Mapping):
        return _collected(((str(k), v, "") for k, v in given.items()), "the plan"), "the plan"
    path = Path(given)
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise DataError(
            f"there is no solution file {path}; a plan is given as a file of columns and values"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error}); give a solution file") from None
    reader = {".json": _json, ".csv": _csv}.get(path.suffix.lower(), _sol)
    found = _collected(reader(text, path.name), path.name)
    if not found:
        raise DataError(f"{path.name} names no column; give a file with a name and a value a line")
    return found, path.name


def _collected(pairs: Iterable[tuple[str, Any, str]], where: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, raw, line in pairs:
        place = f"{where}{line}"
        try:
            value = math.nan if isinstance(raw, bool) else float(raw)
        except (TypeError, ValueError):
            value = math.nan
        if not abs(value) < ENDLESS:
            raise DataError(
                f"{place}: '{name[:60]}' has '{str(raw)[:40]}', no finite number below {ENDLESS:g}"
            )
        if name in found:
            raise DataError(f"{place}: '{name[:60]}' is given twice; leave one of them")
        found[name] = value
    return found


def _json(text: str, where: str) -> Iterator[tuple[str, Any, str]]:
    try:
        found = json.loads(text, object_pairs_hook=list)  # a name that occurs twice must be seen
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is no JSON ({error})") from None
    if not isinstance(found, list) or not all(isinstance(one, tuple) for one in found):
        raise DataError(f"{where} is no JSON object of names and values")
    if any(name == "SolutionInfo" and isinstance(value, list) for name, value in found):
        found = [*_gurobi(dict(found).get("Vars"), where)]
    yield from ((name, value, "") for name, value in found)


def _gurobi(columns: Any, where: str) -> Iterator[tuple[str, Any]]:
    """The columns of a JSON solution of Gurobi's, which leaves out those at 0."""
    if columns is None:
        raise DataError(f"{where} holds no plan: the solver that wrote it found none")
    try:
        read = [dict(column) for column in columns]
    except (TypeError, ValueError):
        raise DataError(f"{where} is no JSON solution of Gurobi's: its Vars are none") from None
    for column in read:
        if not isinstance(column.get("VarName"), str):
            advice = "clear the VTags and write it again, or have Gurobi write a .sol file"
            raise DataError(f"{where} is Gurobi's JSON solution, and lacks a VarName; {advice}")
        yield column["VarName"], column.get("X", 0.0)


def _csv(text: str, where: str) -> Iterator[tuple[str, Any, str]]:
    lines = csv.reader(text.splitlines())
    try:
        yield from _rows(lines, where)
    except csv.Error as error:
        raise DataError(f"{where}, line {lines.line_num}: {error}; give name,value") from None


def _rows(lines: Any, where: str) -> Iterator[tuple[str, Any, str]]:
    for cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != 2:
            raise DataError(
                f"{where}, line {lines.line_num}: {amount(len(cells), 'cell')}; give name,value"
            )
        if lines.line_num == 1 and cells[1].strip().lower() in ("value", "x", "level", "solution"):
            continue
        yield cells[0].strip(), cells[1], f", line {lines.line_num}"


def _sol(text: str, where: str) -> Iterator[tuple[str, Any, str]]:
    for begins, what in _OTHER:
        if re.match(begins, text.lstrip(), re.MULTILINE):
            advice = "have HiGHS write style 0 (write_solution_style)"
            raise DataError(f"{where} is {what}; {advice}, or give lines of a name and a value")
    lines = text.splitlines()
    if lines and _CBC.fullmatch(lines[0].strip()):
        yield from _cbc(lines, where)
        return
    highs = next((k for k, line in enumerate(lines) if _COLUMNS.match(line)), -1)
    sparse = highs >= 0 and "-" in lines[highs]
    unfilled = highs < 0 and any(line.startswith("# Primal solution values") for line in lines)
    if unfilled or any(_NONE.match(line.strip()) for line in lines):
        raise DataError(f"{where} holds no plan: the solver that wrote it found none")
    for at, line in enumerate(lines[highs + 1 :], highs + 2):
        if highs >= 0 and line.startswith("#"):
            return  # rows and duals follow
        body = _COST.sub("", line).strip()
        if sparse:
            body = body.rpartition(" ")[0]
        if not body or _HEAD.match(body):
            continue
        name, _, value = body.replace("\t", " ").rpartition(" ")
        if not name:
            raise DataError(f"{where}, line {at}: '{body[:60]}' is no name and value")
        yield name.strip(), value, f", line {at}"


def _cbc(lines: list[str], where: str) -> Iterator[tuple[str, Any, str]]:
    """Place, name, value and reduced cost; above the columns may stand rows, from 0 on too."""
    found = [_CBC_LINE.fullmatch(line.strip()) for line in lines]
    first = max((k for k, one in enumerate(found) if one and int(one[1]) == 0), default=1)
    for at, one in enumerate(found[first:], first + 1):
        if one:
            yield one[2], one[3], f", line {at}"
        elif lines[at - 1].strip():
            raise DataError(f"{where}, line {at}: '{lines[at - 1][:60]}' is no column of CBC's")
