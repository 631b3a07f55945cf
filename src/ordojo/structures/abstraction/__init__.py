"""From a flat model to groups, families and tables that give back every bit of it.

In goes a `Flat`, perhaps with a `Partition`; out comes an `Abstraction`, on disk structure.json and
tables/*.npy. `abstract.py`: names become templates with index fields (`naming.py`, which
also cuts numbers that pack several; some only count), bounds, costs and sides
become vectors over those (`tables.py`: a constant, a line, a function, exceptions, data), and the
entries that a family has of a group become terms (`terms.py`), parted where that is shorter, each
with a relation of rows to columns (`relations.py`) and coefficients. Each is said in the shortest
way that gives back every bit, and a table only once. `folder.py` writes and reads it (versions 2 to
4), makes the flat model again, and checks it bit for bit. Its path is a contract: the generator.py
of exported instances imports `model` and `read` from there.
"""

from ordojo.structures.abstraction.abstract import Abstraction, abstract
from ordojo.structures.abstraction.folder import Report, check, regenerate, write

__all__ = ["Abstraction", "Report", "abstract", "check", "regenerate", "write"]
