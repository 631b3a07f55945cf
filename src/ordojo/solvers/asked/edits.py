"""A change of a model as a person writes it: a side, a bound, a cost, a coefficient, a row.

cap <= 50    x >= 3    obj.x = 4    need[x] = 2    drop row7    x + 2 y <= 7    new: x + y = 3
cap* <= 50 sets each row or column that is called so, drop cap* takes them away
"""

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ordojo.core.errors import UsageError, meant
from ordojo.core.words import amount
from ordojo.milp.algebra import bound_text, number
from ordojo.milp.expressions import ExpressionError, parse_constraint, relation
from ordojo.milp.model import ENDLESS, INF, Model, VarType, distinct
from ordojo.solvers.answers import Side
from ordojo.solvers.asked.solves import told_row
from ordojo.solvers.problem import Problem

MANY = 20_000
"""Names among which a misspelt one's neighbours are sought: a second's work."""
_SIDE = re.compile(r"\s*(.+?)\s*(<=|=<|>=|=>|==|=|≤|≥)\s*([^<>=≤≥]+?)\s*")
_DROP = re.compile(r"\s*drop\s+(\S.*?)\s*", re.IGNORECASE)
_NEW = re.compile(r"\s*([^\W\d][^\s:<>=]*)\s*:\s*(.+)")
_KINDS = ("row.", "col.", "obj.", "")
_BARE = re.compile(r"[^\W\d][^\s*+<>=]*|obj\..+")


@dataclass(frozen=True)
class ModelEdit:
    """A changed problem, with a sentence on the change; `row` or `col`'s `side` it touched."""

    problem: Problem
    said: str
    row: int | None = None
    col: int | None = None
    side: Side = Side.BOTH


def edited(problem: Problem, text: str) -> ModelEdit:
    """The problem with one change applied; see the module for how changes are written.

    A side that is set replaces that of its row or column, the other side stays; `=` sets both.
    Raises UsageError where nothing is so called, with the closest names, or a number is none.
    """
    model = problem.model
    if found := _DROP.fullmatch(text):
        i = row_of(problem, found[1], text)
        told = told_row(model, i)
        return _with(problem, model.without_row(i), f"{found[1]} dropped (was {told})", row=i)
    if not re.search("[<>=≤≥]", text):
        raise UsageError(f"'{text}' is no change; write 'cap <= 50', 'obj.x = 4' or 'drop cap'")
    check_number(problem, text)
    if found := _SIDE.fullmatch(text):
        name, sign = found[1], relation(found[2])
        value = _number(found[3])
        if value is not None and (edit := _set(problem, name, sign, value, text)):
            return edit
        if value is not None and _BARE.fullmatch(name) and ":" not in name:
            advice = closest(name, chain(model.row_names, model.col_names))
            nothing = f"the model has no row or column '{name}'{advice}"
            raise UsageError(f"'{text}': {_beyond(name, problem) or nothing}")
    return stated(problem, text, "new")


def all_edited(problem: Problem, text: str) -> Iterator[ModelEdit]:
    """One change applied, or where its name has a * one after another to all that is called so.

    Of several the first says how many they are, the others nothing. Raises UsageError as `edited`,
    and where nothing is so called, or a row and a column.
    """
    named = _DROP.fullmatch(text) or _SIDE.fullmatch(text)
    pattern = named[1] if named else ""
    if "*" not in pattern or _is_literal(problem, pattern, text):
        yield edited(problem, text)
        return
    kind, names = _matching(problem, pattern, text)
    before, _, after = text.partition(pattern)
    few = ", ".join(names[:3]) + ", ..." * (len(names) > 3)
    said = f"{text.strip()}: {amount(len(names), kind)} ({few})"
    for name in names:
        edit = edited(problem, f"{before}{name}{after}")
        yield dataclasses.replace(edit, said=said)
        problem, said = edit.problem, ""


def _is_literal(problem: Problem, pattern: str, text: str) -> bool:
    """Whether a name with a * is one of the model's, or the * a product's."""
    model = problem.model
    names = model.rows.keys() | model.cols.keys()
    if any(pattern.removeprefix(kind) in names for kind in _KINDS):
        return True
    with suppress(ExpressionError):
        parse_constraint(text, model.cols)
        return True
    return not _BARE.fullmatch(pattern.replace("*", "_"))


