"""Models of modelling libraries: PuLP, python-mip, Pyomo, linopy and cvxpy."""

from itertools import count
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import INF, VarType
from ordojo.milp.objects.sketch import TYPES, Sketch, Terms, entries, sides
from ordojo.milp.problem import Problem

_PULP_SIDES: dict[int, tuple[bool, bool]] = {-1: (False, True), 0: (True, True), 1: (True, False)}
"""PuLP's signs of <=, == and >=: whether a row has a lower and an upper side."""


def read_pulp(problem: Any) -> Problem:
    """What an LpProblem holds; its variables in PuLP's order."""
    goal = problem.objective
    sketch = Sketch(problem.name, problem.sense < 0, goal.constant if goal is not None else 0.0)
    sets = [*((1, *item) for item in problem.sos1.items())]
    sets += [*((2, *item) for item in problem.sos2.items())]
    places: dict[int, int] = {}
    for var in [*problem.variables(), *(var for _, _, members in sets for var in members)]:
        if id(var) not in places:
            kind = VarType.INTEGER if var.cat == "Integer" else VarType.CONTINUOUS
            places[id(var)] = sketch.col(var.name, var.lowBound, var.upBound, kind)
    sketch.cost(_pulp_terms(goal or {}, places))
    rows = problem.constraints  # a list by call since 3.3, a dict before
    unnamed = (f"_C{k}" for k in count(1))  # as PuLP writes them
    for row in rows() if callable(rows) else rows.values():
        low, up = _PULP_SIDES[row.sense]
        sketch.row(
            row.name or next(unnamed),
            _pulp_terms(row, places),
            *(-row.constant if s else None for s in (low, up)),
        )
    for kind, name, members in sets:
        sketch.sos(kind, _pulp_terms(members, places), str(name))
    return sketch.problem()


def _pulp_terms(total: Any, places: dict[int, int]) -> list[tuple[int, float]]:
    return [(places[id(var)], value) for var, value in total.items()]


def read_mip(model: Any) -> Problem:
    """What a python-mip Model holds, but ordered sets: python-mip does not tell them."""
    goal = model.objective
    sketch = Sketch(model.name, model.sense == "MAX", goal.const)
    for var in model.vars:
        sketch.col(var.name, var.lb, var.ub, TYPES[var.var_type])
    sketch.cost(_mip_terms(goal))
    for row in model.constrs:
        sketch.row(row.name, _mip_terms(row.expr), *sides(row.expr.sense, row.rhs))
    return sketch.problem()


def _mip_terms(total: Any) -> Terms:
    return [(var.idx, value) for var, value in total.expr.items()]


_PYOMO_SILENT = {
    *("Block", "Constraint", "Objective", "SOSConstraint", "Var", "BooleanVar", "Expression"),
    *("Param", "Set", "SetOf", "RangeSet", "Suffix", "BuildAction", "BuildCheck", "Port"),
}
"""Kinds of components that are read_pyomo, or say nothing of their own."""


def read_pyomo(model: Any) -> Problem:
    """What a ConcreteModel holds: its active parts, fixed variables as the numbers they are."""
    from pyomo.environ import Constraint, Objective, SOSConstraint

    for kind in model.collect_ctypes(active=True, descend_into=True):
        if kind.__name__ not in _PYOMO_SILENT:
            raise DataError(f"the model has a {kind.__name__}; transform it into constraints first")
    walked = _PyomoWalk(model.name if model.name != "unknown" else "")
    parts = {"active": True, "descend_into": True}
    goals = list(model.component_data_objects(Objective, **parts))
    if len(goals) > 1:
        raise DataError(f"'{goals[1].name}' is a second active objective; deactivate one")
    for goal in goals:
        walked.objective(goal)
    for row in model.component_data_objects(Constraint, **parts):
        walked.row(row)
    for each in model.component_data_objects(SOSConstraint, **parts):
        members = [(walked.place(var), weight) for var, weight in each.get_items()]
        walked.sketch.sos(each.level, members, each.name)
    return walked.sketch.problem()


class _PyomoWalk:
    """A sketch, and where each variable that was met stands in it."""

    def __init__(self, name: str) -> None:
        self.sketch = Sketch(name)
        self._places: dict[int, int] = {}

    def place(self, var: Any) -> int:
        """The column of a variable, added where it is met first."""
        if id(var) not in self._places:
            if not (var.is_continuous() or var.is_integer()):
                raise DataError(f"'{var.name}' is neither real nor integer; give it such a domain")
            kind = VarType.CONTINUOUS if var.is_continuous() else VarType.INTEGER
            lower, upper = (var.value, var.value) if var.fixed else var.bounds
            self._places[id(var)] = self.sketch.col(var.name, lower, upper, kind)
        return self._places[id(var)]

    def objective(self, goal: Any) -> None:
        """Take an objective."""
        form, products = self._form(goal.expr, goal.name)
        self.sketch.maximize, self.sketch.offset = goal.sense < 0, form.constant
        self.sketch.cost(self._linear(form))
        if products:
            self.sketch.quadratic(products)

    def row(self, row: Any) -> None:
        """Take a constraint."""
        form, products = self._form(row.body, row.name)
        lower, upper = (None if side is None else side - form.constant for side in (row.lb, row.ub))
        if products:
            self.sketch.quadratic_row(row.name, self._linear(form), products, lower, upper)
        else:
            self.sketch.row(row.name, self._linear(form), lower, upper)

    def _form(self, expression: Any, name: str) -> tuple[Any, list[tuple[int, int, float]]]:
        from pyomo.repn import generate_standard_repn

        form = generate_standard_repn(expression, compute_values=True)
        if form.nonlinear_expr is not None:
            raise DataError(f"'{name}' is not linear, and no polynomial of degree two")
        pairs = zip(form.quadratic_vars, form.quadratic_coefs, strict=True)
        return form, [(self.place(a), self.place(b), float(c)) for (a, b), c in pairs]

    def _linear(self, form: Any) -> list[tuple[int, float]]:
        pairs = zip(form.linear_vars, form.linear_coefs, strict=True)
        return [(self.place(var), value) for var, value in pairs]


