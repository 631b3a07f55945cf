"""The strict reader of MPS files: what the file says, as arrays.

Words of many lines are taken at once; only where something is wrong is a place looked for. The free
format is tried first, then the fields of the fixed one, in which names may have blanks.
Conventions, where readers differ (docs/files.md): an integer column between markers without a bound
is 0 or 1; an upper bound below 0 without a lower one frees the column below; of two bounds for one
side the later holds; a right side of the objective is its constant with the other sign; of several
N rows the first is the objective (or that of OBJNAME), unless they have priorities.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, compress, count, islice, pairwise, repeat
from typing import NoReturn

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.files.text import UnreadableError, WordError, blocks, numbered, refused, wrong
from ordojo.milp.model import ENDLESS, Flags, Floats, Ints, Longs

_Edge = tuple[int, bytes, bytes, int]
"""A marker of an ordered set: how many entries are before it, its set, itself, and its word."""
FIRST = ("NAME", "OBJSENSE", "OBJNAME")
"""Sections that stand before ROWS."""
DATA = ("ROWS", "LAZYCONS", "USERCUTS", "COLUMNS", "RHS", "RANGES", "BOUNDS")
KEPT = (
    *("SOS", "SOS1", "SOS2", "SETS", "INDICATORS", "QUADOBJ", "QMATRIX", "QSECTION"),
    *("QCMATRIX", "CSECTION", "PWLOBJ", "GENCONS", "SCENARIOS"),
)
"""Sections that are kept as they stand."""
REFUSED = ("DELAYEDROWS", "MODELCUTS", "OBJECTIVE")
BOUNDS: dict[bytes, tuple[float | None, float | None, bool, bool]] = {
    b"LO": (np.nan, None, False, False),
    b"UP": (None, np.nan, False, False),
    b"FX": (np.nan, np.nan, False, False),
    b"LI": (np.nan, None, True, False),
    b"UI": (None, np.nan, True, False),
    b"SC": (None, np.nan, False, True),
    b"SI": (None, np.nan, True, True),
    b"FR": (-np.inf, np.inf, False, False),
    b"MI": (-np.inf, None, False, False),
    b"PL": (None, np.inf, False, False),
    b"BV": (None, None, True, False),
}
"""What each kind of bound sets: lower, upper (None: as it was, NaN: the number that follows),
whether the column is integer, whether semicontinuous. BV cuts both to 0 and 1."""
_CODES = {name: k for k, word in enumerate(BOUNDS) for name in (word, word.lower())}
_BARE = np.array([not (low != low or up != up) for low, up, *_ in BOUNDS.values()])
_SETS = np.array([[side is not None for side in kind[:2]] for kind in BOUNDS.values()])
_TO = np.array([[side or 0.0 for side in kind[:2]] for kind in BOUNDS.values()])
_WHOLE, _SEMI = (np.array([kind[k] for kind in BOUNDS.values()]) for k in (2, 3))
_NUMBER = rb"(?i)[+-]?(?:inf|infinity|(?:\d+\.?\d*|\.\d+)(?:[ed][+-]?\d{1,9})?)"
_BLANK = b"\xff"
"""Stands for a blank within a name of fixed format while words are read; no UTF-8 text holds it."""
_KNOWN = {bytes([letter]) for letter in b"NLGEnlge"}
EQ, LE, GE, FREE = b"E"[0], b"L"[0], b"G"[0], b"N"[0]


def number(word: bytes) -> float | None:
    """The number that a word says, perhaps infinite, with FORTRAN's exponents; or None."""
    if re.fullmatch(_NUMBER, word) is None:
        return None
    return float(word.lower().replace(b"d", b"e"))


