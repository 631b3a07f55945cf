"""Names for what a formulation has: each given once, some as a reader has chosen them."""

import keyword
import re
from collections.abc import Iterable, Mapping

from ordojo.core.errors import DataError

_OWN = (
    "Model,model,terms,given,rows,sets,scalars,inf,read,tuples,column,group_by,defaultdict,range,"
    "int,float,str"
)
RESERVED = frozenset(re.split(",", _OWN))
"""Names that the programs use for themselves."""


class Names:
    """Gives out names; `chosen` renames, by the names given without it."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = dict(chosen)
        self._given = frozenset(chosen.values())
        self._used: dict[str, str] = {}

    def name(self, wanted: str, default: str | None = None) -> str:
        """A name that nothing else has: `wanted`, or with a number; `default` is what to rename.

        Raises DataError where a chosen name is no identifier or taken.
        """
        default = self._free(default or wanted, set(self._used))
        found = self._chosen.pop(default, None)
        if found is None and wanted in self._given:
            raise DataError(f"two things cannot both be named '{wanted}'; choose another name")
        if found is None:
            found = self._free(wanted, set(self._used.values()))
        elif not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", found) or not self._valid(found):
            raise DataError(f"'{found}' is no name for {default}: use letters, digits, underscores")
        elif found in self._used.values():
            raise DataError(f"two things cannot both be named '{found}'; choose another name")
        self._used[default] = found
        return found

    def avoid(self, letters: Iterable[str]) -> None:
        """Give these to nothing: indices have them."""
        self._used.update((f"[{letter}]", letter) for letter in letters)

    def finish(self) -> None:
        """Raises DataError where a chosen name renames nothing."""
        if self._chosen:
            unknown = next(iter(self._chosen))
            raise DataError(
                f"nothing is named '{unknown}' to be renamed; known: {', '.join(self._used)}"
            )

    def letters(self) -> set[str]:
        """The names in use, which letters must avoid."""
        return set(self._used.values()) | set(self._chosen.values())

    def next(self, letter: str) -> str:
        """The letter with the next number."""
        number = 1
        while f"{letter}{number}" in self._used:
            number += 1
        return f"{letter}{number}"

    def _free(self, wanted: str, used: set[str]) -> str:
        if wanted not in used and self._valid(wanted):
            return wanted
        number = 2
        while f"{wanted}_{number}" in used:
            number += 1
        return f"{wanted}_{number}"

    @staticmethod
    def _valid(name: str) -> bool:
        return not keyword.iskeyword(name) and name not in RESERVED
