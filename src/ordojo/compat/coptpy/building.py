"""Model methods that add variables and constraints, and set objectives."""

import operator
from collections.abc import Iterable, Mapping
from types import GeneratorType
from typing import Any

from ordojo.compat.coptpy.constants import COPT, LETTERS, cut, sense_of
from ordojo.compat.coptpy.errors import CoptError, invalid, unsupported
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    GenConstrBuilder,
    LinExpr,
    NlExpr,
    QuadExpr,
    as_expression,
    formula,
    index_keys,
    loop_keys,
    tupledict,
)
from ordojo.compat.coptpy.handles import (
    SOS,
    Cone,
    Constraint,
    ConstrArray,
    GenConstr,
    GenConstrArray,
    GenConstrX,
    HandleArray,
    NlConstraint,
    PartHandle,
    QConstraint,
    Var,
    kind_of,
    members,
    new_constr,
    new_var,
    over,
    paired,
)
from ordojo.compat.coptpy.state import Aim
from ordojo.compat.core import expressions as core
from ordojo.compat.core import store
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.shared import general_methods, objective_of
from ordojo.compat.core.store import (
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    QuadraticPart,
    SosPart,
    add_quadratic,
)
from ordojo.milp.model import INF, VarType
from ordojo.solvers.problem import GeneralFunction


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
        raise unsupported(
            "an indicator constraint of type ONLYIF or IFANDONLYIF",
            "state the reverse of it as one of type IF",
        )
    left, right = as_expression(relation._lhs), as_expression(relation._rhs)
    if left is None or right is None:
        raise unsupported("an indicator of a range constraint", "give one indicator for each side")
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
    function: GeneralFunction,
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


def _add_function(
    model: Any, function: GeneralFunction, result: Any, operands: Any, constant: Any, name: str
) -> GenConstrX:
    """Add one of the functions that both interfaces have."""
    if function == GeneralFunction.PWL:
        xs, ys = ([float(x) for x in part] for part in constant)
        if len(xs) != len(ys):
            raise invalid("Lengths of x-points and y-points differ")
        points = tuple(number for pair in zip(xs, ys, strict=True) for number in pair)
        return _add(model, function, result, operands, name, points)
    if function not in (GeneralFunction.MAX, GeneralFunction.MIN):
        return _add(model, function, result, core.members(operands), name)
    best = max if function == GeneralFunction.MAX else min
    numbers = [] if constant is None else [float(constant)]
    chosen = core.members(operands)
    numbers += [float(n) for n in map(core.number, chosen) if n is not None]
    variables = [item for item in chosen if core.number(item) is None]
    return _add(model, function, result, variables, name, (best(numbers),) if numbers else ())


globals().update(general_methods(_add_function))


def addCone(model: Any, vars: Any, ctype: int = COPT.CONE_QUAD) -> Cone:
    """Add a second-order cone: x1^2 >= x2^2 + ..., or rotated: 2 x1 x2 >= x3^2 + ..."""
    several = core.members(vars)
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
    several = core.members([vars] if isinstance(vars, Var) else vars)
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
        self.type: int = COPT.SOS_TYPE1
        self.vars: list[Any] = []
        self.weights: Any = None

    def setBuilder(self, sostype: int, vars: Any, weights: Any = None) -> None:
        """Become another set."""
        self.type, self.vars = int(sostype), core.members(vars)
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


def addConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
    """Add a linear constraint or an indicator; what is added comes back."""
    if isinstance(lhs, tuple) and len(lhs) == 3:
        lhs, sense, rhs = lhs
    adds = getattr(lhs, "_add_to", None)
    if adds is not None:
        return adds(model, name, "addConstr")
    if isinstance(lhs, GenConstrBuilder):
        return add_indicator(model, lhs, name)
    if isinstance(lhs, bool):
        return add_row(model._state, LinExpr(), "<", 0.0 if lhs else -1.0, name)
    relation = comparison(lhs, sense, rhs)
    if hasattr(relation, "_add_to"):
        return relation._add_to(model, name, "addConstr")
    if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
        raise ValueError("Unsupported constraint sense")
    whole = difference(relation)
    if isinstance(whole, CoreQuad):
        raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
    return linear_row(model._state, relation, whole, name)


