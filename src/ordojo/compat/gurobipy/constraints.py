"""General constraints: max, min, abs, and, or, norm, indicators, functions and formulas."""

from itertools import pairwise
from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.core.expr import members
from ordojo.compat.core.parts import FormulaPart, GeneralPart, IndicatorPart
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import GenExpr, LinExpr, NLExpr, TempConstr, as_expression
from ordojo.compat.gurobipy.handles import GenConstr, Var
from ordojo.milp.model import VarType
from ordojo.solvers.problem import Function

_NORMS = {0.0: 0.0, 1.0: 1.0, 2.0: 2.0}


def add_equal(model: Any, left: Any, sense: str, right: Any, name: str) -> GenConstr:
    """Add `variable == max_(...)` and the like."""
    if sense != "=":
        raise failure("INVALID_ARGUMENT", "General expressions can only be equal to a single var")
    if isinstance(left, GenExpr):
        raise failure(
            "INVALID_ARGUMENT",
            "General expressions can only be the right hand side part of an assignment to a "
            "single variable",
        )
    result = _single(left)
    if result is None:
        raise failure("INVALID_ARGUMENT", "General expressions can only be equal to a single var")
    function, constant = right._function, right._constant
    if function == Function.ABS:
        return add_general(model, name, function, result, [variable_of(right._operands[0])])
    if function == Function.NORM:
        return addGenConstrNorm(model, result, right._operands, constant, name)
    return _extreme(model, function, result, right._operands, constant, name)


def _single(value: Any) -> Var | None:
    """The variable, where a side is nothing but one variable."""
    found = core.linear(value)
    if found is None or len(found[1]) != 1 or found[0][0] != 1.0 or found[2] != 0.0:
        return None
    var = found[1][0]
    return var if isinstance(var, Var) else None


def variable_of(value: Any) -> Var:
    """The variable that a value is, or holds."""
    single = core.plain(value)
    if not isinstance(single, Var):
        text = single._text() if hasattr(single, "_text") else single
        raise TypeError(f"{text} is not a variable")
    return single


def add_general(
    model: Any,
    name: str,
    function: Function,
    result: Var,
    operands: list[Any],
    numbers: tuple[float, ...] = (),
) -> GenConstr:
    """Add: `result` equals a function of the operands."""
    model._state.check([result, *operands])
    part = GeneralPart(
        name=name, function=function, result=result, operands=operands, numbers=numbers
    )
    model._state.add_part(part)
    return GenConstr(model._state, part)


def _extreme(
    model: Any, function: Function, resvar: Any, vars: Any, constant: Any, name: str
) -> GenConstr:
    """Max, min, and, or: variables among which numbers may stand."""
    result = variable_of(resvar)
    if isinstance(vars, Var):
        raise TypeError("object of type 'Var' has no len()")
    operands: list[Any] = []
    numbers = [] if constant is None else [float(constant)]
    for item in members(vars):
        found = core.number(item)
        if found is not None and function in (Function.MAX, Function.MIN):
            numbers.append(float(found))
        elif isinstance(item, Var):
            operands.append(item)
        else:
            raise failure("INVALID_ARGUMENT", "Invalid data in vars array")
    if function in (Function.AND, Function.OR):
        for var in (result, *operands):
            model._state.later(_make_binary, var)
    best = max if function == Function.MAX else min
    return add_general(model, name, function, result, operands, (best(numbers),) if numbers else ())


def _make_binary(var: Var) -> None:
    """Gurobi makes the variables of logical constraints and indicators binary."""
    if var._col >= 0:
        state, col = var._store, var._col
        state.kinds[col] = VarType.BINARY
        state.lower[col], state.upper[col] = max(state.lower[col], 0.0), min(state.upper[col], 1.0)


def addGenConstrMax(
    model: Any, resvar: Any, vars: Any, constant: Any = None, name: str = ""
) -> GenConstr:
    """Add resvar = max(vars, constant)."""
    return _extreme(model, Function.MAX, resvar, vars, constant, name)


def addGenConstrMin(
    model: Any, resvar: Any, vars: Any, constant: Any = None, name: str = ""
) -> GenConstr:
    """Add resvar = min(vars, constant)."""
    return _extreme(model, Function.MIN, resvar, vars, constant, name)


def addGenConstrAbs(model: Any, resvar: Any, argvar: Any, name: str = "") -> GenConstr:
    """Add resvar = |argvar|."""
    return add_general(model, name, Function.ABS, variable_of(resvar), [variable_of(argvar)])


def addGenConstrAnd(model: Any, resvar: Any, vars: Any, name: str = "") -> GenConstr:
    """Add resvar = all of the binary variables."""
    return _extreme(model, Function.AND, resvar, vars, None, name)


def addGenConstrOr(model: Any, resvar: Any, vars: Any, name: str = "") -> GenConstr:
    """Add resvar = any of the binary variables."""
    return _extreme(model, Function.OR, resvar, vars, None, name)


