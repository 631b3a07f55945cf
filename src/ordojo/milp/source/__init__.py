"""A model as a program of gurobipy, one line a column and one line a row."""

from ordojo.milp.source.gurobi import (
    gurobipy_column,
    gurobipy_lines,
    gurobipy_row,
    gurobipy_source,
)

__all__ = [
    "gurobipy_column",
    "gurobipy_lines",
    "gurobipy_row",
    "gurobipy_source",
]
