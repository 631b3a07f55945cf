"""Model methods that look things up and change them."""
# ruff: noqa: N802, N816

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ordojo.compat.coptpy.arrays import (
    ConstrArray,
    GenConstrArray,
    NlConstrArray,
    QConstrArray,
    SOSArray,
    VarArray,
)
from ordojo.compat.coptpy.column import Column
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import Constraint, Handle, Var
from ordojo.compat.coptpy.others import GenConstr, NlConstraint, PartHandle, QConstraint
from ordojo.compat.coptpy.tuples import tupledict
from ordojo.compat.core import change
from ordojo.compat.core import expr as core


def over(things: Any, read: Callable[[Any], Any]) -> Any:
    """What `read` gives for one thing, a list's members, a dictionary's values, an array's."""
    if isinstance(things, Handle):
        return read(things)
    if hasattr(things, "_apply"):
        return things._apply(read)
    if isinstance(things, Mapping):
        return tupledict((key, read(thing)) for key, thing in things.items())
    return [read(core.plain(thing)) for thing in things]


def paired(things: Any, values: Any) -> Iterable[tuple[Any, Any]]:
    """Each thing with its value: one for all, a list's, a dictionary's."""
    if isinstance(things, Handle):
        return [(things, values)]
    if isinstance(things, Mapping):
        if isinstance(values, Mapping):
            return [(thing, values[key]) for key, thing in things.items()]
        members = list(things.values())
    else:
        single = core.plain(things)
        if isinstance(single, Handle):
            return [(single, core.number(values) if core.number(values) is not None else values)]
        members = things.tolist() if hasattr(things, "tolist") else list(things)
        members = _flat(members)
    if isinstance(values, str) or core.number(values) is not None:
        return [(member, values) for member in members]
    if isinstance(values, Mapping):
        values = values.values()
    chosen = _flat(values.tolist() if hasattr(values, "tolist") else list(values))
    if len(chosen) < len(members):
        raise IndexError("list index out of range")
    return list(zip(members, chosen, strict=False))


def _flat(items: list[Any]) -> list[Any]:
    while items and isinstance(items[0], list):
        items = [item for part in items for item in part]
    return [core.plain(item) for item in items]


def getVars(model: Any) -> Any:
    """All variables."""
    return VarArray(model._state.columns)


def getConstrs(model: Any) -> Any:
    """All linear constraints."""
    return ConstrArray(model._state.rows)


def getVar(model: Any, idx: int) -> Any:
    """A variable by its number."""
    return _at(model._state.columns, idx, "Invalid col index")


def getConstr(model: Any, idx: int) -> Any:
    """A linear constraint by its number."""
    return _at(model._state.rows, idx, "Invalid row index")


def _at(items: Any, idx: Any, message: str) -> Any:
    if idx is None or not 0 <= idx < len(items):
        raise invalid(message)
    return items[idx]


def getVarByName(model: Any, name: str) -> Any:
    """The first variable of that name."""
    return _at(model._state.columns, model._state.col_names.find(name), "Invalid col index")


def getConstrByName(model: Any, name: str) -> Any:
    """The first linear constraint of that name."""
    return _at(model._state.rows, model._state.row_names.find(name), "Invalid row index")


def _family(model: Any, family: str, kind: type[PartHandle]) -> list[Any]:
    model._state.update()
    handles = [part.handle for part in model._state.family(family)]
    return [handle for handle in handles if isinstance(handle, kind)]


def _named(items: list[Any], name: str, message: str) -> Any:
    for item in items:
        if item._part.name == name:
            return item
    raise invalid(message)


def getQConstrs(model: Any) -> Any:
    """All quadratic constraints."""
    return QConstrArray(_family(model, "quadratic", QConstraint))


def getQConstr(model: Any, idx: int) -> Any:
    """A quadratic constraint by its number."""
    return _at(_family(model, "quadratic", QConstraint), idx, "Invalid quad row index")


def getQConstrByName(model: Any, name: str) -> QConstraint:
    """The first quadratic constraint of that name."""
    items = _family(model, "quadratic", QConstraint)
    found: QConstraint = _named(items, name, "Invalid quad row index")
    return found


def getGenConstrs(model: Any) -> Any:
    """All indicators and constraints of functions."""
    return GenConstrArray(_family(model, "general", GenConstr))


def getGenConstr(model: Any, idx: int) -> Any:
    """An indicator or constraint of a function by its number."""
    return _at(_family(model, "general", GenConstr), idx, "No such general constraint")


def getGenConstrByName(model: Any, name: str) -> GenConstr:
    """The first indicator or constraint of a function of that name."""
    items = _family(model, "general", GenConstr)
    found: GenConstr = _named(items, name, "No such general constraint")
    return found


def getNlConstrs(model: Any) -> Any:
    """All nonlinear constraints."""
    return NlConstrArray(_family(model, "general", NlConstraint))


def getSOSs(model: Any) -> Any:
    """All special ordered sets."""
    return SOSArray(_family(model, "sos", PartHandle))


def getRow(model: Any, constr: Constraint) -> LinExpr:
    """The left side of a linear constraint."""
    state = model._state
    state.update()
    index, value = state.row(constr._row)
    found: LinExpr = core.make(LinExpr, value, [state.columns[j] for j in index], 0.0)
    return found


