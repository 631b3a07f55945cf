"""Linear expressions and constraints out of text, as people and language models write them.

    2*x + 3y <= 100      10 <= x[0] + x["a"] <= 20      3*(x + y) >= sum(z) - 4
    sum(c*x[i] for i in range(3)) == 7      m.addConstr(x + y <= 3, name="c")

A number before a name or a bracket multiplies it; `1/2 x` is half of x. Names with other signs
than letters, digits and `_.#$~@;&?%{}` stand in quotes or backquotes, or in brackets as `x[...]`.
No text is ever run. Time is linear in the text, up to nesting, which is limited.
Words become tokens, names columns, and terms and sums are read by recursive descent.
"""

import math
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ordojo.core.errors import DataError, meant


class ExpressionError(DataError):
    """An expression that is not a linear one; `position` is the 0-based place in its text."""

    def __init__(self, problem: str, position: int, advice: str) -> None:
        text = f"{problem} at position {position}; {advice}"
        if not text.isprintable():  # one line, whatever the names
            text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
        super().__init__(text)
        self.position = position


@dataclass(frozen=True, slots=True)
class LinearConstraint:
    """lower <= sum of value * column <= upper, columns ascending, infinite sides +-inf."""

    index: tuple[int, ...]
    value: tuple[float, ...]
    lower: float
    upper: float


_LONGEST = 20_000
"""Characters an expression may have."""
_DEEPEST = 100
"""Brackets within brackets."""
_MOST = 100_000
"""Factors that the sums of an expression may come to."""
_OPENING = re.compile(
    r"\s*+(?:(?:[\w.]++\s*+=\s*+)?+[\w.]*?(?:addL?Constrs?|add_constraints?|addCons|Constraint)"
    r"\s*+(?P<open>\()\s*+(?:expr\s*+=(?!=))?+|[\w.]++\s*+\+=|[^\W\d][\w.#\[\],]*+\s*+:(?!=))"
)
"""What may stand before: a call that adds a constraint, `problem +=`, or `name:`."""
_NAMED = re.compile(
    r"\s*+,\s*+(?:(?:name\s*+=\s*+)?+f?(?:\"[^\"]*+\"|'[^']*+')|name\s*+=\s*+[\w.\[\]#]++)"
    r"(?=\s*+[);]*+\s*+$)"
)
"""The name that may stand behind, in such a call."""


def parse_constraint(text: str, cols: Mapping[str, int]) -> LinearConstraint:
    """Read a linear constraint over the columns `cols`; raises ExpressionError."""
    if len(text) > _LONGEST:
        raise ExpressionError(
            f"an expression of {len(text)} characters", _LONGEST, f"write at most {_LONGEST}"
        )
    opening = _OPENING.match(text)
    start, wrapped = (opening.end(), bool(opening["open"])) if opening else (0, False)
    body = text
    if "," in text and (named := _trailing(text)) >= 0:
        body = text[:named]
    if wrapped and body is text:
        body = text.rstrip(" \t\r\n;")
        if body.endswith(")"):
            body = body[:-1]
    return _Parser(body, start, cols).constraint()


def _trailing(text: str) -> int:
    """Where a trailing `, name="c")` begins, or -1."""
    at = text.rfind(",")
    for _ in range(5):  # a name may itself have commas
        if at < 0:
            break
        if _NAMED.match(text, at):
            return at
        at = text.rfind(",", 0, at)
    return -1


Token = tuple[str, str, float, int]
"""Kind, text, value of a number, place; kinds are n(umber), v(ariable), q(uoted), for, r(elation),
end, and the operators themselves."""
NAME = r"[^\W\d][\w.#$~@;&?%{}]*+(?:\[(?:[^\[\]\"'`\n]|\"[^\"\n]*\"|'[^'\n]*')*+\])*+"
_NUM = re.compile(r"(?:[0-9](?:_?[0-9])*+\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+")
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


