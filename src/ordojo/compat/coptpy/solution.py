"""Model methods that give what a solve has found."""

from typing import Any

from ordojo.compat.coptpy.each import over
from ordojo.compat.coptpy.errors import invalid


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
