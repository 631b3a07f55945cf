"""Model methods that read and change what is there already."""

from collections.abc import Mapping
from typing import Any

from ordojo.compat.coptpy.each import members, over, paired
from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.handles import Constraint, Var
from ordojo.compat.coptpy.others import PartHandle
from ordojo.compat.core import change
from ordojo.compat.core import expr as core


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
    for item in members(args):
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
