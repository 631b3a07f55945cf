"""From an abstraction to a symbolic formulation, and from that to text, data files and a program.

In go a `Flat` and its `Abstraction`, out comes a `Formulation` (`spec.py`), exact: it says every
number of the model. The way, in `formulate.py`: groups and families get names and index fields
(`units.py`); each pair of a family and a group gets its terms (`split.py`) and each term the
conditions on indices that say its entries (`relate.py`); fields that relations join run through one
set and share letters, and sets, tables and parameters get names, each once (`symbols.py`); then
terms and bounds are written over those letters (`terms.py`). `declare` (`declare.py`) says it as a
declaration of `ordojo.formulation`, the language of the library of problems, with its tables, and
`solve_py` (`program.py`, with `runtime.py` for what all programs share) makes of that declaration a
program that builds the model from the tables by loops and solves it. `model_md` (`text.py`) is the
formulation's text, `data_files` its tables as CSV, and `spy_svg` (`spy.py`) a spy plot: where the
families' rows meet the groups' columns.
"""

from ordojo.structure.formulation.declare import declare
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
    "declare",
    "formulate",
    "model_md",
    "solve_py",
    "spy_svg",
]
