"""Reading MPS files at the speed of numpy, without changing a bit.

In goes a path (.mps, .gz, .xz, .bz2), out comes a `Flat` or a DataError that names the line.
`stream.py` yields blocks of whole lines, finds the words of all lines of a block at once, hashes
them and reads them as numbers (each rounded as Python does). `sections.py` takes these words as
rows, columns, sides and bounds; names are found by their 64-bit hash, keyed anew in each process.
`parser.py` knows which section a line belongs to and puts the model together; where the free
format does not fit, it reads again by the fields of the fixed format. Time and memory grow with
the bytes that are there, never with what a file declares.
"""

from ordojo.structure.reader.parser import read_mps

__all__ = ["read_mps"]
