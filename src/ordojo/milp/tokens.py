"""The words of a constraint as people write it: numbers, names, operators, with their places."""

import re
from collections.abc import Container

from ordojo.core.errors import DataError

MAX_LENGTH = 20_000
"""Characters an expression may have."""


class ExpressionError(DataError):
    """An expression that is not a linear one; `position` is the 0-based place in its text."""

    def __init__(self, problem: str, position: int, advice: str) -> None:
        text = f"{problem} at position {position}; {advice}"
        if not text.isprintable():  # one line, whatever the names
            text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
        super().__init__(text)
        self.position = position


Token = tuple[str, str, float, int]
"""Kind, text, value of a number, place; kinds are n(umber), v(ariable), q(uoted), for, r(elation),
end, and the operators themselves."""

NAME = r"[^\W\d][\w.#$~@;&?%{}]*+(?:\[(?:[^\[\]\"'`\n]|\"[^\"\n]*\"|'[^'\n]*')*+\])*+"
NUMBER = re.compile(r"(?:[0-9](?:_?[0-9])*+\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+")
_WORD = re.compile(r"[\w.#$~@;&?%{}]{1,256}+")
_TOKEN = re.compile(
    rf"(?P<n>\.?[0-9])|(?P<v>{NAME})|(?P<space>\s++)"
    r"|(?P<wrong>===|!==?|<>|≠|\\neq?(?![a-zA-Z])|\*\*|\^|//)"
    r"|(?P<rel><=|=<|>=|=>|==|=|[≤⩽≦≥⩾≧]|\\(?:le|ge)q?(?:slant)?(?![a-zA-Z]))"
    r"|(?P<strict>[<>])"
    r"|(?P<op>[-+*/()\[\],−–×·⋅∗÷]|\\cdot(?![a-zA-Z])|\\times(?![a-zA-Z]))"
    r"|(?P<q>`(?:[^`]|``)*+`|\"[^\"]*+\"|'[^']*+')"
)
_SAME = {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/"} | {
    "\\cdot": "*",
    "\\times": "*",
}
_END = ".;!"


def relation(text: str) -> str:
    """`<`, `>` or `=` for any way of writing <=, >= or ==."""
    if "<" in text or text in "≤⩽≦" or text.startswith("\\l"):
        return "<"
    return ">" if ">" in text or text in "≥⩾≧" or text.startswith("\\g") else "="


def tokenize(text: str, start: int, names: Container[str]) -> list[Token]:
    """The tokens of `text` from `start`, an end token last; raises ExpressionError.

    A word that begins with a digit is a name only where `names` has it; else `2x` is 2 times x.
    """
    found: list[Token] = []
    at, end = start, len(text.rstrip())
    match = _TOKEN.match
    while at < end:
        token = match(text, at)
        if token is None:
            if text[at] in _END and not text[at:end].strip(_END):
                break
            raise ExpressionError(
                f"unexpected character {text[at]!r}", at, "write a linear constraint"
            )
        kind, after = str(token.lastgroup), token.end()
        if kind == "n":
            number, after = _number(text, at, names)
            found.append(number)
        elif kind == "v":
            called = _called(text, at, after, names)
            name = called or token.group()
            if not called and name[-1] in _END and name not in names:
                name = name.rstrip(_END)
            after = at + len(name)
            word = "for" if name == "for" and name not in names else "v"
            found.append((word, name, 0.0, at))
        elif kind == "op":
            sign = token.group()
            found.append((_SAME.get(sign, sign), sign, 0.0, at))
        elif kind == "rel":
            found.append(("r", relation(token.group()), 0.0, at))
        elif kind == "q":
            quote, inner = token.group()[0], token.group()[1:-1]
            found.append(("q", inner.replace("``", "`") if quote == "`" else inner, 0.0, at))
        elif kind == "strict":
            sign = token.group()
            raise ExpressionError(f"strict sign '{sign}'", at, f"write '{sign}=' in its place")
        elif kind == "wrong":
            raise _wrong(token.group(), at)
        at = after
    found.append(("end", "", 0.0, end))
    return found


def _number(text: str, at: int, names: Container[str]) -> tuple[Token, int]:
    number, word = NUMBER.match(text, at), _WORD.match(text, at)
    if number is None or word is None:  # a lone dot before a digit always matches
        raise ExpressionError("unreadable number", at, "write it like 2.5")
    if number.end() < word.end() < at + 256:
        longest = re.compile(rf"[0-9.]++{NAME}").match(text, at)
        for match in (longest, word):
            if match and match.group() in names:
                return ("v", match.group(), 0.0, at), match.end()
    try:
        value = float(number.group())
    except ValueError:
        raise ExpressionError("unreadable number", at, "write it like 2.5") from None
    if value in (float("inf"), float("-inf")):
        raise ExpressionError("a number too large to hold", at, "write a finite one")
    return ("n", number.group(), value, at), number.end()


def _called(text: str, at: int, after: int, names: Container[str]) -> str:
    """A name with parentheses, `x(1,2)`, where there is such a column; else nothing."""
    if text[after : after + 1] != "(":
        return ""
    close = text.find(")", after, after + 100)
    name = text[at : close + 1] if close > 0 else ""
    return name if name in names else ""


def _wrong(sign: str, at: int) -> ExpressionError:
    if sign in ("**", "^"):
        return ExpressionError("a power", at, "only linear terms are allowed")
    if sign == "//":
        return ExpressionError("whole division", at, "divide with a single '/'")
    return ExpressionError(f"sign '{sign}'", at, "use <=, >= or ==")
