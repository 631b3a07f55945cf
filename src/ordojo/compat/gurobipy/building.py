"""Model methods that add variables and constraints, set objectives, and relax."""

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import GeneratorType
from typing import Any

import numpy as np

from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.expressions import members
from ordojo.compat.core.shared import general_methods, objective_of
from ordojo.compat.core.store import (
    LARGE,
    FormulaPart,
    GeneralPart,
    Goal,
    IndicatorPart,
    SosPart,
    add_quadratic,
    key_text,
    owner,
)
from ordojo.compat.core.tuples import combined_keys, loop_names
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    QuadExpr,
    TempConstr,
    as_expression,
    tupledict,
)
from ordojo.compat.gurobipy.handles import (
    SOS,
    Constr,
    GenConstr,
    QConstr,
    Var,
    kind_of,
    new_var,
    set_row,
    set_row_store,
    single,
)
from ordojo.solvers.problem import GeneralFunction

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
    if function == GeneralFunction.ABS:
        return add_general(model, name, function, result, [variable_of(right._operands[0])])
    if function == GeneralFunction.NORM:
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
    function: GeneralFunction,
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
    model: Any, function: GeneralFunction, resvar: Any, vars: Any, constant: Any, name: str
) -> GenConstr:
    """Max, min, and, or: variables among which numbers may stand."""
    result = variable_of(resvar)
    if isinstance(vars, Var):
        raise TypeError("object of type 'Var' has no len()")
    operands: list[Any] = []
    numbers = [] if constant is None else [float(constant)]
    for item in members(vars):
        found = core.number(item)
        if found is not None and function in (GeneralFunction.MAX, GeneralFunction.MIN):
            numbers.append(float(found))
        elif isinstance(item, Var):
            operands.append(item)
        else:
            raise failure("INVALID_ARGUMENT", "Invalid data in vars array")
    best = max if function == GeneralFunction.MAX else min
    return add_general(model, name, function, result, operands, (best(numbers),) if numbers else ())


def _add_function(
    model: Any, function: GeneralFunction, result: Any, operands: Any, constant: Any, name: str
) -> GenConstr:
    """Add one of the functions that both interfaces have."""
    if function in (GeneralFunction.ABS, GeneralFunction.PWL):
        numbers = () if function == GeneralFunction.ABS else points(*constant)
        chosen = [variable_of(operands[0])]
        return add_general(model, name, function, variable_of(result), chosen, numbers)
    return _extreme(model, function, result, operands, constant, name)


globals().update(general_methods(_add_function))


def addGenConstrNorm(model: Any, resvar: Any, vars: Any, which: float, name: str = "") -> GenConstr:
    """Add resvar = norm of the variables."""
    order = float("inf") if which >= 1e20 else _NORMS.get(float(which))
    if order is None:
        raise failure("VALUE_OUT_OF_RANGE", "Only 0, 1, 2, and INF norms supported")
    operands = [variable_of(item) for item in members(vars)]
    return add_general(model, name, GeneralFunction.NORM, variable_of(resvar), operands, (order,))


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


def _function(function: GeneralFunction, *numbers: str) -> Any:
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
        operands = [variable_of(xvar)]
        return add_general(model, name, function, variable_of(yvar), operands, tuple(constants))

    add.__name__ = f"addGenConstr{function.value.capitalize()}"
    add.__doc__ = f"Add yvar = {function.value} of xvar."
    return add


addGenConstrExp = _function(GeneralFunction.EXP)
addGenConstrExpA = _function(GeneralFunction.EXPA, "a")
addGenConstrLog = _function(GeneralFunction.LOG)
addGenConstrLogA = _function(GeneralFunction.LOGA, "a")
addGenConstrPow = _function(GeneralFunction.POW, "a")
addGenConstrSin = _function(GeneralFunction.SIN)
addGenConstrCos = _function(GeneralFunction.COS)
addGenConstrTan = _function(GeneralFunction.TAN)
addGenConstrLogistic = _function(GeneralFunction.LOGISTIC)


