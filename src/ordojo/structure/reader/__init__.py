"""Reading MPS files at the speed of numpy, without changing a bit."""

from ordojo.structure.reader.parser import read_mps

__all__ = ["read_mps"]
