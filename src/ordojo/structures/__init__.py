"""From a flat MPS file to groups and families with index sets and tables, exactly; and to words.

`read_mps` gives a `Flat` (`flat.py`: the file's arrays and names, from `milp`'s models and LP files
too, and back), `partition`
(`grouping/`) its groups of columns and families of rows, `abstract` (`abstraction/`) an
`Abstraction`: index fields from names, and relations of indices that say every entry. `write` puts
it into a folder, `regenerate` gives the `Flat` again and `check` a `Report` that every bit came
back. On an abstraction stand the others: `labels/` (what families mean), `formulation/` (the model
over index sets, its text and program), `blueprint/` (the problem in words, as an instance folder,
`artifact.py`), `inspection/` (what is wrong with a rebuilt model) and `workbench/` (correcting it
all by hand).
"""

from ordojo.structures.abstraction import Abstraction, Report, abstract, check, regenerate, write
from ordojo.structures.flat import Flat, NameBuffer, flat_model, read_flat, read_mps
from ordojo.structures.grouping import Partition, partition

__all__ = [
    "Abstraction",
    "Flat",
    "NameBuffer",
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