def addGenConstrPoly(
    model: Any, xvar: Any, yvar: Any, p: Any, name: str = "", options: str = ""
) -> GenConstr:
    """Add yvar = polynomial in xvar, the highest power's coefficient first."""
    numbers = tuple(float(c) for c in p)
    return add_general(
        model, name, GeneralFunction.POLY, variable_of(yvar), [variable_of(xvar)], numbers
    )


def points(xpts: Any, ypts: Any) -> tuple[float, ...]:
    """The points of a piecewise-linear function as x1, y1, x2, y2, ..."""
    xs, ys = [float(x) for x in xpts], [float(y) for y in ypts]
    if len(xs) != len(ys):
        raise GurobiError(-1, "Arguments xpts and ypts must have the same length")
    if any(b < a for a, b in pairwise(xs)):
        raise failure("INVALID_ARGUMENT", "x values for PWL constraint aren't sorted")
    return tuple(number for pair in zip(xs, ys, strict=True) for number in pair)


_BINARY = kind_of("B")
_CODES = {letter: kind_of(letter) for letter in "CBISNcbisn"}


def addVar(
    model: Any,
    lb: float = 0.0,
    ub: float = 1e100,
    obj: float = 0.0,
    vtype: str = "C",
    name: str = "",
    column: Any = None,
) -> Var:
    """Add a variable."""
    state = model._state
    kind = _CODES.get(vtype) if isinstance(vtype, str) else None
    if kind is None:
        kind = kind_of(vtype)
    if kind == _BINARY:
        lb, ub = max(_real(lb), 0.0), min(_real(ub), 1.0)
    if lb != lb or ub != ub or obj != obj:
        raise failure("INVALID_ARGUMENT", "Element 0 of a double array is Nan.")
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    var = new_var(state, len(state.columns))
    try:
        state.add_col(var, lb, ub, obj, kind)
    except TypeError:
        del state.lower[len(state.columns) :], state.upper[len(state.columns) :]
        del state.cost[len(state.columns) :]
        raise
    state.col_names.add(name)
    if column is not None:
        for constr, coefficient in column._pairs:
            state.set_coefficient(constr, var, coefficient)
    return var


def addVars(
    model: Any,
    *indices: Any,
    lb: Any = 0.0,
    ub: Any = 1e100,
    obj: Any = 0.0,
    vtype: Any = "C",
    name: Any = "",
) -> tupledict:
    """Add a variable for each key, or for each combination of keys of several lists."""
    keys = index_keys(indices)
    count, state = len(keys), model._state
    first = len(state.columns)
    kinds = _kinds(vtype, keys)
    lower, upper = _each(lb, keys, 0.0), _each(ub, keys, 1e100)
    cost = _each(obj, keys, 0.0)
    if _BINARY in kinds:
        pairs = list(zip(kinds, lower, upper, strict=True))
        lower = [max(low, 0.0) if kind == _BINARY else low for kind, low, _ in pairs]
        upper = [min(up, 1.0) if kind == _BINARY else up for kind, _, up in pairs]
    # A collector's run over the many new objects would find nothing to free.
    enabled = gc.isenabled()
    gc.disable()
    try:
        made = [new_var(state, number) for number in range(first, first + count)]
        found = tupledict(zip(keys, made, strict=True))
    finally:
        if enabled:
            gc.enable()
    if len(found) != count:
        raise KeyError("Duplicate keys in Model.addVars()")
    state.add_cols(made, lower, upper, cost, kinds)
    if isinstance(name, str) or name is None:
        state.col_names.add_group(name or "", keys)
    else:
        given = [name.get(k, "") for k in keys] if isinstance(name, Mapping) else list(name)
        if len(given) != count:
            raise AssertionError
        state.col_names.add_many(given)
    return found


