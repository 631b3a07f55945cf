"""Model files: one reading of MPS and LP files, plain or packed, and their writing.

`mps.py` reads what an MPS file says, `sections.py` makes it a problem, `lp.py` reads an LP file as
one; `text.py` opens files and says places; `writing.py` writes. Every door of the package that
takes a model file comes here; docs/files.md has the conventions.
"""

from ordojo.milp.files.mps import LARGEST, MpsFile, read_mps
from ordojo.milp.files.reading import MAX_NONZEROS, linear, read_model, read_problem
from ordojo.milp.files.writing import lp_text, write_model

__all__ = [
    "LARGEST",
    "MAX_NONZEROS",
    "MpsFile",
    "linear",
    "lp_text",
    "read_model",
    "read_mps",
    "read_problem",
    "write_model",
]
