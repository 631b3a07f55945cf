"""Linear expressions for building rows: sums of coefficients times columns."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Union

Number = int | float
Sense = Literal["<=", ">=", "=="]


@dataclass(frozen=True)
class Row:
    """`terms` (column to coefficient) `sense` `rhs`."""

    terms: dict[int, float]
    sense: Sense
    rhs: float


class Linear:
    """Coefficients by column number, and a constant."""

    __slots__ = ("constant", "terms")
    __hash__: Any = None  # == makes a row

    def __init__(self, terms: dict[int, float] | None = None, constant: float = 0.0) -> None:
        self.terms = terms if terms is not None else {}
        self.constant = constant

    def add(self, other: Union["Linear", Number], scale: float = 1.0) -> None:
        """Add `scale` times another expression in place."""
        if isinstance(other, Linear):
            for column, value in other.terms.items():
                self.terms[column] = self.terms.get(column, 0.0) + scale * value
            self.constant += scale * other.constant
        else:
            self.constant += scale * other

    def _plus(self, other: Union["Linear", Number], scale: float) -> "Linear":
        found = Linear(dict(self.terms), self.constant)
        found.add(other, scale)
        return found

    def __add__(self, other: Union["Linear", Number]) -> "Linear":
        return self._plus(other, 1.0)

    __radd__ = __add__

    def __sub__(self, other: Union["Linear", Number]) -> "Linear":
        return self._plus(other, -1.0)

    def __rsub__(self, other: Number) -> "Linear":
        return (self * -1)._plus(other, 1.0)

    def __neg__(self) -> "Linear":
        return self * -1

    def __mul__(self, scale: Number) -> "Linear":
        if not isinstance(scale, int | float):
            return NotImplemented
        terms = {column: value * scale for column, value in self.terms.items()}
        return Linear(terms, self.constant * scale)

    __rmul__ = __mul__

    def _row(self, other: Union["Linear", Number], sense: Sense) -> Row:
        found = self - other
        terms = {column: value for column, value in found.terms.items() if value}
        # Minus zero would be another number in a file.
        return Row(terms, sense, 0.0 - found.constant)

    def __le__(self, other: Union["Linear", Number]) -> Row:
        return self._row(other, "<=")

    def __ge__(self, other: Union["Linear", Number]) -> Row:
        return self._row(other, ">=")

    def __eq__(self, other: object) -> Row:  # type: ignore[override]
        if not isinstance(other, Linear | int | float):
            return NotImplemented
        return self._row(other, "==")


def total(parts: Iterable[Linear | Number]) -> Linear | Number:
    """The sum; a number where no part is an expression."""
    found, constant, linear = Linear(), 0.0, False
    number: Number = 0
    for part in parts:
        if isinstance(part, Linear):
            found.add(part)
            linear = True
        else:
            number += part
            constant += part
    if not linear:
        return number
    found.constant += constant
    return found