def index_keys(indices: Sequence[Any]) -> list[Any]:
    """The keys that the index arguments of `addVars` mean."""
    lists = [range(part) if type(part) is int else list(part) for part in indices]
    return combined_keys(lists)


def _each(given: Any, keys: list[Any], default: float) -> list[float]:
    """One number per key of a number, a list, an array or a dictionary that may have gaps."""
    if isinstance(given, int | float):
        numbers = [float(given)] * len(keys)
    elif isinstance(given, Mapping):
        numbers = [_real(given.get(key, default)) for key in keys]
    elif isinstance(given, np.ndarray):
        numbers = np.asarray(given, float).ravel().tolist()
    elif isinstance(given, Iterable) and not isinstance(given, str):
        numbers = [_real(item) for item in np.ravel(np.array(list(given), object)).tolist()]
    else:
        numbers = [_real(given)] * len(keys)
    assert len(numbers) == len(keys)
    if any(number != number for number in numbers):
        place = next(k for k, number in enumerate(numbers) if number != number)
        raise failure("INVALID_ARGUMENT", f"Element {place} of a double array is Nan.")
    return numbers


def _kinds(given: Any, keys: list[Any]) -> bytes:
    if isinstance(given, str) or not isinstance(given, Iterable):
        return bytes([kind_of(single(given))]) * len(keys)
    letters = [given.get(k, "C") for k in keys] if isinstance(given, Mapping) else list(given)
    assert len(letters) == len(keys)
    return bytes([kind_of(single(letter)) for letter in letters])


def _real(value: Any) -> float:
    if isinstance(value, str) or value is None or callable(value):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


_new = object.__new__
_SENSES = {"<": ord("<"), ">": ord(">"), "=": ord("=")}


def addConstr(model: Any, lhs: Any, name: str = "") -> Any:
    """Add a linear, quadratic, indicator or general constraint; what is added comes back."""
    if type(lhs) is TempConstr:
        left, right = lhs._lhs, lhs._rhs
        kind = type(right)
        if type(left) is LinExpr and (kind is float or kind is int) and type(name) is str:
            return add_row(model._state, left._c, left._v, lhs._sense, right - left._k, name)
        return _relation(model, lhs, name)
    adds = getattr(lhs, "_add_to", None)
    if adds is not None:
        return adds(model, name)
    if isinstance(lhs, bool):
        # A comparison of two numbers: a row without terms that holds or does not.
        return add_row(model._state, [], [], "<", 0.0 if lhs else -1.0, name)
    raise failure("INVALID_ARGUMENT", "Invalid value for Model.addConstr")


def add_row(
    state: Any, coeffs: list[float], variables: list[Any], sense: str, rhs: float, name: str
) -> Constr:
    """Add a linear row."""
    if rhs != rhs:
        raise failure("INVALID_ARGUMENT", "Constant is Nan")
    if len(variables) > 1:
        owners = set(map(owner, variables))
        if len(owners) > 1 or state not in owners:
            raise failure("NOT_IN_MODEL", "Variable not in model")
    elif variables and variables[0]._store is not state:
        raise failure("NOT_IN_MODEL", "Variable not in model")
    constr = _new(Constr)
    set_row_store(constr, state)
    set_row(constr, len(state.rows))
    state.add_row(constr, coeffs, variables, _SENSES[sense], rhs)
    state.row_names.add(name)
    return constr