def _matching(problem: Problem, pattern: str, text: str) -> tuple[str, list[str]]:
    """What matching names name, and these as changes write them: row.cap1, obj.x."""
    model, kind = problem.model, next(kind for kind in _KINDS if pattern.startswith(kind))
    form = re.compile(".*".join(map(re.escape, pattern.removeprefix(kind).split("*"))), re.DOTALL)
    rows, cols = (
        [f"{kind}{name}" for name in names if form.fullmatch(name)]
        for names in (
            model.row_names if kind in ("", "row.") else (),
            model.col_names if kind in ("", "col.", "obj.") and not _DROP.fullmatch(text) else (),
        )
    )
    if rows and cols:
        both = f"rows and columns are called '{pattern}'; write row.{pattern} or col.{pattern}"
        raise UsageError(f"'{text}': {both}")
    if not (rows or cols):
        advice = closest(pattern.replace("*", ""), chain(model.row_names, model.col_names))
        raise UsageError(f"'{text}': the model has nothing that is called '{pattern}'{advice}")
    return ("row", rows) if rows else ("cost" if kind == "obj." else "column", cols)


def check_number(problem: Problem, text: str) -> None:
    """Raise UsageError where a row, a cost or a coefficient is compared to what is no number."""
    found, cols = _SIDE.fullmatch(text), problem.model.cols
    if found is None or _number(found[3]) is not None:
        return
    name, given = found[1], found[3]
    no_number = given.lstrip("+-").lower() == "nan" and given not in cols
    if no_number or (name not in cols and _set(problem, name, "=", 0.0, text)):
        raise UsageError(f"'{text}': '{given}' is no number; give one")


def left_of(text: str) -> str:
    """What stands before the relation of a change to one number, "" in one of another form."""
    found = _SIDE.fullmatch(text)
    return found[1] if found and _number(found[3]) is not None else ""


def stated(problem: Problem, text: str, name: str) -> ModelEdit:
    """The problem with a new row, `NAME: x + 2 y <= 7`; one without a name is called `name`.

    Raises UsageError where it is no linear constraint over the columns, or the name is taken.
    """
    model, body = problem.model, text
    label = distinct([*model.row_names, name])[-1]
    if found := _NEW.fullmatch(text):
        label, body = found[1], found[2]
        if label in model.rows:
            raise UsageError(f"'{text}': there is a row '{label}' already; drop it first")
    try:
        row = parse_constraint(body, model.cols)
    except ExpressionError as error:
        why = _beyond(left_of(text), problem) or error
        raise UsageError(f"'{text}': {why}") from None
    ends = filter(math.isfinite, (row.lower, row.upper))
    if max(map(abs, (*row.value, *ends))) >= ENDLESS:
        raise UsageError(f"'{text}': {ENDLESS:g} and more is infinite; give finite numbers")
    new = model.with_new_row(label, row.index, row.value, row.lower, row.upper)
    said = f"{label}: {told_row(new, model.m)} (a new row)"
    return _with(problem, new, said, row=model.m)


def _with(problem: Problem, model: Model, said: str, **touched: Any) -> ModelEdit:
    return ModelEdit(dataclasses.replace(problem, model=model, start=None), said, **touched)


_SIDES = {"<": Side.UPPER, ">": Side.LOWER, "=": Side.BOTH}


def _set(problem: Problem, name: str, sign: str, value: float, text: str) -> ModelEdit | None:
    """The change of what `name` names, None where it names nothing."""
    model = problem.model
    kind, _, rest = name.partition(".")
    i, j = named(model, name, text)
    if i is not None:
        low, up = _sides(*model.sides(i), sign, value, text)
        return _with(
            problem,
            new := model.with_row_bounds(i, low, up),
            f"{model.row_names[i]}: {told_row(new, i)} (was {told_row(model, i)})",
            row=i,
            side=_SIDES[sign],
        )
    if j is not None:
        return _bound(problem, j, sign, value, text)
    if kind == "obj" and rest:
        if rest not in model.cols:
            raise UsageError(f"'{text}': there is no column '{rest}'{closest(rest, model.cols)}")
        if problem.objectives:
            raise UsageError(
                f"'{text}': the model has several objectives; change them in its own source"
            )
        j, costs = model.cols[rest], model.objective.copy()
        _equal(sign, value, text)
        costs[j] = value
        new = dataclasses.replace(model, objective=costs)
        return _with(
            problem, new, f"{name} = {number(value)} (was {number(model.objective.item(j))})"
        )
    places = [k for k, c in enumerate(name) if c == "[" and name[:k] in model.rows]
    for k in places if name.endswith("]") else ():
        if name[k + 1 : -1] in model.cols:
            _equal(sign, value, text)
            return _coefficient(problem, name[:k], name[k + 1 : -1], value)
    if places and name.endswith("]"):
        column = name[places[0] + 1 : -1]
        advice = closest(column, model.cols)
        raise UsageError(f"'{text}': no column '{column}' for row '{name[: places[0]]}'{advice}")
    return None


