"""From a flat MPS file to groups and families with index sets and tables, exactly.

`read_mps` gives a `Flat`, `abstract` an `Abstraction` of it, `write` a folder, `regenerate` the
`Flat` again and `check` a `Report` that every bit came back.
"""

from ordojo.structure.abstraction import Abstraction, Report, abstract, check, regenerate, write
from ordojo.structure.convert import flat_model, read_flat
from ordojo.structure.flat import Flat, Names
from ordojo.structure.grouping import Partition, partition
from ordojo.structure.reader import read_mps

__all__ = [
    "Abstraction",
    "Flat",
    "Names",
    "Partition",
    "Report",
    "abstract",
    "check",
    "flat_model",
    "partition",
    "read_flat",
    "read_mps",
    "regenerate",
    "write",
]
