"""Models of Pyomo."""

from typing import Any

from ordojo.core.errors import DataError
from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch
from ordojo.milp.problem import Problem

_SILENT = {
    *("Block", "Constraint", "Objective", "SOSConstraint", "Var", "BooleanVar", "Expression"),
    *("Param", "Set", "SetOf", "RangeSet", "Suffix", "BuildAction", "BuildCheck", "Port"),
}
"""Kinds of components that are read, or say nothing of their own."""


def read(model: Any) -> Problem:
    """What a ConcreteModel holds: its active parts, fixed variables as the numbers they are."""
    from pyomo.environ import Constraint, Objective, SOSConstraint

    for kind in model.collect_ctypes(active=True, descend_into=True):
        if kind.__name__ not in _SILENT:
            raise DataError(f"the model has a {kind.__name__}; transform it into constraints first")
    walked = _Walk(model.name if model.name != "unknown" else "")
    parts = {"active": True, "descend_into": True}
    goals = list(model.component_data_objects(Objective, **parts))
    if len(goals) > 1:
        raise DataError(f"'{goals[1].name}' is a second active objective; deactivate one")
    for goal in goals:
        walked.objective(goal)
    for row in model.component_data_objects(Constraint, **parts):
        walked.row(row)
    for each in model.component_data_objects(SOSConstraint, **parts):
        members = [(walked.place(var), weight) for var, weight in each.get_items()]
        walked.sketch.sos(each.level, members, each.name)
    return walked.sketch.problem()


class _Walk:
    """A sketch, and where each variable that was met stands in it."""

    def __init__(self, name: str) -> None:
        self.sketch = Sketch(name)
        self._places: dict[int, int] = {}

    def place(self, var: Any) -> int:
        """The column of a variable, added where it is met first."""
        if id(var) not in self._places:
            if not (var.is_continuous() or var.is_integer()):
                raise DataError(f"'{var.name}' is neither real nor integer; give it such a domain")
            kind = VarType.CONTINUOUS if var.is_continuous() else VarType.INTEGER
            lower, upper = (var.value, var.value) if var.fixed else var.bounds
            self._places[id(var)] = self.sketch.col(var.name, lower, upper, kind)
        return self._places[id(var)]

    def objective(self, goal: Any) -> None:
        """Take an objective."""
        form, products = self._form(goal.expr, goal.name)
        self.sketch.maximize, self.sketch.offset = goal.sense < 0, form.constant
        self.sketch.cost(self._linear(form))
        if products:
            self.sketch.quadratic(products)

    def row(self, row: Any) -> None:
        """Take a constraint."""
        form, products = self._form(row.body, row.name)
        lower, upper = (None if side is None else side - form.constant for side in (row.lb, row.ub))
        if products:
            self.sketch.quadratic_row(row.name, self._linear(form), products, lower, upper)
        else:
            self.sketch.row(row.name, self._linear(form), lower, upper)

    def _form(self, expression: Any, name: str) -> tuple[Any, list[tuple[int, int, float]]]:
        from pyomo.repn import generate_standard_repn

        form = generate_standard_repn(expression, compute_values=True)
        if form.nonlinear_expr is not None:
            raise DataError(f"'{name}' is not linear, and no polynomial of degree two")
        pairs = zip(form.quadratic_vars, form.quadratic_coefs, strict=True)
        return form, [(self.place(a), self.place(b), float(c)) for (a, b), c in pairs]

    def _linear(self, form: Any) -> list[tuple[int, float]]:
        pairs = zip(form.linear_vars, form.linear_coefs, strict=True)
        return [(self.place(var), value) for var, value in pairs]
