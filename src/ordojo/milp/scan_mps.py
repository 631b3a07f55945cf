"""Whether every line of an MPS file has the shape it must have.

HiGHS 1.15 runs for ever or dies on lines with a word too few, leaves NaN out in silence, and takes
a column called RHS for the section.
"""

from collections.abc import Callable, Container, Iterable

_SECTIONS = frozenset({"NAME", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "OBJSENSE", "ENDATA"})
_RESERVED = _SECTIONS | {"MAX", "MIN", "SETS", "SOS", "SOS1", "SOS2"}
_QUADRATIC = frozenset({"QUADOBJ", "QMATRIX", "QSECTION", "QCMATRIX", "CSECTION"})
_NO_NUMBER = frozenset({"FR", "MI", "PL", "BV"})
_NUMBER = frozenset({"LO", "UP", "FX", "LI", "UI", "SC", "SI"})
_FIELDS = (slice(1, 3), slice(4, 12), slice(14, 22), slice(24, 36), slice(39, 47), slice(49, 61))

Refuse = Callable[[str], Exception]


class MpsScan:
    """Goes over the lines of an MPS file; `refuse` makes the error of a sentence's middle part."""

    def __init__(self, refuse: Refuse) -> None:
        self.refuse = refuse
        self.section, self.line = "", 0
        self.rows: set[str] = set()
        self.columns: set[str] = set()
        self.edits: dict[int, str] = {}
        """Lines that HiGHS reads otherwise than Gurobi means them, and what is to stand there."""
        self.whole = False
        self.integers: set[str] = set()
        self.settled: set[str] = set()
        self.fixed = False
        self.last = ""

    def run(self, lines: Iterable[str]) -> int:
        """The number of columns; raises what `refuse` makes at the first line that is wrong."""
        for line in lines:
            self.line += 1
            words = line.split()
            if not words or line[0] in "*$":
                continue
            if not line[0].isspace():
                self._header(words)
                if self.section == "ENDATA":
                    return len(self.columns)
            elif self.section == "COLUMNS":
                self._column(line, words)
            else:
                self._other(line, words)
        raise self.refuse("is truncated: it has no ENDATA" if self.rows else "is not a model")

    def _bad(self, problem: str) -> Exception:
        return self.refuse(f"has {problem} in line {self.line}")

    def _header(self, words: list[str]) -> None:
        section = words[0].upper()
        if section in _QUADRATIC:
            raise self.refuse(f"is nonlinear: it has a section {section}")
        if section.startswith("SOS") or section == "SETS":
            raise self.refuse("has special ordered sets")
        if section not in _SECTIONS:
            raise self._bad(f"a section '{words[0][:40]}', which is not read,")
        if len(words) > 1 and section not in ("NAME", "OBJSENSE"):
            raise self._bad("more than a section's name")
        if self.section == "COLUMNS" and not self.columns:
            raise self._bad("the end of a section COLUMNS without columns")
        self.section = section

    def _column(self, line: str, words: list[str]) -> None:
        if len(words) == 3 and words[1] == "'MARKER'":
            if words[2] not in ("'INTORG'", "'INTEND'"):
                raise self._bad("an unknown marker")
            self.whole = words[2] == "'INTORG'"
            return
        if self.fixed:
            _, *words = self._fields(line)
        if len(words) not in (3, 5):
            raise self._bad(f"{len(words)} words where a column has 3 or 5")
        name = words[0]
        if name != self.last:
            if name in self.columns:
                raise self._bad(f"column '{name}' a second time")
            if name.upper() in _RESERVED:
                raise self._bad(f"a column named like a section, '{name}',")
            self.columns.add(name)
            if self.whole:
                self.integers.add(name)
            self.last = name
        self._pairs(words, 1)

    def _other(self, line: str, words: list[str]) -> None:
        if self.section == "ROWS":
            if words[0].upper() not in ("N", "E", "L", "G") or len(words) < 2:
                raise self._bad("an unreadable row")
            self.fixed = self.fixed or len(words) > 2
            name = line.rstrip()[4:] if len(words) > 2 else words[1]
            if name in self.rows:
                raise self._bad(f"row '{name}' a second time")
            self.rows.add(name)
        elif self.section in ("RHS", "RANGES"):
            if self.fixed:
                _, *words = self._fields(line)
            if len(words) not in (2, 3, 4, 5):
                raise self._bad(f"{len(words)} words where {self.section} has 3 or 5")
            self._pairs(words, len(words) % 2)  # the set's name may be left out
        elif self.section == "BOUNDS":
            self._bound(self._fields(line) if self.fixed else words)
        elif self.section != "OBJSENSE" or words[0].upper() not in ("MAX", "MIN"):
            raise self._bad("an unreadable line")

    def _pairs(self, words: list[str], at: int) -> None:
        for k in range(at, len(words), 2):
            if words[k] not in self.rows:
                self._known(words[k], self.rows, "row")
            self._finite(words[k + 1])

    def _bound(self, words: list[str]) -> None:
        kind = words[0].upper()
        if kind in _NUMBER and len(words) in (3, 4):
            self._known(words[-2], self.columns, "column")
            self._finite(words[-1])
            if kind == "FX" and words[-1] in ("0", "1") and words[-2] in self.integers:
                self.settled.add(words[-2])
            if kind == "SC" and words[-2] in self.integers:
                self.edits[self.line] = f" SI BND {words[-2]} {words[-1]}\n"
        elif kind in _NO_NUMBER and len(words) in (2, 3, 4):
            name = words[min(2, len(words) - 1)]
            self._known(name, self.columns, "column")
            if kind == "BV" and name in self.settled:
                self.edits[self.line] = ""  # a fixed binary column: HiGHS sees two bounds
        else:
            raise self._bad("an unreadable bound")

    def _known(self, name: str, names: Container[str], kind: str) -> None:
        if name not in names:
            raise self._bad(f"an unknown {kind} '{name[:40]}'")

    def _finite(self, text: str) -> None:
        try:
            value = float(text)
        except ValueError:
            if "d" in text.lower():  # FORTRAN's 1.0D3
                return self._finite(text.lower().replace("d", "e", 1))
            raise self._bad(f"'{text[:40]}' for a number") from None
        if value != value:
            raise self._bad("NaN")

    def _fields(self, line: str) -> list[str]:
        """The fields of fixed format, where names may have blanks."""
        line = line.rstrip()
        found = [line[part].strip() for part in _FIELDS]
        while found and not found[-1]:
            found.pop()
        return found