def _relation(model: Any, tc: TempConstr, name: Any) -> Any:
    """A comparison that is not simply a linear expression against a number."""
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    left, sense, right = core.plain(tc._lhs), tc._sense, core.plain(tc._rhs)
    if sense == ">>":
        return add_indicator(model, left, right, name)
    if isinstance(right, GenExpr) or isinstance(left, GenExpr):
        return add_equal(model, left, sense, right, name)
    if isinstance(left, NLExpr) or isinstance(right, NLExpr):
        return add_formula(model, left, sense, right, name)
    if isinstance(right, list | tuple) and sense == "=":
        if isinstance(right, tuple):
            raise failure("INVALID_ARGUMENT", "Range constraint requires a list [lb,ub]")
        if len(right) != 2:
            raise failure("INVALID_ARGUMENT", "Range constraint requires two values")
        return addRange(model, left, right[0], right[1], name)
    lhs, rhs = as_expression(left), as_expression(right)
    if lhs is None or rhs is None:
        kind = type(right if lhs is not None else left).__name__
        sign, mine = ("+", type(lhs).__name__) if kind == "str" else ("-", "LinExpr")
        raise TypeError(
            f"unsupported operand type(s) for {sign}: 'gurobipy._core.{mine}' and '{kind}'"
        )
    whole = lhs - rhs
    if isinstance(whole, CoreQuad):
        return QConstr(model._state, add_quadratic(model._state, whole, sense, name))
    model._state.check(whole._v)
    return add_row(model._state, whole._c, whole._v, sense, 0.0 - whole._k, name)


def addLConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: Any = "") -> Constr:
    """Add a linear constraint from a comparison, or from its two sides and a sense."""
    if isinstance(lhs, TempConstr):
        if isinstance(sense, str) and not name:
            name = sense
        lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
    left, right = as_expression(lhs), as_expression(rhs)
    sense = sense_of(sense)
    if not isinstance(left, LinExpr) or not isinstance(right, LinExpr) or sense is None:
        raise GurobiError(0, "Invalid argument to Model.addLConstr")
    whole = left - right
    model._state.check(whole._v)
    return add_row(model._state, whole._c, whole._v, sense, 0.0 - whole._k, name)


def sense_of(text: Any) -> str | None:
    """One of < > = for any of Gurobi's spellings of a sense."""
    return {
        "<": "<",
        "<=": "<",
        "=<": "<",
        ">": ">",
        ">=": ">",
        "=>": ">",
        "=": "=",
        "==": "=",
    }.get(text if isinstance(text, str) else "")


def addQConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: Any = "") -> Any:
    """Add a quadratic constraint from a comparison, or from its two sides and a sense."""
    if isinstance(lhs, TempConstr):
        return _relation(model, lhs, name or (sense if isinstance(sense, str) else ""))
    left, right = as_expression(lhs), as_expression(rhs)
    sense = sense_of(sense)
    if left is None or right is None or sense is None:
        raise GurobiError(0, "Invalid argument to Model.addQConstr")
    whole = left - right
    if isinstance(whole, LinExpr):
        return add_row(model._state, whole._c, whole._v, sense, 0.0 - whole._k, name)
    return QConstr(model._state, add_quadratic(model._state, whole, sense, name))


def addRange(model: Any, expr: Any, lower: float, upper: float, name: str = "") -> Any:
    """Add lower <= expr <= upper: an equation with a further variable, as Gurobi has it."""
    state, found = model._state, as_expression(expr)
    if isinstance(found, CoreQuad):
        return QConstr(
            state, add_quadratic(state, found, "R", name, low=float(lower), rhs=float(upper))
        )
    if found is None:
        raise failure("INVALID_ARGUMENT", "Invalid value for Model.addRange")
    state.check(found._v)
    label = name or f"R{len(state.rows)}"
    spare = addVar(model, 0.0, float(upper) - float(lower), name=f"Rg{label}")
    rhs = float(upper) - found._k
    return add_row(state, [*found._c, 1.0], [*found._v, spare], "=", rhs, name)