class MpsFile:
    """What an MPS file says: n columns, m rows (the objective's not among them), by columns.

    `cols` and `rows` are their names in order. `senses` are letters, `rhs` and `ranges` (NaN: none)
    the file's own numbers; column j has rows `index[starts[j]:starts[j + 1]]`, ascending. `types`:
    1 for integer, and 2 for semicontinuous. `sections` are those beyond linear rows: the first
    line's number, lines; `fixed`: whether their words are fields, in which names may have blanks.
    `crossed` are columns of BV whose other bounds leave them no value.
    `goals` are the N rows that have priorities: name, coefficients, constant, numbers.
    """

    def __init__(self, path: str, fixed: bool) -> None:
        self.path, self.fixed = path, fixed
        self.name, self.maximize, self.objective_name, self.offset = b"", False, b"", 0.0
        self.rows: dict[bytes, int] = {}
        self.cols: dict[bytes, int] = {}
        self.crossed: list[int] = []
        self.sections: list[tuple[int, bytes]] = []
        self.goals: list[tuple[bytes, Floats, float, tuple[float, ...]]] = []
        self.notes: list[str] = []
        # What is known after the lines so far, the next of which has the number `line`.
        self.section, self.line = "", 1
        self.seen: set[str] = set()
        self.said = True
        """Whether OBJSENSE or OBJNAME has had its word."""
        self.wanted = (b"", 0, 0)
        """The objective's name in OBJNAME; its line and word there."""
        self.letters: list[bytes] = []
        self.priorities: dict[bytes, tuple[float, ...]] = {}
        self.entries: list[tuple[Ints, Ints, Floats]] = []
        self.places: list[tuple[int, Longs, Longs]] = []
        """Of the entries taken at once: the first line, each line's words, each entry's row."""
        self.inside = False
        self.kinds: dict[bytes, bytes] = {}
        """S1 or S2, by the name of an ordered set between markers."""
        self.ordered: tuple[bytes, int] | None = None
        """The ordered set that a marker has begun: its name, its first column."""
        self.whole: list[tuple[slice, Flags]] = []
        self.sides: dict[str, Floats] = {}
        self.sets: dict[str, bytes] = {}
        self.bounded = False
        self.binary: list[Longs] = []

    def feed(self, block: bytes) -> None:
        """Take a block of whole lines, the first of which has the number `line`."""
        if block[:1] == b"*" or b"\n*" in block:
            block = re.sub(rb"\n\*[^\n]*", lambda found: b"\n".ljust(len(found[0])), b"\n" + block)[
                1:
            ]
        begins, counts = _counted(block)
        heads = (np.frombuffer(block, np.uint8)[begins[:-1]] > 32).nonzero()[0]
        words, behind = block.split(), counts.cumsum()
        first, low, done = self.line, 0, 0
        for k in [*heads.tolist(), len(counts)]:
            stop = int(behind[k] - counts[k]) if k < len(counts) else len(words)
            text = block[begins[k] : begins[k + 1]] if k < len(counts) else b""
            if text and not self._is_header(head := text.split()):
                continue
            if low < k:
                part = block[begins[low] : begins[k]]
                self._lines(part, words[done:stop], counts[low:k], first + low)
            if text:
                self.line, low, done = first + k, k + 1, int(behind[k])
                self._header(head, text)
                if self.section == "ENDATA":
                    return
        self.line = first + len(counts)

    def _is_header(self, words: list[bytes]) -> bool:
        """Whether a line that begins in column 1 begins a section: some files' data do, too."""
        head = words[0].upper().decode("utf-8", "replace")
        if len(words) == 1 and self.section in ("", "NAME", *DATA):
            return True
        if head in DATA or head == "ENDATA":
            return len(words) == 1 or self.section not in DATA[3:]
        if self.section in DATA:
            named = len(words) == 2 and words[0] not in self.rows
            return (head in KEPT and len(words) <= 3) or (head in FIRST[1:] and named)
        return head in (*FIRST, *KEPT, *REFUSED)

    def _refuse(self, line: int, word: int, what: str) -> NoReturn:
        """Raise the error of a line's word, counted from 0 (-1: the whole line)."""
        column, count = 0, 0
        for block in blocks(self.path, 1 << 40) if word >= 0 else ():
            lines = block.count(b"\n")
            if count + lines >= line:
                found = [*re.finditer(rb"\S+", block.split(b"\n")[line - count - 1])]
                column = found[min(word, len(found) - 1)].start() + 1 if found else 0
                break
            count += lines
        raise wrong(self.path, line, column, what)

    def _header(self, words: list[bytes], text: bytes) -> None:
        """Take the line that begins a section; raises DataError where it may not stand there."""
        head = words[0].upper().decode("utf-8", "replace")
        if not self.said:
            self._refuse(self.line, 0, f"the section {self.section} before this is empty")
        faults = {
            "is not supported": head in REFUSED,
            "is unknown": head not in (*FIRST, *DATA, *KEPT, *REFUSED, "ENDATA"),
            "begins a second time": head in self.seen and head not in KEPT,
            "must stand before ROWS": head in FIRST and "ROWS" in self.seen,
            "must stand before RHS": head in DATA[:3] and bool(self.sides),
            "begins before ROWS": head in DATA[1:] and "ROWS" not in self.seen,
        }
        if what := next((what for what, so in faults.items() if so), ""):
            self._refuse(self.line, 0, f"the section {_text(words[0])} {what}")
        self.section = head
        self.seen.add(head)
        if head in DATA:
            if head in ("RHS", "RANGES"):
                self.sides[head] = np.full(len(self.rows), np.nan)
        elif head == "NAME":
            self.name = text.strip()[4:].strip()
        elif head in KEPT:
            self.sections.append((self.line, text.rstrip() + b"\n"))
        elif head in FIRST:
            self.said = False
            if self.fixed and head == "OBJNAME":
                words = text.split(None, 1)
            if len(words) > 1:
                self._word(words, 1, self.line)

    def _word(self, words: list[bytes], k: int, line: int) -> None:
        """Take the one word under or behind OBJSENSE or OBJNAME, of `line`."""
        if self.said or len(words) > k + 1:
            k += not self.said
            self._refuse(line, k, f"'{_text(words[k])}' is a second word of {self.section}")
        self.said, word = True, words[k].strip().replace(b" ", _BLANK)
        if self.section == "OBJNAME":
            self.wanted = word, line, k
        elif word.upper() in (b"MAX", b"MAXIMIZE", b"MAXIMISE", b"MAXIMUM"):
            self.maximize = True
        elif word.upper() not in (b"MIN", b"MINIMIZE", b"MINIMISE", b"MINIMUM"):
            self._refuse(line, k, f"the sense '{_text(word)}' is neither MAX nor MIN")

    def _lines(self, text: bytes, words: list[bytes], counts: Longs, first: int) -> None:
        """Take lines of the section at hand: their text, words, and how many words each has."""
        if self.section in KEPT:
            line, before = self.sections[-1]
            self.sections[-1] = line, before + text
            return
        if self.fixed and self.section in (*DATA, "OBJNAME"):
            lines = text.split(b"\n")[:-1]
            text = b"".join(self._fields(line, first + k) for k, line in enumerate(lines))
            words, (_, counts) = text.split(), _counted(text)
        if not words:
            return
        try:
            if self.section in _TAKE:
                _TAKE[self.section](self, words, counts, first)
            elif self.section in FIRST[1:]:
                for k in np.flatnonzero(counts).tolist():
                    self._word(words[: counts[k]], 0, first + k)
                    words = words[counts[k] :]
            else:
                where = f"in the section {self.section}" if self.section else "before any section"
                raise WordError(0, f"'{_text(words[0])}' stands {where}")
        except WordError as found:
            line, word = _line(counts, found.word)
            self.line = first + line
            self._refuse(self.line, word, found.what)

    def _fields(self, line: bytes, number: int) -> bytes:
        """A line of fixed format in words, blanks within names replaced."""
        if self.section == "OBJNAME":
            return line.strip().replace(b" ", _BLANK) + b"\n"
        try:
            found = fields(line, self.section)
        except WordError as error:
            self.line = number
            self._refuse(number, error.word, error.what)
        return b" ".join(word.replace(b" ", _BLANK) for word in found) + b"\n"

    def take_rows(self, words: list[bytes], counts: Longs, first: int) -> None:
        """Lines of a sense and a name; N rows may have the numbers of an objective behind."""
        if (counts == 2).all():
            at = np.arange(0, len(words), 2)
            senses, names = words[0::2], words[1::2]
        else:
            at = _starts(counts)[counts > 0]
            _count(counts, (0, 2, 6), "a sense and a name")
            senses, names = [words[k] for k in at.tolist()], [words[k + 1] for k in at.tolist()]
            for k in at[counts[counts > 0] == 6].tolist():
                numbers = [number(word) for word in words[k + 2 : k + 6]]
                if words[k].upper() != b"N" or None in numbers:
                    raise WordError(k + 2, f"'{_text(words[k + 2])}' stands behind a row's name")
                self.priorities[words[k + 1]] = tuple(n or 0.0 for n in numbers)
        if not _KNOWN.issuperset(senses):
            k = next(k for k, sense in enumerate(senses) if sense not in _KNOWN)
            raise WordError(int(at[k]), f"'{_text(senses[k])}' is none of N, L, G, E")
        if self.section != "ROWS" and names:
            self.notes.append(f"The rows of {self.section} are rows like others.")
        before = len(self.rows)
        self.rows.update(zip(names, count(before), strict=False))
        if len(self.rows) < before + len(names):
            known, k = {*islice(self.rows, before)}, 0
            while names[k] not in known:
                known.add(names[k])
                k += 1
            what = f"the row '{_text(names[k])}' stands here a second time"
            raise WordError(int(at[k]) + 1, what)
        self.letters += senses

    def take_columns(self, words: list[bytes], counts: Longs, first: int) -> None:
        """Lines of a column, and one or two rows with a coefficient each."""
        if (counts == 3).all():
            at, times = np.arange(1, len(words), 3), counts // 3
            names, rows, values = words[0::3], words[1::3], words[2::3]
        else:
            led = self._kinds(words, counts)
            _count(counts, (0, 3, 5), "a column, a row and a number", led)
            pairs, at = _pairs(counts, led)
            names, times = _at(words, (_starts(counts) + led)[pairs > 0]), pairs[pairs > 0]
            rows, values = _at(words, at), _at(words, at + 1)
        edges = list[_Edge]()
        inside = np.full(1, self.inside)
        if b"'MARKER'" in rows:
            names = [*chain.from_iterable(map(repeat, names, times.tolist()))]
            names, rows, values, at, inside, edges = self._marked(names, rows, values, at)
        old = len(self.cols)
        for name in dict.fromkeys(names):
            self.cols.setdefault(name, len(self.cols))
        col = numbered(self.cols, names)
        col = col.repeat(times) if len(col) < len(rows) else col
        self._order(edges, col, old, first, counts)
        if not names:
            return
        last = self.entries[-1][0][-1] if self.entries else 0
        if col[0] < last or (col[1:] < col[:-1]).any():
            k = int(np.argmax(np.diff(col, prepend=last) < 0))
            what = f"the column '{_text([*self.cols][col[k]])}' stands here a second time"
            raise WordError(int(at[k]) - _line(counts, int(at[k]))[1], what)
        if inside.any():
            if len(inside) > 1:
                inside = inside[col.searchsorted(np.arange(old, len(self.cols)))]
            self.whole.append((slice(old, len(self.cols)), inside))
        row = _found(self.rows, rows, at, "row")
        value = _numbers(values, at + 1)
        self.entries.append((col, row, value))
        self.places.append((first, counts, at))

    def _marked(
        self, names: list[bytes], rows: list[bytes], values: list[bytes], at: Longs
    ) -> tuple[list[bytes], list[bytes], list[bytes], Longs, Flags, list[_Edge]]:
        """The entries without the markers, whether each is between two of integers, and edges."""
        marks = [k for k, row in enumerate(rows) if row == b"'MARKER'"]
        change = np.zeros(len(names) + 1, np.int64)
        state, edges = self.inside, list[_Edge]()
        for passed, k in enumerate(marks):
            if values[k] in (b"'SOSORG'", b"'SOSEND'"):
                edges.append((k - passed, names[k], values[k], int(at[k]) + 1))
                continue
            if values[k] not in (b"'INTORG'", b"'INTEND'"):
                raise WordError(int(at[k]) + 1, f"the marker {_text(values[k])} is not known")
            change[k] = (values[k] == b"'INTORG'") - int(state)
            state = values[k] == b"'INTORG'"
        inside = (np.cumsum(change[:-1]) + int(self.inside)).astype(bool)
        self.inside = state
        for k in reversed(marks):
            del names[k], rows[k], values[k]
        kept = np.ones(len(at), bool)
        kept[marks] = False
        return names, rows, values, at[kept], inside[kept], edges

    def _kinds(self, words: list[bytes], counts: Longs) -> Longs | int:
        """Keep S1 and S2, before the markers of ordered sets; how many words of lines they are."""
        fours = (counts == 4).nonzero()[0]
        if not len(fours):
            return 0
        start, led = _starts(counts), np.zeros_like(counts)
        for line in fours[::-1].tolist():
            kind, name, row, _ = words[start[line] : start[line] + 4]
            if row == b"'MARKER'" and kind.upper() in (b"S1", b"S2"):
                self.kinds[name] = kind
                led[line] = 1
        return led

    def _order(self, edges: list[_Edge], col: Ints, old: int, first: int, counts: Longs) -> None:
        """Keep the ordered sets between markers as SOS sections: sections are handed on as text."""
        for entry, name, mark, word in edges:
            column = int(col[entry - 1]) + 1 if entry else old
            begins = mark == b"'SOSORG'"
            if begins == (self.ordered is not None):
                what = "begins a set within a set" if begins else "ends no set"
                raise WordError(word, f"the marker {_text(mark)} {what}")
            if self.ordered is None:
                self.ordered = name, column
                continue
            name, begin = self.ordered
            # Laid out by the fields of the fixed format, which the free one reads, too.
            head = b"SOS\n %-2s %s\n" % (self.kinds.get(name, b"S1"), name)
            members = islice(self.cols, begin, column)
            text = b"".join(b"    %-20s%d\n" % (each, k) for k, each in enumerate(members, 1))
            line = first + _line(counts, word)[0]
            self.sections.append((line, (head + text).replace(_BLANK, b" ")))
            self.ordered = None

    def take_sides(self, words: list[bytes], counts: Longs, first: int) -> None:
        """Pairs of a row and a number, with or without the name of the set before."""
        _count(counts, (0, 2, 3, 4, 5), "a set, a row and a number")
        _, at = _pairs(counts)
        self._one_set(words, _starts(counts)[counts % 2 == 1])
        row = _found(self.rows, _at(words, at), at, "row")
        value = _numbers(_at(words, at + 1), at + 1, endless=True)
        for k in (np.abs(value) >= ENDLESS).nonzero()[0].tolist():
            sense = self.letters[row[k]].upper()
            if self.section == "RHS" and sense != (b"L" if value[k] > 0 else b"G"):
                what = f"is infinite, which no right side of sense {_text(sense)} can be"
                raise WordError(int(at[k]) + 1, f"'{_text(words[at[k] + 1])}' {what}")
        held = self.sides[self.section]
        before = held[row]
        held[row] = value
        if (before == before).any() or len({*row.tolist()}) < len(row):
            order = np.argsort(row, kind="stable")
            again = order[1:][row[order][1:] == row[order][:-1]]
            k = int(at[min([*again, *np.flatnonzero(before == before)])])
            raise WordError(k, f"the row '{_text(words[k])}' has a second number in {self.section}")

    def _one_set(self, words: list[bytes], at: Longs) -> None:
        """Raise the error of a section's second set; its name stands at each of these places."""
        for k in at.tolist():
            if self.sets.setdefault(self.section, words[k]) != words[k]:
                raise WordError(k, f"'{_text(words[k])}' begins a second set of {self.section}")

    def take_bounds(self, words: list[bytes], counts: Longs, first: int) -> None:
        """Kinds of bounds, perhaps a set, a column, perhaps a number; the later holds."""
        self._columns_done()
        _count(counts, (0, 2, 3, 4), "a bound, a column and a number")
        start = _starts(counts)[counts > 0]
        width = counts[counts > 0]
        kind = _found(_CODES, _at(words, start), start, "kind of bound")
        bare = _BARE[kind]
        at = start + np.where(width == 4, 2, 1)
        short = np.flatnonzero(~bare & (width == 2))
        if len(short):
            raise WordError(int(start[short[0]]), "a bound has no number")
        for k in np.flatnonzero(bare & (width == 3)).tolist():
            at[k] += words[start[k] + 2] in self.cols
        col = _found(self.cols, _at(words, at), at, "column")
        self._one_set(words, start[at > start + 1] + 1)
        value = np.zeros(len(kind))
        last = (start + width - 1)[~bare]
        value[~bare] = _numbers(_at(words, last), last, endless=True)
        for side, bound in enumerate((self.lower, self.upper)):
            sets = _SETS[kind, side].nonzero()[0]
            if not len(sets):
                continue
            to = _TO[kind[sets], side]
            to = np.where(to == to, to, value[sets])
            beyond = np.flatnonzero(to >= ENDLESS if side == 0 else to <= -ENDLESS)
            if len(beyond):
                k = int((start + width - 1)[sets[beyond[0]]])
                which = ("a lower", "an upper")[side]
                raise WordError(
                    k, f"'{_text(words[k])}' is infinite, which {which} bound cannot be"
                )
            other = self.given[side, col[sets]] & (bound[col[sets]] != to)
            bound[col[sets]] = to
            other |= bound[col[sets]] != to
            if other.any():
                name = _text(words[at[sets[np.argmax(other)]]])
                self.notes.append(f"Of two bounds of column '{name}' for one side the later holds.")
            self.given[side, col[sets]] = True
        self.touched[col] = True
        binary = col[kind == _CODES[b"BV"]]
        self.given[:, binary] = True
        self.binary.append(binary)
        below = col[value < 0]
        if len(below):
            below = col[((kind == _CODES[b"UP"]) | (kind == _CODES[b"UI"])) & (value < 0)]
            below = below[~self.given[0, below]]
        if len(below):
            self.lower[below] = -np.inf
            name = _text(words[at[np.flatnonzero(col == below[0])[0]]])
            self.notes.append(
                f"Column '{name}' has an upper bound below 0 and no lower one: it is free below."
            )
        self.types[col[_WHOLE[kind]]] |= 1
        self.types[col[_SEMI[kind]]] |= 2

    def _columns_done(self) -> None:
        """Note that COLUMNS is over."""
        if self.bounded:
            return
        if "COLUMNS" not in self.seen:
            self._refuse(self.line, -1, "there is no COLUMNS section before this")
        self.bounded = True
        n = len(self.cols)
        self.lower, self.upper = np.zeros(n), np.full(n, np.inf)
        self.types = np.zeros(n, np.uint8)
        for col, whole in self.whole:
            self.types[col] = whole
        self.given, self.touched = np.zeros((2, n), bool), np.zeros(n, bool)

    def read(self, largest: int) -> "MpsFile":
        """The whole file; where it is refused, `line` is how far it was read."""
        for block in blocks(self.path, largest):
            self.feed(block)
            if self.section == "ENDATA":
                break
        else:
            why = "is no MPS file, or truncated: it has no ENDATA"
            raise refused(self.path, why, "fetch it again")
        if self.ordered:
            what = f"no 'SOSEND' ends the set '{_text(self.ordered[0])}' before this"
            self._refuse(self.line, 0, what)
        self._columns_done()
        for binary in self.binary:
            self.lower[binary] = np.maximum(self.lower[binary], 0.0)
            self.upper[binary] = np.minimum(self.upper[binary], 1.0)
            self.crossed += binary[self.lower[binary] > self.upper[binary]].tolist()
        if self.types.any():
            self.upper[(self.types == 1) & ~self.touched] = 1.0
        self._matrix()
        if self.fixed:
            self.cols, self.rows = (
                {name.replace(_BLANK, b" "): k for name, k in names.items()}
                for names in (self.cols, self.rows)
            )
            self.objective_name = self.objective_name.replace(_BLANK, b" ")
        return self

    def _matrix(self) -> None:
        """The entries by column, then row, those of objectives apart, and the rows' numbers."""
        col, row, value = self._sorted()
        n, m = len(self.cols), len(self.rows)
        self.senses = np.frombuffer(b"".join(self.letters).upper(), np.uint8)
        self.rhs = self.sides.get("RHS", np.zeros(m))
        self.rhs[np.isnan(self.rhs)] = 0.0
        self.ranges = self.sides.get("RANGES", np.full(m, np.nan))
        for name, numbers in self.priorities.items():
            mine, cost = row == self.rows[name], np.zeros(n)
            cost[col[mine]] = value[mine]
            self.goals.append((name, cost, 0.0 - float(self.rhs[self.rows[name]]), numbers))
        self.starts = np.zeros(n + 1, np.int64)
        np.bincount(col, minlength=n).cumsum(out=self.starts[1:])
        self.objective, goal = np.zeros(n), self._goal()
        if goal >= 0:
            mine, kept = row == goal, np.arange(m) != goal
            self.objective[col[mine]] = value[mine]
            self.starts -= mine.nonzero()[0].searchsorted(self.starts)
            row, value = row[~mine], value[~mine]
            row -= row > goal
            self.offset, self.objective_name = 0.0 - float(self.rhs[goal]), [*self.rows][goal]
            del self.rows[self.objective_name]
            self.senses, self.rhs, self.ranges = (
                part[kept] for part in (self.senses, self.rhs, self.ranges)
            )
        self.index, self.value = row, value

    def _sorted(self) -> tuple[Ints, Ints, Floats]:
        """The entries by column, then row; raises DataError where one stands twice."""
        parts = self.entries or [(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))]
        col, row, value = (np.concatenate(part) for part in zip(*parts, strict=True))
        self.entries = []  # Of a large file they take much room.
        key = col.astype(np.int64) * len(self.rows) + row
        if not (key[1:] > key[:-1]).all():
            order = np.argsort(key, kind="stable")
            key, twice = key[order], np.flatnonzero(key[order][1:] == key[order][:-1])
            if len(twice):
                self._second(int(order[twice + 1].min()), col, row)
            col, row, value = col[order], row[order], value[order]
        self.places = []
        return col, row, value

    def _second(self, entry: int, col: Ints, row: Ints) -> NoReturn:
        """Raise the error of the entry with this number, which stands a second time."""
        names = _text([*self.cols][col[entry]]), _text([*self.rows][row[entry]])
        for first, counts, at in self.places:
            if entry < len(at):
                line, word = _line(counts, int(at[entry]))
                what = f"column '{names[0]}' has a second coefficient in row '{names[1]}'"
                self._refuse(first + line, word, what)
            entry -= len(at)
        raise AssertionError("each entry has a place")

    def _goal(self) -> int:
        """Which row is the objective; -1 if none."""
        free = np.flatnonzero(self.senses == FREE).tolist()
        wanted, line, word = self.wanted
        if not wanted:
            return free[0] if free else -1
        found = self.rows.get(wanted, -1)
        if found not in free:
            self._refuse(line, word, f"no N row is called '{_text(wanted)}'")
        return found


