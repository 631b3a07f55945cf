"""Writing a model down by names, one column and one row at a time."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.milp.model import INF, Model, VarType, check

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
        self._cols: dict[str, tuple[float, float, float, VarType]] = {}
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
        self._cols[name] = (cost, lower, upper, kind)
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
        cols, rows = list(self._cols.values()), list(self._rows.values())
        lengths = [len(terms) for terms, _, _ in rows]
        model = Model(
            name=self.name,
            maximize=self.maximize,
            offset=self.offset,
            objective=np.array([c[0] for c in cols], np.float64),
            col_names=tuple(self._cols),
            col_lower=np.array([c[1] for c in cols], np.float64),
            col_upper=np.array([c[2] for c in cols], np.float64),
            types=np.array([c[3] for c in cols], np.uint8),
            row_names=tuple(self._rows),
            row_lower=np.array([r[1] for r in rows], np.float64),
            row_upper=np.array([r[2] for r in rows], np.float64),
            starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            index=np.array([place[name] for terms, _, _ in rows for name in terms], np.int32),
            value=np.array([v for terms, _, _ in rows for v in terms.values()], np.float64),
        )
        check(model)
        return model
