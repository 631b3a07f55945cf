"""Problems of cvxpy."""

from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import INF, VarType
from ordojo.milp.objects.sketch import Sketch, sides
from ordojo.milp.problem import Problem


def read(problem: Any) -> Problem:
    """By its standard form for SciPy: minimize c'x + d where A x == b, G x <= h, and bounds.

    cvxpy has no names for rows: they are c0, c1, ... in the order of that form.
    """
    import cvxpy

    if not (problem.is_dcp() and problem.objective.expr.is_affine()):
        raise DataError("the cvxpy problem is not linear; only linear and mixed-integer models are")
    data = problem.get_problem_data(cvxpy.SCIPY)[0]
    if data["dims"].soc or data["dims"].exp or data["dims"].psd:
        raise DataError("the cvxpy problem has constraints that are not linear; leave them out")
    form = data["param_prob"]
    cost, offset = (np.asarray(part, dtype=float) for part in form.apply_parameters()[:2])
    maximize = isinstance(problem.objective, cvxpy.Maximize)
    sign = -1.0 if maximize else 1.0
    sketch = Sketch("cvxpy", maximize, sign * float(offset))
    _columns(sketch, data, _names(problem, form, cost.size))
    sketch.cost((j, sign * value) for j, value in enumerate(cost.tolist()) if value)
    for matrix, side, sense in (("A", "b", "="), ("G", "h", "<")):
        if data[matrix] is not None:
            _rows(sketch, data[matrix].tocsr(), data[side], sense)
    return sketch.problem()


def _names(problem: Any, form: Any, count: int) -> list[str]:
    names = [f"aux{j}" for j in range(count)]
    for variable in problem.variables():
        first = form.var_id_to_col[variable.id]
        for k in range(variable.size):
            names[first + k] = variable.name() + (f"[{k}]" if variable.size > 1 else "")
    return names


def _columns(sketch: Sketch, data: Any, names: list[str]) -> None:
    sides = [(data["lower_bounds"], -INF), (data["upper_bounds"], INF)]
    low, up = (np.full(len(names), none) if end is None else end for end, none in sides)
    binary, whole = set(data["bool_vars_idx"]), set(data["int_vars_idx"])
    for j, name in enumerate(names):
        if j in binary:
            sketch.col(name, 0.0, 1.0, VarType.BINARY)
        else:
            sketch.col(name, low[j], up[j], VarType.INTEGER if j in whole else VarType.CONTINUOUS)


def _rows(sketch: Sketch, rows: Any, right: Any, sense: str) -> None:
    for i in range(rows.shape[0]):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        terms = zip(rows.indices[part].tolist(), rows.data[part].tolist(), strict=True)
        sketch.row("", [(j, v) for j, v in terms if v], *sides(sense, float(right[i])))