def addGenConstrNorm(model: Any, resvar: Any, vars: Any, which: float, name: str = "") -> GenConstr:
    """Add resvar = norm of the variables."""
    order = float("inf") if which >= 1e20 else _NORMS.get(float(which))
    if order is None:
        raise failure("VALUE_OUT_OF_RANGE", "Only 0, 1, 2, and INF norms supported")
    operands = [variable_of(item) for item in members(vars)]
    return add_general(model, name, Function.NORM, variable_of(resvar), operands, (order,))


def add_indicator(model: Any, left: Any, right: Any, name: str) -> GenConstr:
    """Add `(binary == value) >> (linear comparison)`."""
    binary = _single(left._lhs) if isinstance(left, TempConstr) else None
    active = core.number(left._rhs) if isinstance(left, TempConstr) else None
    if binary is None or active is None or left._sense != "=":
        raise failure(
            "INVALID_ARGUMENT",
            "Indicator constraints can only be triggered by a single binary variable at a given "
            "value",
        )
    return addGenConstrIndicator(model, binary, int(active), right, name=name)


def addGenConstrIndicator(
    model: Any,
    binvar: Any,
    binval: Any,
    lhs: Any,
    sense: Any = None,
    rhs: Any = None,
    name: str = "",
) -> GenConstr:
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
    binary = variable_of(binvar)
    model._state.check([binary, *whole._v])
    model._state.later(_make_binary, binary)
    part = IndicatorPart(
        name=name,
        binary=binary,
        active=int(binval),
        coeffs=whole._c,
        variables=whole._v,
        sense=str(sense)[0],
        rhs=0.0 - whole._k,
    )
    model._state.add_part(part)
    return GenConstr(model._state, part)


def _linear(side: Any) -> LinExpr:
    found = as_expression(side)
    if found is None:
        kind = type(side).__name__
        raise TypeError(f"unsupported operand type(s) for -: 'gurobipy._core.LinExpr' and '{kind}'")
    if not isinstance(found, LinExpr):
        raise TypeError("must be real number, not gurobipy._core.QuadExpr")
    return found


def add_formula(model: Any, left: Any, sense: str, right: Any, name: str) -> GenConstr:
    """Add `variable == formula`."""
    result = None if isinstance(left, NLExpr) else _single(left)
    if result is None or sense != "=" or not isinstance(right, NLExpr):
        raise failure("INVALID_ARGUMENT", "Nonlinear constraints must take the form y=f(x)")
    return addGenConstrNL(model, result, right, name)


def addGenConstrNL(model: Any, resvar: Any, expr: Any, name: str = "") -> GenConstr:
    """Add resvar = formula."""
    part = FormulaPart(name=name, result=variable_of(resvar), formula=expr)
    model._state.check([part.result])
    model._state.add_part(part)
    return GenConstr(model._state, part)


def _function(function: Function, *numbers: str) -> Any:
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
        if function == Function.EXPA and constants[0] <= 0:
            raise failure(
                "INVALID_ARGUMENT", "non-positive base for exponential function not supported"
            )
        operands = [variable_of(xvar)]
        return add_general(model, name, function, variable_of(yvar), operands, tuple(constants))

    add.__name__ = f"addGenConstr{function.value.capitalize()}"
    add.__doc__ = f"Add yvar = {function.value} of xvar."
    return add


addGenConstrExp = _function(Function.EXP)
addGenConstrExpA = _function(Function.EXPA, "a")
addGenConstrLog = _function(Function.LOG)
addGenConstrLogA = _function(Function.LOGA, "a")
addGenConstrPow = _function(Function.POW, "a")
addGenConstrSin = _function(Function.SIN)
addGenConstrCos = _function(Function.COS)
addGenConstrTan = _function(Function.TAN)
addGenConstrLogistic = _function(Function.LOGISTIC)


def addGenConstrPoly(
    model: Any, xvar: Any, yvar: Any, p: Any, name: str = "", options: str = ""
) -> GenConstr:
    """Add yvar = polynomial in xvar, the highest power's coefficient first."""
    numbers = tuple(float(c) for c in p)
    return add_general(model, name, Function.POLY, variable_of(yvar), [variable_of(xvar)], numbers)


def addGenConstrPWL(
    model: Any, xvar: Any, yvar: Any, xpts: Any, ypts: Any, name: str = ""
) -> GenConstr:
    """Add yvar = piecewise-linear function of xvar through the points."""
    return add_general(
        model, name, Function.PWL, variable_of(yvar), [variable_of(xvar)], points(xpts, ypts)
    )


def points(xpts: Any, ypts: Any) -> tuple[float, ...]:
    """The points of a piecewise-linear function as x1, y1, x2, y2, ..."""
    xs, ys = [float(x) for x in xpts], [float(y) for y in ypts]
    if len(xs) != len(ys):
        raise GurobiError(-1, "Arguments xpts and ypts must have the same length")
    if any(b < a for a, b in pairwise(xs)):
        raise failure("INVALID_ARGUMENT", "x values for PWL constraint aren't sorted")
    return tuple(number for pair in zip(xs, ys, strict=True) for number in pair)
