"""The strict reader of LP files: words, their kinds, and rows many at once.

Two ways of writing are told apart. What Gurobi writes says so in its second line: its words stand
between blanks, and a name may hold anything. Elsewhere blanks may be left out, and a name holds no
sign, relation, colon, `*`, `^`, nor a bracket but as a closed index, and begins with no `/`.
Conventions, where readers differ (docs/files.md): a constant on the left goes to the right; a
column twice in a row is summed; `<` is `<=`; a binary column's bounds are cut to 0 and 1; an upper
bound below 0 leaves the lower one at 0; of two bounds for one side the later holds; rows of one
name are told apart by a number; lazy rows and user cuts are rows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.files.sections import (
    assembled,
    by_rows,
    dense_polynomial,
    endless,
    lacks_numbers,
    ordered_set,
    quadratic_of,
)
from ordojo.milp.files.text import WordError, bare, blocks, encoding, numbered, refused, wrong
from ordojo.milp.model import ENDLESS, INF, Bytes, Floats, Ints, Model, VarType, distinct
from ordojo.milp.problem import (
    General,
    GeneralFunction,
    Indicator,
    LinearObjective,
    Problem,
    Quadratic,
    QuadraticRow,
    Sos,
)

Kinds = np.ndarray[tuple[Any, ...], np.dtype[np.int8]]
_GUROBI = b"\\ LP format - for model browsing"
"""How Gurobi's line behind the comments at the top begins."""
_HEADS = {
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("lazy constraints", "user cuts"), "extra rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("binaries", "binary", "bin"), "binary"),
    **dict.fromkeys(("generals", "general", "gen", "integers", "integer", "int"), "integer"),
    **dict.fromkeys(("semi-continuous", "semicontinuous", "semis", "semi"), "semi"),
    **dict.fromkeys(("sos", "sos1", "sos2"), "sets"),
    **dict.fromkeys(("general constraints", "general constraint", "gencons"), "functions"),
    "pwlobj": "pieces",
    "end": "end",
}
_TAKEN = {"extra rows": "rows", **dict.fromkeys(("binary", "integer", "semi"), "kinds")}
"""What takes a kind of section, where it is not called by it."""
_BEGINS = {head[:2] for head in _HEADS}
_FIRST = {head.split()[0] for head in _HEADS}
_BEGUN = r"\n[^\S\n]*[{}][{}]".format(
    *("".join({*x, *x.upper()}) for x in map("".join, zip(*_BEGINS, strict=True)))
)
"""The beginning of a line that may be a head's; of Gurobi's the next is that."""
_BEGUN_GUROBI = r"\n\S"
_GOAL = r"(?i)\s*(min|max)(?:imi[sz]e|imum)?(?:\s+(multi-objectives)\s*$|:?(?=\s|$))"
_NUM = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_FLOWING = ("rows", "bounds", "binary", "integer", "semi")
"""Kinds of sections that may begin in the line of their head."""
_LEADS = "|".join(
    re.escape(head).replace(r"\ ", r"[ \t]+") for head, kind in _HEADS.items() if kind in _FLOWING
)
_LED = rf"(?i)[ \t]*({_LEADS})[ \t]+(?![\s<>=:]|free\s*$)"
"""A head with a part of its section behind it: no sum goes on so, but perhaps with a sign."""
_BELOW = rf"(?i)[+-]\s*(?:{_NUM}|inf\w*)\s*[<>=]"
"""How bounds begin that begin with a sign."""
_REST = r"[^\s+\-*^<>=:\\\[\]]*"
_INSIDE = r"[^\s:\\^\[\]]"
_NAME = rf"[^\s\d.+\-*^<>=:/\\\[\]]{_REST}(?:\[(?:{_INSIDE}|\[{_INSIDE}*\])*\]{_REST})*"
"""A name, perhaps with an index that follows without a blank."""
SIGN, NUM, SNUM, NAME, LABEL, REL, OTHER = range(7)
"""Kinds of words; SNUM is a number with its sign."""
_KINDS: dict[str, int] = {"sign": SIGN, "num": NUM, "snum": SNUM, "name": NAME}
_KINDS |= {"label": LABEL, "rel": REL, "other": OTHER, "arrow": OTHER}
_WORD = (
    rf"(?P<arrow>->)|(?P<label>(?:{_NAME}|[\d.]{_REST}):)|(?P<snum>[+-]{_NUM})|(?P<num>{_NUM})|(?P<name>{_NAME})"
    r"|(?P<rel>[<>]=?|=[<>]?)|(?P<sign>[+-])|(?P<other>.)"
)
"""One of the words that stand in a text without blanks between."""
_INDEXED = rf"[\d.]+(?:[eE][+-]?\d+)?(?:{_NAME})"
_GUROBI_WORD = (
    rf"(?P<snum>[+-]{_NUM})|(?P<num>{_NUM})|(?P<sign>[+-])|(?P<rel><=|>=|=<|=>|<|>|=)"
    r"|(?P<label>.*:)|(?P<other>\[|\]|->|\^2|\*|/)|(?P<name>.*)"
)
_SIMPLE = r"[^\s\d.+\-*^<>=:/\\\[\]][^\s+\-*^<>=:\\\[\]]*"
_MANY = {NAME: _SIMPLE, LABEL: f"{_SIMPLE}:", NUM: _NUM, SNUM: rf"[+\-]{_NUM}"}
"""Most words, found among many at once; both ways of writing have them."""
_SENSES = {"<=": "<", "=<": "<", "<": "<", ">=": ">", "=>": ">", ">": ">", "=": "="}
_TURNED = {"<": ">", ">": "<", "=": "="}
_BEGIN, _STOP = 7, 8
_OPEN = np.zeros((9, 9), bool)
"""Which kind of word may follow which within a sum."""
_OPEN[_BEGIN, [SIGN, NUM, SNUM, NAME, _STOP]] = True
_OPEN[SIGN, [SIGN, NUM, SNUM, NAME]] = True
_OPEN[NUM, [SIGN, SNUM, NAME, _STOP]] = _OPEN[SNUM, [SIGN, SNUM, NAME, _STOP]] = True
_OPEN[NAME, [SIGN, SNUM, _STOP]] = True


