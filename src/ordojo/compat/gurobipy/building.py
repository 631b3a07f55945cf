"""Model methods that add constraints."""

import gc
from collections.abc import Iterable, Mapping, Sequence
from types import GeneratorType
from typing import Any

import numpy as np

from ordojo.compat.core import expr as core
from ordojo.compat.core.parts import SosPart, add_quadratic
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.compat.core.store import key_text, owner
from ordojo.compat.core.tuples import loop_names
from ordojo.compat.gurobipy import constraints
from ordojo.compat.gurobipy.attributes import kind_of, single
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    QuadExpr,
    TempConstr,
    as_expression,
)
from ordojo.compat.gurobipy.handles import (
    SOS,
    Constr,
    QConstr,
    Var,
    new_var,
    set_row,
    set_row_store,
)
from ordojo.compat.gurobipy.tuples import tupledict

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
        for constr, coefficient in zip(column._constrs, column._coeffs, strict=True):
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
        state.col_names.add_many(given)
    return found


def index_keys(indices: Sequence[Any]) -> list[Any]:
    """The keys that the index arguments of `addVars` mean."""
    lists = [range(part) if type(part) is int else list(part) for part in indices]
    if len(lists) == 1:
        return list(lists[0])
    keys: list[tuple[Any, ...]] = [_tuple(part) for part in lists[0]]
    for part in lists[1:]:
        tails = [_tuple(item) for item in part]
        keys = [(*key, *tail) for key in keys for tail in tails]
    return list(keys)


def _tuple(part: Any) -> tuple[Any, ...]:
    return part if isinstance(part, tuple) else (part,)


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


def addConstr(model: Any, tc: Any = None, name: str = "", **words: Any) -> Any:
    """Add a linear, quadratic, indicator or general constraint; what is added comes back."""
    if type(tc) is TempConstr:
        left, right = tc._lhs, tc._rhs
        kind = type(right)
        if type(left) is LinExpr and (kind is float or kind is int) and type(name) is str:
            return add_row(model._state, left._c, left._v, tc._sense, right - left._k, name)
        return _relation(model, tc, name)
    if words:
        tc = words.pop("constr", words.pop("lhs", tc))
    adds = getattr(tc, "_add_to", None)
    if adds is not None:
        return adds(model, name)
    if isinstance(tc, bool):
        # A comparison of two numbers: a row without terms that holds or does not.
        return add_row(model._state, [], [], "<", 0.0 if tc else -1.0, name)
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
        return constraints.add_indicator(model, left, right, name)
    if isinstance(right, GenExpr) or isinstance(left, GenExpr):
        return constraints.add_equal(model, left, sense, right, name)
    if isinstance(left, NLExpr) or isinstance(right, NLExpr):
        return constraints.add_formula(model, left, sense, right, name)
    if isinstance(right, list | tuple) and sense == "=":
        if isinstance(right, tuple):
            raise failure("INVALID_ARGUMENT", "Range constraint requires a list [lb,ub]")
        if len(right) != 2:
            raise failure("INVALID_ARGUMENT", "Range constraint requires two values")
        return addRange(model, left, right[0], right[1], name)
    lhs, rhs = as_expression(left), as_expression(right)
    if lhs is None or rhs is None:
        kind = type(right if lhs is not None else left).__name__
        raise TypeError(f"unsupported operand type(s) for -: 'gurobipy._core.LinExpr' and '{kind}'")
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
    part = add_quadratic(model._state, QuadExpr(left) - right, sense, name)
    return QConstr(model._state, part)


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
