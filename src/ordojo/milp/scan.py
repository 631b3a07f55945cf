"""The text of MPS and LP files, looked at first: what HiGHS would drop or misread."""

import lzma
import re
import sys
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.core.files import LARGEST, open_file

_LP_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_SENSES = frozenset({"<=", ">=", "=", "<", ">", "=<", "=>"})
_LP_SECTIONS = {
    "minimize": "objective",
    "maximize": "objective",
    "subject to": "rows",
    "lazy constraints": "rows",
    "user cuts": "rows",
    "bounds": "bounds",
    "binaries": "types",
    "generals": "types",
    "semi-continuous": "types",
    "end": "end",
}
_EXTRA_ROWS = ("lazy constraints", "user cuts")
"""Rows like others, to a reader who keeps all."""


def placeholder(number: object) -> str:
    """What stands in the text for the name with this number."""
    return f"ordojo_name_{number}"


def _place(problem: str, line: int, text: str) -> str:
    """The line, from 1, and the column of what the problem quotes, where it stands there."""
    quoted = re.search("'([^']+)'", problem)
    column = text.find(quoted[1]) + 1 if quoted else 0
    return f"in line {line}, column {column}" if column else f"in line {line}"


class GurobiText:
    """Goes over the lines and puts a placeholder in each name's place, also in `names`."""

    def __init__(
        self, names: dict[str, str], refuse: Callable[[str, str], Exception], linear: str
    ) -> None:
        self.names, self.refuse, self.linear = names, refuse, linear
        self.section, self.count, self.text = "", 0, ""
        self.column, self.promised = "", ""
        self.costs: set[str] = set()
        self._new_row()

    def _new_row(self) -> None:
        """Begin a row: nothing of it is read yet."""
        self.label, self.fresh, self.terms = "", True, 0
        self.number, self.operator, self.sense = "", True, False

    def line(self, line: str, count: int) -> str:
        """The line with this number as HiGHS is to read it."""
        self.count, self.text = count, line
        words = line.split()
        if "\\" in line:
            words = list(takewhile(lambda word: word[0] != "\\", words))
        if not words:
            return "\n"
        if not line[0].isspace():
            return self._header(" ".join(words))
        if self.section in ("objective", "rows"):
            out = [self._word(word) for word in words]
        elif self.section == "bounds":
            out = self._bound(words)
        elif self.section == "types":
            out = [self._name(word) for word in words]
        else:
            raise self._bad(f"'{words[0][:40]}' outside of a section")
        return f" {' '.join(out)}\n"

    def _header(self, title: str) -> str:
        section = _LP_SECTIONS.get(title.lower())
        if title.lower() == "sos":
            raise self.refuse("has special ordered sets", self.linear)
        if title.lower().endswith("multi-objectives"):
            raise self.refuse("has several objectives", self.linear)
        if section is None:
            raise self.refuse(f"has a section '{title[:40]}', which is not linear", self.linear)
        if self.number or self.sense or (self.section == "rows" and self.terms):
            raise self._bad(f"an unfinished line before '{title}'")
        empty = self.section == "objective" and not self.terms
        # HiGHS forgets `Maximize` where no column follows.
        start = f" 0 {self._some_column()}\n" if empty else ""
        if section == "end" and self.promised:
            raise self._bad("only rows without terms")
        self._new_row()
        self.section = section
        return start if title.lower() in _EXTRA_ROWS else f"{start}{title}\n"

    def _bad(self, problem: str) -> Exception:
        return self.refuse(
            f"has {problem} {_place(problem, self.count, self.text)}", "correct the file"
        )

    def _name(self, name: str) -> str:
        return self.names.setdefault(name, placeholder(len(self.names)))

    def _word(self, word: str) -> str:
        """A word of the objective or of a row."""
        fresh, self.fresh = self.fresh, False
        if self.sense:
            if not _LP_NUMBER.fullmatch(word) and not _INFINITE.fullmatch(word):
                raise self._bad(f"'{word[:40]}' where a row's right side must be")
            self._new_row()
            return word
        if fresh and word == "->":
            raise self.refuse("has indicator constraints", self.linear)
        if fresh and word.endswith(":") and len(word) > 1:
            self.label = word[:-1]
            return self._name(self.label) + ":"
        if word in _SENSES and self.section == "rows" and not self.number:
            return self._sense(word)
        if self.number:
            return self._term(word)
        if word in ("+", "-"):
            self.operator = True
            return word
        if word == "[":
            where = "its objective" if self.section == "objective" else f"row '{self.label}'"
            raise self.refuse(f"is nonlinear: {where} is quadratic", self.linear)
        if _LP_NUMBER.fullmatch(word):
            self.number = word
            return word
        return self._term(word)

    def _sense(self, word: str) -> str:
        self.sense = True
        if self.terms:
            return word
        return f"0 {self._some_column()} {word}"

    def _some_column(self) -> str:
        """A column to stand with 0 where HiGHS needs one, perhaps the next to be named."""
        if not self.column:
            self.column = self.promised = placeholder("first")
        return self.column

    def _term(self, name: str) -> str:
        if name in _SENSES or name in ("+", "-") or not self.operator:
            raise self._bad(f"'{name[:40]}' after '{self.number or 'a term'}'")
        if self.section == "objective" and name in self.costs:
            raise self.refuse(
                f"names column '{name}' twice in its objective", "give each a name of its own"
            )
        if self.section == "objective":
            self.costs.add(name)
        self.number, self.operator = "", False
        self.terms += 1
        if self.promised and name not in self.names:
            self.names[name], self.promised = self.promised, ""
        self.column = self.column or self._name(name)
        return self._name(name)

    def _bound(self, words: list[str]) -> list[str]:
        if len(words) == 2 and words[1].lower() == "free":
            return [self._name(words[0]), words[1]]
        values = [bool(_LP_NUMBER.fullmatch(w) or _INFINITE.fullmatch(w)) for w in words]
        at = 2 if len(words) == 5 or (values[0] and not values[-1]) else 0
        if len(words) not in (3, 5) or not _SENSES.issuperset(words[1::2]):
            raise self._bad("an unreadable bound")
        if not all(values[k] for k in range(0, len(words), 2) if k != at):
            raise self._bad("an unreadable bound")
        return [self._name(word) if k == at else word for k, word in enumerate(words)]


