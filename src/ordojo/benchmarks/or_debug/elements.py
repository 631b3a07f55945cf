"""The elements of a model that a repair may touch, by the names under which they are spoken of."""

import difflib
import re
from enum import StrEnum
from typing import NamedTuple

from ordojo.milp.model import Model


class ElementKind(StrEnum):
    """What kind of element it is."""

    ROW = "row"
    LB = "lb"
    UB = "ub"
    TYPE = "type"


class Element(NamedTuple):
    """A row, a column's bound or a column's type; `number` is that of the row or column."""

    part: ElementKind
    number: int
    name: str


_PARTS = {
    "lb": ElementKind.LB,
    "lower": ElementKind.LB,
    "ub": ElementKind.UB,
    "upper": ElementKind.UB,
    "type": ElementKind.TYPE,
    "vtype": ElementKind.TYPE,
}
_KIND = "(lb|lower|ub|upper|type|vtype)"
_SUFFIX = re.compile(rf"(.+)[._]{_KIND}", re.IGNORECASE | re.DOTALL)
_CALL = re.compile(rf"{_KIND}\((.+)\)", re.IGNORECASE | re.DOTALL)
_LOOSE = re.compile(r"[\s\"'`]+")
_LONGEST = 300


def find_element(model: Model, text: str) -> Element | None:
    """The element that `text` names, None if there is none.

    A row's name wins over all; then come "x.lb", "lb(x)" and "x_lb" in any letter case of the
    suffix, likewise for ub and type. Quotation marks and blanks are forgiven: x["a"] is x[a].
    """
    row = model.rows.get(text)
    if row is not None:
        return Element(ElementKind.ROW, row, text)
    if len(text) > _LONGEST:
        return None
    text = text.strip().strip("\"'`").strip()
    found = exact_element(model, text)
    if found is None:
        bare = _LOOSE.sub("", text)
        found = exact_element(model, bare) if bare != text else None
    return found


def find_column(model: Model, text: str) -> int | None:
    """The number of the column that `text` names, or whose bound or type it names."""
    text = text.strip().strip("\"'`").strip()
    number = model.cols.get(text)
    if number is None:
        number = model.cols.get(_LOOSE.sub("", text))
    if number is None:
        found = find_element(model, text)
        number = found.number if found is not None and found.part is not ElementKind.ROW else None
    return number


def exact_element(model: Model, text: str) -> Element | None:
    """The element that `text` names with no mark or blank too many, None if there is none."""
    row = model.rows.get(text)
    if row is not None:
        return Element(ElementKind.ROW, row, text)
    end = text[-1:].lower()
    # Prose is tried at every place with every end: most ends are those of no kind.
    if end in "bre" and (found := _SUFFIX.fullmatch(text)):
        column, kind = found[1], found[2]
    elif end == ")" and (found := _CALL.fullmatch(text)):
        kind, column = found[1], found[2]
    else:
        return None
    number = model.cols.get(column)
    if number is None or text in model.cols:
        return None
    part = _PARTS[kind.lower()]
    return Element(part, number, f"{column}.{part}")


def unknown(model: Model, text: str) -> str:
    """Half a sentence that says that nothing is called `text`, with the closest name."""
    shown = text if len(text) <= 60 else text[:57] + "..."
    column = find_column(model, text) if len(text) <= _LONGEST else None
    if column is not None:
        name = model.col_names[column]
        return f"'{shown}' is a variable: name its bound, {name}.lb or {name}.ub, or {name}.type"
    names = [*model.row_names, *(f"{x}.{end}" for x in model.col_names for end in ("lb", "ub"))]
    close = difflib.get_close_matches(text[:60], names[:2000], 1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"there is no constraint or bound '{shown}'{hint}"
