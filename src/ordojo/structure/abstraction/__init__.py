"""From a flat model to groups, families and tables that give back every bit of it."""

from ordojo.structure.abstraction.abstract import Abstraction, abstract
from ordojo.structure.abstraction.folder import Report, check, regenerate, write

__all__ = ["Abstraction", "Report", "abstract", "check", "regenerate", "write"]
