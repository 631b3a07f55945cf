"""Writing a model down by names, one column and one row at a time."""

from collections.abc import Mapping
from typing import Literal

from ordojo.core.errors import UsageError
from ordojo.milp.model import INF, ColumnParts, Model, VarType, check

Sense = Literal["<=", ">=", "=="]


class ModelBuilder:
    """Collects columns and rows; `build` gives the model.

    >>> b = ModelBuilder("bakery", maximize=True)
    >>> b.col("bread", cost=3.0, upper=40.0)
    'bread'
    >>> b.row("oven", {"bread": 2.0}, "<=", 60.0)
    >>> b.build().m
    1
    """

    def __init__(self, name: str, maximize: bool = False, offset: float = 0.0) -> None:
        self.name, self.maximize, self.offset = name, maximize, offset
        self._cols: dict[str, ColumnParts] = {}
        self._rows: dict[str, tuple[dict[str, float], float, float]] = {}

    def col(
        self,
        name: str,
        cost: float = 0.0,
        lower: float = 0.0,
        upper: float = INF,
        kind: VarType = VarType.CONTINUOUS,
    ) -> str:
        """Add a column and return its name."""
        if name in self._cols:
            raise UsageError(f"there are two columns called '{name}'; give each its own name")
        self._cols[name] = (name, lower, upper, kind, cost)
        return name

    def row(self, name: str, terms: Mapping[str, float], sense: Sense, rhs: float) -> None:
        """Add a row: the sum of coefficient times column, a sense, a right-hand side."""
        if name in self._rows:
            raise UsageError(f"there are two rows called '{name}'; give each its own name")
        lower = -INF if sense == "<=" else rhs
        upper = INF if sense == ">=" else rhs
        self._rows[name] = ({k: float(v) for k, v in terms.items() if v != 0}, lower, upper)

    def build(self) -> Model:
        """The model, checked; raises UsageError for an unknown column, DataError for the rest."""
        place = {name: j for j, name in enumerate(self._cols)}
        for row, (terms, _, _) in self._rows.items():
            for name in terms:
                if name not in place:
                    raise UsageError(f"row '{row}' mentions '{name}', which is no column")
        rows = [
            (row, lower, upper, [place[name] for name in terms], terms.values())
            for row, (terms, lower, upper) in self._rows.items()
        ]
        model = Model.of(self.name, self.maximize, self.offset, self._cols.values(), rows)
        check(model)
        return model
