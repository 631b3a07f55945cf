"""Model methods that set and tell objectives, one or several."""

from typing import Any

from ordojo.compat.coptpy.building import Building
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import LinExpr, NlExpr, as_expression
from ordojo.compat.coptpy.state import Aim
from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import QuadExpr as CoreQuad

_GOAL_FIELDS = {
    "multiobjpriority": "priority",
    "multiobjweight": "weight",
    "multiobjabstol": "abs_tol",
    "multiobjreltol": "rel_tol",
}


def _aim(model: Building, idx: int) -> Aim:
    found: Aim | None = model._state.aims.get(int(idx))
    if found is None:
        raise invalid("Invalid objective index")
    return found


def _aim_field(name: str) -> str:
    field = _GOAL_FIELDS.get(str(name).lower())
    if field is None:
        raise AttributeError(f"Invalid parameter name '{name}'")
    return field


class Objectives(Building):
    """Sets objectives."""

    def setObjective(self, expr: Any, sense: Any = None) -> None:
        """Set the objective, and its sense where one is given."""
        state = self._state
        if sense is not None and (isinstance(sense, str) or core.number(sense) is None):
            raise TypeError("The sense of an objective is COPT.MINIMIZE or COPT.MAXIMIZE")
        state.formula = expr if isinstance(expr, NlExpr) else None
        found = LinExpr() if isinstance(expr, NlExpr) else as_expression(expr)
        if found is None:
            kind = type(expr)
            raise TypeError(f"Type of 'arg1' is not compatible with QuadExpr: {kind}")
        self._aim_at(found, None if sense is None else int(sense) < 0)

    def setObjSense(self, sense: int) -> None:
        """Set the sense."""
        self._state.maximize = int(sense) < 0

    def setObjConst(self, constant: float) -> None:
        """Set the constant."""
        self._state.goal.constant = float(constant)

    def getObjective(self) -> Any:
        """The objective as an expression."""
        formula = self._state.formula
        return self._objective() if formula is None else formula

    def delQuadObj(self) -> None:
        """Drop the objective's products."""
        self._state.goal.products = None

    def delNlObj(self) -> None:
        """Drop the objective's formula."""
        self._state.formula = None

    def setObjectiveN(
        self,
        idx: int,
        expr: Any,
        sense: int = 0,
        priority: float = 0.0,
        weight: float = 1.0,
        abstol: float = 1e-6,
        reltol: float = 0.0,
    ) -> None:
        """Set one of several linear objectives, beside which the single one does not count."""
        found = as_expression(expr)
        if found is None or isinstance(found, CoreQuad):
            raise unsupported(
                "one of several objectives that is not linear",
                "move what is not linear into constraints",
            )
        state = self._state
        state.check(found._v)
        state.aims[int(idx)] = Aim(
            priority=float(priority),  # type: ignore[arg-type]  # COPT's may be any number
            weight=float(weight),
            abs_tol=float(abstol),
            rel_tol=float(reltol),
            constant=float(found._k),
            coeffs=found._c,
            variables=found._v,
            sense=int(sense),
        )

    def getObjectiveN(self, idx: int) -> LinExpr:
        """One of several objectives."""
        made: LinExpr = self._expression(_aim(self, idx))
        return made

    def delObjN(self, idx: int) -> None:
        """Drop one of several objectives."""
        _aim(self, idx)
        del self._state.aims[int(idx)]

    def setObjParamN(self, idx: int, paramname: str, newval: float) -> None:
        """Set priority, weight or a tolerance of one of several objectives."""
        setattr(_aim(self, idx), _aim_field(paramname), float(newval))

    def getObjParamN(self, idx: int, paramname: str) -> float:
        """Priority, weight or a tolerance of one of several objectives."""
        return float(getattr(_aim(self, idx), _aim_field(paramname)))

    def getAttrN(self, idx: int, attrname: str) -> float:
        """The value of one of several objectives."""
        aim = _aim(self, idx)
        if str(attrname).lower() != "objval":
            raise unsupported(f"getAttrN of '{attrname}'")
        x = self._state.x
        return COPT.INFINITY if x is None else aim.value(x)
