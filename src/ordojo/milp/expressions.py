"""Linear expressions and constraints out of text, as people and language models write them.

    2*x + 3y <= 100      10 <= x[0] + x["a"] <= 20      3*(x + y) >= sum(z) - 4
    sum(c*x[i] for i in range(3)) == 7      m.addConstr(x + y <= 3, name="c")

A number before a name or a bracket multiplies it; `1/2 x` is half of x. Names with other signs
than letters, digits and `_.#$~@;&?%{}` stand in quotes or backquotes, or in brackets as `x[...]`.
No text is ever run. Time is linear in the text, up to nesting, which is limited.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ordojo.milp.grammar import MAX_LENGTH, ColumnNames, ExpressionError, Sums, Token, tokenize

__all__ = [
    "ExpressionError",
    "LinearConstraint",
    "LinearExpression",
    "parse_constraint",
    "parse_linear",
]

_OPENING = re.compile(
    r"\s*+(?:(?:[\w.]++\s*+=\s*+)?+[\w.]*?(?:addL?Constrs?|add_constraints?|addCons|Constraint)"
    r"\s*+(?P<open>\()\s*+(?:expr\s*+=(?!=))?+|[\w.]++\s*+\+=|[^\W\d][\w.#\[\],]*+\s*+:(?!=))"
)
_NAMED = re.compile(
    r"\s*+,\s*+(?:(?:name\s*+=\s*+)?+f?(?:\"[^\"]*+\"|'[^']*+')|name\s*+=\s*+[\w.\[\]#]++)"
    r"(?=\s*+[);]*+\s*+$)"
)


@dataclass(frozen=True, slots=True)
class LinearExpression:
    """A linear expression: coefficients by column number, zeros left out, and a constant."""

    terms: dict[int, float]
    constant: float


@dataclass(frozen=True, slots=True)
class LinearConstraint:
    """lower <= sum of value * column <= upper, columns ascending, infinite sides +-inf."""

    index: tuple[int, ...]
    value: tuple[float, ...]
    lower: float
    upper: float


def parse_linear(text: str, cols: Mapping[str, int]) -> LinearExpression:
    """Read a linear expression over the columns `cols`; raises ExpressionError."""
    parser = _Parser(_checked(text), 0, cols)
    found = parser.expression()
    kind, shown, _, at = parser.tokens[parser.place]
    if kind == "r":
        raise ExpressionError(f"sign '{shown}='", at, "an expression has no relation")
    parser.expect_end()
    return found


def parse_constraint(text: str, cols: Mapping[str, int]) -> LinearConstraint:
    """Read a linear constraint over the columns `cols`; raises ExpressionError."""
    opening = _OPENING.match(_checked(text))
    start, wrapped = (opening.end(), bool(opening["open"])) if opening else (0, False)
    body = text
    if "," in text and (named := _trailing(text)) >= 0:
        body = text[:named]
    if wrapped and body is text:
        body = text.rstrip(" \t\r\n;")
        if body.endswith(")"):
            body = body[:-1]
    return _Parser(body, start, cols).constraint()


def _checked(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"an expression of {len(text)} characters", MAX_LENGTH, f"write at most {MAX_LENGTH}"
        )
    return text


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


class _Parser(Sums):
    def __init__(self, text: str, start: int, cols: Mapping[str, int]) -> None:
        super().__init__(tokenize(text, start, cols), ColumnNames(cols))

    def expression(self) -> LinearExpression:
        terms, constant = self.sum_of_terms()
        kept = {j: value for j, value in terms.items() if value}
        if not all(map(math.isfinite, kept.values())) or not math.isfinite(constant):
            raise ExpressionError(
                "a number too large to hold", self.tokens[self.place][3], "write finite numbers"
            )
        return LinearExpression(kept, constant)

    def constraint(self) -> LinearConstraint:
        """A chain of two or three sides, perhaps in brackets as a whole."""
        first, last = self.place, len(self.tokens) - 1
        relations = [t[0] for t in self.tokens].index("r") if self._has_relation() else last
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

    def _has_relation(self) -> bool:
        for kind, _, _, _ in self.tokens:
            if kind == "r":
                return True
        if len(self.tokens) == 1:
            raise ExpressionError("nothing", self.tokens[0][3], "write a linear constraint")
        return False

    def _close(self, depth: int) -> None:
        for _ in range(depth):
            self.expect(")")
        self.expect_end()

    def _gurobi_range(
        self, sides: list[LinearExpression], signs: list[Token], depth: int
    ) -> LinearConstraint:
        """`expression == [low, high]`, as gurobipy has it."""
        at = self.tokens[self.place][3]
        self.expect("[")
        low = self.expression()
        self.expect(",")
        high = self.expression()
        self.expect("]")
        self._close(depth)
        if len(signs) != 1 or signs[0][0:2] != ("r", "="):
            raise ExpressionError("a list", at, "only 'expression == [low, high]' has one")
        sign = ("r", "<", 0.0, at)
        return _combine([low, sides[0], high], [sign, sign])


def _combine(sides: list[LinearExpression], signs: list[Token]) -> LinearConstraint:
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
        if low.terms or high.terms:
            raise ExpressionError(
                "variables in the outer side of a range", at, "write a constraint for each"
            )
        lower, upper = low.constant - middle.constant, high.constant - middle.constant
        terms = middle.terms
    else:
        left, right = sides
        terms = dict(left.terms)
        for j, value in right.terms.items():
            terms[j] = terms.get(j, 0.0) - value
        side = right.constant - left.constant
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