def addConstrs(model: Any, generator: Any, name: Any = "") -> tupledict:
    """Add a constraint for each comparison of a generator; its loop variables are the keys."""
    if not isinstance(generator, GeneratorType):
        adds = getattr(generator, "_add_all_to", None)
        if adds is not None:
            found: tupledict = adds(model, name)
            return found
        raise KeyError("Missing constraint index")
    names = loop_names(generator.gi_code)
    frame: Any = generator.gi_frame
    state = model._state
    keys: list[Any] = []
    made: list[Any] = []
    rows, first, plain = state.rows, len(state.rows), True
    single = names[0] if len(names) == 1 else None
    for tc in generator:
        local = frame.f_locals
        keys.append(local[single] if single else tuple([local[n] for n in names]))
        if type(tc) is TempConstr:
            left, right = tc._lhs, tc._rhs
            kind = type(right)
            if type(left) is LinExpr and (kind is float or kind is int):
                made.append(add_row(state, left._c, left._v, tc._sense, right - left._k, ""))
                continue
        before = len(rows)
        added = addConstr(model, tc)
        made.append(added)
        plain = plain and len(rows) == before + 1 and type(added) is Constr
    if name:
        _name_group(state, first, keys, made, str(name), plain)
    return tupledict(zip(keys, made, strict=True))


def _name_group(
    state: Any, first: int, keys: list[Any], made: list[Any], name: str, plain: bool
) -> None:
    if plain:
        state.row_names.drop_from(first)
        state.row_names.add_group(name, keys)
        return
    for key, added in zip(keys, made, strict=True):
        label = f"{name}[{key_text(key)}]"
        if isinstance(added, Constr):
            state.row_names.rename(added._row, label)
        else:
            added._part.name = label


def addSOS(model: Any, type: int, vars: Any, wts: Any = None) -> SOS:
    """Add a special ordered set; without weights the order given counts."""
    members = list(vars.values()) if isinstance(vars, Mapping) else list(vars)
    weights = list(range(1, len(members) + 1)) if wts is None else [float(w) for w in wts]
    if len(weights) != len(members):
        raise GurobiError(0, "Length of weight list differs from length of variable list")
    model._state.check(members)
    part = SosPart(kind=int(type), variables=members, weights=[float(w) for w in weights])
    model._state.add_part(part)
    return SOS(model._state, part)


def setObjective(model: Any, expr: Any, sense: Any = None) -> None:
    """Set the objective, and its sense where one is given."""
    state, found = model._state, _objective(expr)
    if sense is not None:
        maximize = maximizes(sense)
    products = None
    if isinstance(found, CoreQuad):
        products = (found._q[:], found._a[:], found._b[:])
        state.check([*found._a, *found._b])
        found = found._linear
    state.check(found._v)
    coeffs, variables, constant = found._c[:], found._v[:], float(found._k)
    columns = len(state.columns)

    def put() -> None:
        state.set_costs(coeffs, variables, columns)
        state.goal.constant, state.goal.products = constant, products
        state.extra.pop("PWLObj", None)
        if sense is not None:
            state.maximize = maximize

    state.later(put)


def maximizes(sense: Any) -> bool:
    """Whether a sense means maximizing; GurobiError for other numbers than 1 and -1."""
    number = int(sense)
    if number not in (1, 0, -1):
        raise failure("INVALID_ARGUMENT", "Invalid objective sense")
    return number < 0


def _objective(expr: Any) -> Any:
    if isinstance(expr, NLExpr | GenExpr):
        raise GurobiError(-1, "Objective must be linear or quadratic")
    found = None if isinstance(expr, TempConstr) else as_expression(expr)
    if found is None:
        raise GurobiError(-1, "Unable to convert argument to an expression")
    return found


def setObjectiveN(
    model: Any,
    expr: Any,
    index: int,
    priority: int = 0,
    weight: float = 1.0,
    abstol: float = 1e-6,
    reltol: float = 0.0,
    name: str = "",
) -> None:
    """Set one of several linear objectives."""
    found = _objective(expr)
    if isinstance(found, CoreQuad):
        raise GurobiError(-1, "Objective must be linear for multi-objective model")
    state = model._state
    state.check(found._v)
    coeffs, variables = found._c[:], found._v[:]

    def put() -> None:
        goal = state.goal if index == 0 else goal_at(state, index)
        goal.name, goal.priority, goal.weight = name, int(priority), float(weight)
        goal.abs_tol, goal.rel_tol, goal.constant = float(abstol), float(reltol), found._k
        state.several = max(state.several, index + 1)
        if index:
            goal.coeffs, goal.variables = coeffs, variables
            return
        state.set_costs(coeffs, variables, len(state.cost))

    state.later(put)


