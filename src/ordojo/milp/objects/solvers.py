"""Models of solvers' own libraries: gurobipy, highspy, PySCIPOpt and OR-Tools."""

import contextlib
import dataclasses
import io
from importlib import import_module
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import ENDLESS, VarType
from ordojo.milp.objects.sketch import TYPES, Sketch, Terms, entries, sides
from ordojo.milp.problem import GeneralFunction, LinearObjective, Problem, with_pieces

_FUNCTIONS = (
    *("Max", "Min", "Abs", "And", "Or", "Norm", "NL", "Indicator", "PWL", "Poly"),
    *("Exp", "ExpA", "Log", "LogA", "Pow", "Sin", "Cos", "Tan", "Logistic"),
)
"""Gurobi's kinds of general constraints, in the order of their codes."""
_OF_ONE = ("PWL", *_FUNCTIONS[9:])
"""Those that give their argument first, then the result."""
_COLUMN = ("VarName", "LB", "UB", "VType")


def read_gurobipy(model: Any) -> Problem:
    """What a gurobipy Model holds; its hidden column of a range is none, its range a row."""
    model.update()
    if model.NumScenarios:
        raise DataError("the model has scenarios; give each as a model of its own")
    hidden = _hidden(model)
    kept = [var for j, var in enumerate(model.getVars()) if j not in hidden]
    place = {var.index: j for j, var in enumerate(kept)}
    sketch = Sketch(model.ModelName, model.ModelSense < 0, model.ObjCon)
    for attributes in zip(*(model.getAttr(a, kept) for a in _COLUMN), strict=True):
        name, lower, upper, kind = attributes
        sketch.col(name, lower, upper, TYPES[kind])
    sketch.cost((j, cost) for j, cost in enumerate(model.getAttr("Obj", kept)) if cost)
    _gurobi_rows(model, sketch, place, hidden)
    _gurobi_beyond(model, sketch, place)
    problem = sketch.problem()
    pieces = {}
    if model.NumPWLObjVars:
        points = {j: model.getPWLObj(var) for j, var in enumerate(kept)}
        pieces = {j: tuple(x for pair in found for x in pair) for j, found in points.items()}
    problem = with_pieces(problem, {j: found for j, found in pieces.items() if found})
    if model.NumObj > 1:
        problem = dataclasses.replace(problem, objectives=_objectives(model, place, problem))
    return problem


def _hidden(model: Any) -> dict[int, int]:
    """The columns that Gurobi made of ranges (`x + Rgcap = 10`), each with its row."""
    rows = {f"Rg{name}": i for i, name in enumerate(model.getAttr("ConstrName"))}
    found = {}
    for j, var in enumerate(model.getVars()):
        i = rows.get(var.VarName, -1)
        if i < 0 or var.Obj or var.VType != "C" or var.LB != 0:
            continue
        entries, row = model.getCol(var), model.getConstrs()[i]
        if entries.size() == 1 and entries.getConstr(0).sameAs(row) and entries.getCoeff(0) == 1:
            found[j] = i
    return found


def _gurobi_rows(model: Any, sketch: Sketch, place: dict[int, int], hidden: dict[int, int]) -> None:
    spans = {i: model.getVars()[j].UB for j, i in hidden.items()}
    attributes = (model.getAttr(name) for name in ("ConstrName", "Sense", "RHS"))
    rows = zip(*attributes, entries(model.getA().tocsr()), strict=True)
    for i, (name, sense, rhs, pairs) in enumerate(rows):
        lower, upper = sides(sense, rhs)
        terms = [(place[j], v) for j, v in pairs if j in place]
        sketch.row(name, terms, lower - spans.get(i, 0.0), upper)
    if any(model.getAttr("Lazy")) if model.IsMIP and model.NumConstrs else False:
        sketch.notes.append("Its lazy constraints are rows like others.")


def _gurobi_sum(expression: Any, place: dict[int, int]) -> Terms:
    return [
        (place[expression.getVar(k).index], expression.getCoeff(k))
        for k in range(expression.size())
    ]


def _gurobi_products(expression: Any, place: dict[int, int]) -> list[tuple[int, int, float]]:
    return [
        (
            place[expression.getVar1(k).index],
            place[expression.getVar2(k).index],
            expression.getCoeff(k),
        )
        for k in range(expression.size())
    ]


def _gurobi_beyond(model: Any, sketch: Sketch, place: dict[int, int]) -> None:
    if model.NumQNZs and model.NumObj <= 1:
        sketch.quadratic(_gurobi_products(model.getObjective(), place))
    for row in model.getQConstrs():
        total = model.getQCRow(row)
        terms, products = _gurobi_sum(total.getLinExpr(), place), _gurobi_products(total, place)
        sketch.quadratic_row(row.QCName, terms, products, *sides(row.QCSense, row.QCRHS))
    for each in model.getSOSs():
        kind, members, weights = model.getSOS(each)
        sketch.sos(kind, [(place[v.index], w) for v, w in zip(members, weights, strict=True)])
    for each in model.getGenConstrs():
        _gurobi_function(model, sketch, place, each)


