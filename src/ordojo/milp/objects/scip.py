"""Models of PySCIPOpt."""

from typing import Any

from ordojo.core.errors import DataError
from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch
from ordojo.milp.problem import Problem

_KINDS = {
    "BINARY": VarType.BINARY,
    "INTEGER": VarType.INTEGER,
    "IMPLINT": VarType.INTEGER,
    "CONTINUOUS": VarType.CONTINUOUS,
}


def read(model: Any) -> Problem:
    """What a PySCIPOpt Model holds; SCIP's own slacks and rows of indicators are none."""
    rows = model.getConss(transformed=False)
    ties = [row for row in rows if row.getConshdlrName() == "indicator"]
    slacks = {model.getSlackVarIndicator(tie).getIndex() for tie in ties}
    tied = {model.getLinearConsIndicator(tie).ptr() for tie in ties}
    maximize = model.getObjectiveSense() == "maximize"
    walked = _Walk(model, Sketch(model.getProbName(), maximize, model.getObjoffset()))
    for var in model.getVars(transformed=False):
        if var.getIndex() not in slacks:
            walked.column(var)
    for row in rows:
        if row.ptr() not in tied:
            walked.row(row)
    return walked.sketch.problem()


class _Walk:
    """A sketch, and where each variable stands in it."""

    def __init__(self, model: Any, sketch: Sketch) -> None:
        self.sketch = sketch
        self._model = model
        self._places: dict[int, int] = {}
        self._by_name: dict[str, int] = {}

    def column(self, var: Any) -> None:
        """Take a variable."""
        bounds = var.getLbOriginal(), var.getUbOriginal()
        place = self.sketch.col(var.name, *bounds, _KINDS[var.vtype()])
        self._places[var.getIndex()] = self._by_name[var.name] = place
        if var.getObj():
            self.sketch.cost([(place, var.getObj())])

    def row(self, row: Any) -> None:
        """Take a constraint."""
        model, kind = self._model, row.getConshdlrName()
        if row.isLinearType():
            self.sketch.row(row.name, self._terms(row), model.getLhs(row), model.getRhs(row))
        elif kind in ("SOS1", "SOS2"):
            members = [(self._place(var), k) for k, var in enumerate(model.getConsVars(row), 1)]
            self.sketch.sos(int(kind[-1]), members, row.name)
        elif kind == "indicator":
            self._indicator(row)
        elif kind == "nonlinear" and model.checkQuadraticNonlinear(row):
            self._quadratic(row)
        else:
            raise DataError(f"'{row.name}' is of kind '{kind}'; write it as linear constraints")

    def _place(self, var: Any) -> int:
        return self._places[var.getIndex()]

    def _terms(self, row: Any) -> list[tuple[int, float]]:
        pairs = zip(self._model.getConsVars(row), self._model.getConsVals(row), strict=True)
        return [(self._place(var), v) for var, v in pairs if var.getIndex() in self._places]

    def _quadratic(self, row: Any) -> None:
        pairs, squares, single = self._model.getTermsQuadratic(row)
        terms = [(self._place(var), c) for var, c in single]
        terms += [(self._place(var), c) for var, _, c in squares if c]
        products = [(self._place(a), self._place(b), c) for a, b, c in pairs]
        products += [(self._place(var), self._place(var), c) for var, c, _ in squares if c]
        sides = self._model.getLhs(row), self._model.getRhs(row)
        self.sketch.quadratic_row(row.name, terms, products, *sides)

    def _indicator(self, row: Any) -> None:
        """SCIP has `row - slack <= side`, the slack 0 where the binary is 1, or its negation is."""
        switch, inner = self._model.getConsVars(row)[0], self._model.getLinearConsIndicator(row)
        active = int(switch.getIndex() in self._places)
        name = switch.name.removesuffix("_neg")
        binary = self._place(switch) if active else self._by_name[name]
        sides = self._model.getLhs(inner), self._model.getRhs(inner)
        self.sketch.indicator(row.name, binary, active, self._terms(inner), *sides)
