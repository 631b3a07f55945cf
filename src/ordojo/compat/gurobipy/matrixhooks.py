"""Model methods of the matrix interface; its module is loaded when one is used."""
# ruff: noqa: N802, N803

from importlib import import_module
from typing import Any


def _matrix() -> Any:
    return import_module("ordojo.compat.gurobipy.matrix")


def addMVar(
    model: Any,
    shape: Any,
    lb: Any = 0.0,
    ub: Any = 1e100,
    obj: Any = 0.0,
    vtype: Any = "C",
    name: Any = "",
) -> Any:
    """Add an array of variables."""
    return _matrix().add_mvar(model, shape, lb, ub, obj, vtype, name)


def addMConstr(model: Any, A: Any, x: Any, sense: Any, b: Any, name: Any = "") -> Any:
    """Add A x (sense) b; x None means all variables."""
    return _matrix().add_mconstr(model, A, x, sense, b, name)


def addMQConstr(
    model: Any,
    Q: Any,
    c: Any,
    sense: Any,
    rhs: Any,
    xQ_L: Any = None,
    xQ_R: Any = None,
    xc: Any = None,
    name: Any = "",
) -> Any:
    """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
    return _matrix().add_mqconstr(model, Q, c, sense, rhs, xQ_L, xQ_R, xc, name)


def setMObjective(
    model: Any,
    Q: Any,
    c: Any,
    constant: Any,
    xQ_L: Any = None,
    xQ_R: Any = None,
    xc: Any = None,
    sense: Any = None,
) -> None:
    """Set the objective xQ_L' Q xQ_R + c' xc + constant."""
    _matrix().set_mobjective(model, Q, c, constant, xQ_L, xQ_R, xc, sense)
