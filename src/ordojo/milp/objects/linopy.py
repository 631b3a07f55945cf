"""Models of linopy."""

from itertools import pairwise
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch, sides
from ordojo.milp.problem import Problem

_KINDS = {
    "B": VarType.BINARY,
    "I": VarType.INTEGER,
    "C": VarType.CONTINUOUS,
    "S": VarType.SEMICONTINUOUS,
}


def read(model: Any) -> Problem:
    """What a linopy Model holds, under the names that linopy prints (`flow[a,1]`)."""
    found = model.matrices
    if (found.var_scaling != 1).any() or model.objective.scaling != 1:
        raise DataError("the model is scaled for its solver; leave the scaling out")
    sketch = Sketch(maximize=model.objective.sense == "max")
    columns = zip(found.vlabels, found.lb, found.ub, found.vtypes, strict=True)
    for label, lower, upper, kind in columns:
        sketch.col(_name(model.variables, label), lower, upper, _KINDS[kind])
    sketch.cost((j, cost) for j, cost in enumerate(found.c.tolist()) if cost)
    if found.Q is not None and found.Q.nnz:
        half = found.Q.tocoo()
        values = (half.data / 2).tolist()
        sketch.quadratic(zip(half.row.tolist(), half.col.tolist(), values, strict=True))
    if found.A is not None:
        rows = zip(found.clabels, _entries(found.A), found.sense, found.b, strict=True)
        for label, terms, sense, rhs in rows:
            sketch.row(_name(model.constraints, label), terms, *sides(str(sense), rhs))
    _indicators(model, sketch, found)
    _sos(model, sketch, {int(label): j for j, label in enumerate(found.vlabels)})
    return sketch.problem()


def _name(parts: Any, label: Any) -> str:
    name, place = parts.get_label_position(int(label))
    return f"{name}[{','.join(map(str, place.values()))}]" if place else str(name)


def _entries(matrix: Any) -> list[list[tuple[int, float]]]:
    starts, index, value = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    spans = (slice(*ends) for ends in pairwise(starts))
    return [list(zip(index[span], value[span], strict=True)) for span in spans]


def _indicators(model: Any, sketch: Sketch, found: Any) -> None:
    if found.indicator_A is None:
        return
    labels = [
        label
        for part in model.constraints.indicator.data.values()
        for label in part.labels.values.ravel().tolist()
        if label != -1
    ]
    columns = labels, _entries(found.indicator_A), found.indicator_sense, found.indicator_b
    ties = found.indicator_binvar.tolist(), found.indicator_binval.tolist()
    for label, terms, sense, rhs, binary, active in zip(*columns, *ties, strict=True):
        name = _name(model.constraints, label)
        sketch.indicator(name, binary, active, terms, *sides(str(sense), rhs))


def _sos(model: Any, sketch: Sketch, places: dict[int, int]) -> None:
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
