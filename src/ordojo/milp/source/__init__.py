"""A model as a program: gurobipy, highspy or Pyomo, one line a column and one line a row."""

from ordojo.milp.source.gurobi import (
    gurobipy_column,
    gurobipy_lines,
    gurobipy_row,
    gurobipy_source,
)
from ordojo.milp.source.highs import highspy_source
from ordojo.milp.source.pyomo import pyomo_source

__all__ = [
    "gurobipy_column",
    "gurobipy_lines",
    "gurobipy_row",
    "gurobipy_source",
    "highspy_source",
    "pyomo_source",
]
