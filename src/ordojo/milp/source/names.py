"""What columns are called in a program, and linear expressions over these names."""

import keyword
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ordojo.milp.algebra import number
from ordojo.milp.model import Model

_GROUPED = re.compile(r"([A-Za-z]\w*)\[([A-Za-z0-9_.#-]+(?:,[A-Za-z0-9_.#-]+)*)\]", re.ASCII)
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_MODELS = ("m", "model", "m_")
_TAKEN = frozenset({"gp", "GRB", "highspy", "pyo", "add", "solver", "result", "print"})


class Refs(NamedTuple):
    """How a program refers to its model and to each column, and the dicts it needs for that."""

    model: str
    columns: tuple[str, ...]
    groups: tuple[str, ...]


@lru_cache(maxsize=32)
def refs(names: tuple[str, ...]) -> Refs:
    """Scalars for identifiers, `x[0]` and `x["a", 1]` for groups, `v["any name"]` for the rest."""
    scalars = {name for name in names if _is_scalar(name)}
    model = _free(_MODELS, scalars)
    rest = _free(("v", "v_", "column"), scalars | {model})
    groups: dict[str, None] = {}
    columns = []
    for name in names:
        if name in scalars and name != model:
            columns.append(name)
            continue
        match = _GROUPED.fullmatch(name)
        if match and _is_scalar(match[1]) and match[1] not in scalars | {model, rest}:
            keys = (k if _WHOLE.fullmatch(k) else quoted(k) for k in match[2].split(","))
            groups[match[1]] = None
            columns.append(f"{match[1]}[{', '.join(keys)}]")
        else:
            groups[rest] = None
            columns.append(f"{rest}[{quoted(name)}]")
    return Refs(model, tuple(columns), tuple(groups))


def quoted(name: str) -> str:
    """A Python literal of a name."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return f'"{name}"'
    return repr(name)


def linear(model: Model, i: int) -> str:
    """Row i's left side over the program's names; empty where it has no terms."""
    start, end = model.starts.item(i), model.starts.item(i + 1)
    columns = refs(model.col_names).columns
    found = [columns[j] for j in model.index[start:end].tolist()]
    return joined(found, model.value[start:end].tolist())


def linears(model: Model) -> Iterator[str]:
    """`linear` of every row, in order."""
    columns = refs(model.col_names).columns
    starts, index, value = (array.tolist() for array in (model.starts, model.index, model.value))
    for start, end in pairwise(starts):
        yield joined([columns[j] for j in index[start:end]], value[start:end])


def objective(model: Model) -> str:
    """The objective over the program's names; empty where it has neither term nor offset."""
    columns = refs(model.col_names).columns
    used = model.objective.nonzero()[0].tolist()
    text = joined([columns[j] for j in used], model.objective[used].tolist())
    offset = float(model.offset)
    if not offset:
        return text
    if not text:
        return number(offset)
    return f"{text} {'-' if offset < 0 else '+'} {number(abs(offset))}"


def effective(model: Model, j: int) -> tuple[float, float]:
    """Column j's bounds, those of a BINARY one cut to 0 and 1."""
    lower, upper = model.col_lower.item(j), model.col_upper.item(j)
    if model.types[j] == 2:
        return max(lower, 0.0), min(upper, 1.0)
    return lower, upper


def side(value: float, infinity: str) -> str:
    """A bound as a literal."""
    if math.isinf(value):
        return infinity if value > 0 else f"-{infinity}"
    return number(value)


def joined(columns: list[str], values: list[float]) -> str:
    """`2*x - y`, without the terms of coefficient zero."""
    parts = [part for part in map(_term, columns, values) if part]
    if not parts:
        return ""
    first = parts[0]
    parts[0] = first[2:] if first[0] == "+" else "-" + first[2:]
    return " ".join(parts)


@lru_cache(maxsize=1 << 16)
def _term(column: str, value: float) -> str:
    if not value:
        return ""
    size = abs(value)
    return f"{'+' if value > 0 else '-'} {'' if size == 1 else number(size) + '*'}{column}"


@lru_cache(maxsize=1 << 12)
def _is_scalar(name: str) -> bool:
    return (
        name.isascii()
        and name.isidentifier()
        and not name.startswith("_")
        and not keyword.iskeyword(name)
        and name not in _TAKEN
    )


def _free(wanted: tuple[str, ...], used: set[str]) -> str:
    """The first of the wanted names that is not used, lengthened where all are."""
    name = next((name for name in wanted if name not in used), wanted[-1])
    while name in used:
        name += "_"
    return name
