"""The text of model files, in Gurobi's grammar; numbers in the shortest form that reads back."""

from ordojo.milp.writers.lp import lp_lines
from ordojo.milp.writers.mps import mps_lines

__all__ = ["lp_lines", "mps_lines"]
