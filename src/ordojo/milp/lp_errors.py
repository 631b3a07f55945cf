"""Where an LP file breaks the format: HiGHS refuses it whole and says no line.

Only read after such a refusal: a file that HiGHS reads needs no second opinion.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<sense><=|>=|=<|=>|<|>|=)|(?P<sign>[+-])|(?P<colon>:)"
    r"|(?P<name>[^\s\d.+\-*^<>=:/\\\[\]][^\s+\-*^<>=:/\\\[\]]*(?:\[[^\s\]]*\][^\s+\-*^<>=:/\\\[\]]*)*)"
    r"|(?P<other>\S)"
)
_SECTIONS = {
    "rows": "subject to|such that|st|s.t.|st.",
    "objective": "min|minimi[sz]e|minimum|max|maximi[sz]e|maximum",
    "bounds": "bounds?",
    "types": "bin|binar(?:y|ies)|gen|generals?|integers?|semi|semis|semi-continuous",
    "end": "end",
}
_HEADER = re.compile(
    "|".join(
        rf"(?P<{name}>{words.replace('s.t.', 's[.]t[.]').replace('st.', 'st[.]')})"
        for name, words in _SECTIONS.items()
    ),
    re.IGNORECASE,
)
_START = re.compile(rf"\s*(?:{_SECTIONS['objective']})\s", re.IGNORECASE)
_TERM = "where a number or a column must be"
_NEXT = "where a sign or a relation must be"
_SIDE = "where a number, the side of the row, must be"


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


class _Misplaced(Exception):  # noqa: N818 (it becomes a sentence)
    def __init__(self, token: _Token, problem: str) -> None:
        super().__init__(
            f"has '{token.text[:40]}' in line {token.line}, column {token.column}, {problem}"
            if token.kind != "end"
            else f"ends its section before line {token.line} {problem}"
        )


def misplaced(lines: Iterable[str]) -> str:
    """The middle of a sentence on the first token that the format does not allow; "" for none.

    Lines and columns count from 1.
    """
    try:
        for section, tokens in _sections(lines):
            if section in _CHECKS:
                _CHECKS[section](tokens)
    except _Misplaced as found:
        return str(found)
    return ""


def _sections(lines: Iterable[str]) -> Iterator[tuple[str, list[_Token]]]:
    section, held, count = "", list[_Token](), 0
    for count, line in enumerate(lines, 1):
        text = line.partition("\\")[0].rstrip()
        if header := _HEADER.fullmatch(" ".join(text.split())):
            held.append(_Token("end", "", count, 1))
            if section:
                yield section, held
            section, held = str(header.lastgroup), []
            continue
        if not section and (start := _START.match(text)):  # the objective may follow at once
            section, text = "objective", " " * start.end() + text[start.end() :]
        tokens = [
            _Token(str(found.lastgroup), found[0], count, found.start() + 1)
            for found in _TOKEN.finditer(text)
        ]
        if tokens and section in ("", "end"):
            problem = "before the objective" if not section else "after End"
            raise _Misplaced(tokens[0], problem)
        held += tokens
    yield section or "end", [*held, _Token("end", "", count + 1, 1)]


def _expression(tokens: list[_Token], at: int) -> int:
    """Go over terms; the place of the first token after them."""
    fresh = True
    while True:
        signed = False
        while tokens[at].kind == "sign":
            signed, at = True, at + 1
        if not (fresh or signed):
            return at
        start = at
        if tokens[at].kind == "number":
            at += 1
        if tokens[at].kind == "name" and tokens[at + 1].kind != "colon":
            at += 1
        if at == start:
            raise _Misplaced(tokens[at], _TERM)
        fresh = False


def _label(tokens: list[_Token], at: int) -> int:
    return at + 2 if tokens[at].kind == "name" and tokens[at + 1].kind == "colon" else at


def _number(tokens: list[_Token], at: int) -> int:
    at += tokens[at].kind == "sign"
    token = tokens[at]
    if token.kind == "number" or token.text.lower() in ("inf", "infinity"):
        return at + 1
    raise _Misplaced(token, _SIDE)


def _objective(tokens: list[_Token]) -> None:
    at = _label(tokens, 0)
    if tokens[at].kind != "end":
        at = _expression(tokens, at)
    if tokens[at].kind != "end":
        raise _Misplaced(tokens[at], "where a sign or the next section must be")


def _rows(tokens: list[_Token]) -> None:
    at = 0
    while tokens[at].kind != "end":
        at = _label(tokens, at)
        ahead = at + (tokens[at].kind == "sign")
        if tokens[ahead].kind == "number" and tokens[ahead + 1].kind == "sense":
            at = ahead + 2
        if tokens[at].kind != "sense":  # Gurobi writes rows without terms
            at = _expression(tokens, at)
        if tokens[at].kind != "sense":
            raise _Misplaced(tokens[at], _NEXT)
        at = _number(tokens, at + 1)
        if tokens[at].kind == "sense":
            at = _number(tokens, at + 1)


def _bounds(tokens: list[_Token]) -> None:
    at = 0
    while tokens[at].kind != "end":
        if tokens[at].kind != "name" or tokens[at].text.lower().startswith("inf"):
            at = _number(tokens, at)
            if tokens[at].kind != "sense":
                raise _Misplaced(tokens[at], "where a relation must be")
            at += 1
        if tokens[at].kind != "name":
            raise _Misplaced(tokens[at], "where a column must be")
        bare, at = tokens[at].line, at + 1
        if tokens[at].text.lower() == "free" and tokens[at].line == bare:
            at += 1
        elif tokens[at].kind == "sense":
            at = _number(tokens, at + 1)


def _types(tokens: list[_Token]) -> None:
    for token in tokens:
        if token.kind not in ("name", "end"):
            raise _Misplaced(token, "where a column must be")


_CHECKS = {
    "objective": _objective,
    "rows": _rows,
    "bounds": _bounds,
    "types": _types,
}
