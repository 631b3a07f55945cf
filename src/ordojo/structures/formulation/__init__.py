"""From an abstraction to a declaration over index sets, and from that to text, data and a program.

In go a `Flat` and its `Abstraction`, out comes a `Formulation` (`spec.py`): a declaration of
`ordojo.formulation`, the language of the library of problems, with its tables; exact, it says every
number of the model. The way, in `formulate.py`: groups and families get names and index fields
(`units.py`); each pair of a family and a group gets its terms and each term the conditions on
indices that say its entries (`relate.py`); fields that relations join run through one set and share
letters, and sets, tables and parameters get names, each once (`symbols.py`); then terms and bounds
are written over those letters (`terms.py`). What follows from a declaration is that language's:
`model_md` its text, `data_files` its tables as CSV, `solve_py` a program that builds the model from
them by loops and solves it. `spy_svg` (`spy.py`) is a spy plot: where the families' rows meet the
groups' columns.
"""

from ordojo.structures.formulation.formulate import formulate
from ordojo.structures.formulation.spec import Formulation, data_files, model_md, solve_py
from ordojo.structures.formulation.spy import spy_svg

__all__ = ["Formulation", "data_files", "formulate", "model_md", "solve_py", "spy_svg"]
