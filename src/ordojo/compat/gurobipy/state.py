"""What a gurobipy model keeps: the shared store, its parameters and what came of a solve."""

from typing import Any

from ordojo.compat.analysis import Analysis
from ordojo.compat.core.store import Store
from ordojo.compat.gurobipy.errors import failure
from ordojo.compat.gurobipy.params import Values


class State(Store):
    """The store of a gurobipy model.

    `iis` has, after `computeIIS`, the numbers of its rows, lower and upper bounds. `calling` is
    the moment of a running callback.
    """

    drops_zeros = True

    def __init__(self, name: str, params: Values) -> None:
        super().__init__(name)
        self.params = params
        self.iis: dict[str, set[int]] | None = None
        self.analysis: Analysis | None = None
        self.iis_minimal = True
        self.calling: Any = None
        self.several = 0
        self.is_mip = False

    def update(self) -> bool:
        """Make what awaits happen; a changed model has no solution."""
        changed = super().update()
        if changed:
            self.forget()
        return changed

    def forget(self) -> None:
        """Drop what came of the last solve."""
        super().forget()
        self.iis = self.analysis = None

    def check(self, variables: list[Any]) -> None:
        """Raise Gurobi's error where a variable is another model's."""
        for var in variables:
            if var._store is not self:
                raise failure("NOT_IN_MODEL", "Variable not in model")
