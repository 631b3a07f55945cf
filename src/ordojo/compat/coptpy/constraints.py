"""Indicators and functions of variables."""

from collections.abc import Mapping
from typing import Any

from ordojo.compat.coptpy.arrays import GenConstrArray
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, GenConstrBuilder, LinExpr, as_expression
from ordojo.compat.coptpy.handles import SOS, Cone, GenConstr, GenConstrX, Var, new_var
from ordojo.compat.core import expr as core
from ordojo.compat.core.expr import members
from ordojo.compat.core.parts import GeneralPart, IndicatorPart, QuadraticPart, SosPart
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.milp.model import INF, VarType
from ordojo.solvers.problem import Function


def add_indicator(model: Any, builder: GenConstrBuilder, name: str = "") -> GenConstr:
    """Add what an indicator builder says."""
    state, binary = model._state, core.plain(builder.binvar)
    relation = builder.then
    if not isinstance(binary, Var) or isinstance(relation._lhs, CoreQuad):
        raise TypeError("'Var' object(s) are required for argument 'var'")
    state.check([binary])
    if state.kinds[binary._col] != VarType.BINARY:
        raise invalid("Invalid indicator variable")
    if builder.type != COPT.INDICATOR_IF:
        raise unsupported("an indicator constraint of type ONLYIF or IFANDONLYIF")
    left, right = as_expression(relation._lhs), as_expression(relation._rhs)
    if left is None or right is None:
        raise unsupported("an indicator of a range constraint")
    whole = left - right
    state.check(whole._v)
    value = int(builder.binval)
    part = IndicatorPart(
        name=str(name),
        binary=binary,
        active=value,
        coeffs=whole._c,
        variables=whole._v,
        sense=relation._sense,
        rhs=0.0 - whole._k,
    )
    if value not in (0, 1):
        # A binary variable never has that value, so nothing is implied.
        part.active, part.coeffs, part.variables, part.rhs, part.sense = 1, [], [], 0.0, "="
    state.add_part(part)
    return GenConstr(state, part)


def addGenConstrIndicator(
    model: Any,
    binvar: Any,
    binval: Any,
    lhs: Any,
    sense: Any = None,
    rhs: Any = None,
    type: int = COPT.INDICATOR_IF,
    name: str = "",
) -> GenConstr:
    """Add: if binvar = binval, then the linear comparison holds."""
    if not isinstance(lhs, ConstrBuilder):
        made = ConstrBuilder()
        made.setBuilder(lhs, sense, 0.0 if rhs is None else rhs)
        lhs = made
    builder = GenConstrBuilder()
    builder.setBuilder(binvar, binval, lhs, type=type)
    return add_indicator(model, builder, name)


def addGenConstrIndicators(model: Any, builders: Any, nameprefix: str = "") -> Any:
    """Add several indicators."""
    return GenConstrArray(
        [
            add_indicator(model, builder, f"{nameprefix}({k})" if nameprefix else "")
            for k, builder in enumerate(builders)
        ]
    )


def _variable(model: Any, value: Any) -> Var:
    """A variable that equals a linear expression: itself, or a new one with a row."""
    single = core.plain(value)
    if isinstance(single, Var):
        return single
    found = as_expression(single)
    if found is None or isinstance(found, CoreQuad):
        raise TypeError("'Var' object(s) are required for argument 'vars'")
    if len(found._v) == 1 and found._c[0] == 1.0 and found._k == 0.0:
        first: Var = found._v[0]
        return first
    state = model._state
    made = new_var(state, len(state.columns))
    state.add_col(made, -INF, INF, 0.0, VarType.CONTINUOUS)
    state.col_names.add("")
    model.addConstr(found - made == 0.0)
    return made


def _add(
    model: Any,
    function: Function,
    resvar: Any,
    operands: list[Any],
    name: str,
    numbers: tuple[float, ...] = (),
) -> GenConstrX:
    result, chosen = _variable(model, resvar), [_variable(model, v) for v in operands]
    model._state.check([result, *chosen])
    part = GeneralPart(
        name=str(name), function=function, result=result, operands=chosen, numbers=numbers
    )
    model._state.add_part(part)
    return GenConstrX(model._state, part)


def _extreme(
    model: Any, function: Function, resvar: Any, vars: Any, constant: Any, name: str
) -> GenConstrX:
    numbers = [] if constant is None else [float(constant)]
    operands = []
    for item in members(vars):
        number = core.number(item)
        if number is None:
            operands.append(item)
        else:
            numbers.append(float(number))
    best = max if function == Function.MAX else min
    chosen = (best(numbers),) if numbers else ()
    return _add(model, function, resvar, operands, name, chosen)