def goal_at(state: Any, index: int) -> Goal:
    """Objective number `index`, made where it does not exist, with those before it."""
    for number in range(1, index + 1):
        state.goals.setdefault(number, Goal())
    found: Goal = state.goals[index]
    return found


def getObjective(model: Any, index: int | None = None) -> LinExpr | QuadExpr:
    """The objective as an expression."""
    state = model._state
    number = index or 0
    if number:
        if number not in state.goals:
            raise AttributeError(
                "Value of parameter ObjNumber is larger than the number of objectives"
            )
        goal = state.goals[number]
        further: LinExpr = core.make(
            LinExpr, list(goal.coeffs), list(goal.variables), goal.constant
        )
        return further
    found: LinExpr | QuadExpr = objective_of(state, state.cols_live, LinExpr, QuadExpr)
    return found


def objective_values(state: Any) -> list[float]:
    """The value of each of several objectives at the solution."""
    x = state.x or []
    first = sum(c * v for c, v in zip(state.cost, x, strict=False)) + state.goal.constant
    values = [float(first)]
    for _, goal in sorted(state.goals.items()):
        pairs = zip(goal.coeffs, goal.variables, strict=True)
        values.append(float(sum(c * x[var._col] for c, var in pairs) + goal.constant))
    return values


def setPWLObj(model: Any, var: Any, x: Any, y: Any) -> None:
    """Give a variable a piecewise-linear term in the objective."""
    xs, ys = [float(each) for each in x], [float(each) for each in y]
    if len(xs) != len(ys):
        raise GurobiError(-1, "Arguments x and y must have the same length")
    numbers = tuple(each for pair in zip(xs, ys, strict=True) for each in pair)
    state = model._state
    state.check([var])

    def put() -> None:
        if var._col >= 0:
            state.cost[var._col] = 0.0
            state.extra.setdefault("PWLObj", {})[var] = numbers

    state.later(put)


def getPWLObj(model: Any, var: Any) -> list[tuple[float, float]]:
    """The points of a variable's piecewise-linear objective term."""
    numbers = model._state.extra.get("PWLObj", {}).get(var, ())
    return list(zip(numbers[::2], numbers[1::2], strict=True))


_INF = float("inf")


@dataclass
class _Costs:
    """The artificial variables with what a unit of each costs."""

    coeffs: list[float]
    variables: list[Any]


def feasRelaxS(model: Any, relaxobjtype: int, minrelax: bool, vrelax: bool, crelax: bool) -> float:
    """Let all bounds (`vrelax`) and constraints (`crelax`) be violated at a cost of one."""
    model.update()
    variables = model.getVars() if vrelax else None
    constrs = model.getConstrs() if crelax else None
    ones_v, ones_c = [1.0] * len(variables or []), [1.0] * len(constrs or [])
    return feasRelax(model, relaxobjtype, minrelax, variables, ones_v, ones_v, constrs, ones_c)


