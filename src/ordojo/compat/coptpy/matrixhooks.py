"""Model methods of the matrix interface; its module is loaded when one is used."""
# ruff: noqa: N802, N803

from typing import Any

from ordojo.compat.coptpy.constants import COPT


def addMVar(
    model: Any,
    shape: Any,
    lb: Any = 0.0,
    ub: Any = COPT.INFINITY,
    obj: Any = 0.0,
    vtype: Any = COPT.CONTINUOUS,
    nameprefix: str = "",
) -> Any:
    """Add an array of variables."""
    from ordojo.compat.coptpy import matrix

    return matrix.add_mvar(model, shape, lb, ub, obj, vtype, nameprefix)


def addMConstr(model: Any, A: Any, x: Any, sense: Any, b: Any, nameprefix: str = "") -> Any:
    """Add A x (sense) b; x None means all variables."""
    from ordojo.compat.coptpy import matrix

    return matrix.add_mconstr(model, A, x, sense, b, nameprefix)


def addMQConstr(
    model: Any,
    Q: Any,
    c: Any,
    sense: Any,
    rhs: Any,
    xQ_L: Any = None,
    xQ_R: Any = None,
    xc: Any = None,
    name: str = "",
) -> Any:
    """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
    from ordojo.compat.coptpy import matrix

    return matrix.add_mqconstr(model, Q, c, sense, rhs, xQ_L, xQ_R, xc, name)


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
    from ordojo.compat.coptpy import matrix

    matrix.set_mobjective(model, Q, c, constant, xQ_L, xQ_R, xc, sense)


def loadMatrix(
    model: Any, c: Any, A: Any, lhs: Any, rhs: Any, lb: Any, ub: Any, vtype: Any = None
) -> None:
    """Make the model: minimize c x with lhs <= A x <= rhs, lb <= x <= ub."""
    from ordojo.compat.coptpy import matrix

    matrix.load_matrix(model, c, A, lhs, rhs, lb, ub, vtype)
