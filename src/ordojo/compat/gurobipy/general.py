"""Model methods for general constraints, indicators and formulas: to add them and to tell them."""

from collections.abc import Callable
from typing import Any, TypeVar

from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import make, members, plain
from ordojo.compat.core.model import Part, ProgramModel
from ordojo.compat.core.store import FormulaPart, GeneralPart, IndicatorPart, StoredConstraint
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import (
    GurobiError,
    called,
    failure,
    finite,
    invalid,
    numeric,
    real,
    unsupported,
)
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    TempConstr,
    as_expression,
)
from ordojo.compat.gurobipy.handles import (
    SOS,
    TYPES,
    GenConstr,
    PartHandle,
    Var,
    general_type,
)
from ordojo.compat.gurobipy.state import NEAR
from ordojo.milp.model import ENDLESS
from ordojo.solvers.problem import GeneralFunction

Kind = TypeVar("Kind")
_LINKED = "General expressions can only be equal to a single var"


def _other_type(part: Any, asked: int) -> GurobiError:
    text = f"General constraint has type {general_type(part)}, but called get method for type"
    return invalid(f"{text} {asked}")


def _getter(function: GeneralFunction) -> Callable[..., tuple[Any, ...]]:
    """The `getGenConstr...` of a function: what `addGenConstr...` was given."""

    def get(model: Any, genconstr: Any) -> tuple[Any, ...]:
        part = model._part_of(GenConstr, genconstr, "general constraint")
        if not isinstance(part, GeneralPart) or part.function != function:
            raise _other_type(part, TYPES[function])
        numbers = part.numbers
        result, operands = part.result, list(part.operands)
        match function:
            case GeneralFunction.MAX | GeneralFunction.MIN:
                none = -1e30 if function == GeneralFunction.MAX else 1e30
                return result, operands, numbers[0] if numbers else none
            case GeneralFunction.AND | GeneralFunction.OR | GeneralFunction.NORM:
                return result, operands, *numbers
            case GeneralFunction.ABS:
                return result, operands[0]
            case GeneralFunction.PWL:
                return operands[0], result, list(numbers[::2]), list(numbers[1::2])
            case GeneralFunction.POLY:
                return operands[0], result, list(numbers)
        return operands[0], result, *numbers

    get.__doc__ = f"What a general constraint of the kind {function.value} consists of."
    return get


def _linear(side: Any) -> LinExpr:
    found = as_expression(side)
    if found is None:
        kind = type(side).__name__
        raise TypeError(f"unsupported operand type(s) for -: 'gurobipy._core.LinExpr' and '{kind}'")
    if not isinstance(found, LinExpr):
        raise TypeError("must be real number, not gurobipy._core.QuadExpr")
    return found


def _univariate(function: GeneralFunction) -> Callable[..., Any]:
    """The `addGenConstr...` of a function of one variable."""

    def add(model: Any, xvar: Any, yvar: Any, name: str = "", options: str = "") -> Any:
        return model._function(name, function, yvar, [xvar])

    add.__doc__ = f"Add yvar = {function.value} of xvar."
    return add


def _with_constant(function: GeneralFunction, base: str = "") -> Callable[..., Any]:
    """The `addGenConstr...` of a function with a constant, the `base` of some."""

    def add(
        model: Any, xvar: Any, yvar: Any, a: Any = None, name: str = "", options: str = ""
    ) -> Any:
        if a is None:
            raise TypeError(f"{add.__name__}() takes at least 4 positional arguments (3 given)")
        constant = real(a)
        if base and constant <= 0:
            raise invalid(f"non-positive base for {base} function not supported")
        return model._function(name, function, yvar, [xvar], (constant,))

    add.__doc__ = f"Add yvar = {function.value} of xvar."
    return add