def feasRelax(
    model: Any,
    relaxobjtype: int,
    minrelax: bool,
    vars: Any,
    lbpen: Any,
    ubpen: Any,
    constrs: Any,
    rhspen: Any,
) -> float:
    """Change the model so that what is listed may be violated at its penalty.

    The cost is the sum of violations (type 0), of their squares (1) or their number (2). With
    `minrelax` the least cost is found first, returned and kept as a bound, and the old objective
    stays; otherwise the cost is the new objective and 0 is returned.
    """
    if relaxobjtype not in (0, 1, 2):
        raise GurobiError(0, "Invalid argument of relaxobjtype")
    lower, upper = _penalties("variable", vars, lbpen), _penalties("variable", vars, ubpen)
    sides = _penalties("constraint", constrs, rhspen)
    if any(penalty < 0 for penalty in (*lower, *upper, *sides)):
        raise unsupported(
            "feasRelax with a negative penalty", "give 0 or more, infinity for what must hold"
        )
    model.update()
    state = model._state
    before = model.getObjective()
    maximize = state.maximize
    costs = _Costs([], [])
    for var, low, up in zip(vars or [], lower, upper, strict=True):
        _loosen_bounds(model, costs, var, low, up)
    for constr, penalty in zip(constrs or [], sides, strict=True):
        _loosen_row(model, costs, constr, penalty)
    cost = _cost(model, costs, relaxobjtype)
    setObjective(model, cost, GRB.MINIMIZE)
    model.update()
    if not minrelax:
        return 0.0
    model.optimize()
    if state.x is None:
        raise unsupported(
            "feasRelax of a model that stays infeasible", "let more rows or bounds be relaxed"
        )
    least = float(cost.getValue())
    # The solver's own tolerance: a bound at the least cost itself may be found infeasible.
    most = least + 1e-6 * max(1.0, abs(least))
    if isinstance(cost, QuadExpr):
        model.addQConstr(cost <= most, name="feasobj")
    else:
        add_row(state, cost._c, cost._v, "<", most, "feasobj")
    setObjective(model, before, GRB.MAXIMIZE if maximize else GRB.MINIMIZE)
    model.update()
    return least


def _penalties(what: str, things: Any, given: Any) -> list[float]:
    """A penalty for each thing; without any, none of them may be violated."""
    count = 0 if things is None else len(things)
    if given is None:
        return [_INF] * count
    if len(given) != count:
        raise GurobiError(0, f"Length of penalty list differs from length of {what} list")
    return [float(penalty) for penalty in given]


def _loosen_row(model: Any, costs: _Costs, constr: Any, penalty: float) -> None:
    if penalty >= LARGE:
        return
    state, row = model._state, constr._row
    name, sense = state.row_names[row], chr(state.senses[row])
    for letter, sign, senses in (("P", 1.0, ">="), ("N", -1.0, "<=")):
        if sense not in senses:
            continue
        art = addVar(model, name=f"Art{letter}_{name}")
        state.set_coefficient(constr, art, sign)
        costs.coeffs.append(penalty)
        costs.variables.append(art)


def _loosen_bounds(model: Any, costs: _Costs, var: Any, low: float, up: float) -> None:
    state, col = model._state, var._col
    name = state.col_names[col]
    for which, penalty, sign, sense in (("lower", low, 1.0, ">"), ("upper", up, -1.0, "<")):
        bound = getattr(state, which)[col]
        if penalty >= LARGE or abs(bound) >= LARGE:
            continue
        letter = "L" if which == "lower" else "U"
        art = addVar(model, name=f"Art{letter}_{name}")
        add_row(state, [1.0, sign], [var, art], sense, bound, f"CArt{letter}_{name}")
        getattr(state, which)[col] = -_INF if which == "lower" else _INF
        costs.coeffs.append(penalty)
        costs.variables.append(art)


def _cost(model: Any, costs: _Costs, kind: int) -> Any:
    if kind == 0:
        return core.make(LinExpr, costs.coeffs, costs.variables, 0.0)
    if kind == 1:
        empty = core.make(LinExpr, [], [], 0.0)
        return QuadExpr._of(empty, costs.coeffs, costs.variables, list(costs.variables))
    state = model._state
    big = state.big = float(state.params["FeasRelaxBigM"])
    switches = []
    for art in costs.variables:
        name = state.col_names[art._col].replace("_", "B_", 1)
        switch = addVar(model, vtype="B", name=name)
        add_row(state, [1.0, -big], [art, switch], "<", 0.0, f"C{name}")
        switches.append(switch)
    return core.make(LinExpr, costs.coeffs, switches, 0.0)
