"""From a flat MPS file to groups and families with index sets and tables, exactly; and to words.

`read_mps` gives a `Flat` (`flat.py`: the file's arrays and names; of `milp`'s models and LP files
too, and back), `partition` (`grouping/`) its groups of columns and families of rows, `abstract`
(`abstraction/`) an `Abstraction`: index fields from names (`indices.py`), and relations of indices
that say every entry. `write` puts it into a folder, `regenerate` gives the `Flat` again and `check`
a `Report` that every bit came back. On an abstraction stand the others: `labels/` (what families
mean), `formulation/` (the model over index sets, its text and program), `blueprint/` (the problem
in words, as an instance folder, `artifact.py`), `inspection/` (what is wrong with a rebuilt model),
`observe.py` (looking at slices of it and stating rows) and `workbench/` (correcting it all by
hand). `recognition/` says which problem of a library a `Flat` is, `survey.py` tells of a folder of
models at once; `arrays.py` counts, numbers and joins keys for all of them.
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
