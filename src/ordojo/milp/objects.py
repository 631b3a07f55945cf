"""Models built with other libraries, as a `Model`: each library writes a file, which is read."""

import dataclasses
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.builder import ModelBuilder, Sense
from ordojo.milp.files import read_model
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.writers import mps_lines


def _gurobipy(model: Any, path: Path) -> None:
    model.update()
    model.write(str(path))


def _highspy(model: Any, path: Path) -> None:
    model.writeModel(str(path))


def _pyomo(model: Any, path: Path) -> None:
    model.write(str(path), io_options={"symbolic_solver_labels": True})


def _pulp(model: Any, path: Path) -> None:
    model.writeLP(str(path))


def _linopy(model: Any, path: Path) -> None:
    model.to_file(path, explicit_coordinate_names=True)


def _mip(model: Any, path: Path) -> None:
    model.write(str(path))


def _pyscipopt(model: Any, path: Path) -> None:
    model.writeProblem(str(path), verbose=False)


def _ortools(model: Any, path: Path) -> None:
    path.write_text(model.ExportModelAsMpsFormat(False, False), "utf-8")


def model_of_object(model: Any) -> Model:
    """The linear model that an object of another library holds, under its own names.

    gurobipy, highspy, Pyomo, PuLP, linopy, python-mip, PySCIPOpt, OR-Tools' linear solver and cvxpy
    are known; a subclass counts as its class. python-mip writes some maximized models as minimized
    ones. cvxpy has no names for rows: they are c0, c1, ... in the order of its standard form.
    DataError where the object is of no known class, or where its model is not linear.
    """
    suffix, text = written(model)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"model{suffix}"
        path.write_bytes(text)
        return tidy(read_model(path))


def written(model: Any) -> tuple[str, bytes]:
    """What the object's library writes of it, and the format as a file's ending.

    No solver is loaded for it. DataError where the object is of no known class, or not written.
    """
    for kind in type(model).__mro__:
        library = kind.__module__.partition(".")[0]
        name, suffix, write = WRITERS.get(library, ("", "", None))
        if write is None or kind.__name__ != name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"model{suffix}"
            try:
                write(model, path)
                return suffix, path.read_bytes()
            except DataError:
                raise
            except Exception as error:  # whatever the library says of its own object
                raise DataError(f"{library} cannot write the model: {error}") from None
    raise DataError(
        f"a {type(model).__module__}.{type(model).__qualname__} is no model; give a path, "
        f"an ordojo Model, or a model of {', '.join(WRITERS)}"
    )


_DRESSED = re.compile(r"c_[leu]_(.+)_|(.+)#\d+")
"""Names as Pyomo (c_l_need_) and linopy (need(a)#0) dress them in files."""


def tidy(model: Model) -> Model:
    """The model with the names that its maker gave, where they stay apart."""
    return dataclasses.replace(
        model, row_names=_bare(model.row_names), col_names=_bare(model.col_names)
    )


def _bare(names: tuple[str, ...]) -> tuple[str, ...]:
    found = [_DRESSED.fullmatch(name) for name in names]
    bare = [m[1] or m[2] if m else name for m, name in zip(found, names, strict=True)]
    return tuple(bare) if len(set(bare)) == len(bare) else names


def _cvxpy(problem: Any, path: Path) -> None:
    """By its standard form for SciPy: minimize c'x + d where A x == b, G x <= h, and bounds."""
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
    names = [f"aux{j}" for j in range(cost.size)]
    for variable in problem.variables():
        first = form.var_id_to_col[variable.id]
        for k in range(variable.size):
            names[first + k] = variable.name() + (f"[{k}]" if variable.size > 1 else "")
    builder = ModelBuilder("cvxpy", maximize, sign * float(offset))
    ends = [(data["lower_bounds"], -INF), (data["upper_bounds"], INF)]
    low, up = (np.full(cost.size, none) if end is None else end for end, none in ends)
    binary, whole = set(data["bool_vars_idx"]), set(data["int_vars_idx"])
    for j, name in enumerate(names):
        kind = (
            VarType.BINARY if j in binary else VarType.INTEGER if j in whole else VarType.CONTINUOUS
        )
        bounds = (0.0, 1.0) if j in binary else (float(low[j]), float(up[j]))
        builder.col(name, sign * float(cost[j]), *bounds, kind)
    count = 0
    senses: tuple[tuple[str, str, Sense], ...] = (("A", "b", "=="), ("G", "h", "<="))
    for matrix, side, sense in senses:
        if data[matrix] is None:
            continue
        rows = data[matrix].tocsr()
        for i in range(rows.shape[0]):
            part = slice(rows.indptr[i], rows.indptr[i + 1])
            terms = {names[j]: v for j, v in zip(rows.indices[part], rows.data[part], strict=True)}
            builder.row(f"c{count}", terms, sense, float(data[side][i]))
            count += 1
    path.write_text("\n".join(mps_lines(builder.build())) + "\n", "utf-8")


WRITERS: dict[str, tuple[str, str, Callable[[Any, Path], None]]] = {
    "gurobipy": ("Model", ".mps", _gurobipy),
    "highspy": ("Highs", ".mps", _highspy),
    "pyomo": ("ConcreteModel", ".lp", _pyomo),
    "pulp": ("LpProblem", ".lp", _pulp),
    "linopy": ("Model", ".lp", _linopy),
    "mip": ("Model", ".lp", _mip),
    "pyscipopt": ("Model", ".mps", _pyscipopt),
    "ortools": ("Solver", ".mps", _ortools),
    "cvxpy": ("Problem", ".mps", _cvxpy),
}
"""Library: the class, the format, and how it writes a file that keeps the names."""
