"""The grammar of terms and products, by recursive descent."""

import re
from abc import ABC, abstractmethod

from ordojo.milp.names import Key, Names
from ordojo.milp.tokens import ExpressionError, Token

SUMS = frozenset({"sum", "quicksum", "lpSum", "xsum"})
"""What a sum is called."""
MAX_DEPTH = 100
"""Brackets within brackets."""

Value = tuple[dict[int, float], float]
_PAIRS = {"(": ")", "[": "]"}
_NUMBERS = re.compile(r"(?i)[+-]?(?:nan|inf|infinity)$")
_FACTOR = frozenset("nvq(")


class Terms(ABC):
    """Reads values, which are coefficients by column and a constant, from tokens."""

    def __init__(self, tokens: list[Token], names: Names) -> None:
        self.tokens, self.names = tokens, names
        self.place, self.depth, self.work = 0, 0, 0
        self.bound: dict[str, Key] = {}
        self.closing = _closing(tokens)

    def expect(self, kind: str) -> None:
        """Go over a token of this kind; raises ExpressionError at any other."""
        if self.tokens[self.place][0] != kind:
            raise self.unexpected(f"put '{kind}' there")
        self.place += 1

    def expect_end(self) -> None:
        """Raise ExpressionError unless the text ends here."""
        if self.tokens[self.place][0] != "end":
            raise self.unexpected("put an operator or a relation there")

    def sum_of_terms(self) -> Value:
        """Terms with + and - between them."""
        total: dict[int, float] = {}
        constant, sign = 0.0, 1.0
        while True:
            terms, number = self._product()
            for j, value in terms.items():
                total[j] = total.get(j, 0.0) + sign * value
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
            raise self.unexpected("put a number or a variable there")
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

    def deeper(self) -> None:
        """Count a bracket within the brackets; raises ExpressionError past the limit."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            at = self.tokens[self.place][3]
            raise ExpressionError("brackets too deep", at, f"nest at most {MAX_DEPTH}")

    def _bracket(self) -> Value:
        self.deeper()
        self.place += 1
        found = self.sum_of_terms()
        self.expect(")")
        self.depth -= 1
        return found

    def _call(self, text: str, at: int) -> Value:
        base, _, method = text.rpartition(".")
        if base and method == "sum" and (group := self.names.group(base)):
            self.place = self.close_of(self.place + 1) + 1
            return dict.fromkeys(group, 1.0), 0.0
        if (method or text) not in SUMS:
            raise ExpressionError(
                f"function '{text}'", at, "only linear terms and sums are allowed"
            )
        return self.sum_call()

    def close_of(self, opening: int) -> int:
        """The place of the bracket that closes; raises ExpressionError."""
        if opening not in self.closing:
            raise ExpressionError("bracket never closed", self.tokens[opening][3], "close it")
        return self.closing[opening]

    @abstractmethod
    def sum_call(self) -> Value:
        """Read `sum(...)`, the name at `place`."""

    def unexpected(self, advice: str) -> ExpressionError:
        """The error of the token at `place`."""
        kind, text, _, at = self.tokens[self.place]
        found = "the end" if kind == "end" else f"unexpected '{text[:40]}'"
        return ExpressionError(found, at, advice)


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