def _tokenize(text: str, start: int, names: Container[str]) -> list[Token]:
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
    number, word = _NUM.match(text, at), _WORD.match(text, at)
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


_OWNERS = ("m", "model", "self", "prob", "mdl")
_NOISE = re.compile(r"[\s\"'`(){}]")
_SHIFT = re.compile(r"(\w+)\s*([+-])\s*([0-9]{1,9})")
_PLAIN = re.compile(NAME)
_MANY = 2000
Key = int | str


@lru_cache(maxsize=1 << 16)
def shown(name: str) -> str:
    """The name as `expressions` reads it back: itself, or in backquotes where it is unusual."""
    if _PLAIN.fullmatch(name):
        return name
    return "`" + name.replace("`", "``") + "`"


def _advice(name: str, known: Mapping[str, int]) -> str:
    """Advice for a name that is unknown: the closest known ones, or the first few."""
    if not known:
        return "there are no columns"
    if len(known) <= _MANY and len(name) <= 60:
        found = meant(name, list(known))
        if found:
            return found
    first = [shown(each) for _, each in zip(range(5), known, strict=False)]
    return f"columns are {', '.join(first)}{', ...' if len(known) > 5 else ''}"


def _split_keys(text: str) -> tuple[str, list[str]]:
    """`x[1, "a"][b]` as `x` and the keys 1, "a", b, still quoted."""
    base, _, inner = text.partition("[")
    keys = [key for part in inner[:-1].split("][") for key in part.split(",")]
    return base, [key.strip().strip("()").strip() for key in keys]


class _ColumnNames:
    """The columns of a model by all the ways of writing them."""

    def __init__(self, cols: Mapping[str, int]) -> None:
        self.cols = cols
        self._loose: dict[str, int] | None = None
        self._groups: dict[str, list[tuple[int, list[str]]]] | None = None

    def find(self, text: str, at: int, bound: Mapping[str, Key]) -> int:
        """The column that `text` means; `bound` are loop variables. Raises ExpressionError."""
        wanted = text
        if bound and "[" in text:
            base, keys = _split_keys(text)
            wanted = f"{base}[{','.join(_value(key, bound) for key in keys)}]"
        elif (column := self.cols.get(text)) is not None:
            return column
        column = self._search(wanted)
        if column is None:
            short = wanted if len(wanted) <= 60 else wanted[:57] + "..."
            raise ExpressionError(f"unknown variable '{short}'", at, self._near(wanted))
        return column

    def group(self, base: str) -> list[int]:
        """The columns `base[...]`, in order."""
        return [j for j, _ in self._grouped().get(_owned(base), ())]

    def keys(self, base: str) -> list[Key]:
        """The keys of the columns `base[key]`, in order; empty where any has several."""
        found = [keys for _, keys in self._grouped().get(_owned(base), ())]
        if any(len(keys) != 1 for keys in found):
            return []
        return [_key_of(keys[0]) for keys in found]

    def _search(self, text: str) -> int | None:
        for wanted in (text, _owned(text)):
            if (column := self.cols.get(wanted)) is not None:
                return column
            if "[" in wanted or "{" in wanted or " " in wanted:
                column = self._loosely().get(_loose(wanted))
                if column is not None:
                    return column
        return None

    def _near(self, text: str) -> str:
        base = text.partition("[")[0]
        members = self._grouped().get(base)
        if members and "[" not in text:
            return f"write one of {base}[...], or sum({base})"
        return _advice(text, self.cols)

    def _loosely(self) -> dict[str, int]:
        if self._loose is None:
            self._loose = {}
            for name, j in self.cols.items():
                self._loose.setdefault(_loose(name), j)
        return self._loose

    def _grouped(self) -> dict[str, list[tuple[int, list[str]]]]:
        if self._groups is None:
            self._groups = {}
            for name, j in self.cols.items():
                if name.endswith("]"):
                    base, keys = _split_keys(name)
                    self._groups.setdefault(base, []).append((j, keys))
        return self._groups