def _gurobi_function(model: Any, sketch: Sketch, place: dict[int, int], each: Any) -> None:
    kind, name = _FUNCTIONS[each.GenConstrType], each.GenConstrName
    if kind == "NL":
        raise DataError(f"'{name}' is a nonlinear formula; only Gurobi's functions can be taken")
    given = getattr(model, f"getGenConstr{kind}")(each)
    if kind == "Indicator":
        binary, active, total, sense, rhs = given
        terms = _gurobi_sum(total, place)
        sketch.indicator(name, place[binary.index], int(active), terms, *sides(sense, rhs))
        return
    if kind in _OF_ONE:
        operand, result, *rest = given
        operands, numbers = [operand], [*np.ravel(rest).tolist()]
        if kind == "PWL":
            numbers = [number for point in zip(*rest, strict=True) for number in point]
    else:
        result, found, *rest = given
        operands = [found] if kind == "Abs" else found
        numbers = [float(number) for number in rest if abs(number) < ENDLESS or kind == "Norm"]
    function = GeneralFunction(kind.lower())
    sketch.general(name, function, place[result.index], [place[v.index] for v in operands], numbers)


def _objectives(model: Any, place: dict[int, int], problem: Problem) -> tuple[LinearObjective, ...]:
    """All objectives; the parameter that chooses between them is put back."""
    chosen = model.Params.ObjNumber
    with contextlib.redirect_stdout(io.StringIO()):  # Gurobi tells of every change
        try:
            return tuple(_objective(model, k, place, problem) for k in range(model.NumObj))
        finally:
            model.Params.ObjNumber = chosen


def _objective(model: Any, number: int, place: dict[int, int], problem: Problem) -> LinearObjective:
    model.Params.ObjNumber = number
    coefficients = np.zeros(problem.model.n)
    for j, value in _gurobi_sum(model.getObjective(number), place):
        coefficients[j] += value
    return LinearObjective(
        model.ObjNName,
        int(model.ObjNPriority),
        float(model.ObjNWeight),
        float(model.ObjNAbsTol),
        float(model.ObjNRelTol),
        coefficients,
        float(model.ObjNCon),
    )


_HIGHS_KINDS = {
    "kInteger": VarType.INTEGER,
    "kSemiContinuous": VarType.SEMICONTINUOUS,
    "kSemiInteger": VarType.SEMIINTEGER,
    "kImplicitInteger": VarType.INTEGER,
}


def read_highspy(solver: Any) -> Problem:
    """What a highspy Highs holds; what has no name is called c0, c1, ... and r0, r1, ..."""
    from scipy.sparse import csc_matrix, csr_matrix  # a third of what reading a file would load

    lp = solver.getLp()
    n, m = lp.num_col_, lp.num_row_
    sketch = Sketch(lp.model_name_, lp.sense_.name == "kMaximize", lp.offset_)
    kinds = [_HIGHS_KINDS.get(kind.name, VarType.CONTINUOUS) for kind in lp.integrality_]
    kinds = kinds or [VarType.CONTINUOUS] * n
    cols, rows = [*lp.col_names_, *[""] * n][:n], [*lp.row_names_, *[""] * m][:m]
    columns = zip(cols, lp.col_lower_, lp.col_upper_, kinds, strict=True)
    for j, (name, *column) in enumerate(columns):
        sketch.col(name or f"c{j}", *column)
    sketch.cost((j, cost) for j, cost in enumerate(lp.col_cost_) if cost)
    matrix = lp.a_matrix_
    form = csr_matrix if matrix.format_.name == "kRowwise" else csc_matrix
    terms = entries(csr_matrix(form((matrix.value_, matrix.index_, matrix.start_), (m, n))))
    for i, (name, *row) in enumerate(zip(rows, terms, lp.row_lower_, lp.row_upper_, strict=True)):
        sketch.row(name or f"r{i}", *row)
    if solver.getModel().hessian_.dim_:
        sketch.quadratic(_hessian_products(solver.getModel().hessian_))
    return sketch.problem()


def _hessian_products(hessian: Any) -> list[tuple[int, int, float]]:
    """The products of half of x'Qx; a triangle stands for both."""
    by = 1.0 if hessian.format_.name == "kTriangular" else 0.5
    starts, index, value = hessian.start_, hessian.index_, hessian.value_
    return [
        (index[k], j, value[k] * (0.5 if index[k] == j else by))
        for j in range(hessian.dim_)
        for k in range(starts[j], starts[j + 1])
    ]


