"""The elements of a model that a repair may touch, by their names; and diagnoses that name them."""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from ordojo.core.errors import meant
from ordojo.milp.model import INF, Model


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
"""Characters beyond which nothing but a row's own name is looked up: more is prose; chosen without
a fit."""


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


def as_row(model: Model, element: Element) -> tuple[list[int], list[float], float, float]:
    """Columns, coefficients and sides of a row, or of a lower or upper bound taken as a row."""
    k = element.number
    if element.part is ElementKind.ROW:
        index, value = model.row(k)
        return index.tolist(), value.tolist(), *model.sides(k)
    low, up = model.bounds(k)
    return [k], [1.0], *((low, INF) if element.part is ElementKind.LB else (-INF, up))


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
    end = text[-1:]
    # Prose is tried at every place with every end: most ends are those of no kind.
    if end in "breBRE" and (found := _SUFFIX.fullmatch(text)):
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
    close = meant(text[:60], names[:2000])
    return f"there is no constraint or bound '{shown}'{close and f'; {close}'}"


_LINE = re.compile(
    r"^[ \t*_#>`•-]{0,20}(?:final )?diagnos[ei]s[*_]{0,3} ?:(?:\*{1,3}|_{1,3}(?=\s))?(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r" *(?:[-*•]|\d{1,3}[.)]) *(.*)")
# Names may hold commas, semicolons and the letters of "and": only what has blanks beside it parts.
_SEPARATOR = re.compile(
    r"\s*[,;](?:\s+(?:and\s+(?=\S))?|$)(?![^\[\]]{0,200}\])(?![^()]{0,200}\))"
    r"|\s+and\s+(?=\S)|\n",
    re.IGNORECASE,
)
_PARTED = re.compile(r"\s+(?:and\s+(?=\S))?", re.IGNORECASE)
_WORD = re.compile(r"[\w.#$-]+(?:\[[^\[\]\n]{0,99}\])?")
_LONG = 10_000
"""Characters of a diagnosis, of a hundred names and more."""
_MARKS, _PAIRED, _CLOSING = "\"'`*“‘", {"“": "”", "‘": "’"}, "\"'`*_)]}"
# Where a name may end: before what no name goes on with, or at the end of a word, less its marks.
_END = re.compile(r"(?![\w.\[\],#$-])|(?=[\"'`*_)\]}>.:!?“”’-]{0,6}(?:[\s,;]|$))")


def read_diagnosis(text: str, model: Model | None = None) -> tuple[str, ...]:
    """The names after the last "Diagnosis:" of a text, on its line or as a list below it.

    With the model that is spoken of, those of its elements that are named; without it the pieces of
    the list, as a person would part it.
    """
    if "iagnos" not in text and "IAGNOS" not in text:
        return ()
    found = last_match(_LINE, text)
    if found is None:
        return ()
    line = found[1].strip()
    if not line.strip(_MARKS + "_"):
        below = []
        for row in text[found.end() : found.end() + _LONG].lstrip("\n").split("\n"):
            bullet = _BULLET.fullmatch(row)
            if bullet is None:
                break
            below.append(bullet[1])
        line = "\n".join(below)
    return split_names(line) if model is None else name_elements(model, (line,))


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last place where `pattern` occurs."""
    last = deque(pattern.finditer(text), maxlen=1)
    return last[0] if last else None


def split_names(line: str) -> tuple[str, ...]:
    """The pieces of a list in free writing: "[c1, 'c2'] and x[1,2].lb"; see `name_elements`."""
    line = line[:_LONG].strip()
    if line[-2:-1] in _CLOSING:
        line = line.rstrip(".")
    if line[:1] + line[-1:] in ("[]", "{}", "()") and " " in line:
        line = line[1:-1]
    names = (_unquoted(piece.strip()) for piece in _SEPARATOR.split(line))
    return tuple(name for name in names if name)


def _unquoted(name: str) -> str:
    """The name without marks that stand on both sides of it: a mark on one side is its own."""
    while len(name) > 1 and name[0] in _MARKS and name[-1] == _PAIRED.get(name[0], name[0]):
        name = name[1:-1]
    return name


def name_elements(model: Model, pieces: tuple[str, ...]) -> tuple[str, ...]:
    """The elements of `model` that the pieces of a diagnosis name, each once, in its order.

    A name is any text that `model` has as one, so the longest that fits counts, whatever it is
    made of. A piece that is none is taken as prose, of which each word that is one counts.
    """
    names: dict[str, None] = {}
    for piece in pieces:
        if found := exact_element(model, piece):
            names[found.name] = None
        else:
            names.update(dict.fromkeys(_in_prose(model, piece[:_LONG])))
    return tuple(names)


def _in_prose(model: Model, text: str) -> Iterator[str]:
    """The elements that a text names, from left to right."""
    longest = max(map(len, (*model.rows, *model.cols)), default=0) + len("(lower)")
    ends = [found.start() for found in _END.finditer(text)]
    at, parts = 0, [*(found.span() for found in _SEPARATOR.finditer(text)), (len(text), len(text))]
    while at < len(text):
        if parted := _PARTED.match(text, at):
            at = parted.end()
            continue
        found, end = None, at
        for end in reversed(ends[bisect_left(ends, at + 1) : bisect_left(ends, at + longest + 1)]):
            if found := exact_element(model, text[at:end]):
                break
        if found is None:
            piece = text[at : parts[bisect_left(parts, (at, at))][0]]
            piece, end = piece.strip().strip("*_"), at + len(piece)  # marks around it are forgiven
            found = find_element(model, piece.rstrip(".")) or find_element(
                model, piece.strip("[](){}.")
            )
        word = _WORD.match(text, at)
        if found is None and word:
            found, end = find_element(model, word[0].strip(".,-")), word.end()
        if found is not None:
            yield found.name
        at = max(end, at + 1) if found or (word and text[at] != "_") else at + 1