def comparison(lhs: Any, sense: Any, rhs: Any) -> Any:
    """The comparison that the arguments of `addConstr` mean."""
    if isinstance(lhs, ConstrBuilder):
        return lhs
    if rhs is None or lhs is None:
        raise ValueError("Unsupported constraint sense")
    letter = sense_of(sense)
    if letter is None:
        return core.relate(ConstrBuilder, lhs, "N", rhs)
    compare = {"<": operator.le, ">": operator.ge, "=": operator.eq}
    made = compare[letter](lhs, rhs)
    if isinstance(made, bool):
        return core.relate(ConstrBuilder, LinExpr(lhs), letter, rhs)
    return made


def difference(relation: Any) -> Any:
    """Left less right side of a comparison; of a range, the left side."""
    left = as_expression(relation._lhs)
    if isinstance(relation._rhs, list | tuple):
        if left is None or len(relation._rhs) != 2:
            raise ValueError("A range constraint needs an expression and two numbers")
        return left
    right = as_expression(relation._rhs)
    if left is None or right is None:
        side = relation._rhs if left is not None else relation._lhs
        kind = type(side).__name__
        raise TypeError(f"float() argument must be a string or a real number, not '{kind}'")
    return left - right


def linear_row(state: Any, relation: Any, whole: Any, name: str) -> Constraint:
    """Add a linear comparison, whose sides differ by `whole`."""
    if isinstance(relation._rhs, list | tuple):
        lower, upper = (float(side) for side in relation._rhs)
        return add_range(state, whole, lower, upper, name)
    if relation._sense == "N":
        return add_range(state, whole, -COPT.INFINITY, COPT.INFINITY, name)
    return add_row(state, whole, relation._sense, 0.0 - whole._k, name)


def add_row(state: Any, whole: Any, sense: str, rhs: float, name: str) -> Constraint:
    """Add a linear row: the terms of `whole` (sense) rhs."""
    coeffs, variables, _ = core.linear(whole) or ([], [], 0.0)
    state.check(variables)
    constr = new_constr(state, len(state.rows))
    state.add_row(constr, coeffs, variables, ord(sense), cut(rhs))
    state.row_names.add(str(name))
    return constr


def add_range(state: Any, whole: Any, lower: float, upper: float, name: str) -> Constraint:
    """Add lower <= whole <= upper."""
    constant = whole._k if isinstance(whole, core.LinExpr) else 0.0
    constr = add_row(state, whole, "<", 0.0, name)
    state.set_sides(constr._row, cut(lower - constant), cut(upper - constant))
    return constr


def addBoundConstr(
    model: Any,
    expr: Any,
    lb: float = -COPT.INFINITY,
    ub: float = COPT.INFINITY,
    name: str = "",
) -> Any:
    """Add lb <= expr <= ub."""
    whole = as_expression(expr)
    if whole is None or isinstance(whole, CoreQuad):
        raise unsupported(
            "a bounded constraint that is not linear", "give one quadratic constraint for each side"
        )
    return add_range(model._state, whole, float(lb), float(ub), name)


def addConstrs(model: Any, generator: Any, nameprefix: str = "R") -> Any:
    """Add a constraint for each comparison; a generator's loop variables are the keys."""
    adds = getattr(generator, "_add_to", None)
    if adds is not None:
        return adds(model, nameprefix, "addConstrs")
    state = model._state
    if isinstance(generator, bool):
        return addConstr(model, generator, name=nameprefix)
    if isinstance(generator, int):
        return ConstrArray(
            [add_row(state, LinExpr(), "=", 0.0, f"{nameprefix}({k})") for k in range(generator)]
        )
    if isinstance(generator, ConstrBuilder | GenConstrBuilder):
        return addConstr(model, generator, name=nameprefix)
    found = tupledict()
    pairs = loop_keys(generator) if isinstance(generator, GeneratorType) else numbered(generator)
    keys, made = [], []
    before = len(state.rows)
    for key, item in pairs:
        if _is_quadratic(item):
            raise TypeError("'QConstrBuilder' is not valid in argument 'generator'")
        made.append(addConstr(model, item))
        keys.append(key)
    if len(state.rows) == before + len(made) and all(type(c) is Constraint for c in made):
        state.row_names.drop_from(before)
        state.row_names.add_group(str(nameprefix), keys)
    else:
        name_each(keys, made, str(nameprefix))
    found.update(zip(keys, made, strict=True))
    return found


def name_each(keys: list[Any], made: list[Any], prefix: str) -> None:
    """Name constraints by their keys."""
    for key, constr in zip(keys, made, strict=True):
        text = ",".join(map(str, key)) if isinstance(key, tuple) else str(key)
        if isinstance(constr, Constraint):
            constr.setName(f"{prefix}({text})")
        elif hasattr(constr, "_part"):
            constr._part.name = f"{prefix}({text})"