def addGenConstrMax(
    model: Any, resvar: Any, vars: Any, constant: Any = None, name: str = ""
) -> GenConstrX:
    """Add resvar = max(vars, constant)."""
    return _extreme(model, Function.MAX, resvar, vars, constant, name)


def addGenConstrMin(
    model: Any, resvar: Any, vars: Any, constant: Any = None, name: str = ""
) -> GenConstrX:
    """Add resvar = min(vars, constant)."""
    return _extreme(model, Function.MIN, resvar, vars, constant, name)


def addGenConstrAbs(model: Any, resvar: Any, argvar: Any, name: str = "") -> GenConstrX:
    """Add resvar = |argvar|."""
    return _add(model, Function.ABS, resvar, [argvar], name)


def addGenConstrAnd(model: Any, resvar: Any, vars: Any, name: str = "") -> GenConstrX:
    """Add resvar = all of the binary variables."""
    return _add(model, Function.AND, resvar, members(vars), name)


def addGenConstrOr(model: Any, resvar: Any, vars: Any, name: str = "") -> GenConstrX:
    """Add resvar = any of the binary variables."""
    return _add(model, Function.OR, resvar, members(vars), name)


def addGenConstrPWL(
    model: Any, xvar: Any, yvar: Any, xpts: Any, ypts: Any, name: str = ""
) -> GenConstrX:
    """Add yvar = piecewise-linear function of xvar through the points."""
    xs, ys = [float(x) for x in xpts], [float(y) for y in ypts]
    if len(xs) != len(ys):
        raise invalid("Lengths of x-points and y-points differ")
    points = tuple(number for pair in zip(xs, ys, strict=True) for number in pair)
    return _add(model, Function.PWL, yvar, [xvar], name, points)


def addCone(model: Any, vars: Any, ctype: int = COPT.CONE_QUAD) -> Cone:
    """Add a second-order cone: x1^2 >= x2^2 + ..., or rotated: 2 x1 x2 >= x3^2 + ..."""
    several = members(vars)
    state = model._state
    state.check(several)
    heads = 1 if ctype == COPT.CONE_QUAD else 2
    if ctype not in (COPT.CONE_QUAD, COPT.CONE_RQUAD) or len(several) < heads:
        raise invalid("Fail to add cone")
    for head in several[:heads]:
        state.lower[head._col] = max(0.0, state.lower[head._col])
    tail = several[heads:]
    first, second, by = several[0], several[heads - 1], -1.0 if heads == 1 else -2.0
    part = QuadraticPart(
        linear=LinExpr(),
        products=([*[1.0] * len(tail), by], [*tail, first], [*tail, second]),
        sense="<",
    )
    state.add_part(part)
    return Cone(state, part)


def addSOS(model: Any, sostype: Any, vars: Any = None, weights: Any = None) -> SOS:
    """Add a special ordered set; without weights the order given counts."""
    if isinstance(sostype, SOSBuilder):
        sostype, vars, weights = sostype.type, sostype.vars, sostype.weights
    several = members([vars] if isinstance(vars, Var) else vars)
    if weights is None:
        chosen = [float(k) for k in range(1, len(several) + 1)]
    elif isinstance(weights, Mapping) and isinstance(vars, Mapping):
        chosen = [float(weights[key]) for key in vars]
    else:
        chosen = [float(w) for w in weights]
    if len(chosen) != len(several):
        raise invalid("Fail to add SOS constraint")
    model._state.check(several)
    part = SosPart(kind=int(sostype), variables=several, weights=chosen)
    model._state.add_part(part)
    return SOS(model._state, part)


class SOSBuilder:
    """Type, variables and weights of a special ordered set."""

    def __init__(self) -> None:
        self.type = COPT.SOS_TYPE1
        self.vars: list[Any] = []
        self.weights: Any = None

    def setBuilder(self, sostype: int, vars: Any, weights: Any = None) -> None:
        """Become another set."""
        self.type, self.vars = int(sostype), members(vars)
        if isinstance(weights, Mapping):
            weights = list(weights.values())
        self.weights = weights

    def getType(self) -> int:
        """The type."""
        return self.type

    def getSize(self) -> int:
        """How many variables there are."""
        return len(self.vars)

    def getVar(self, idx: int) -> Any:
        """One of the variables."""
        return self.vars[idx]

    def getWeight(self, idx: int) -> float:
        """One of the weights."""
        return float(idx + 1 if self.weights is None else self.weights[idx])
