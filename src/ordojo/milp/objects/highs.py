"""Models of highspy."""

from typing import Any

from scipy.sparse import csc_matrix, csr_matrix

from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch
from ordojo.milp.problem import Problem

_KINDS = {
    "kInteger": VarType.INTEGER,
    "kSemiContinuous": VarType.SEMICONTINUOUS,
    "kSemiInteger": VarType.SEMIINTEGER,
    "kImplicitInteger": VarType.INTEGER,
}


def read(solver: Any) -> Problem:
    """What a highspy Highs holds; what has no name is called c0, c1, ... and r0, r1, ..."""
    lp = solver.getLp()
    n, m = lp.num_col_, lp.num_row_
    sketch = Sketch(lp.model_name_, lp.sense_.name == "kMaximize", lp.offset_)
    kinds = [_KINDS.get(kind.name, VarType.CONTINUOUS) for kind in lp.integrality_]
    for j, (lower, upper) in enumerate(zip(lp.col_lower_, lp.col_upper_, strict=True)):
        kind = kinds[j] if kinds else VarType.CONTINUOUS
        sketch.col(_named(lp.col_names_, j, "c"), lower, upper, kind)
    sketch.cost((j, cost) for j, cost in enumerate(lp.col_cost_) if cost)
    matrix = lp.a_matrix_
    form = csr_matrix if matrix.format_.name == "kRowwise" else csc_matrix
    rows = csr_matrix(form((matrix.value_, matrix.index_, matrix.start_), (m, n)))
    for i, (lower, upper) in enumerate(zip(lp.row_lower_, lp.row_upper_, strict=True)):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        terms = zip(rows.indices[part].tolist(), rows.data[part].tolist(), strict=True)
        sketch.row(_named(lp.row_names_, i, "r"), terms, lower, upper)
    if solver.getModel().hessian_.dim_:
        sketch.quadratic(_products(solver.getModel().hessian_))
    return sketch.problem()


def _named(names: list[str], k: int, kind: str) -> str:
    return (names[k] if k < len(names) else "") or f"{kind}{k}"


def _products(hessian: Any) -> list[tuple[int, int, float]]:
    """The products of half of x'Qx; a triangle stands for both."""
    by = 1.0 if hessian.format_.name == "kTriangular" else 0.5
    starts, index, value = hessian.start_, hessian.index_, hessian.value_
    return [
        (index[k], j, value[k] * (0.5 if index[k] == j else by))
        for j in range(hessian.dim_)
        for k in range(starts[j], starts[j + 1])
    ]