_TAKE: Mapping[str, Callable[[MpsFile, list[bytes], Longs, int], None]] = {
    **dict.fromkeys(DATA[:3], MpsFile.take_rows),
    "COLUMNS": MpsFile.take_columns,
    "RHS": MpsFile.take_sides,
    "RANGES": MpsFile.take_sides,
    "BOUNDS": MpsFile.take_bounds,
}
_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
_GAPS = [(high, low) for (_, high), (low, _) in pairwise([*_FIELDS, (62, 62)])]
"""Between the fields; what stands behind column 62, numbers of cards mostly, is no part of it."""


def fields(line: bytes, section: str) -> list[bytes]:
    """The words of a line of fixed format, in which names may have blanks.

    Raises WordError, the word counted as if the format were free, where the fields do not fit.
    """

    def refuse(place: int, what: str) -> NoReturn:
        raise WordError(max(len(line[: place + 1].split()) - 1, 0), what)

    line = line.rstrip()
    if b"\t" in line:
        refuse(line.index(b"\t"), "there is a tab, so the fields of the fixed format are not known")
    for low, high in _GAPS:
        if gap := line[low:high].lstrip():
            refuse(min(high, len(line)) - len(gap), "no field of the fixed format is here")
    found = [line[low:high].strip() for low, high in _FIELDS]
    if section not in DATA or found[2] == b"'MARKER'":
        return [word for word in found if word]
    if section in DATA[4:] and not found[1]:
        del found[1]  # the set's name
    if section in DATA[3:6] and found.pop(0):
        refuse(1, f"nothing may stand in columns 2 and 3 in {section}")
    while found and not found[-1]:
        found.pop()
    if not all(found):
        refuse(line.rindex(found[-1]), "a field before this one is empty")
    return found


