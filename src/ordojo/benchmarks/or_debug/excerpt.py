"""What is shown of a model that does not fit into a prompt: its conflict, and what lies around it.

Whatever an environment says stays within `BUDGET` characters a turn, about 8,000 tokens of numbers
and names at two characters each.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.milp.algebra import bound_text, row_text
from ordojo.milp.model import Model

BUDGET = 16_000
"""Characters of a turn."""

_CONFLICT, _AROUND, SAID = 5_000, 2_500, 2_000
"""Shares of it: the IIS in algebra, its neighbours, and each other thing that is said."""

_NUMBERS = re.compile(r"\d+")
_TERMS, _NEIGHBOURS, _FOUND = 12, 10, 40
"""Terms of a row, rows beside the IIS, and matches of a name that are shown: chosen without a fit,
so that a row is a line or two and an answer a page. More can be asked for."""


def is_large(problem: Debugging) -> bool:
    """Whether the program is beyond half of `BUDGET`.

    One that is by nonzeros, rows and columns is not written for that.
    """
    model = problem.model
    guess = 12 * model.nonzeros + 40 * (model.m + model.n)
    return guess > BUDGET // 2 or len(problem.code) > BUDGET // 2


def excerpt(model: Model, rows: Sequence[str], bounds: Sequence[str]) -> str:
    """Size, the IIS given by names in algebra, the rows that share most columns with it.

    Without an IIS, one row and one column of each name. Ends in how to look for more.
    """
    whole = int((model.types > 0).sum())
    return "\n".join(
        [
            f"The model is too large to show: {model.m} rows, {model.n} columns, {whole} of them "
            f"integer, {model.nonzeros} coefficients, to {_sense(model)}.",
            *(_around(model, rows, bounds) if rows or bounds else _kinds(model)),
            "CHECK_SLACK(cap*) lists the constraints with such names, CHECK_BOUND(x_1*) the "
            "variables, with the constraints that they stand in.",
        ]
    )


def _around(model: Model, rows: Sequence[str], bounds: Sequence[str]) -> list[str]:
    members = [row_line(model, model.rows[name]) for name in rows]
    members += [f"{name}: {bound_text(model, model.cols[name[:-3]])}" for name in bounds]
    near = [row_line(model, i) for i in _neighbours(model, rows, bounds)]
    return [
        "These cannot hold together:",
        clipped(members, _CONFLICT),
        "The rows nearest to them:",
        clipped(near, _AROUND),
    ]


def _kinds(model: Model) -> list[str]:
    """One row and one column of those that share a name but for its numbers."""
    rows, columns = _alike(model.row_names), _alike(model.col_names)
    return [
        "One row of each kind:",
        clipped([f"{len(k)} as {row_line(model, k[0])}" for k in rows], _AROUND),
        "One variable of each kind:",
        clipped([f"{len(k)} as {_column_line(model, k[0])}" for k in columns], _AROUND),
    ]


def _alike(names: Sequence[str]) -> list[list[int]]:
    found: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        found.setdefault(_NUMBERS.sub("", name), []).append(k)
    return list(found.values())


def clipped(lines: Sequence[str], size: int = SAID) -> str:
    """As many lines as fit, and how many do not."""
    kept: list[str] = []
    left = size
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            kept.append(f"... and {len(lines) - len(kept)} more")
            break
        kept.append(line)
    return "\n".join(kept)


def brief(text: str) -> str:
    """A text of many lines cut to `SAID` characters, each line to a third of it."""
    lines = text.split("\n")
    third = SAID // 3
    return clipped([x if len(x) <= third else f"{x[:third]} ..." for x in lines])


def looked_up(model: Model, pattern: str, columns: bool) -> str:
    """The rows, or columns, whose names fit a pattern with * and ?."""
    names = model.col_names if columns else model.row_names
    literal = pattern.replace("[", "[[]")  # brackets belong to names
    places = [k for k, name in enumerate(names) if fnmatchcase(name, literal)]
    if not places:
        return f"No name fits '{pattern[:60]}'."
    line = _column_line if columns else row_line
    head = f"{len(places)} names fit '{pattern[:60]}'" + ":" * (len(places) <= _FOUND)
    more = f", the first {_FOUND}:" if len(places) > _FOUND else ""
    return "\n".join([head + more, *(line(model, k) for k in places[:_FOUND])])


def row_line(model: Model, i: int) -> str:
    """A row by name in algebra, of a long one the first terms."""
    index, value = model.row(i)
    name = model.row_names[i]
    if len(index) <= _TERMS:
        return f"{name}: {row_text(model, i)}"
    short = model.with_row(i, index[:_TERMS].tolist(), value[:_TERMS].tolist())
    return f"{name}: {row_text(short, i)}, with {len(index) - _TERMS} more terms"


def _column_line(model: Model, j: int) -> str:
    rows = model.entry_rows[model.index == j].tolist()
    names = ", ".join(model.row_names[i] for i in rows[:_TERMS])
    more = f" and {len(rows) - _TERMS} more" if len(rows) > _TERMS else ""
    return (
        f"{bound_text(model, j)}, cost {float(model.objective[j]):g}, in {names or 'no row'}{more}"
    )


def _neighbours(model: Model, rows: Collection[str], bounds: Collection[str]) -> list[int]:
    """Rows outside of an IIS that share most columns with it, the shortest of equals first."""
    members = {model.rows[name] for name in rows}
    columns = {int(j) for i in members for j in model.row(i)[0]}
    columns |= {model.cols[name[:-3]] for name in bounds}
    shared: Counter[int] = Counter()
    for i, j in zip(model.entry_rows.tolist(), model.index.tolist(), strict=True):
        if j in columns and i not in members and model.is_live(i):
            shared[i] += 1
    order = sorted(shared, key=lambda i: (-shared[i], len(model.row(i)[0]), i))
    return order[:_NEIGHBOURS]


def _sense(model: Model) -> str:
    return "maximize" if model.maximize else "minimize"