Refuse = Callable[[str, str], Exception]

_GUROBI = "\\ LP format - for model browsing"
"""How Gurobi's second line begins."""
_INSIDE = r"[^\s:\\^\[\]]"
_REST = r"[^\s+\-*^<>=:/\\\[\]]*"
_WORD = re.compile(
    rf"(?P<number>(?<![^\s+\-*^<>=:/\\\[\]])[\d.]+(?:[eE][+-]?\d+)?)?"
    rf"(?P<name>[^\s\d.+\-*^<>=:/\\\[\]]{_REST}"
    rf"(?:\[(?:{_INSIDE}|\[{_INSIDE}*\])*\]{_REST})*)"
)
"""A name with an index that follows without a blank; a bracket of quadratic terms stands apart."""
_OURS = ("HiGHS_", placeholder(""))
"""HiGHS prints a line about each name like its own."""
_SOS = re.compile(r"\s*sos[12]?\s*$|.*\bs[12]\s*::", re.IGNORECASE)
_ARROW = re.compile(r"-\s*>")
_END = re.compile(r"(?:.*\s)?end\s*$", re.IGNORECASE)
_GENERAL = re.compile(r"\s*(?:general constraints?|gencons?|pwlobj)\s*$", re.IGNORECASE)
_NAN = re.compile(r"(?<![^\s+\-<>=*:])nan(?![^\s+\-<>=*])", re.IGNORECASE)


def plain_lines(
    lines: Iterable[str], names: dict[str, str], refuse: Refuse, linear: str
) -> Iterator[str]:
    """The lines for HiGHS; `names` gets the placeholder of each odd name.

    `refuse` makes the error of a sentence's middle part and an advice; `linear` is the advice to
    whom a linear model is needed.
    """
    reader, started = None, False
    for count, line in enumerate(lines, 1):
        if not started and line.startswith(_GUROBI):
            reader = GurobiText(names, refuse, linear)
        started = started or bool(line.strip() and not line.startswith("\\"))
        if reader:
            yield reader.line(line, count)
        elif "[" in line or any(own in line for own in _OURS):
            yield _indexed(line, names, refuse)
        else:
            yield line


def _indexed(line: str, names: dict[str, str], refuse: Refuse) -> str:
    def exchange(found: re.Match[str]) -> str:
        name = found["name"]
        if "[" not in name and not any(own in name for own in _OURS):
            return found[0]
        number = found["number"] or ""
        if number and "[" in name:
            problem = f"has '{found[0][:40]}', a name or a number before a name"
            raise refuse(problem, "put a blank between the number and the name")
        return f"{number} " * bool(number) + names.setdefault(name, placeholder(len(names)))

    text, mark, comment = line.partition("\\")
    return _WORD.sub(exchange, text) + mark + comment