def _text(word: bytes) -> str:
    return word[:40].replace(_BLANK, b" ").decode("utf-8", "replace")


def _counted(text: bytes) -> tuple[Longs, Longs]:
    """Where each line of whole lines begins, and the text ends; how many words each has."""
    data = np.frombuffer(text, np.uint8)
    blank = data <= 32
    ends = (data == 10).nonzero()[0]
    begins = np.zeros(len(ends) + 1, np.int64)
    begins[1:] = ends + 1
    starts = ~blank
    starts[1:] &= blank[:-1]
    return begins, np.add.reduceat(starts, begins[:-1], dtype=np.int64)


def _at(words: list[bytes], places: Longs) -> list[bytes]:
    """The words at ascending places."""
    wanted = np.zeros(len(words), bool)
    wanted[places] = True
    return [*compress(words, wanted.tobytes())]


def _starts(counts: Longs) -> Longs:
    """The first word of each line, where lines have so many."""
    return counts.cumsum() - counts


def _count(counts: Longs, allowed: Sequence[int], what: str, led: Longs | int = 0) -> None:
    """Raise the error of a line of other than `allowed` words behind the `led` first ones."""
    behind = counts - led
    if not {*allowed}.issuperset(np.bincount(behind).nonzero()[0].tolist()):
        bad = np.flatnonzero(~np.isin(behind, allowed))
        many = f"{counts[bad[0]]} words stand where there must be {what}"
        raise WordError(int(_starts(counts)[bad[0]]), many)


