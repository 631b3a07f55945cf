"""Models of OR-Tools: the linear solver's, ModelBuilder's and CP-SAT's."""

from importlib import import_module
from typing import Any

from ordojo.core.errors import DataError
from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch
from ordojo.milp.problem import GeneralFunction, Problem

_ENDLESS = 1 << 62
"""CP-SAT's integers are below; those at the rim mean that there is no side."""


def read(model: Any) -> Problem:
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
        sketch.row(row.name, _terms(row), row.lower_bound, row.upper_bound)
    goal = proto.quadratic_objective
    if goal.coefficient:
        sketch.quadratic(zip(goal.qvar1_index, goal.qvar2_index, goal.coefficient, strict=True))
    for part in proto.general_constraint:
        _general(sketch, part)
    return sketch.problem()


def _terms(row: Any) -> list[tuple[int, float]]:
    return list(zip(row.var_index, row.coefficient, strict=True))


def _general(sketch: Sketch, part: Any) -> None:
    kind = part.WhichOneof("general_constraint")
    each = getattr(part, kind)
    if kind == "indicator_constraint":
        row = each.constraint
        ends = row.lower_bound, row.upper_bound
        sketch.indicator(part.name, each.var_index, each.var_value, _terms(row), *ends)
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