class _Section(NamedTuple):
    """The lines of a section; `shift` columns of the first are left out."""

    kind: str
    first: int
    lines: list[str]
    title: str = ""


class _Row:
    """A row's name, the place of its terms among the words, its sides, and its switch."""

    def __init__(self, name: str, start: int, stop: int) -> None:
        self.name, self.start, self.stop = name, start, stop
        self.lower, self.upper = -INF, INF
        self.switch: tuple[int, int] | None = None
        """Of an indicator: the column's word, the value."""

    def hold(self, sense: str, value: float, relation: int, number: int) -> None:
        """Keep a side; raises WordError where that one is given already, or infinitely far."""
        if (sense != ">" and self.upper < INF) or (sense != "<" and self.lower > -INF):
            raise WordError(relation, "gives the row a second side of one kind")
        _reachable(sense, value, number)
        if sense != "<":
            self.lower = value
        if sense != ">":
            self.upper = value


class _Sums(NamedTuple):
    """Terms of several sums: the row, column and coefficient of each; each row's constant."""

    row: Ints
    col: Ints
    value: Floats
    constant: Floats


def read_lp(path: str, largest: int) -> Problem:
    """Read an LP file (.gz, .xz and .bz2 too); raises DataError with line and column."""
    data = b"".join(blocks(path, largest))
    gurobi = data.startswith(_GUROBI) or b"\n" + _GUROBI in data[:2000]
    if b"\\" in data:  # comments may be in any encoding
        data = re.sub(rb"\\[^\n]*", b"", data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise encoding(path, data[: error.start]) from None
    return _Reader(path, text, gurobi).problem()


class _Reader:
    def __init__(self, path: str, text: str, gurobi: bool) -> None:
        self.path, self.gurobi = path, gurobi
        if gurobi and "__pwl(" in text:
            text = re.sub(r"__pwl\((\S+)\)", r"0 \1", text)
        self.text, self.lines = text, text.split("\n")
        self.cols: dict[str, int] = {}
        self.notes: dict[str, None] = {}
        self.section = _Section("", 1, self.lines)
        self.known = {"+": SIGN, "-": SIGN, **dict.fromkeys(_SENSES, REL)}
        self.known |= {} if gurobi else {"+inf": SNUM, "-inf": SNUM}
        self.parts: dict[str, list[str]] = {}
        """Kinds of words, and the words of those that stand without blanks between."""
        self.origin: list[int] = []
        """Which words of the section these are, and its end, where some were taken together."""
        self.groups: dict[str, list[tuple[float, str, str]]] = {}
        self.constants: set[str] = set()
        if "Constant" in text:
            self.constants = {
                name
                for name in re.findall(r"^\s*(Constant\d*)\s*=\s*1\s*$", text, re.M)
                if len(re.findall(rf"(?<!\S){name}(?!\S)", text)) == 2
            }
            """Columns that Gurobi writes in the place of objectives' constants."""
        self.maximize = False
        self.goal = _Sums(_ints(()), _ints(()), _floats(()), np.zeros(1))
        self.blocks: list[tuple[list[_Row], _Sums]] = []
        self.lower: dict[int, float] = {}
        self.upper: dict[int, float] = {}
        self.kinds: dict[str, list[int]] = {"binary": [], "integer": [], "semi": []}
        self.sets: list[Sos] = []
        self.functions: list[General] = []
        self.pieces: dict[int, tuple[float, ...]] = {}
        self.goals: list[tuple[str, list[float], _Sums]] = []

    # The text in sections, and their words.

    def _sections(self) -> Iterator[_Section]:
        """Yield the sections; raises DataError for what stands before or behind them."""
        lines, found = self.lines, list[tuple[int, str, str, str]]()
        start = 0
        while start < len(lines) and not lines[start].strip():
            start += 1
        goal = re.match(_GOAL, lines[start]) if start < len(lines) else None
        if goal is None:
            word = (*lines[start : start + 1], "")[0].split()
            if not word:
                raise refused(self.path, "is empty", "give an MPS or LP file")
            raise self._wrong(word[0], "stands before the objective")
        kind = "goals" if goal[2] else "goal"
        found.append((start, kind, goal[1].lower(), " " * goal.end() + lines[start][goal.end() :]))
        k, place = 0, 0
        for begun in re.finditer(_BEGUN_GUROBI if self.gurobi else _BEGUN, self.text):
            k, place = k + self.text.count("\n", place, begun.end()), begun.end()
            title = lines[k][:64].strip().lower()  # enough for each head
            if k <= start or not (self.gurobi or (title.split() or [""])[0] in _FIRST):
                continue
            alone = (head := _plain(title)) in _HEADS and not lines[k][64:].strip()
            if alone:
                found.append((k, _HEADS[head], head, ""))
            elif self.gurobi:
                what = "begins a section that is not known"
                raise self._wrong(lines[k].split()[0], what, begun.start())
            elif led := self._led(lines[k], found[-1][1]):
                rest = " " * led.end() + lines[k][led.end() :]
                found.append((k, _HEADS[head := _plain(led[1])], head, rest))
        for (k, kind, title, line), (end, *_) in zip(
            found, [*found[1:], (len(lines), "", "", "")], strict=True
        ):
            yield _Section(kind, k + 1, [line, *lines[k + 1 : end]], title)
        if found[-1][1] != "end":
            raise refused(self.path, "is truncated: it has no End", "fetch it again")

    def _led(self, line: str, before: str) -> re.Match[str] | None:
        """The head of a line that has more behind it, in a section of the kind `before`."""
        led = re.match(_LED, line)
        if led and line[led.end()] in "+-":
            kind = _HEADS[_plain(led[1])]
            begins = kind == "rows" and before == "goal"
            if not begins and not (kind == "bounds" and re.match(_BELOW, line[led.end() :])):
                return None
        return led

    def _wrong(self, word: str, what: str, start: int = 0) -> DataError:
        """The error of a word of the section's text, the first from a place on."""
        text = "\n".join(self.section.lines)
        place = max(text.find(word, start), 0)
        line = self.section.first + text.count("\n", 0, place)
        column = place - text.rfind("\n", 0, place)
        return wrong(self.path, line, column, f"'{word[:40]}' {what}")

    def _lex(self, section: _Section) -> tuple[list[str], Kinds]:
        """The words of a section, and their kinds."""
        self.section = section
        words = " ".join(section.lines).replace(" :", ":").split()
        return self._kinds(words)

    def _kinds(self, words: list[str]) -> tuple[list[str], Kinds]:
        word = _GUROBI_WORD if self.gurobi else _WORD
        known, parts = self.known, self.parts
        given = set(words)
        new = {each for each in given if each not in known and each not in parts}
        for kind, pattern in _MANY.items() if new else ():
            found = re.findall(f"(?m)^{pattern}$", "\n".join(new))
            known.update(dict.fromkeys(found, kind))
            new.difference_update(found)
        for each in new:
            whole = re.fullmatch(word, each)
            if whole is not None:
                known[each] = _KINDS[str(whole.lastgroup)]
            elif "[" in each and re.match(_INDEXED, each):
                known[each] = OTHER
            else:
                inner = [*re.finditer(word, each)]
                parts[each] = [part[0] for part in inner]
                known.update({part[0]: _KINDS[str(part.lastgroup)] for part in inner})
        if not parts.keys().isdisjoint(given):
            words = [part for each in words for part in parts.get(each, (each,))]
        return words, np.frombuffer(bytearray(map(known.__getitem__, words)), np.int8)

    def _place(self, at: int) -> tuple[int, int, str, bool]:
        """The line and column of a word of the section, the word itself; False: the last one."""
        count, place = 0, (self.section.first, 1, self.section.title)
        for k, line in enumerate(self.section.lines):
            column = 0
            for given in line.replace(" :", ":").split():
                column = line.find(given.rstrip(":"), column)
                inner, _ = self._kinds([given])
                which = min(at - count, len(inner) - 1)
                before = "".join(inner[:which])
                place = self.section.first + k, column + len(before) + 1, inner[which]
                if count + len(inner) > at:
                    return *place, True
                count += len(inner)
                column += len(given)
        return *place, False

    # Sums.

    def _sums(self, words: list[str], kinds: Kinds, rows: Sequence[_Row]) -> _Sums:
        """The terms between each row's start and stop."""
        start = np.array([row.start for row in rows], np.int64)
        length = np.array([row.stop for row in rows], np.int64) - start
        total = int(length.sum())
        row = np.repeat(np.arange(len(rows)), length)
        at = np.arange(total) + np.repeat(start - (np.cumsum(length) - length), length)
        kind = kinds[at].astype(np.int64)
        first = np.ones(total, bool)
        first[1:] = row[1:] != row[:-1]
        before = np.empty(total, np.int64)
        before[1:] = kind[:-1]
        before[first] = _BEGIN
        behind = np.append(kind[1:], _STOP)
        behind[np.append(first[1:], False)[:total]] = _STOP
        bad = np.flatnonzero(~(_OPEN[before, kind] & ((behind < _STOP) | _OPEN[kind, _STOP])))
        if len(bad):
            k = int(bad[0])
            if _OPEN[before[k], kind[k]]:
                raise WordError(int(at[k]) + 1, "stands where a number or a column must be")
            what = "a number or a column" if before[k] in (SIGN, _BEGIN) else "a sign or a relation"
            raise WordError(int(at[k]), f"stands where {what} must be")
        value = np.ones(total)
        numeric = np.flatnonzero((kind == NUM) | (kind == SNUM))
        value[numeric] = self._numbers([words[k] for k in at[numeric].tolist()], at[numeric])
        signs = np.flatnonzero(kind == SIGN)
        value[signs] = [-1.0 if words[k] == "-" else 1.0 for k in at[signs].tolist()]
        for k in signs[before[signs] == SIGN].tolist():
            value[k] *= value[k - 1]
        lead = numeric[before[numeric] == SIGN]
        value[lead] *= value[lead - 1]
        named = np.flatnonzero(kind == NAME)
        follows = named[before[named] <= SNUM]
        value[follows] = value[follows - 1]
        alone = numeric[(behind[numeric] != NAME)]
        constant = np.bincount(row[alone], value[alone], len(rows)).astype(np.float64)
        names, known = [words[k] for k in at[named].tolist()], self.cols
        new = [name for name in dict.fromkeys(names) if name not in known and name[0] != "\0"]
        known.update(zip(new, count(len(known)), strict=False))
        if self.groups:
            known = {**known, **{name: -1 - k for k, name in enumerate(self.groups)}}
        col = numbered(known, names)
        return _Sums(row[named].astype(np.int32), col, value[named], constant)

    def _numbers(self, words: Sequence[str], at: Sequence[int] | Kinds) -> Floats:
        found = np.fromiter(map(float, words), np.float64, len(words))
        if not np.isfinite(found).all():
            raise WordError(int(at[int(np.argmin(np.isfinite(found)))]), "is no finite number")
        return found

    def _number(self, words: list[str], kinds: list[int], at: int) -> tuple[float, int]:
        """The number at a place, perhaps with a sign, perhaps infinite; the place behind it."""
        sign = 1.0
        if at < len(words) and kinds[at] == SIGN:
            sign, at = (-1.0 if words[at] == "-" else 1.0), at + 1
        if at < len(words):
            if kinds[at] in (NUM, SNUM):
                return sign * float(words[at]), at + 1
            if _endless(words[at]):
                return -sign * INF if words[at][0] == "-" else sign * INF, at + 1
        raise WordError(at, "stands where a number must be")

    # Rows.

    def _rows(self, words: list[str], kinds: Kinds) -> list[_Row]:
        """Cut the words of a section into rows."""
        rows, codes = list[_Row](), kinds.tolist()
        relations = np.flatnonzero(kinds == REL).tolist()
        labels = [*np.flatnonzero(kinds == LABEL).tolist(), len(words)]
        at, k, begun, count = 0, 0, 0, len(words)
        while at < count:
            row, first = _Row("", at, at), at
            if codes[at] == LABEL:
                row.name, at = words[at][:-1], at + 1
            row.start = at
            while labels[begun] < at:
                begun += 1
            limit = labels[begun]
            given = False
            while True:
                if k == len(relations) or relations[k] >= limit:
                    row.stop = at = limit
                    if given:
                        break
                    self._sums(words, kinds, [row])  # raises where a word cannot go on
                    raise WordError(first, "begins a row that has no relation to a number")
                r = relations[k]
                k += 1
                sense = _SENSES[words[r]]
                if (
                    not given
                    and 0 < r - row.start < 3
                    and self._is_number(words, codes, row.start, r)
                ):
                    value, _ = self._number(words, codes, row.start)
                    row.hold(_TURNED[sense], value, r, r - 1)
                    row.start, at, given = r + 1, r + 1, True
                    continue
                row.stop = r
                value, at = self._number(words, codes, r + 1)
                if at < count and words[at] == "->":
                    if row.switch or sense != "=" or value not in (0.0, 1.0) or r != row.start + 1:
                        raise WordError(at, "stands behind no column that is 0 or 1")
                    row.switch = row.start, int(value)
                    row.start = at = at + 1
                    continue
                row.hold(sense, value, r, at - 1)
                if k < len(relations) and relations[k] == at:  # x + y >= 2 <= 8
                    r, k = at, k + 1
                    value, at = self._number(words, codes, r + 1)
                    row.hold(_SENSES[words[r]], value, r, at - 1)
                break
            rows.append(row)
        return rows

    def _is_number(self, words: list[str], codes: list[int], at: int, stop: int) -> bool:
        if stop - at == 2 and codes[at] == SIGN:
            at += 1
        return stop - at == 1 and (
            codes[at] in (NUM, SNUM) or (_endless(words[at]) and not self.gurobi)
        )

    def _grouped(self, words: list[str], kinds: Kinds) -> tuple[list[str], Kinds]:
        """The words with each bracket of products as one name; `groups` has what it holds."""
        self.origin = []
        if "[" not in words:
            return words, kinds
        codes, out, origin = kinds.tolist(), list[str](), list[int]()
        more, at = list[int](), 0
        while at < len(words):
            origin.append(at)
            if words[at] != "[" or codes[at] != OTHER:
                out.append(words[at])
                more.append(codes[at])
                at += 1
                continue
            terms, at = self._products(words, codes, at + 1)
            half = words[at : at + 2] == ["/", "2"]
            name = f"\0{len(self.groups)}"
            self.groups[name] = [(c / 2 if half else c, a, b) for c, a, b in terms]
            at += 2 * half
            out.append(name)
            more.append(NAME)
        self.origin = [*origin, at]
        return out, np.array(more, np.int8)

    def _numbered(self, words: list[str], kinds: Kinds) -> tuple[list[str], Kinds]:
        """The words of an objective, its constant as a number."""
        if self.constants.isdisjoint(words):
            return words, kinds
        kept = np.ones(len(words), bool)
        for k, word in enumerate(words):
            if word in self.constants:
                kept[k] = k == 0 or kinds[k - 1] not in (NUM, SNUM)
                words[k], kinds[k] = "1", NUM
        origin = self.origin or range(len(words) + 1)
        self.origin = [origin[k] for k in [*np.flatnonzero(kept).tolist(), len(words)]]
        return [word for word, keep in zip(words, kept, strict=True) if keep], kinds[kept]

    def _products(
        self, words: list[str], codes: list[int], at: int
    ) -> tuple[list[tuple[float, str, str]], int]:
        """The products up to a closing bracket, and the place behind it."""
        found = list[tuple[float, str, str]]()
        codes = [*codes, OTHER, OTHER]
        words = [*words, "", ""]
        while words[at] != "]":
            value, signed = 1.0, not found
            while codes[at] == SIGN:
                value, signed, at = (-value if words[at] == "-" else value), True, at + 1
            _expect(signed or codes[at] == SNUM, at, "a sign or a closing bracket")
            if codes[at] in (NUM, SNUM):
                value, at = value * float(words[at]), at + 1
            _expect(codes[at] == NAME, at, "a column")
            first, at = words[at], at + 1
            if words[at] == "^2" or words[at : at + 2] == ["^", "2"]:
                found.append((value, first, first))
                at += 1 if words[at] == "^2" else 2
                continue
            _expect(words[at] == "*", at, "a product or a square")
            at += 1
            _expect(codes[at] == NAME, at, "a column")
            found.append((value, first, words[at]))
            at += 1
        return found, at + 1

    def _col(self, name: str) -> int:
        return self.cols.setdefault(name, len(self.cols))

    def _apart(self, sums: _Sums, start: int, stop: int) -> tuple[Ints, Floats, Quadratic]:
        """Of the sum of these terms: columns and coefficients, each once, and products."""
        linear, products = dict[int, float](), dict[tuple[int, int], float]()
        groups = list(self.groups.values())
        for col, value in zip(
            sums.col[start:stop].tolist(), sums.value[start:stop].tolist(), strict=True
        ):
            if col >= 0:
                linear[col] = linear.get(col, 0.0) + value
                continue
            for c, a, b in groups[-1 - col]:
                first, second = sorted((self._col(a), self._col(b)))
                products[first, second] = products.get((first, second), 0.0) + c * value
        linear = {j: c for j, c in sorted(linear.items()) if c}
        return _ints(linear), _floats(linear.values()), quadratic_of(products)

    # Sections.

    def problem(self) -> Problem:
        """All sections, as a problem."""
        try:
            for section in self._sections():
                self._unlike_columns(section)
                self.section, self.origin = section, []
                getattr(self, f"take_{_TAKEN.get(section.kind, section.kind)}")(section)
            self.section = _Section("", 1, self.lines)
            return self._built()
        except WordError as found:
            at = [*self.origin, found.word][min(found.word, max(len(self.origin) - 1, 0))]
            line, column, word, inside = self._place(at)
            what = f"'{word[:40]}' {found.what}"
            if not inside:
                what = f"the section ends behind '{word[:40]}'{found.what.removeprefix('stands')}"
            raise wrong(self.path, line, column, what) from None

    def _unlike_columns(self, section: _Section) -> None:
        """Raise the error of a head among columns of a type that is the name of one, too."""
        word = self.lines[section.first - 1].split()[0]
        listed = self.section.kind in self.kinds and section.kind != "end" and not self.gurobi
        if listed and word in self.cols and word.lower() == section.title:
            what = f"'{word}' may be the column or the head of a section"
            raise wrong(self.path, section.first, 0, what, "rename the column")

    def take_goal(self, section: _Section) -> None:
        """The objective: a label perhaps, and a sum."""
        self.maximize = section.title.startswith("max")
        words, kinds = self._numbered(*self._grouped(*self._lex(section)))
        row = _Row("", int(len(words) > 0 and kinds[0] == LABEL), len(words))
        sums = self._sums(words, kinds, [row])
        if self.gurobi and len(set(sums.col.tolist())) < len(sums.col):
            ordered = np.sort(sums.col)
            col = int(ordered[:-1][ordered[1:] == ordered[:-1]][0])
            twice = f"names column '{[*self.cols][col]}' twice in its objective"
            raise refused(self.path, f"{twice}: several have this name", "give each its own")
        self.goal = sums

    def take_goals(self, section: _Section) -> None:
        """Several objectives, each behind a line with its numbers."""
        self.maximize = section.title.startswith("max")
        heads = [k for k, line in enumerate(section.lines) if "Priority=" in line]
        if not heads or any(line.strip() for line in section.lines[: heads[0]]):
            raise wrong(self.path, section.first, 0, "no objective with a Priority= follows")
        for k, end in zip(heads, [*heads[1:], len(section.lines)], strict=True):
            found = re.fullmatch(_PRIORITY, section.lines[k].strip())
            if not found:
                raise wrong(self.path, section.first + k, 0, "this is no objective's head")
            part = _Section("goals", section.first + k + 1, section.lines[k + 1 : end])
            self.origin = []
            words, kinds = self._numbered(*self._lex(part))
            sums = self._sums(words, kinds, [_Row("", 0, len(words))])
            self.goals.append((found[1], [float(n) for n in found.groups()[1:]], sums))

    def take_rows(self, section: _Section) -> None:
        """Rows; lazy ones and user cuts, too."""
        words, kinds = self._grouped(*self._lex(section))
        rows = self._rows(words, kinds)
        if rows and section.kind == "extra rows":
            self.notes[f"The rows of '{section.title}' are rows like others."] = None
        sums = self._sums(words, kinds, rows)
        for k in np.flatnonzero(sums.constant).tolist():
            row, constant = rows[k], float(sums.constant[k])
            row.lower, row.upper = row.lower - constant, row.upper - constant
            self.notes["Constants on the left of rows are brought to the right."] = None
        for row in rows:
            if row.switch:
                row.switch = self._col(words[row.switch[0]]), row.switch[1]
        self.blocks.append((rows, sums))

    def take_bounds(self, section: _Section) -> None:
        """A column between numbers, or free."""
        words, kinds = self._signed(*self._lex(section))
        codes, at, tried, count = [*kinds.tolist(), OTHER, OTHER], 0, 0, len(words)
        number, both = (kinds == NUM) | (kinds == SNUM), np.zeros(count + 5, bool)
        if count > 4:
            both[: count - 4] = number[:-4] & number[4:] & (kinds[2:-2] == NAME)
            both[: count - 4] &= (kinds[1:-3] == REL) & (kinds[3:-1] == REL)
        while at < count:
            if at >= tried and both[at]:
                tried = at + 5 * int(both[at::5].argmin())
                if self._between(words[at:tried]):
                    at = tried
                    continue
            first, left = at, at if codes[at] in (NUM, SNUM) else None
            if left is not None:
                _expect(codes[at + 1] == REL, at + 1, "a relation")
                at += 2
            _expect(codes[at] == NAME, at, "a column" if at > first else "a number or a column")
            name, at = words[at], at + 1
            right = at + 1 if codes[at] == REL else None
            free = left is None and right is None
            if right is not None:
                _expect(codes[right] in (NUM, SNUM), right, "a number")
            elif free:
                free = at < count and words[at].lower() == "free"
                _expect(free, at, "a relation")
            if name not in self.constants:
                col = self._col(name)
                if free:
                    self._bound(col, ">", -INF, at)
                    self._bound(col, "<", INF, at)
                if left is not None:
                    self._bound(col, _TURNED[_SENSES[words[left + 1]]], float(words[left]), left)
                if right is not None:
                    sense = _SENSES[words[at]]
                    if left is not None and (sense == "=" or sense != _SENSES[words[left + 1]]):
                        raise WordError(at, "makes no range with the relation before it")
                    self._bound(col, sense, float(words[right]), right)
            at = at + 2 if right is not None else at + free

    def _signed(self, words: list[str], kinds: Kinds) -> tuple[list[str], Kinds]:
        """The words of bounds, each sign and infinity as a number or a part of one."""
        ends = {w for w, kind in self.known.items() if kind == NAME and _endless(w)}
        numbers = (kinds[1:] == NUM) | (kinds[1:] == SNUM)
        special = (1 + np.flatnonzero((kinds[:-1] == SIGN) & numbers)).tolist()
        special += [k for k, word in enumerate(words) if word in ends] if ends else []
        if not special:
            return words, kinds
        codes, kept = [*kinds.tolist(), OTHER, OTHER], np.ones(len(words), bool)
        for k in sorted(special):
            word, signed = words[k], k > 0 and codes[k - 1] == SIGN
            if word in ends:
                behind = codes[k - 1 - signed] == REL and codes[k - 2 - signed] == NAME
                before = codes[k + 1] == REL and codes[k + 2] == NAME and words[k + 2] not in ends
                if not (signed or before or (k > 1 and behind)):
                    continue
                codes[k] = SNUM
            if signed:
                words[k] = repr(-float(word)) if words[k - 1] == "-" else word
                kept[k - 1] = False
        places = kept.nonzero()[0].tolist()
        self.origin = [*places, len(words)]
        return [words[k] for k in places], np.array(codes[:-2], np.int8)[kept]

    def _between(self, words: list[str]) -> bool:
        """Take lines like `0 <= x <= 9`, five words each, unless one says more than that."""
        names, lower, upper = words[2::5], [*map(float, words[::5])], [*map(float, words[4::5])]
        plain = {*words[1::5], *words[3::5]} == {"<="} and self.constants.isdisjoint(names)
        if not plain or max(lower) >= ENDLESS or min(upper) <= -ENDLESS:
            return False
        cols = [self._col(name) for name in names]
        once = len({*cols}) == len(cols)
        if once and self.lower.keys().isdisjoint(cols) and self.upper.keys().isdisjoint(cols):
            self.lower.update(zip(cols, lower, strict=True))
            self.upper.update(zip(cols, upper, strict=True))
            return True
        return False

    def _bound(self, col: int, sense: str, value: float, number: int) -> None:
        _reachable(sense, value, number)
        for side, held in ((">", self.lower), ("<", self.upper)):
            if sense in (side, "=") and held.setdefault(col, value) != value:
                held[col] = value
                self.notes["Of two bounds of a column for one side the later holds."] = None

    def take_kinds(self, section: _Section) -> None:
        """The columns of a type."""
        words, kinds = self._lex(section)
        other = np.flatnonzero(kinds != NAME)
        _expect(not len(other), int(other[:1].sum()), "a column")
        self.kinds[section.kind] += [self._col(name) for name in words]

    def take_sets(self, section: _Section) -> None:
        """Special ordered sets: a name perhaps, S1 or S2, columns with weights."""
        text = "\n".join(section.lines)
        heads = [*re.finditer(_SET, text)]
        ends = [head.start() for head in heads] + [len(text)]
        if before := text[: ends[0]].split():
            raise self._wrong(before[0], "belongs to no set")
        for head, end in zip(heads, ends[1:], strict=True):
            begin, members = head.end(), dict[int, float]()
            left = re.sub(_MEMBER, lambda member: " " * len(member[0]), text[begin:end])
            if odd := left.split():
                place = begin + left.index(odd[0])
                raise self._wrong(odd[0], "is no column with a weight", place)
            for member in re.finditer(_MEMBER, text[begin:end]):
                j = self._col(member[1])
                if j in members:
                    place = begin + member.start()
                    word = member[0].split()[0]
                    raise self._wrong(word, "stands in its set a second time", place)
                members[j] = float(member[2])
            self.sets.append(ordered_set(int(head[2]), members, head[1] or ""))

    def take_pieces(self, section: _Section) -> None:
        """Piecewise-linear terms of the objective."""
        for line in filter(str.strip, section.lines):
            name, _, points = line.partition(":")
            numbers = _points(points)
            if not numbers:
                raise self._wrong(line.split()[0], "has no points")
            self.pieces[self._col(name.strip())] = numbers

    def take_functions(self, section: _Section) -> None:
        """General constraints: a column, a function, columns and numbers."""
        words = " ".join(section.lines).split()
        heads = [k for k in range(len(words) - 3) if words[k + 1] == "=" and words[k + 3] == "("]
        starts = [_begin(words, head) for head in heads]
        if words and starts[:1] != [0]:
            what = "begins no function like `f: y = LOG_2 ( x )`, its words apart"
            raise self._wrong(words[0], what)
        for start, head, end in zip(starts, heads, [*starts[1:], len(words)], strict=False):
            name = words[start][:-1] if words[start][-1:] == ":" else ""
            result, kind = self._col(words[head]), words[head + 2]
            found = self._function(kind.lower(), words[head + 4 : end])
            if found is None:
                raise self._wrong(kind, "is a function that is not read here")
            function, cols, numbers = found
            self.functions.append(General(name, function, result, _ints(cols), numbers))

    def _function(
        self, kind: str, body: list[str]
    ) -> tuple[GeneralFunction, list[int], tuple[float, ...]] | None:
        """The function of a word and what follows, its columns and numbers; None: not read here."""
        function = _FUNCTIONS.get(kind.partition("_")[0])
        if function is None or ")" not in body:
            return None
        close = body.index(")")
        inner, rest = body[:close], body[close + 1 :]
        if function == GeneralFunction.POLY:
            dense = tuple(dense_polynomial(_powers(inner)))
            if rest or not dense:
                return None
            return function, [self._col(inner[inner.index("^") - 1])], dense
        base = kind.split("_")[1:]
        if function == GeneralFunction.LOG and base:
            function = GeneralFunction.LOGA
        if rest[:1] == ["("] and rest[-1:] == [")"]:  # NORM ( 2 ) ( x , y )
            base, inner, rest = inner, rest[1:-1], []
        if not all(re.fullmatch(_PLAIN, word) or _endless(word) for word in base):
            return None
        numbers = tuple(map(float, base))
        if rest[:1] == [":"] and function == GeneralFunction.PWL:
            numbers, rest = _points(" ".join(rest[1:])), []
        inner = [word.strip(",") for word in inner if word not in (",", "^", "")]
        plain = [bool(re.fullmatch(_PLAIN, word)) for word in inner]
        numbers += tuple(float(w) for w, is_ in zip(inner, plain, strict=True) if is_)
        cols = [self._col(w) for w, is_ in zip(inner, plain, strict=True) if not is_]
        if rest or not cols or "+" in inner or lacks_numbers(function, numbers):
            return None
        return function, cols, numbers

    def take_end(self, section: _Section) -> None:
        """Nothing."""
        if behind := " ".join(section.lines).split():
            raise self._wrong(behind[0], "stands behind End")

    # The problem.

    def _built(self) -> Problem:
        rows, indicators, quadratic = list[_Row](), list[Indicator](), list[QuadraticRow]()
        entries: list[tuple[Ints, Ints, Floats]] = []
        for found, sums in self.blocks:
            odd = np.zeros(len(found), bool)
            odd[sums.row[sums.col < 0]] = True
            odd[[k for k, row in enumerate(found) if row.switch]] = True
            ends = np.searchsorted(sums.row, np.arange(len(found) + 1))
            for k in np.flatnonzero(odd).tolist():
                row = found[k]
                index, value, pairs = self._apart(sums, ends[k], ends[k + 1])
                sides = row.lower, row.upper
                if row.switch and len(pairs.value):
                    raise self._wrong(row.name, "is an indicator with products, which is not read")
                if row.switch:
                    indicators.append(Indicator(row.name, *row.switch, index, value, *sides))
                else:
                    quadratic.append(QuadraticRow(row.name, index, value, pairs, *sides))
            place = np.cumsum(~odd) - 1 + len(rows)
            rows += [row for row, other in zip(found, odd, strict=True) if not other]
            keep = ~odd[sums.row]
            entries.append((place[sums.row[keep]], sums.col[keep], sums.value[keep]))
        goal, products = self.goal, quadratic_of({})
        if (goal.col < 0).any():
            index, value, products = self._apart(goal, 0, len(goal.col))
            goal = goal._replace(col=index, value=value)
        n, m = len(self.cols), len(rows)
        dense = np.bincount(goal.col, goal.value, n).astype(np.float64)
        entries.append((_ints(()), _ints(()), _floats(())))
        places, cols, values = (np.concatenate(part) for part in zip(*entries, strict=True))
        starts, index, value = by_rows(places, cols, values, m, n)
        lower, upper, types = self._columns(n)
        offset = float((self.goals[0][2] if self.goals else self.goal).constant[0])
        both = endless([row.lower for row in rows]), endless([row.upper for row in rows])
        model = Model(
            *(bare(self.path)[0], self.maximize, dense, offset),
            *(tuple(self.cols), lower, upper, types),
            *(self._row_names(rows), *both),
            *(starts, index, value),
        )
        goals = [
            LinearObjective(
                *(name, int(numbers[0]), numbers[1], numbers[2], numbers[3]),
                np.bincount(sums.col, sums.value, n).astype(np.float64),
                float(sums.constant[0]),
            )
            for name, numbers, sums in self.goals
        ]
        if goals:
            model.objective[:] = goals[0].coefficients
        parts: dict[str, list[Any]] = {"quadratic_rows": quadratic, "indicators": indicators}
        parts |= {"sos": self.sets, "general": self.functions}
        return assembled(model, products, parts, goals, self.notes, self.pieces)

    def _row_names(self, rows: Sequence[_Row]) -> tuple[str, ...]:
        """The rows' names: R and its number for one without, a number behind for one used twice."""
        names = [row.name or f"R{k}" for k, row in enumerate(rows, 1)]
        single = distinct(names)
        if single != tuple(names):
            self.notes["Rows with one name are told apart by a number behind it."] = None
        return single

    def _columns(self, n: int) -> tuple[Floats, Floats, Bytes]:
        """The columns' bounds and types."""
        lower, upper = np.zeros(n), np.full(n, INF)
        stated = np.zeros(n, bool)
        for bound, side in ((lower, self.lower), (upper, self.upper)):
            at = _ints(side)
            stated[at], bound[at] = True, _floats(side.values())
        below = (upper < 0).any() and [
            j for j, up in self.upper.items() if up < 0 and j not in self.lower
        ]
        if below:
            name = [*self.cols][below[0]]
            self.notes[
                f"Column '{name}' has an upper bound below 0 and no lower one: 0 stays its lower."
            ] = None
        lower, upper = endless(lower), endless(upper)
        types = np.zeros(n, np.uint8)
        types[self.kinds["integer"]] = VarType.INTEGER
        types[self.kinds["binary"]] = VarType.BINARY
        semi = self.kinds["semi"]
        types[semi] = np.where(types[semi], VarType.SEMIINTEGER, VarType.SEMICONTINUOUS)
        binary = types == VarType.BINARY
        if (binary & stated & ((lower < 0) | ((upper > 1) & (upper < INF)))).any():
            self.notes["The bounds of binary columns are cut to 0 and 1."] = None
        lower[binary], upper[binary] = np.maximum(lower[binary], 0), np.minimum(upper[binary], 1)
        types[(types == VarType.INTEGER) & (lower == 0) & (upper == 1)] = VarType.BINARY
        return lower, upper, types


_PRIORITY = (
    rf"(?i)(\S+):\s*Priority=([+-]?\d+)\s+Weight=([+-]?{_NUM})"
    rf"\s+AbsTol=({_NUM})\s+RelTol=({_NUM})"
)
_SET = r"(?i)(?:(?<!\S)([^\s:]+)\s*:\s*)?(?<![^\s:])S([12])\s*::"
_MEMBER = rf"([^\s:]+)\s*:\s*([+-]?{_NUM})(?!\S)"
_POINT = r"\(\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*\)"
_POWER = rf"([+-])?\s*(?:({_NUM})\s+)?(\S+) \^ (\d+)(?!\S)"
_PLAIN = rf"[+-]?{_NUM}"
_FUNCTIONS: dict[str, GeneralFunction] = {
    f.value: f for f in GeneralFunction if f != GeneralFunction.LOGA
}
"""By name; a logarithm to another base is written as one with a number behind it."""


def _plain(head: str) -> str:
    """A head as `_HEADS` has it."""
    return " ".join(head.lower().split())


def _powers(words: Sequence[str]) -> list[float]:
    """The powers of `1 x ^ 3 - 2 x ^ 1`, each with its coefficient; none where it is not so."""
    text = " ".join(words)
    terms = [*re.finditer(_POWER, text)]
    if re.sub(_POWER, "", text).strip() or len({term[3] for term in terms}) != 1:
        return []
    return [
        value
        for term in terms
        for value in (float(term[4]), float(f"{term[1] or ''}{term[2] or 1}"))
    ]


def _begin(words: list[str], head: int) -> int:
    """Where a function begins whose result is at `head`: at its name, at options of Gurobi's for
    its pieces, `f: ( FuncPieces=4 ) y = ...`, or there.
    """
    start = head
    if head and words[head - 1] == ")":
        option = head - 2
        while option > 0 and "=" in words[option][1:-1]:
            option -= 1
        start = option if option < head - 2 and words[option] == "(" else head
    return start - (start > 0 and words[start - 1][1:].endswith(":"))


def _points(text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(n) for pair in re.findall(_POINT, text) for n in pair)
        return () if re.sub(_POINT, "", text).strip() else numbers
    except ValueError:
        return ()


def _reachable(sense: str, value: float, number: int) -> None:
    """Raise the error of a side that is infinitely far where it bounds."""
    if (sense != "<" and value >= ENDLESS) or (sense != ">" and value <= -ENDLESS):
        raise WordError(number, "is infinite, so that no number is beyond")


def _endless(word: str) -> bool:
    """Whether a word says infinity, perhaps with a sign."""
    return len(word) < 10 and word.lstrip("+-").lower() in ("inf", "infinity")


def _expect(good: bool, at: int, what: str) -> None:
    """Raise the error of a word that is none of the kind that must stand there."""
    if not good:
        raise WordError(at, f"stands where {what} must be")


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), np.int32)


def _floats(values: Iterable[float]) -> Floats:
    return np.array(list(values), np.float64)