def _line(counts: Longs, word: int) -> tuple[int, int]:
    """The line of a word, where lines have so many, and which of its words it is."""
    behind = np.cumsum(counts)
    line = int(np.searchsorted(behind, word, "right"))
    return line, word - int(behind[line] - counts[line])


def _pairs(counts: Longs, led: Longs | int = 0) -> tuple[Longs, Longs]:
    """How many pairs of words are behind the `led` first of each line; each pair's first word."""
    given = counts - led
    pairs, start = given // 2, _starts(counts) + led
    # The k-th pair of all begins at 2 k, and behind the words without pair of the lines up to it.
    alone = start + given % 2 - 2 * _starts(pairs)
    return pairs, alone.repeat(pairs) + 2 * np.arange(int(pairs.sum()))


def _found(known: Mapping[bytes, int], names: Sequence[bytes], at: Longs, what: str) -> Ints:
    """The numbers of names; raises WordError at the first that is unknown."""
    try:
        return numbered(known, names)
    except KeyError:
        k = next(k for k, name in enumerate(names) if name not in known)
        raise WordError(int(at[k]), f"the {what} '{_text(names[k])}' is unknown") from None


def _numbers(words: Sequence[bytes], at: Longs, endless: bool = False) -> Floats:
    """The words as numbers; raises WordError at the first that is none, or not finite."""
    try:
        found = np.fromiter(map(float, words), np.float64, len(words))
        sure = b"_" not in b"".join(words)
    except ValueError:
        sure = False
    if not sure:
        read = [number(word) for word in words]
        for k, value in enumerate(read):
            if value is None:
                raise WordError(int(at[k]), f"'{_text(words[k])}' is no number")
        found = np.array(read, np.float64)
    good = ~np.isnan(found) if endless else np.isfinite(found)
    if not good.all():
        bad = np.flatnonzero(~good)
        what = "no number" if np.isnan(found[bad[0]]) else "no finite number"
        raise WordError(int(at[bad[0]]), f"'{_text(words[int(bad[0])])}' is {what}")
    return found


LARGEST = 1 << 32
"""Bytes of an MPS file at most; what is read takes about as much again."""
_FIXED = 1 << 26
"""Bytes of a file in fixed format with blanks in names, which is read line by line."""


def read_mps(path: str, largest: int = LARGEST) -> MpsFile:
    """Read an MPS file (.gz, .xz and .bz2 too) as it stands: no number is changed.

    Raises DataError, in a sentence with line and column, for whatever is not a whole model. Time
    and memory grow with the bytes that are there, never with what they declare.
    """
    free = MpsFile(path, fixed=False)
    try:
        return free.read(largest)
    except UnreadableError:
        raise
    except DataError as error:
        fixed = MpsFile(path, fixed=True)
        try:
            return fixed.read(min(largest, _FIXED))
        except DataError as other:
            # The format that the file is in is the one in which more of it can be read.
            raise (other if fixed.line > free.line else error) from None