def numbered(items: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    """Members with their keys, or else their numbers."""
    if isinstance(items, Mapping):
        return list(items.items())
    return list(enumerate(items))


def _is_quadratic(item: Any) -> bool:
    return isinstance(item, ConstrBuilder) and (
        isinstance(item._lhs, CoreQuad) or isinstance(item._rhs, CoreQuad)
    )


def getConstrBuilders(model: Any, constrs: Any = None) -> Any:
    """The comparisons that linear constraints hold."""
    if isinstance(constrs, Constraint):
        lower, upper = model._state.sides(constrs._row)
        made = ConstrBuilder()
        row = model.getRow(constrs)
        if lower == upper or upper < COPT.INFINITY:
            made.setBuilder(row, LETTERS["=" if lower == upper else "<"], upper)
        else:
            made.setBuilder(row, LETTERS[">"], lower)
        return made
    if isinstance(constrs, Mapping):
        return tupledict({key: getConstrBuilders(model, c) for key, c in constrs.items()})
    return HandleArray([getConstrBuilders(model, c) for c in constrs or model.getConstrs()])


def addVar(
    model: Any,
    lb: float = 0.0,
    ub: float = COPT.INFINITY,
    obj: float = 0.0,
    vtype: str = COPT.CONTINUOUS,
    name: str = "",
    column: Any = None,
) -> Var:
    """Add a variable."""
    state = model._state
    var = _new_var(state, float(lb), float(ub), float(obj), vtype)
    if not isinstance(name, str):
        raise TypeError("The name of a variable is a text")
    state.col_names.add(name)
    if column is not None:
        for constr, coefficient in column._pairs:
            model.setCoeff(constr, var, coefficient)
    return var


def _new_var(state: Any, lower: float, upper: float, cost: float, letter: Any) -> Var:
    try:
        kind = kind_of(letter)
    except CoptError:
        raise invalid("Fail to add a variable") from None
    if kind == VarType.BINARY:
        lower, upper = max(lower, 0.0), min(upper, 1.0)
    var = new_var(state, len(state.columns))
    state.add_col(var, cut(lower), cut(upper), cost, kind)
    return var


def addVars(
    model: Any,
    *indices: Any,
    lb: Any = 0.0,
    ub: Any = COPT.INFINITY,
    obj: Any = 0.0,
    vtype: Any = COPT.CONTINUOUS,
    nameprefix: str = "C",
) -> tupledict:
    """Add a variable for each key, or for each combination of keys of several lists."""
    keys, shape = index_keys(indices)
    state, made = model._state, []
    defaults = (0.0, COPT.INFINITY, 0.0, COPT.CONTINUOUS)
    each = [
        _each(given, keys, shape, default)
        for given, default in zip((lb, ub, obj, vtype), defaults, strict=True)
    ]
    for lower, upper, cost, letter in zip(*each, strict=True):
        made.append(_new_var(state, float(lower), float(upper), float(cost), letter))
    state.col_names.add_group(str(nameprefix), keys)
    return tupledict(zip(keys, made, strict=True))


def _each(given: Any, keys: list[Any], shape: list[int], default: Any) -> list[Any]:
    """One value per key, of one value, a dictionary, or lists nested like the index lists."""
    if isinstance(given, str) or core.number(given) is not None:
        return [given] * len(keys)
    if isinstance(given, Mapping):
        # COPT looks up tuples only: keys of other kinds count for nothing.
        if not any(isinstance(key, tuple) for key in given):
            return [default] * len(keys)
        wanted = [key if isinstance(key, tuple) else (key,) for key in keys]
        if any(key not in given for key in wanted):
            raise IndexError("A dictionary lacks a value for some of the keys")
        return [given[key] for key in wanted]
    if given is None:
        raise TypeError("float() argument must be a string or a real number, not 'NoneType'")
    values = list(given)
    for _ in shape[1:]:
        if values and hasattr(values[0], "__iter__") and not isinstance(values[0], str):
            values = [item for part in values for item in part]
    if len(values) < len(keys):
        raise IndexError("list index out of range")
    return values[: len(keys)]


def addQConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
    """Add a quadratic constraint; a linear one where there are no products."""
    adds = getattr(lhs, "_add_to", None)
    if adds is not None:
        return adds(model, name, "addQConstr")
    if isinstance(lhs, bool | GenConstrBuilder):
        return addConstr(model, lhs, name=name)
    if isinstance(lhs, tuple) and len(lhs) == 3:
        lhs, sense, rhs = lhs
    relation = comparison(lhs, sense, rhs)
    if hasattr(relation, "_add_to"):
        return relation._add_to(model, name, "addQConstr")
    if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
        raise ValueError("Unsupported quadratic constraint sense")
    whole = difference(relation)
    if not isinstance(whole, CoreQuad):
        return linear_row(model._state, relation, whole, name)
    part = add_quadratic(model._state, whole, relation._sense, str(name))
    return QConstraint(model._state, part)


def addNlConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
    """Add a nonlinear constraint; a quadratic or linear one where it is no more than that."""
    if isinstance(lhs, bool):
        return addConstr(model, lhs, name=name)
    relation = comparison(lhs, sense, rhs)
    if not isinstance(relation._lhs, NlExpr) and not isinstance(relation._rhs, NlExpr):
        return addQConstr(model, relation, name=name)
    whole = formula("-", relation._lhs, relation._rhs)
    if whole is NotImplemented:
        raise TypeError("A nonlinear constraint needs expressions on both sides")
    part = FormulaPart(name=str(name), formula=whole)
    part.result = (relation._sense, 0.0)
    model._state.add_part(part)
    return NlConstraint(model._state, part)


def addNlConstrs(model: Any, generator: Any, nameprefix: str = "NR") -> Any:
    """Add a nonlinear constraint for each comparison."""
    if isinstance(generator, bool | ConstrBuilder):
        return addNlConstr(model, generator, name=nameprefix)
    generated = isinstance(generator, GeneratorType)
    keys, made = [], []
    for key, item in loop_keys(generator) if generated else numbered(generator):
        keys.append(key)
        made.append(addNlConstr(model, item))
    name_each(keys, made, str(nameprefix))
    return tupledict(zip(keys, made, strict=True))


def setCoeff(model: Any, constr: Constraint, var: Var, newval: float) -> None:
    """Change a coefficient."""
    setCoeffs(model, [constr], [var], [newval])


def setCoeffs(model: Any, constrs: Any, vars: Any, newvals: Any) -> None:
    """Change several coefficients: of each constraint for the variable at the same place."""
    state = model._state
    state.update()
    if isinstance(constrs, Constraint):
        constrs, vars = [constrs], [vars]
    keys = list(constrs) if isinstance(constrs, Mapping) else None
    rows = list(constrs.values()) if keys is not None else list(constrs)
    cols = [vars[key] for key in keys] if keys is not None else list(vars)
    if core.number(newvals) is not None:
        values = [newvals] * len(rows)
    else:
        values = [newvals[key] for key in keys] if keys is not None else list(newvals)
    rebuilt: dict[int, dict[int, float]] = {}
    for row, var, value in zip(rows, cols, values, strict=True):
        state.check([var])
        if row._row not in rebuilt:
            rebuilt[row._row] = dict(zip(*state.row(row._row), strict=True))
        rebuilt[row._row][var._col] = float(value)
    store.replace_rows(
        state, {i: {j: c for j, c in terms.items() if c != 0.0} for i, terms in rebuilt.items()}
    )


def remove(model: Any, args: Any) -> None:
    """Take variables, constraints or other parts out of the model."""
    state = model._state
    state.update()
    for item in members(args):
        if isinstance(item, PartHandle):
            item._part.removed = True
            state.later(lambda: None)
        elif isinstance(item, Var | Constraint):
            state.remove(item)
            if isinstance(item, Constraint):
                state.lows.pop(item, None)
        else:
            raise unsupported(f"removing a {type(item).__name__}", "give variables and constraints")
    state.proposed.pairs = [pair for pair in state.proposed.pairs if pair[0]._col >= 0]
    state.update()


def getInfo(model: Any, infoname: str, args: Any) -> Any:
    """A piece of information of one or several variables or constraints."""
    return over(args, lambda item: item.getInfo(infoname))


def setInfo(model: Any, infoname: str, args: Any, newvals: Any) -> None:
    """Change a piece of information of one or several variables or constraints."""
    for item, value in paired(args, newvals):
        item.setInfo(infoname, value)


def getVarType(model: Any, args: Any) -> Any:
    """The letters of variables' types."""
    return over(args, lambda var: var.getType())


def setVarType(model: Any, vars: Any, vartypes: Any) -> None:
    """Change variables' types."""
    for var, letter in paired(vars, vartypes):
        var.setType(letter)


def setNames(model: Any, args: Any, names: Any) -> None:
    """Name variables or constraints: from a list, or by a prefix and their number."""
    if isinstance(names, str):
        for number, item in enumerate(members(args)):
            item.setName(f"{names}({number})")
        return
    for item, name in paired(args, names):
        item.setName(name)


_GOAL_FIELDS = {
    "multiobjpriority": "priority",
    "multiobjweight": "weight",
    "multiobjabstol": "abs_tol",
    "multiobjreltol": "rel_tol",
}


def setObjective(model: Any, expr: Any, sense: Any = None) -> None:
    """Set the objective, and its sense where one is given."""
    state = model._state
    if sense is not None and (isinstance(sense, str) or core.number(sense) is None):
        raise TypeError("The sense of an objective is COPT.MINIMIZE or COPT.MAXIMIZE")
    found: Any = LinExpr()
    state.formula = None
    if isinstance(expr, NlExpr):
        state.formula = expr
    else:
        made = as_expression(expr)
        if made is None:
            kind = type(expr)
            raise TypeError(f"Type of 'arg1' is not compatible with QuadExpr: {kind}")
        found = made
    products = None
    if isinstance(found, CoreQuad):
        state.check([*found._a, *found._b])
        products = (found._q[:], found._a[:], found._b[:])
        found = found._linear
    coeffs, variables, constant = core.linear(found) or ([], [], 0.0)
    state.check(variables)
    state.set_costs(coeffs, variables, len(state.cost))
    state.goal.constant, state.goal.products = float(constant), products
    if sense is not None:
        setObjSense(model, sense)


def setObjSense(model: Any, sense: int) -> None:
    """Set the sense."""
    model._state.maximize = int(sense) < 0


def setObjConst(model: Any, constant: float) -> None:
    """Set the constant."""
    model._state.goal.constant = float(constant)


def getObjective(model: Any) -> Any:
    """The objective as an expression."""
    state = model._state
    if state.formula is not None:
        return state.formula
    return objective_of(state, len(state.cost), LinExpr, QuadExpr)


def delQuadObj(model: Any) -> None:
    """Drop the objective's products."""
    model._state.goal.products = None


def delNlObj(model: Any) -> None:
    """Drop the objective's formula."""
    model._state.formula = None


def setObjectiveN(
    model: Any,
    idx: int,
    expr: Any,
    sense: int = 0,
    priority: float = 0.0,
    weight: float = 1.0,
    abstol: float = 1e-6,
    reltol: float = 0.0,
) -> None:
    """Set one of several linear objectives; while there are any, the single one does not count."""
    found = as_expression(expr)
    if found is None or isinstance(found, CoreQuad):
        raise unsupported(
            "one of several objectives that is not linear",
            "move what is not linear into constraints",
        )
    state = model._state
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


def _aim(model: Any, idx: int) -> Aim:
    found: Aim | None = model._state.aims.get(int(idx))
    if found is None:
        raise invalid("Invalid objective index")
    return found


def getObjectiveN(model: Any, idx: int) -> LinExpr:
    """One of several objectives."""
    aim = _aim(model, idx)
    made: LinExpr = core.make(LinExpr, list(aim.coeffs), list(aim.variables), aim.constant)
    return made


def delObjN(model: Any, idx: int) -> None:
    """Drop one of several objectives."""
    _aim(model, idx)
    del model._state.aims[int(idx)]


def setObjParamN(model: Any, idx: int, paramname: str, newval: float) -> None:
    """Set priority, weight or a tolerance of one of several objectives."""
    setattr(_aim(model, idx), _aim_field(paramname), float(newval))


def getObjParamN(model: Any, idx: int, paramname: str) -> float:
    """Priority, weight or a tolerance of one of several objectives."""
    return float(getattr(_aim(model, idx), _aim_field(paramname)))


def _aim_field(name: str) -> str:
    field = _GOAL_FIELDS.get(str(name).lower())
    if field is None:
        raise AttributeError(f"Invalid parameter name '{name}'")
    return field


def aim_value(state: Any, aim: Aim) -> float:
    """The value of one of several objectives at the solution."""
    x = state.x or []
    pairs = zip(aim.coeffs, aim.variables, strict=True)
    return float(sum(c * x[var._col] for c, var in pairs) + aim.constant)


def getAttrN(model: Any, idx: int, attrname: str) -> float:
    """The value of one of several objectives."""
    aim = _aim(model, idx)
    if str(attrname).lower() != "objval":
        raise unsupported(f"getAttrN of '{attrname}'")
    return aim_value(model._state, aim) if model._state.x is not None else COPT.INFINITY