def read_pyscipopt(model: Any) -> Problem:
    """What a PySCIPOpt Model holds; SCIP's own slacks and rows of indicators are none."""
    rows = model.getConss(transformed=False)
    ties = [row for row in rows if row.getConshdlrName() == "indicator"]
    slacks = {model.getSlackVarIndicator(tie).getIndex() for tie in ties}
    tied = {model.getLinearConsIndicator(tie).ptr() for tie in ties}
    maximize = model.getObjectiveSense() == "maximize"
    walked = _ScipWalk(model, Sketch(model.getProbName(), maximize, model.getObjoffset()))
    for var in model.getVars(transformed=False):
        if var.getIndex() not in slacks:
            walked.column(var)
    for row in rows:
        if row.ptr() not in tied:
            walked.row(row)
    return walked.sketch.problem()


class _ScipWalk:
    """A sketch, and where each variable stands in it."""

    def __init__(self, model: Any, sketch: Sketch) -> None:
        self.sketch = sketch
        self._model = model
        self._places: dict[int, int] = {}
        self._by_name: dict[str, int] = {}

    def column(self, var: Any) -> None:
        """Take a variable."""
        bounds = var.getLbOriginal(), var.getUbOriginal()
        place = self.sketch.col(var.name, *bounds, TYPES[var.vtype()[0]])
        self._places[var.getIndex()] = self._by_name[var.name] = place
        if var.getObj():
            self.sketch.cost([(place, var.getObj())])

    def row(self, row: Any) -> None:
        """Take a constraint."""
        model, kind = self._model, row.getConshdlrName()
        if row.isLinearType():
            self.sketch.row(row.name, self._terms(row), model.getLhs(row), model.getRhs(row))
        elif kind in ("SOS1", "SOS2"):
            members = [(self._place(var), k) for k, var in enumerate(model.getConsVars(row), 1)]
            self.sketch.sos(int(kind[-1]), members, row.name)
        elif kind == "indicator":
            self._indicator(row)
        elif kind == "nonlinear" and model.checkQuadraticNonlinear(row):
            self._quadratic(row)
        else:
            raise DataError(f"'{row.name}' is of kind '{kind}'; write it as linear constraints")

    def _place(self, var: Any) -> int:
        return self._places[var.getIndex()]

    def _terms(self, row: Any) -> list[tuple[int, float]]:
        pairs = zip(self._model.getConsVars(row), self._model.getConsVals(row), strict=True)
        return [(self._place(var), v) for var, v in pairs if var.getIndex() in self._places]

    def _quadratic(self, row: Any) -> None:
        pairs, squares, single = self._model.getTermsQuadratic(row)
        terms = [(self._place(var), c) for var, c in single]
        terms += [(self._place(var), c) for var, _, c in squares if c]
        products = [(self._place(a), self._place(b), c) for a, b, c in pairs]
        products += [(self._place(var), self._place(var), c) for var, c, _ in squares if c]
        sides = self._model.getLhs(row), self._model.getRhs(row)
        self.sketch.quadratic_row(row.name, terms, products, *sides)

    def _indicator(self, row: Any) -> None:
        """SCIP has `row - slack <= side`, the slack 0 where the binary is 1, or its negation is."""
        switch, inner = self._model.getConsVars(row)[0], self._model.getLinearConsIndicator(row)
        active = int(switch.getIndex() in self._places)
        name = switch.name.removesuffix("_neg")
        binary = self._place(switch) if active else self._by_name[name]
        sides = self._model.getLhs(inner), self._model.getRhs(inner)
        self.sketch.indicator(row.name, binary, active, self._terms(inner), *sides)


_ENDLESS = 1 << 62
"""CP-SAT's integers are below; those at the rim mean that there is no side."""


def read_ortools(model: Any) -> Problem:
    """What a Solver, a ModelBuilder or a CpModel holds, by its protocol buffer."""
    if type(model).__name__ == "CpModel":
        return _constraint_program(model.proto)
    if hasattr(model, "ExportModelToProto"):
        proto = import_module("ortools.linear_solver.linear_solver_pb2").MPModelProto()
        model.ExportModelToProto(proto)
        return _linear_program(proto)
    return _linear_program(model.export_to_proto())


def _linear_program(proto: Any) -> Problem:
    sketch = Sketch(proto.name, proto.maximize, proto.objective_offset)
    for j, var in enumerate(proto.variable):
        kind = VarType.INTEGER if var.is_integer else VarType.CONTINUOUS
        sketch.col(var.name or f"x{j}", var.lower_bound, var.upper_bound, kind)
        if var.objective_coefficient:
            sketch.cost([(j, var.objective_coefficient)])
    for row in proto.constraint:
        sketch.row(
            row.name,
            zip(row.var_index, row.coefficient, strict=True),
            row.lower_bound,
            row.upper_bound,
        )
    goal = proto.quadratic_objective
    if goal.coefficient:
        sketch.quadratic(zip(goal.qvar1_index, goal.qvar2_index, goal.coefficient, strict=True))
    for part in proto.general_constraint:
        _proto_function(sketch, part)
    return sketch.problem()