def named(model: Model, name: str, text: str) -> tuple[int | None, int | None]:
    """The row or the column of that name, perhaps after row. or col., None for each that is not.

    UsageError, with the change that names it, where it is both.
    """
    row, col = model.rows.get(name), model.cols.get(name)
    if row is not None and col is not None:
        raise UsageError(
            f"'{text}': '{name}' is a row and a column; write row.{name} or col.{name}"
        )
    if row is col is None:
        kind, _, rest = name.partition(".")
        row = model.rows.get(rest) if kind == "row" else None
        col = model.cols.get(rest) if kind == "col" else None
    return row, col


def _bound(problem: Problem, j: int, sign: str, value: float, text: str) -> ModelEdit:
    model = problem.model
    low, up = _sides(model.col_lower.item(j), model.col_upper.item(j), sign, value, text)
    ends = [end for end in (low, up) if math.isfinite(end)]
    if model.types[j] == VarType.BINARY and not all(0 <= end <= 1 for end in ends):
        raise UsageError(f"'{text}': '{model.col_names[j]}' is binary; its bounds stay in 0 to 1")
    new = model.with_col_bounds(j, low, up)
    said = f"{bound_text(new, j)} (was {bound_text(model, j)})"
    return _with(problem, new, said, col=j, side=_SIDES[sign])


def _coefficient(problem: Problem, row: str, column: str, value: float) -> ModelEdit:
    model = problem.model
    i, j = model.rows[row], model.cols[column]
    terms = model.terms(i)
    was = terms.get(j, 0.0)
    terms[j] = value
    new = model.with_row(i, list(terms), list(terms.values()), *model.sides(i))
    return _with(problem, new, f"{row}[{column}] = {number(value)} (was {number(was)})", row=i)


def _sides(low: float, up: float, sign: str, value: float, text: str) -> tuple[float, float]:
    low, up = value if sign != "<" else low, value if sign != ">" else up
    if low == INF or up == -INF or (sign == "=" and math.isinf(value)):
        raise UsageError(f"'{text}': no number is so far out; give a finite side")
    return low, up


def _equal(sign: str, value: float, text: str) -> None:
    if sign != "=" or math.isinf(value):
        raise UsageError(f"'{text}': a coefficient is set by '=' to a finite number")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    if math.isnan(value):
        return None
    return math.copysign(INF, value) if abs(value) >= ENDLESS else value


def row_of(problem: Problem, name: str, text: str = "") -> int:
    """The row of that name; UsageError, with the closest names, where there is none.

    `text` is the change that names it.
    """
    rows = problem.model.rows
    if name not in rows:
        why = _beyond(name, problem) or f"there is no row '{name}'{closest(name, rows)}"
        raise UsageError(f"'{text}': {why}" if text not in ("", name) else why)
    return rows[name]


def closest(name: str, names: Iterable[str]) -> str:
    """Advice for a name that is unknown: "; did you mean 'cap'?", or nothing where none is near."""
    pool = [one for _, one in zip(range(MANY), names, strict=False)]
    found = meant(name, pool, 3)
    return found and f"; {found}"


def _beyond(name: str, problem: Problem) -> str:
    """What to do about a name, perhaps with a column in brackets, of a part that is no row."""
    for part in (part for part in problem.parts if part.name):
        if name == part.name or name.startswith(f"{part.name}["):
            return f"'{part.name}' is no linear row; change it in the model's own source"
    return ""
