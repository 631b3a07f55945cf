"""Model methods that set a variable equal to a function of others, or imply a comparison."""

from itertools import pairwise
from typing import Any

from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import members
from ordojo.compat.core.store import FormulaPart
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    TempConstr,
    as_expression,
)
from ordojo.compat.gurobipy.handles import GenConstr, Var
from ordojo.compat.gurobipy.querying import Querying
from ordojo.solvers.problem import GeneralFunction

_NORMS = {0.0: 0.0, 1.0: 1.0, 2.0: 2.0}
_LINKED = "General expressions can only be equal to a single var"


def _single(value: Any) -> Var | None:
    """The variable, where a side is nothing but one variable."""
    found = core.linear(value)
    if found is None or len(found[1]) != 1 or found[0][0] != 1.0 or found[2] != 0.0:
        return None
    var = found[1][0]
    return var if isinstance(var, Var) else None


def _linear(side: Any) -> LinExpr:
    found = as_expression(side)
    if found is None:
        kind = type(side).__name__
        raise TypeError(f"unsupported operand type(s) for -: 'gurobipy._core.LinExpr' and '{kind}'")
    if not isinstance(found, LinExpr):
        raise TypeError("must be real number, not gurobipy._core.QuadExpr")
    return found


def _univariate(function: GeneralFunction, *numbers: str) -> Any:
    """The `addGenConstr...` of a function of one variable with these constants."""

    def add(
        model: Any,
        xvar: Any,
        yvar: Any,
        *args: Any,
        name: str = "",
        options: str = "",
        **words: Any,
    ) -> GenConstr:
        given = [*args]
        constants = []
        for word in numbers:
            value = words.pop(word) if word in words else given.pop(0)
            if isinstance(value, str) or value is None:
                raise TypeError(f"must be real number, not {type(value).__name__}")
            constants.append(float(value))
        if given:
            name = given.pop(0)
        if words:
            raise TypeError(f"unexpected keyword argument {next(iter(words))!r}")
        if function == GeneralFunction.EXPA and constants[0] <= 0:
            raise failure(
                "INVALID_ARGUMENT", "non-positive base for exponential function not supported"
            )
        found: GenConstr = model._function(name, function, yvar, [xvar], tuple(constants))
        return found

    add.__name__ = f"addGenConstr{function.value.capitalize()}"
    add.__doc__ = f"Add yvar = {function.value} of xvar."
    return add


