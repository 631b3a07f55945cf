"""Models of gurobipy."""

import contextlib
import dataclasses
import io
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import ENDLESS, VarType
from ordojo.milp.objects.sketch import Sketch, Terms, sides
from ordojo.milp.problem import GeneralFunction, LinearObjective, Problem, with_pieces

_TYPES = (
    *("Max", "Min", "Abs", "And", "Or", "Norm", "NL", "Indicator", "PWL", "Poly"),
    *("Exp", "ExpA", "Log", "LogA", "Pow", "Sin", "Cos", "Tan", "Logistic"),
)
"""Gurobi's kinds of general constraints, in the order of their codes."""
_OF_ONE = ("PWL", *_TYPES[9:])
"""Those that give their argument first, then the result."""
_COLUMN = ("VarName", "LB", "UB", "VType")
_KINDS = dict(zip("CIBSN", VarType, strict=True))


def read(model: Any) -> Problem:
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
        sketch.col(name, lower, upper, _KINDS[kind])
    sketch.cost((j, cost) for j, cost in enumerate(model.getAttr("Obj", kept)) if cost)
    _rows(model, sketch, place, hidden)
    _beyond(model, sketch, place)
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


def _rows(model: Any, sketch: Sketch, place: dict[int, int], hidden: dict[int, int]) -> None:
    spans = {i: model.getVars()[j].UB for j, i in hidden.items()}
    matrix = model.getA().tocsr()
    starts, index, value = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    attributes = (model.getAttr(name) for name in ("ConstrName", "Sense", "RHS"))
    for i, (name, sense, rhs) in enumerate(zip(*attributes, strict=True)):
        lower, upper = sides(sense, rhs)
        pairs = zip(index[starts[i] : starts[i + 1]], value[starts[i] : starts[i + 1]], strict=True)
        terms = [(place[j], v) for j, v in pairs if j in place]
        sketch.row(name, terms, lower - spans.get(i, 0.0), upper)
    if any(model.getAttr("Lazy")) if model.IsMIP and model.NumConstrs else False:
        sketch.notes.append("Its lazy constraints are rows like others.")


def _linear(expression: Any, place: dict[int, int]) -> Terms:
    return [
        (place[expression.getVar(k).index], expression.getCoeff(k))
        for k in range(expression.size())
    ]


def _products(expression: Any, place: dict[int, int]) -> list[tuple[int, int, float]]:
    return [
        (
            place[expression.getVar1(k).index],
            place[expression.getVar2(k).index],
            expression.getCoeff(k),
        )
        for k in range(expression.size())
    ]


def _beyond(model: Any, sketch: Sketch, place: dict[int, int]) -> None:
    if model.NumQNZs and model.NumObj <= 1:
        sketch.quadratic(_products(model.getObjective(), place))
    for row in model.getQConstrs():
        total = model.getQCRow(row)
        terms, products = _linear(total.getLinExpr(), place), _products(total, place)
        sketch.quadratic_row(row.QCName, terms, products, *sides(row.QCSense, row.QCRHS))
    for each in model.getSOSs():
        kind, members, weights = model.getSOS(each)
        sketch.sos(kind, [(place[v.index], w) for v, w in zip(members, weights, strict=True)])
    for each in model.getGenConstrs():
        _general(model, sketch, place, each)


def _general(model: Any, sketch: Sketch, place: dict[int, int], each: Any) -> None:
    kind, name = _TYPES[each.GenConstrType], each.GenConstrName
    if kind == "NL":
        raise DataError(f"'{name}' is a nonlinear formula; only Gurobi's functions can be taken")
    given = getattr(model, f"getGenConstr{kind}")(each)
    if kind == "Indicator":
        binary, active, total, sense, rhs = given
        terms = _linear(total, place)
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
    for j, value in _linear(model.getObjective(number), place):
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