def _proto_function(sketch: Sketch, part: Any) -> None:
    kind = part.WhichOneof("general_constraint")
    each = getattr(part, kind)
    if kind == "indicator_constraint":
        row = each.constraint
        ends = row.lower_bound, row.upper_bound
        sketch.indicator(
            part.name,
            each.var_index,
            each.var_value,
            zip(row.var_index, row.coefficient, strict=True),
            *ends,
        )
    elif kind == "sos_constraint":
        weights = each.weight or range(1, len(each.var_index) + 1)
        members = zip(each.var_index, weights, strict=True)
        sketch.sos(1 + each.type, members, part.name)
    elif kind in ("and_constraint", "or_constraint"):
        function = GeneralFunction(kind.partition("_")[0])
        sketch.general(part.name, function, each.resultant_var_index, each.var_index)
    else:
        raise DataError(f"'{part.name}' is a {kind}; write it as linear constraints")


def _constraint_program(proto: Any) -> Problem:
    """The linear part of CP-SAT, with what clauses say as rows; DataError for all else."""
    sketch = Sketch(proto.name)
    for j, var in enumerate(proto.variables):
        name = var.name or f"x{j}"
        lower, upper = _interval(var.domain, f"'{name}'")
        sketch.col(name, lower, upper, VarType.INTEGER)
    if proto.has_objective():
        goal = proto.objective
        by = goal.scaling_factor or 1.0
        sketch.maximize, sketch.offset = by < 0, by * goal.offset
        sketch.cost(_sum(goal.vars, [by * c for c in goal.coeffs]))
    elif proto.has_floating_point_objective():
        exact = proto.floating_point_objective
        sketch.maximize, sketch.offset = exact.maximize, exact.offset
        sketch.cost(_sum(exact.vars, exact.coeffs))
    for i, row in enumerate(proto.constraints):
        for name, terms, lower, upper in _clauses(row, row.name or f"c{i}", proto):
            _enforced(sketch, row, name, terms, lower, upper)
    return sketch.problem()


Row = tuple[str, list[tuple[int, float]], float | None, float | None]


def _clauses(row: Any, name: str, proto: Any) -> list[Row]:
    if row.has_linear():
        terms = _sum(row.linear.vars, row.linear.coeffs)
        over = ", ".join(proto.variables[j].name or f"x{j}" for j, _ in terms)
        return [(name, terms, *_interval(row.linear.domain, f"'{name}' (over {over})"))]
    for kind, lower, upper in (
        ("bool_or", 1.0, None),
        ("at_most_one", None, 1.0),
        ("exactly_one", 1.0, 1.0),
        ("bool_and", -1.0, None),
    ):
        if getattr(row, f"has_{kind}")():
            literals = list(getattr(row, kind).literals)
            terms, off = _literals(literals)
            low = None if lower is None else (len(literals) if lower < 0 else lower) - off
            return [(name, terms, low, None if upper is None else upper - off)]
    has = (word for word in dir(row) if word.startswith("has_"))
    kind = next((word.removeprefix("has_") for word in has if getattr(row, word)()), "empty")
    raise DataError(
        f"'{name}' of the CP-SAT model ({kind}) is not linear and no clause; write it as rows"
    )


def _enforced(
    sketch: Sketch,
    row: Any,
    name: str,
    terms: list[tuple[int, float]],
    lower: float | None,
    upper: float | None,
) -> None:
    literals = list(row.enforcement_literal)
    if not literals:
        sketch.row(name, terms, lower, upper)
    elif len(literals) == 1:
        literal = literals[0]
        binary, active = (literal, 1) if literal >= 0 else (-literal - 1, 0)
        sketch.indicator(name, binary, active, terms, lower, upper)
    else:
        raise DataError(f"'{name}' is enforced by several literals; make one literal of them")


def _sum(places: Any, values: Any) -> list[tuple[int, float]]:
    return [(j, float(v)) for j, v in zip(places, values, strict=True)]


def _literals(literals: list[int]) -> tuple[list[tuple[int, float]], float]:
    """Their sum as terms and a constant: a negated literal is 1 less its column."""
    terms = [(k, 1.0) if k >= 0 else (-k - 1, -1.0) for k in literals]
    return terms, float(sum(k < 0 for k in literals))


def _interval(domain: Any, what: str) -> tuple[float | None, float | None]:
    found = list(domain)
    if len(found) != 2:
        raise DataError(
            f"{what} of the CP-SAT model has a domain with holes (!=); write it as rows"
        )
    low, up = found
    return None if low <= -_ENDLESS else low, None if up >= _ENDLESS else up
