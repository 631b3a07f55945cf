"""A column: coefficients in constraints, for a variable that is added to them."""

from collections.abc import Iterable
from typing import Any

from ordojo.compat.gurobipy.errors import failure


class Column:
    """Pairs of coefficient and constraint."""

    __slots__ = ("_coeffs", "_constrs")

    def __init__(self, coeffs: Any = None, constrs: Any = None) -> None:
        self._coeffs: list[float] = []
        self._constrs: list[Any] = []
        if constrs is not None:
            self.addTerms(coeffs, constrs)

    def addTerms(self, coeffs: Any, constrs: Any) -> None:
        """Add one pair, or as many as both lists hold."""
        if not isinstance(constrs, Iterable):
            self._coeffs.append(float(coeffs))
            self._constrs.append(constrs)
            return
        numbers, rows = [float(c) for c in coeffs], list(constrs)
        if len(numbers) != len(rows):
            raise failure("INVALID_ARGUMENT", "Column arguments of different length")
        self._coeffs += numbers
        self._constrs += rows

    def clear(self) -> None:
        """Empty the column."""
        self._coeffs, self._constrs = [], []

    def copy(self) -> "Column":
        """Another column with the same content."""
        return Column(list(self._coeffs), list(self._constrs))

    def getCoeff(self, i: int) -> float:
        """Coefficient number i."""
        return self._coeffs[i]

    def getConstr(self, i: int) -> Any:
        """Constraint number i."""
        return self._constrs[i]

    def remove(self, which: Any) -> None:
        """Drop pair number `which`, or all pairs with that constraint."""
        if isinstance(which, int):
            del self._coeffs[which], self._constrs[which]
            return
        kept = [k for k, constr in enumerate(self._constrs) if constr is not which]
        self._coeffs = [self._coeffs[k] for k in kept]
        self._constrs = [self._constrs[k] for k in kept]

    def size(self) -> int:
        """The number of pairs."""
        return len(self._coeffs)

    def __repr__(self) -> str:
        pairs = zip(self._coeffs, self._constrs, strict=True)
        return f"<gurobi.Column: {''.join(f'{c} {k.ConstrName} ' for c, k in pairs)}>"


Column.__module__ = "gurobipy"