def checked(lines: Iterable[str], refuse: Refuse, linear: str) -> Iterator[str]:
    """The lines, up to the first that HiGHS would drop or misread: that is an error."""
    ended, before = False, ""
    for line in lines:
        text = line.partition("\\")[0]
        if ">" in text and _ARROW.search(before + text):
            raise refuse("has indicator constraints", linear)
        if "s" in text.lower() and _SOS.match(text):
            raise refuse("has special ordered sets", linear)
        if _GENERAL.match(text):
            raise refuse(f"has a section '{text.strip()}', which is not linear", linear)
        if _NAN.search(text):
            raise refuse("has NaN", "correct the number")
        ended = ended or bool(_END.match(text))
        before = text.rstrip()[-1:] or before
        yield line
    if not ended:
        raise refuse("is no LP file, or truncated: it has no End", "fetch it again")


_SECTIONS = frozenset({"NAME", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "OBJSENSE", "ENDATA"})
_RESERVED = _SECTIONS | {"MAX", "MIN", "SETS", "SOS", "SOS1", "SOS2"}
_QUADRATIC = frozenset({"QUADOBJ", "QMATRIX", "QSECTION", "QCMATRIX", "CSECTION"})
_NO_NUMBER = frozenset({"FR", "MI", "PL", "BV"})
_NUMBER = frozenset({"LO", "UP", "FX", "LI", "UI", "SC", "SI"})
_FIELDS = (slice(1, 3), slice(4, 12), slice(14, 22), slice(24, 36), slice(39, 47), slice(49, 61))

RefuseLine = Callable[[str], Exception]


class MpsScan:
    """Goes over the lines of an MPS file; `refuse` makes the error of a sentence's middle part."""

    def __init__(self, refuse: RefuseLine) -> None:
        self.refuse = refuse
        self.section, self.line, self.text = "", 0, ""
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
            self.text = line
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
        return self.refuse(f"has {problem} {_place(problem, self.line, self.text)}")

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


_BYTES = 64
"""The text of one coefficient is shorter than this."""
_LINEAR = "write it as a linear model"


def look(path: Path, max_nonzeros: int) -> MpsScan:
    """Go over an MPS file once.

    Raises DataError, in a sentence, for what cannot be read as a linear model: no file, a
    directory, an empty, binary, damaged, truncated or too large one, NaN, quadratic terms,
    special ordered sets, indicators.
    """
    scan = MpsScan(lambda problem: refusal(path, problem, "correct the file"))
    scan.run(lines_of(path, _BYTES * max_nonzeros))
    return scan


def edited_copy(path: Path, copy: Path, edits: Mapping[int, str]) -> None:
    """Write an MPS file once more, with other lines at some numbers."""
    with copy.open("w", encoding="utf-8", newline="") as file:
        file.writelines(edits.get(k, line) for k, line in enumerate(lines_of(path, sys.maxsize), 1))


def plain_copy(path: Path, copy: Path, max_nonzeros: int) -> dict[str, str]:
    """Write an LP file once more, as HiGHS reads it; the names behind its placeholders.

    Raises DataError as `look` does.
    """

    def refuse(problem: str, advice: str) -> DataError:
        return refusal(path, problem, advice)

    names: dict[str, str] = {}
    lines = lines_of(path, _BYTES * max_nonzeros)
    with copy.open("w", encoding="utf-8", newline="") as file:
        file.writelines(checked(plain_lines(lines, names, refuse, _LINEAR), refuse, _LINEAR))
    return {short: name for name, short in names.items()}


def refusal(path: Path, problem: str, advice: str = _LINEAR) -> DataError:
    """The error of a file that cannot be read as a linear model."""
    return DataError(f"{path.name} {problem}; {advice}")


def lines_of(path: Path, limit: int = LARGEST) -> Iterator[str]:
    """The lines of a file, perhaps packed, of at most `limit` bytes; raises DataError."""
    empty = True
    try:
        with open_file(path, unpack=True, largest=limit) as file:
            # A file without line ends is taken in parts.
            for line in iter(lambda: file.readline(LARGEST), b""):
                empty = False
                if b"\0" in line:
                    raise refusal(path, "is not text", "give an MPS or LP file")
                yield line.decode("utf-8")
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the name") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory; name an MPS or LP file in it") from None
    except UnicodeDecodeError:
        raise refusal(path, "is not UTF-8 text", "save it as UTF-8") from None
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise refusal(path, f"is damaged ({error})", "fetch it again") from None
    except OSError as error:
        if error.errno is None:  # what unpacks gzip and bzip2 says so of damage
            raise refusal(path, f"is damaged ({error})", "fetch it again") from None
        raise DataError(f"cannot read {path}: {error.strerror}; check the file") from error
    if empty:
        raise refusal(path, "is empty", "give an MPS or LP file")