def _key_of(text: str) -> Key:
    """A key as a program would hold it: a whole number, or the text without quotes."""
    try:
        return int(text)
    except ValueError:
        return text.strip("\"'")


def _loose(name: str) -> str:
    return _NOISE.sub("", name).replace("][", ",")


def _owned(name: str) -> str:
    """A name without the model it is an attribute of, as in `model.x[1]`."""
    owner, dot, rest = name.partition(".")
    return rest if dot and owner in _OWNERS else name


def _value(key: str, bound: Mapping[str, Key]) -> str:
    if key in bound:
        return str(bound[key])
    shift = _SHIFT.fullmatch(key)
    if shift:
        value = bound.get(shift[1])
        if isinstance(value, int):
            return str(value + int(shift[2] + shift[3]))
    return key


_SUMS = frozenset({"sum", "quicksum", "lpSum", "xsum"})
"""What a sum is called."""
Value = tuple[dict[int, float], float]
_PAIRS = {"(": ")", "[": "]"}
_NUMBERS = re.compile(r"(?i)[+-]?(?:nan|inf|infinity)$")
_FACTOR = frozenset("nvq(")


class _Parser:
    """Reads values, which are coefficients by column and a constant, from the tokens of a text.

    Loop variables of sums stand in `bound`.
    """

    def __init__(self, text: str, start: int, cols: Mapping[str, int]) -> None:
        tokens = _tokenize(text, start, cols)
        self.tokens, self.names = tokens, _ColumnNames(cols)
        self.place, self.depth, self.work = 0, 0, 0
        self.bound: dict[str, Key] = {}
        self.closing = _closing(tokens)

    def _expect(self, kind: str) -> None:
        """Go over a token of this kind; raises ExpressionError at any other."""
        if self.tokens[self.place][0] != kind:
            raise self._unexpected(f"put '{kind}' there")
        self.place += 1

    def _sum_of_terms(self) -> Value:
        """Terms with + and - between them."""
        total: dict[int, float] = {}
        constant, sign = 0.0, 1.0
        while True:
            terms, number = self._product()
            _add(total, terms, sign)
            constant += sign * number
            kind = self.tokens[self.place][0]
            if kind not in ("+", "-"):
                return total, constant
            sign = 1.0 if kind == "+" else -1.0
            self.place += 1

    def _product(self) -> Value:
        terms, number = self._factor()
        while True:
            kind, _, _, at = self.tokens[self.place]
            if kind == "*" or kind == "/":
                self.place += 1
            elif kind not in _FACTOR or (kind == "n" and self.tokens[self.place - 1][0] != ")"):
                return terms, number
            elif kind == "(" and self.tokens[self.place - 1][0] in "vq":
                raise ExpressionError(
                    "a bracket after a name", at, "put '*' before it, or name a column"
                )
            others, other = self._factor()
            if kind == "/":
                if others:
                    raise ExpressionError(
                        "division by a variable", at, "only linear terms are allowed"
                    )
                if other == 0:
                    raise ExpressionError("division by zero", at, "divide by another number")
                terms, number = {j: v / other for j, v in terms.items()}, number / other
            elif terms and others:
                raise ExpressionError("a product of variables", at, "only linear terms are allowed")
            else:
                if others:
                    terms, number, others, other = others, other, terms, number
                terms, number = {j: v * other for j, v in terms.items()}, number * other

    def _factor(self) -> Value:
        self.work += 1
        sign = 1.0
        kind, text, number, at = self.tokens[self.place]
        while kind in ("+", "-"):
            sign = -sign if kind == "-" else sign
            self.place += 1
            kind, text, number, at = self.tokens[self.place]
        if kind == "n":
            self.place += 1
            return {}, sign * number
        if kind == "v" and self.tokens[self.place + 1][0] == "(" and text not in self.names.cols:
            found = self._call(text, at)
        elif kind in ("v", "q"):
            self.place += 1
            found = self._name(text, at)
        elif kind == "(":
            found = self._bracket()
        else:
            raise self._unexpected("put a number or a variable there")
        if sign > 0:
            return found
        return {j: -v for j, v in found[0].items()}, -found[1]

    def _name(self, text: str, at: int) -> Value:
        if text in self.bound:
            value = self.bound[text]
            if isinstance(value, int):
                return {}, float(value)
            raise ExpressionError(f"'{text}' used as a number", at, "it runs over names")
        if _NUMBERS.match(text) and text not in self.names.cols:
            raise ExpressionError(f"'{text}'", at, "write a finite number")
        return {self.names.find(text, at, self.bound): 1.0}, 0.0

    def _deeper(self) -> None:
        """Count a bracket within the brackets; raises ExpressionError past the limit."""
        self.depth += 1
        if self.depth > _DEEPEST:
            at = self.tokens[self.place][3]
            raise ExpressionError("brackets too deep", at, f"nest at most {_DEEPEST}")

    def _bracket(self) -> Value:
        self._deeper()
        self.place += 1
        found = self._sum_of_terms()
        self._expect(")")
        self.depth -= 1
        return found

    def _call(self, text: str, at: int) -> Value:
        base, _, method = text.rpartition(".")
        if base and method == "sum" and (group := self.names.group(base)):
            self.place = self._close_of(self.place + 1) + 1
            return dict.fromkeys(group, 1.0), 0.0
        if (method or text) not in _SUMS:
            raise ExpressionError(
                f"function '{text}'", at, "only linear terms and sums are allowed"
            )
        return self._sum_call()

    def _close_of(self, opening: int) -> int:
        """The place of the bracket that closes; raises ExpressionError."""
        if opening not in self.closing:
            raise ExpressionError("bracket never closed", self.tokens[opening][3], "close it")
        return self.closing[opening]

    def _unexpected(self, advice: str) -> ExpressionError:
        """The error of the token at `place`."""
        kind, text, _, at = self.tokens[self.place]
        found = "the end" if kind == "end" else f"unexpected '{text[:40]}'"
        return ExpressionError(found, at, advice)

    def _sum_call(self) -> Value:
        """Read `sum(x)`, `sum(body for i in range(3))` or `sum([x, y])`."""
        self._deeper()
        opening = self.place + 1
        end = outer = self._close_of(opening)
        if self.tokens[opening + 1][0] == "[" and self._close_of(opening + 1) == end - 1:
            opening, end = opening + 1, end - 1
        loop = self._loop(opening + 1, end)
        self.place = opening + 1
        found = self._over(loop, end) if loop >= 0 else self._members(end)
        self.place = outer + 1
        self.depth -= 1
        return found

    def _loop(self, at: int, end: int) -> int:
        """The first `for` between two places outside inner brackets, or -1."""
        while at < end:
            if self.tokens[at][0] == "for":
                return at
            at = self.closing.get(at, at) + 1
        return -1

    def _members(self, end: int) -> Value:
        total: dict[int, float] = {}
        constant = 0.0
        while self.place < end:
            kind, text, _, _ = self.tokens[self.place]
            text = text.removesuffix(".values").removesuffix("[:]")
            after = self.place + 1
            if self.tokens[after][0] == "(" and after in self.closing and kind == "v":
                after = self.closing[after] + 1 if self.closing[after] == after + 1 else after
            alone = after == end and self.tokens[self.place - 1][0] == "("
            group = self.names.group(text) if kind == "v" and after <= end else []
            if text in self.names.cols and not alone:
                group = []
            if group and (after == end or self.tokens[after][0] == ","):
                self.place = after
                terms, number = dict.fromkeys(group, 1.0), 0.0
            else:
                terms, number = self._sum_of_terms()
            _add(total, terms)
            constant += number
            if self.place < end:
                self._expect(",")
        if self.place > end:
            raise self._unexpected("close the sum there")
        return total, constant

    def _over(self, loop: int, end: int) -> Value:
        """The body summed over the loops that follow it."""
        body, total, constant = self.place, dict[int, float](), 0.0
        for _ in self._bindings(loop, end):
            self.place = body
            terms, number = self._sum_of_terms()
            if self.place != loop:
                raise self._unexpected("put 'for' there")
            _add(total, terms)
            constant += number
            if self.work > _MOST:
                raise ExpressionError(
                    "a sum over too many terms", self.tokens[loop][3], f"at most {_MOST}"
                )
        return total, constant

    def _bindings(self, loop: int, end: int) -> Iterator[None]:
        """Set the loop variables, one combination after another."""
        if loop == end:
            yield
            return
        self.place = loop
        if self.tokens[loop][0] != "for":
            raise self._unexpected("put 'for' there, conditions are not read")
        kind, name, _, at = self.tokens[min(loop + 1, len(self.tokens) - 1)]
        self.place = min(loop + 2, len(self.tokens) - 1)
        if kind != "v" or self.tokens[self.place][1] != "in":
            raise ExpressionError("an unreadable loop", at, "write 'for i in range(3)'")
        self.place += 1
        values, after = self._values(end)
        for value in values:
            self.work += 1
            if self.work > _MOST:
                raise ExpressionError("a sum over too many terms", at, f"at most {_MOST}")
            outer = self.bound
            self.bound = {**outer, name: value}
            yield from self._bindings(after, end)
            self.bound = outer

    def _values(self, end: int) -> tuple[list[Key] | range, int]:
        """The values of a loop, and the place after them."""
        kind, text, _, at = self.tokens[self.place]
        if kind == "v" and text == "range" and self.tokens[self.place + 1][0] == "(":
            close = self._close_of(self.place + 1)
            ends = [key for key in self._keys(self.place + 2, close) if isinstance(key, int)]
            if not 1 <= len(ends) <= 3 or (len(ends) == 3 and ends[2] == 0):
                raise ExpressionError("an unreadable range", at, "write 'range(3)'")
            return range(*ends), close + 1
        if kind in ("[", "("):
            close = self._close_of(self.place)
            return self._keys(self.place + 1, close), close + 1
        if kind == "v" and (keys := self.names.keys(text.removesuffix(".keys"))):
            after = self.place + (3 if text.endswith(".keys") else 1)
            return keys, min(after, end)
        raise ExpressionError(f"unknown set '{text}'", at, "write range(3) or a list like [0, 2]")

    def _keys(self, at: int, end: int) -> list[Key]:
        keys: list[Key] = []
        while at < end:
            sign = ""
            if self.tokens[at][0] in ("-", "+"):
                sign, at = self.tokens[at][0], at + 1
            kind, text, _, place = self.tokens[at]
            if kind not in "nvq" or (sign and kind != "n"):
                raise ExpressionError("an unreadable list", place, "write it like [0, 2]")
            value = self.bound.get(text, text)
            keys.append(_key_of(sign + value) if isinstance(value, str) else value)
            at += 1
            if at < end and self.tokens[at][0] != ",":
                raise ExpressionError(
                    "an unreadable list", self.tokens[at][3], "write it like [0, 2]"
                )
            at += 1
        return keys

    def expression(self) -> Value:
        terms, constant = self._sum_of_terms()
        kept = {j: value for j, value in terms.items() if value}
        if not all(map(math.isfinite, kept.values())) or not math.isfinite(constant):
            raise ExpressionError(
                "a number too large to hold", self.tokens[self.place][3], "write finite numbers"
            )
        return kept, constant

    def constraint(self) -> LinearConstraint:
        """A chain of two or three sides, perhaps in brackets as a whole."""
        first, last = self.place, len(self.tokens) - 1
        relations = next((k for k, token in enumerate(self.tokens) if token[0] == "r"), last)
        if not last:
            raise ExpressionError("nothing", self.tokens[0][3], "write a linear constraint")
        while self.tokens[self.place][0] == "(" and self.closing.get(self.place, -1) > relations:
            if self.closing[self.place] != last - 1 - (self.place - first):
                break
            self.place += 1
        depth = self.place - first
        sides, signs = [self.expression()], list[Token]()
        while self.tokens[self.place][0] == "r":
            signs.append(self.tokens[self.place])
            self.place += 1
            if self.tokens[self.place][0] == "[":
                return self._gurobi_range(sides, signs, depth)
            sides.append(self.expression())
        self._close(depth)
        return _combine(sides, signs)

    def _close(self, depth: int) -> None:
        for _ in range(depth):
            self._expect(")")
        if self.tokens[self.place][0] != "end":
            raise self._unexpected("put an operator or a relation there")

    def _gurobi_range(self, sides: list[Value], signs: list[Token], depth: int) -> LinearConstraint:
        """`expression == [low, high]`, as gurobipy has it."""
        at = self.tokens[self.place][3]
        self._expect("[")
        low = self.expression()
        self._expect(",")
        high = self.expression()
        self._expect("]")
        self._close(depth)
        if len(signs) != 1 or signs[0][0:2] != ("r", "="):
            raise ExpressionError("a list", at, "only 'expression == [low, high]' has one")
        sign = ("r", "<", 0.0, at)
        return _combine([low, sides[0], high], [sign, sign])