def getQuadRow(model: Any, qconstr: QConstraint) -> QuadExpr:
    """The left side of a quadratic constraint."""
    part: Any = qconstr._part
    return QuadExpr._of(part.linear.copy(), *(list(items) for items in part.products))


def getCol(model: Any, var: Var) -> Column:
    """The constraints that mention a variable, with its coefficients."""
    state = model._state
    state.update()
    entries = np.flatnonzero(np.array(state.index) == var._col)
    rows = np.searchsorted(np.array(state.starts), entries, "right") - 1
    return Column([state.rows[i] for i in rows.tolist()], [state.value[k] for k in entries])


def getCoeff(model: Any, constr: Constraint, var: Var) -> float:
    """The coefficient of a variable in a linear constraint."""
    model._state.update()
    index, value = model._state.row(constr._row)
    return float(value[index.index(var._col)]) if var._col in index else 0.0


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
    change.replace_rows(
        state, {i: {j: c for j, c in terms.items() if c != 0.0} for i, terms in rebuilt.items()}
    )


def remove(model: Any, args: Any) -> None:
    """Take variables, constraints or other parts out of the model."""
    state = model._state
    state.update()
    for item in _items(args):
        if isinstance(item, PartHandle):
            item._part.removed = True
            state.later(lambda: None)
        elif isinstance(item, Var | Constraint):
            state.remove(item)
            if isinstance(item, Constraint):
                state.lows.pop(item, None)
        else:
            raise unsupported(f"removing a {type(item).__name__}")
    state.proposed.pairs = [pair for pair in state.proposed.pairs if pair[0]._col >= 0]
    state.update()


def _items(args: Any) -> list[Any]:
    single = core.plain(args)
    if isinstance(single, Handle):
        return [single]
    if isinstance(single, Mapping):
        return list(single.values())
    return _flat(single.tolist() if hasattr(single, "tolist") else list(single))


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
        for number, item in enumerate(_items(args)):
            item.setName(f"{names}({number})")
        return
    for item, name in paired(args, names):
        item.setName(name)


def _side(name: str) -> Any:
    def get(model: Any, args: Any) -> Any:
        return over(args, lambda item: item.getInfo(name))

    get.__doc__ = f"Whether the {name[3:]} side of each is in the infeasible subsystem."
    return get


getVarLowerIIS = getConstrLowerIIS = _side("iislb")
getVarUpperIIS = getConstrUpperIIS = _side("iisub")


def getIndicatorIIS(model: Any, args: Any) -> Any:
    """Not supported."""
    return over(args, lambda item: item.getInfo("iis"))


getSOSIIS = getIndicatorIIS


def getA(model: Any) -> Any:
    """The linear constraints' coefficients as a scipy matrix."""
    from scipy.sparse import csr_matrix

    state = model._state
    state.update()
    parts = (state.view("value"), state.view("index", int), state.view("starts", int))
    return csr_matrix(parts, shape=(len(state.rows), len(state.columns))).tocsc()


def _solved(model: Any) -> Any:
    state = model._state
    if state.values() is None:
        raise invalid("Fail to get LP solution")
    return state


def getValues(model: Any) -> list[float]:
    """Values of all variables."""
    return list(_solved(model).x[: len(model._state.columns)])


def _duals(model: Any, which: str, count: int) -> list[float]:
    found = getattr(_solved(model).result, which)
    if found is None:
        raise invalid("Fail to get LP solution")
    return [float(value) for value in found[:count]]


def getRedcosts(model: Any) -> list[float]:
    """Reduced costs of all variables."""
    return _duals(model, "col_dual", len(model._state.columns))


def getDuals(model: Any) -> list[float]:
    """Dual values of all linear constraints."""
    return _duals(model, "row_dual", len(model._state.rows))


def getSlacks(model: Any) -> list[float]:
    """Values of all linear constraints' left sides; as with COPT, of LPs only."""
    if _solved(model).outcome.is_mip:
        raise invalid("Fail to get LP solution")
    return [constr.getInfo("slack") for constr in model._state.rows]


def getLpSolution(model: Any) -> tuple[list[float], ...]:
    """Values, slacks, duals and reduced costs."""
    return getValues(model), getSlacks(model), getDuals(model), getRedcosts(model)


def _pool(model: Any, isol: int) -> tuple[float, Any]:
    state = model._state
    result = state.result
    if result is None or result.x is None or not state.outcome.is_mip:
        raise invalid("Fail to get objective value from solution pool")
    pool = result.pool or ((result.objective, result.x),)
    if not 0 <= isol < len(pool):
        raise invalid("Fail to get objective value from solution pool")
    found: tuple[float, Any] = pool[isol]
    return found


def getPoolObjVal(model: Any, isol: int) -> float:
    """The objective of a solution in the pool."""
    return float(_pool(model, isol)[0])


def getPoolSolution(model: Any, isol: int, vars: Any) -> Any:
    """Values in a solution of the pool."""
    x = _pool(model, isol)[1]
    return over(vars, lambda var: float(x[var._col]))