def read_linopy(model: Any) -> Problem:
    """What a linopy Model holds, under the names that linopy prints (`flow[a,1]`)."""
    found = model.matrices
    if (found.var_scaling != 1).any() or model.objective.scaling != 1:
        raise DataError("the model is scaled for its solver; leave the scaling out")
    sketch = Sketch(maximize=model.objective.sense == "max")
    columns = zip(found.vlabels, found.lb, found.ub, found.vtypes, strict=True)
    for label, lower, upper, kind in columns:
        sketch.col(_linopy_name(model.variables, label), lower, upper, TYPES[kind])
    sketch.cost((j, cost) for j, cost in enumerate(found.c.tolist()) if cost)
    if found.Q is not None and found.Q.nnz:
        half = found.Q.tocoo()
        values = (half.data / 2).tolist()
        sketch.quadratic(zip(half.row.tolist(), half.col.tolist(), values, strict=True))
    if found.A is not None:
        rows = zip(found.clabels, entries(found.A), found.sense, found.b, strict=True)
        for label, terms, sense, rhs in rows:
            sketch.row(_linopy_name(model.constraints, label), terms, *sides(str(sense), rhs))
    _linopy_indicators(model, sketch, found)
    _linopy_sets(model, sketch, {int(label): j for j, label in enumerate(found.vlabels)})
    return sketch.problem()


def _linopy_name(parts: Any, label: Any) -> str:
    name, place = parts.get_label_position(int(label))
    return f"{name}[{','.join(map(str, place.values()))}]" if place else str(name)


def _linopy_indicators(model: Any, sketch: Sketch, found: Any) -> None:
    if found.indicator_A is None:
        return
    labels = [
        label
        for part in model.constraints.indicator.data.values()
        for label in part.labels.values.ravel().tolist()
        if label != -1
    ]
    columns = labels, entries(found.indicator_A), found.indicator_sense, found.indicator_b
    ties = found.indicator_binvar.tolist(), found.indicator_binval.tolist()
    for label, terms, sense, rhs, binary, active in zip(*columns, *ties, strict=True):
        name = _linopy_name(model.constraints, label)
        sketch.indicator(name, binary, active, terms, *sides(str(sense), rhs))


def _linopy_sets(model: Any, sketch: Sketch, places: dict[int, int]) -> None:
    for name in model.variables.sos:
        var = model.variables[name]
        kind, along = int(var.attrs["sos_type"]), str(var.attrs["sos_dim"])
        coords = var.coords[along].values
        whole = np.issubdtype(coords.dtype, np.number)
        weights = coords.astype(float) if whole else np.arange(1.0, len(coords) + 1)
        labels = var.labels.transpose(..., along).values.reshape(-1, len(coords))
        for k, line in enumerate(labels.tolist()):
            pairs = zip(line, weights.tolist(), strict=True)
            sketch.sos(kind, [(places[v], w) for v, w in pairs if v != -1], f"{name}[{k}]")


def read_cvxpy(problem: Any) -> Problem:
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
    _cvxpy_columns(sketch, data, _cvxpy_names(problem, form, cost.size))
    sketch.cost((j, sign * value) for j, value in enumerate(cost.tolist()) if value)
    for matrix, side, sense in (("A", "b", "="), ("G", "h", "<")):
        if data[matrix] is not None:
            _cvxpy_rows(sketch, data[matrix].tocsr(), data[side], sense)
    return sketch.problem()


def _cvxpy_names(problem: Any, form: Any, count: int) -> list[str]:
    names = [f"aux{j}" for j in range(count)]
    for variable in problem.variables():
        first = form.var_id_to_col[variable.id]
        for k in range(variable.size):
            names[first + k] = variable.name() + (f"[{k}]" if variable.size > 1 else "")
    return names


def _cvxpy_columns(sketch: Sketch, data: Any, names: list[str]) -> None:
    sides = [(data["lower_bounds"], -INF), (data["upper_bounds"], INF)]
    low, up = (np.full(len(names), none) if end is None else end for end, none in sides)
    binary, whole = set(data["bool_vars_idx"]), set(data["int_vars_idx"])
    for j, name in enumerate(names):
        if j in binary:
            sketch.col(name, 0.0, 1.0, VarType.BINARY)
        else:
            sketch.col(name, low[j], up[j], VarType.INTEGER if j in whole else VarType.CONTINUOUS)


def _cvxpy_rows(sketch: Sketch, rows: Any, right: Any, sense: str) -> None:
    for terms, side in zip(entries(rows), right, strict=True):
        sketch.row("", [(j, v) for j, v in terms if v], *sides(sense, side))
