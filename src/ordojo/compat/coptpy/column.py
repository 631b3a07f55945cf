"""A column: coefficients in constraints, for a variable that is added to them."""

from typing import Any

from ordojo.compat.coptpy.handles import Constraint
from ordojo.compat.coptpy.linear import pairs


class Column:
    """Pairs of constraint and coefficient."""

    def __init__(self, constrs: Any = None, coeffs: Any = None) -> None:
        self._pairs: list[tuple[Any, float]] = []
        if isinstance(constrs, Column):
            self._pairs += constrs._pairs
        elif constrs is not None and coeffs is None and not isinstance(constrs, Constraint):
            self._pairs += [(constr, float(c)) for constr, c in constrs]
        elif constrs is not None:
            self.addTerms(constrs, 1.0 if coeffs is None else coeffs)

    def addTerm(self, constr: Any, coeff: float = 1.0) -> None:
        """Add one pair."""
        self._pairs.append((constr, float(coeff)))

    def addTerms(self, constrs: Any, coeffs: Any) -> None:
        """Add one pair, or several."""
        if isinstance(constrs, Constraint):
            self.addTerm(constrs, coeffs)
            return
        self._pairs += zip(*pairs(constrs, coeffs), strict=True)

    def addColumn(self, col: "Column", mult: float = 1.0) -> None:
        """Add `mult` times another column."""
        self._pairs += [(constr, mult * c) for constr, c in col._pairs]

    def clone(self) -> "Column":
        """Another column with the same content."""
        return Column(self)

    def clear(self) -> None:
        """Empty the column."""
        self._pairs.clear()

    def remove(self, item: Any) -> None:
        """Drop pair number `item`, or all pairs with that constraint."""
        if isinstance(item, int):
            del self._pairs[item]
        else:
            self._pairs = [pair for pair in self._pairs if pair[0] is not item]

    def getConstr(self, idx: int) -> Any:
        """Constraint number `idx`."""
        return self._pairs[idx][0]

    def getCoeff(self, idx: int) -> float:
        """Coefficient number `idx`."""
        return self._pairs[idx][1]

    def setCoeff(self, idx: int, newval: float) -> None:
        """Change coefficient number `idx`."""
        self._pairs[idx] = (self._pairs[idx][0], float(newval))

    def getSize(self) -> int:
        """The number of pairs."""
        return len(self._pairs)

    @property
    def size(self) -> int:
        """The number of pairs."""
        return len(self._pairs)

    def __repr__(self) -> str:
        pairs_text = " ".join(f"({c.getName()}, {value})" for c, value in self._pairs)
        return f"<coptpy.Column: {pairs_text}>"


Column.__module__ = "coptcore"
