"""The symbolic model of an abstraction: index sets, parameters in files, groups and families.

`formulate` gives a `Formulation`, `model_md` its text, `data_files` its tables as CSV, `solve_py` a
program that builds and solves it from those, `spy_svg` a picture of the matrix.
"""

from ordojo.structure.formulation.formulate import formulate
from ordojo.structure.formulation.program import solve_py
from ordojo.structure.formulation.spec import (
    Condition,
    Factor,
    Family,
    Formulation,
    Group,
    IndexSet,
    Parameter,
    Subscript,
    Table,
    Term,
    Value,
)
from ordojo.structure.formulation.spy import spy_svg
from ordojo.structure.formulation.text import data_files, model_md

__all__ = [
    "Condition",
    "Factor",
    "Family",
    "Formulation",
    "Group",
    "IndexSet",
    "Parameter",
    "Subscript",
    "Table",
    "Term",
    "Value",
    "data_files",
    "formulate",
    "model_md",
    "solve_py",
    "spy_svg",
]