class GeneralConstraints(ProgramModel):
    """Adds and tells general constraints, of variables that it looks up as all others do."""

    _general = _indicator = GenConstr

    def _variable(self, value: Any) -> Var:
        return self._of_kind(Var, value, "variable")

    def _of_kind(self, kind: type[Kind], value: Any, what: str) -> Kind:
        """The handle that is given, perhaps as an array without dimensions."""
        single = plain(value)
        if not isinstance(single, kind):
            if hasattr(single, "_as_expression"):
                single.item()  # raises, as there are several or none
            raise TypeError(f"{single} is not a {what}")
        return single

    def _has(self, handle: Any) -> None:
        if handle._store is not self._state or handle._awaits():
            kinds = {Var: "Variable", SOS: "SOS", GenConstr: "General constraint"}
            raise failure("NOT_IN_MODEL", f"{kinds.get(type(handle), 'Constraint')} not in model")

    def _part_of(self, kind: type[PartHandle], value: Any, what: str) -> Any:
        handle = self._of_kind(kind, value, what)
        self._has(handle)
        handle._check()
        return handle._part

    def getGenConstrs(self) -> list[GenConstr]:
        return self._parts(GenConstr, "general")

    getGenConstrMax = _getter(GeneralFunction.MAX)
    getGenConstrMin = _getter(GeneralFunction.MIN)
    getGenConstrAbs = _getter(GeneralFunction.ABS)
    getGenConstrAnd = _getter(GeneralFunction.AND)
    getGenConstrOr = _getter(GeneralFunction.OR)
    getGenConstrNorm = _getter(GeneralFunction.NORM)
    getGenConstrPWL = _getter(GeneralFunction.PWL)
    getGenConstrPow = _getter(GeneralFunction.POW)
    getGenConstrExp = _getter(GeneralFunction.EXP)
    getGenConstrExpA = _getter(GeneralFunction.EXPA)
    getGenConstrLog = _getter(GeneralFunction.LOG)
    getGenConstrLogA = _getter(GeneralFunction.LOGA)
    getGenConstrSin = _getter(GeneralFunction.SIN)
    getGenConstrCos = _getter(GeneralFunction.COS)
    getGenConstrTan = _getter(GeneralFunction.TAN)
    getGenConstrPoly = _getter(GeneralFunction.POLY)
    getGenConstrLogistic = _getter(GeneralFunction.LOGISTIC)

    def getGenConstrIndicator(self, genconstr: Any) -> tuple[Any, ...]:
        """Binary variable, its value, and the comparison it implies."""
        part = self._part_of(GenConstr, genconstr, "general constraint")
        if not isinstance(part, IndicatorPart):
            raise _other_type(part, GRB.GENCONSTR_INDICATOR)
        lhs = make(LinExpr, list(part.coeffs), list(part.variables), 0.0)
        return part.binary, part.active, lhs, part.sense, part.rhs

    addGenConstrExp = _univariate(GeneralFunction.EXP)
    addGenConstrLog = _univariate(GeneralFunction.LOG)
    addGenConstrSin = _univariate(GeneralFunction.SIN)
    addGenConstrCos = _univariate(GeneralFunction.COS)
    addGenConstrTan = _univariate(GeneralFunction.TAN)
    addGenConstrLogistic = _univariate(GeneralFunction.LOGISTIC)
    addGenConstrExpA = _with_constant(GeneralFunction.EXPA, "exponential")
    addGenConstrLogA = _with_constant(GeneralFunction.LOGA, "log")
    addGenConstrPow = _with_constant(GeneralFunction.POW)

    def _kept(self, kind: type[Part], part: StoredConstraint) -> Part:
        called(part.name)
        return super()._kept(kind, part)

    def _imply(self, binary: Any, active: int, whole: Any, sense: str, name: str) -> Any:
        if whole._k != whole._k:
            raise invalid("Constant is Nan")
        finite(whole._c)
        return super()._imply(binary, active, whole, sense, name)

    def _accepted(self, function: GeneralFunction, numbers: tuple[float, ...]) -> tuple[float, ...]:
        if function in (GeneralFunction.MAX, GeneralFunction.MIN):
            numeric(numbers, lone=True)
            best = 1.0 if function == GeneralFunction.MAX else -1.0
            if any(best * number >= ENDLESS for number in numbers):
                raise unsupported(f"an infinite constant in {function.value}_", "leave it out")
            return tuple(number for number in numbers if best * number > -ENDLESS)
        if function != GeneralFunction.NORM:
            finite(numbers, lone=function != GeneralFunction.POLY)
        return numbers

    def _operands(self, function: GeneralFunction, given: Any) -> list[Any]:
        if isinstance(given, Var):
            raise TypeError("object of type 'Var' has no len()")
        found = members(given)
        numbers = function in (GeneralFunction.MAX, GeneralFunction.MIN)
        if any(
            not isinstance(item, Var) and not (numbers and core.number(item) is not None)
            for item in found
        ):
            raise invalid("Invalid data in vars array")
        return found

    def _points(self, xs: list[float], ys: list[float]) -> None:
        if len(xs) != len(ys):
            raise GurobiError(-1, "Arguments xpts and ypts must have the same length")
        numeric(xs)
        numeric(ys)
        if any(abs(value) >= 1e30 for value in (*xs, *ys)):
            raise invalid("some x or y values are too big (>= 1e+30)")
        if len(xs) < 2:
            raise invalid("Less than 2 points for PWL constraint")
        what = "x values for PWL constraint"
        if xs != sorted(xs):
            raise invalid(f"{what} aren't sorted")
        if xs[-1] - xs[0] < NEAR:
            raise invalid(f"all {what} differ less than 1E-6")

    def addGenConstrPoly(
        self, xvar: Any, yvar: Any, p: Any, name: str = "", options: str = ""
    ) -> Any:
        """Add yvar = polynomial in xvar, the highest power's coefficient first."""
        numbers = tuple(float(c) for c in p)
        if not numbers:
            raise GurobiError(-1, "Error: empty polynomial function")
        return self._function(name, GeneralFunction.POLY, yvar, [xvar], numbers)

    def addGenConstrNorm(self, resvar: Any, vars: Any, which: float, name: str = "") -> Any:
        """Add resvar = norm of the variables."""
        order = float("inf") if which >= ENDLESS else float(which)
        if order not in (0.0, 1.0, 2.0, float("inf")):
            raise failure("VALUE_OUT_OF_RANGE", "Only 0, 1, 2, and INF norms supported")
        operands = self._operands(GeneralFunction.NORM, vars)
        return self._function(name, GeneralFunction.NORM, resvar, operands, (order,))

    def addGenConstrNL(self, resvar: Any, expr: Any, name: str = "") -> Any:
        """Add resvar = formula."""
        part = FormulaPart(name=name, result=self._variable(resvar), formula=expr)
        self._state.check([part.result])
        return self._kept(GenConstr, part)

    def addGenConstrIndicator(
        self, binvar: Any, binval: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = ""
    ) -> Any:
        """Add: if binvar = binval, then the comparison holds, for each entry of arrays."""
        return self._switch(binvar, binval, (lhs, sense, rhs), name)

    def _switch(self, binvar: Any, binval: Any, relation: tuple[Any, Any, Any], name: str) -> Any:
        """Add one indicator; `relation`: a linear comparison, or its left side, sense and right."""
        lhs, sense, rhs = relation
        if isinstance(lhs, TempConstr):
            lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
        elif core.number(rhs) is None:
            raise invalid("Invalid rhs argument for general constraint of indicator type")
        if isinstance(binval, str) or binval is None:
            raise TypeError("an integer is required")
        whole = _linear(lhs) - _linear(rhs)
        if int(binval) not in (0, 1):
            raise failure("VALUE_OUT_OF_RANGE", "Problem adding general constraint")
        return self._imply(self._variable(binvar), int(binval), whole, str(sense)[0], name)

    def _implied(self, left: Any, right: Any, name: str) -> Any:
        """Add `(binary == value) >> (linear comparison)`."""
        binary = core.lone(left._lhs) if isinstance(left, TempConstr) else None
        active = core.number(left._rhs) if isinstance(left, TempConstr) else None
        if binary is None or active is None or left._sense != "=":
            raise invalid(
                "Indicator constraints can only be triggered by a single binary variable at a "
                "given value"
            )
        return self._switch(binary, int(active), (right, None, None), name)

    def _equal(self, left: Any, sense: str, right: Any, name: str) -> Any:
        """Add `variable == max_(...)` and the like."""
        if sense != "=":
            raise invalid(_LINKED)
        if isinstance(left, GenExpr):
            raise invalid(
                "General expressions can only be the right hand side part of an assignment to a "
                "single variable"
            )
        result = core.lone(left)
        if result is None:
            raise invalid(_LINKED)
        function, constant = right._function, right._constant
        if function == GeneralFunction.ABS:
            return self.addGenConstrAbs(result, right._operands[0], name)
        if function == GeneralFunction.NORM:
            return self.addGenConstrNorm(result, right._operands, constant, name)
        return self._extreme(function, result, right._operands, constant, name)

    def _formula(self, left: Any, sense: str, right: Any, name: str) -> Any:
        """Add `variable == formula`."""
        result = None if isinstance(left, NLExpr) else core.lone(left)
        if result is None or sense != "=" or not isinstance(right, NLExpr):
            raise invalid("Nonlinear constraints must take the form y=f(x)")
        return self.addGenConstrNL(result, right, name)