def _add(total: dict[int, float], terms: Mapping[int, float], by: float = 1.0) -> None:
    for j, value in terms.items():
        total[j] = total.get(j, 0.0) + by * value


def _closing(tokens: list[Token]) -> dict[int, int]:
    """The place of the closing bracket for each opening one that has one."""
    found: dict[int, int] = {}
    stack: list[int] = []
    for place, (kind, _, _, _) in enumerate(tokens):
        if kind == "(" or kind == "[":
            stack.append(place)
        elif kind in ")]" and stack and _PAIRS[tokens[stack[-1]][0]] == kind:
            found[stack.pop()] = place
    return found


def _combine(sides: list[Value], signs: list[Token]) -> LinearConstraint:
    if not signs:
        raise ExpressionError("no relation", 0, "write <=, >= or == between two sides")
    directions = {sign[1] for sign in signs}
    at = signs[-1][3]
    if len(signs) > 2:
        raise ExpressionError("a third relation", signs[2][3], "write a constraint for each")
    if len(signs) == 2 and "=" in directions:
        raise ExpressionError("a second relation beside '='", at, "write a constraint for each")
    if len(directions) > 1:
        raise ExpressionError(
            "a relation against the first one's direction", at, "write a constraint for each"
        )
    sign = directions.pop()
    if len(sides) == 3:
        low, middle, high = sides if sign == "<" else reversed(sides)
        if low[0] or high[0]:
            raise ExpressionError(
                "variables in the outer side of a range", at, "write a constraint for each"
            )
        lower, upper = low[1] - middle[1], high[1] - middle[1]
        terms = middle[0]
    else:
        (left, constant), (right, other) = sides
        terms = dict(left)
        _add(terms, right, -1.0)
        side = other - constant
        lower = -math.inf if sign == "<" else side
        upper = math.inf if sign == ">" else side
    index = sorted(j for j, value in terms.items() if value)
    if not index:
        raise ExpressionError("no variable is left", 0, "write a constraint on some variable")
    values = tuple(terms[j] for j in index)
    ends = [side for side in (lower, upper) if side not in (-math.inf, math.inf)]
    if len(sides) - len(ends) > 1 or not all(map(math.isfinite, (*values, *ends))):
        raise ExpressionError("a number too large to hold", at, "write finite numbers")
    return LinearConstraint(tuple(index), values, lower, upper)