class Functions(Querying):
    """Adds general constraints, indicators and formulas."""

    def _variable(self, value: Any) -> Var:
        single = core.plain(value)
        if not isinstance(single, Var):
            text = single._text() if hasattr(single, "_text") else single
            raise TypeError(f"{text} is not a variable")
        return single

    def _operands(self, function: GeneralFunction, given: Any) -> list[Any]:
        if isinstance(given, Var):
            raise TypeError("object of type 'Var' has no len()")
        found = members(given)
        numbers = function in (GeneralFunction.MAX, GeneralFunction.MIN)
        if any(
            not isinstance(item, Var) and not (numbers and core.number(item) is not None)
            for item in found
        ):
            raise failure("INVALID_ARGUMENT", "Invalid data in vars array")
        return found

    def _points(self, xs: list[float], ys: list[float]) -> None:
        if len(xs) != len(ys):
            raise GurobiError(-1, "Arguments xpts and ypts must have the same length")
        if any(b < a for a, b in pairwise(xs)):
            raise failure("INVALID_ARGUMENT", "x values for PWL constraint aren't sorted")

    addGenConstrExp = _univariate(GeneralFunction.EXP)
    addGenConstrExpA = _univariate(GeneralFunction.EXPA, "a")
    addGenConstrLog = _univariate(GeneralFunction.LOG)
    addGenConstrLogA = _univariate(GeneralFunction.LOGA, "a")
    addGenConstrPow = _univariate(GeneralFunction.POW, "a")
    addGenConstrSin = _univariate(GeneralFunction.SIN)
    addGenConstrCos = _univariate(GeneralFunction.COS)
    addGenConstrTan = _univariate(GeneralFunction.TAN)
    addGenConstrLogistic = _univariate(GeneralFunction.LOGISTIC)

    def addGenConstrPoly(
        self, xvar: Any, yvar: Any, p: Any, name: str = "", options: str = ""
    ) -> Any:
        """Add yvar = polynomial in xvar, the highest power's coefficient first."""
        numbers = tuple(float(c) for c in p)
        return self._function(name, GeneralFunction.POLY, yvar, [xvar], numbers)

    def addGenConstrNorm(self, resvar: Any, vars: Any, which: float, name: str = "") -> Any:
        """Add resvar = norm of the variables."""
        order = float("inf") if which >= 1e20 else _NORMS.get(float(which))
        if order is None:
            raise failure("VALUE_OUT_OF_RANGE", "Only 0, 1, 2, and INF norms supported")
        return self._function(name, GeneralFunction.NORM, resvar, members(vars), (order,))

    def addGenConstrNL(self, resvar: Any, expr: Any, name: str = "") -> Any:
        """Add resvar = formula."""
        part = FormulaPart(name=name, result=self._variable(resvar), formula=expr)
        self._state.check([part.result])
        return self._kept(GenConstr, part)

    def addGenConstrIndicator(
        self,
        binvar: Any,
        binval: Any,
        lhs: Any,
        sense: Any = None,
        rhs: Any = None,
        name: str = "",
    ) -> Any:
        """Add: if binvar = binval, then the linear comparison holds."""
        if isinstance(lhs, TempConstr):
            lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
        elif core.number(rhs) is None:
            raise failure(
                "INVALID_ARGUMENT", "Invalid rhs argument for general constraint of indicator type"
            )
        whole = _linear(lhs) - _linear(rhs)
        if int(binval) not in (0, 1):
            raise failure("VALUE_OUT_OF_RANGE", "Problem adding general constraint")
        return self._imply(self._variable(binvar), int(binval), whole, str(sense)[0], name)

    def _implied(self, left: Any, right: Any, name: str) -> Any:
        """Add `(binary == value) >> (linear comparison)`."""
        binary = _single(left._lhs) if isinstance(left, TempConstr) else None
        active = core.number(left._rhs) if isinstance(left, TempConstr) else None
        if binary is None or active is None or left._sense != "=":
            raise failure(
                "INVALID_ARGUMENT",
                "Indicator constraints can only be triggered by a single binary variable at a "
                "given value",
            )
        return self.addGenConstrIndicator(binary, int(active), right, name=name)

    def _equal(self, left: Any, sense: str, right: Any, name: str) -> Any:
        """Add `variable == max_(...)` and the like."""
        if sense != "=":
            raise failure("INVALID_ARGUMENT", _LINKED)
        if isinstance(left, GenExpr):
            raise failure(
                "INVALID_ARGUMENT",
                "General expressions can only be the right hand side part of an assignment to a "
                "single variable",
            )
        result = _single(left)
        if result is None:
            raise failure("INVALID_ARGUMENT", _LINKED)
        function, constant = right._function, right._constant
        if function == GeneralFunction.ABS:
            return self.addGenConstrAbs(result, right._operands[0], name)
        if function == GeneralFunction.NORM:
            return self.addGenConstrNorm(result, right._operands, constant, name)
        return self._extreme(function, result, right._operands, constant, name)

    def _formula(self, left: Any, sense: str, right: Any, name: str) -> Any:
        """Add `variable == formula`."""
        result = None if isinstance(left, NLExpr) else _single(left)
        if result is None or sense != "=" or not isinstance(right, NLExpr):
            raise failure("INVALID_ARGUMENT", "Nonlinear constraints must take the form y=f(x)")
        return self.addGenConstrNL(result, right, name)
