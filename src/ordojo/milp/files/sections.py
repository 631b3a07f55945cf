"""What an MPS file says, as a problem, its sections beyond linear rows included.

Also the parts of problems that LP files are read into alike: entries by rows, sides without end,
products, sets, functions.
"""

import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.files.mps import EQ, FREE, GE, LE, MpsFile, fields, number
from ordojo.milp.files.text import WordError, bare, blocks, encoding, refused, wrong
from ordojo.milp.model import ENDLESS, INF, Floats, Ints, Model, VarType
from ordojo.milp.problem import (
    PARTS,
    VALUE_FIRST,
    General,
    GeneralFunction,
    Indicator,
    LinearObjective,
    Problem,
    Quadratic,
    QuadraticRow,
    Sos,
    with_pieces,
)

TYPES = np.array(
    [VarType.CONTINUOUS, VarType.INTEGER, VarType.SEMICONTINUOUS, VarType.SEMIINTEGER], np.uint8
)
"""The type in a `Model` for each of an MPS file's, where binaries are integers."""
_FUNCTIONS: dict[str, GeneralFunction] = {f.name: f for f in GeneralFunction}


def row_bounds(senses: Any, rhs: Floats, ranges: Floats) -> tuple[Floats, Floats]:
    """The rows' lower and upper sides (m each); a range widens by the rules of the format."""
    low, up, ranged = rhs.copy(), rhs.copy(), ~np.isnan(ranges)
    low[(senses == LE) | (senses == FREE)] = -np.inf
    up[(senses == GE) | (senses == FREE)] = np.inf
    if not ranged.any():
        return low, up
    wide = np.abs(ranges)
    up = np.where(ranged & (senses == GE), rhs + wide, up)
    low = np.where(ranged & (senses == LE), rhs - wide, low)
    equal = ranged & (senses == EQ)
    up = np.where(equal & (ranges > 0), rhs + wide, up)
    low = np.where(equal & (ranges < 0), rhs - wide, low)
    return low, up


def by_rows(row: Ints, col: Ints, value: Floats, m: int, n: int) -> tuple[Ints, Ints, Floats]:
    """Entries of an m x n matrix by rows, then columns: starts (m + 1), columns, coefficients.

    Equal places are summed, zeros left out.
    """
    key = row.astype(np.int64) * n + col
    if not (key[1:] > key[:-1]).all():
        order = key.argsort(kind="stable")
        key, value = key[order], value[order]
        if not (key[1:] > key[:-1]).all():
            first = np.flatnonzero(np.diff(key, prepend=-1))
            key, value = key[first], np.add.reduceat(value, first)
    if not value.all():
        key, value = key[value != 0], value[value != 0]
    starts = key.searchsorted(np.arange(m + 1) * n)
    return starts.astype(np.int32), (key % max(n, 1)).astype(np.int32), value


def endless(values: "Sequence[float] | Floats") -> Floats:
    """Sides of 1e20 and more are infinite, as solvers have it."""
    found = np.asarray(values, np.float64)
    far = np.abs(found) >= ENDLESS
    return np.where(far, np.copysign(INF, found), found) if far.any() else found


def problem_of(file: MpsFile) -> Problem:
    """The problem; raises DataError, with line and column, for what a section says wrongly."""
    problem = _Sections(file).problem()
    return dataclasses.replace(problem, title=file.name.decode("utf-8", "replace"))


class _Sections:
    def __init__(self, file: MpsFile) -> None:
        self.path, self.file = file.path, file
        self.col_names, self.row_names = (self._names(x) for x in (file.cols, file.rows))
        self.lower, self.upper = (
            endless(x) for x in row_bounds(file.senses, file.rhs, file.ranges)
        )
        m, n = len(file.rows), len(file.cols)
        col = np.arange(n, dtype=np.int32).repeat(file.starts[1:] - file.starts[:-1])
        self.starts, self.index, self.value = by_rows(file.index, col, file.value, m, n)
        self.taken = file.senses == FREE
        self.products: dict[tuple[int, int], float] = {}
        self.parts: dict[str, list[Any]] = {field: [] for field in PARTS}
        self.pieces: dict[int, tuple[float, ...]] = {}

    def _names(self, names: Collection[bytes]) -> tuple[str, ...]:
        try:
            return tuple(b"\n".join(names).decode().split("\n")) if names else ()
        except UnicodeDecodeError:
            raise self._strange() from None

    def _strange(self) -> DataError:
        """The error of the first byte that is not UTF-8 outside comments."""
        line = 1
        for block in blocks(self.path, 1 << 40):
            plain = re.sub(rb"(?m)^\*.*$", b"", block)
            try:
                plain.decode()
            except UnicodeDecodeError as error:
                return encoding(self.path, plain[: error.start], line)
            line += block.count(b"\n")
        return refused(self.path, "is not UTF-8 text", "save it as UTF-8")

    def problem(self) -> Problem:
        """The problem that the file is."""
        file = self.file
        if file.sections:
            self.cols = {name: k for k, name in enumerate(self.col_names)}
            self.rows = {name: k for k, name in enumerate(self.row_names)}
        for first, text in file.sections:
            self.first, self.lines = first, text.split(b"\n")
            title = self.lines[0].decode("utf-8", "replace")
            head = self.words = title.split(None, 1) if file.fixed else title.split()
            self.line = first
            take = getattr(self, f"_take_{head[0].lower()}", None)
            if take is None:
                raise wrong(self.path, first, 1, f"the section {head[0]} is not read", _PLAIN)
            take(head)
        types = TYPES[file.types]
        lower, upper = endless(file.lower), endless(file.upper)
        types[(types == VarType.INTEGER) & (lower == 0) & (upper == 1)] = VarType.BINARY
        types[file.crossed] = VarType.BINARY
        model = Model(
            *(bare(self.path)[0], file.maximize, file.objective, file.offset),
            *(self.col_names, lower, upper, types),
            *(self.row_names, self.lower, self.upper),
            *(self.starts, self.index, self.value),
        )
        if self.taken.any():
            model = model.with_rows(np.flatnonzero(~self.taken).tolist())
        goals = tuple(
            LinearObjective(name, int(n[0]), n[1], n[2], n[3], cost, offset)
            for (_, cost, offset, n), name in zip(
                file.goals, self._names([goal[0] for goal in file.goals]), strict=True
            )
        )
        products = quadratic_of(self.products)
        return assembled(model, products, self.parts, goals, file.notes, self.pieces)

    # Lines and words of a section.

    def _lines(self) -> Iterator[list[str]]:
        for k, line in enumerate(self.lines[1:], self.first + 1):
            try:
                given = fields(line, "") if self.file.fixed else line.split()
            except WordError as error:
                self.line, self.words = k, line.decode("utf-8", "replace").split()
                raise self._wrong(error.word, f"stands where {error.what}") from None
            if given:
                self.line, self.words = k, [word.decode("utf-8", "replace") for word in given]
                yield self.words

    def _wrong(self, word: int, what: str) -> DataError:
        text = self.lines[self.line - self.first].decode("utf-8", "replace")
        column = 0
        for each in self.words[: word + 1]:
            column = text.find(each, column) + 1
        each = self.words[word] if word < len(self.words) else self.words[-1]
        return wrong(self.path, self.line, column, f"'{each[:40]}' {what}")

    def _many(self, *counts: int) -> None:
        if len(self.words) not in counts:
            raise self._wrong(0, f"begins a line of {len(self.words)} words, which is not known")

    def _col(self, k: int) -> int:
        j = self.cols.get(self.words[k])
        if j is None:
            raise self._wrong(k, "is no column")
        return j

    def _number(self, k: int) -> float:
        value = number(self.words[k].encode())
        if value is None or not np.isfinite(value):
            raise self._wrong(k, "is no finite number")
        return value

    def _row(self, name: str, k: int) -> tuple[Ints, Floats, tuple[float, float]]:
        """Take a row out of the linear ones: its columns, coefficients, and sides."""
        i = self.rows.get(name)
        if i is None or self.file.senses[i] == FREE:
            raise self._wrong(k, "is no row with a right side")
        if self.taken[i]:
            raise self._wrong(k, "is a row that has products or a switch already")
        self.taken[i] = True
        part = slice(self.starts[i], self.starts[i + 1])
        sides = float(self.lower[i]), float(self.upper[i])
        return self.index[part], self.value[part], sides

    # Sections.

    def _take_sos(self, head: list[str]) -> None:
        """Sets; a line that begins with S1 or S2 begins one."""
        sets: list[tuple[int, dict[int, float], str]] = []
        if head[0].upper() in ("SOS1", "SOS2"):
            sets.append((int(head[0][-1]), {}, head[-1] if head[1:] else ""))
        for words in self._lines():
            if words[0].upper() in ("S1", "S2"):
                sets.append((int(words[0][1]), {}, words[min(2, len(words) - 1)]))
                continue
            self._many(1, 2, 3)
            if not sets:
                raise self._wrong(0, "belongs to no set")
            members, last = sets[-1][1], len(words) - 1
            place = max(last - 1, 0)
            j = self._col(place)
            if j in members:
                raise self._wrong(place, "stands in its set a second time")
            members[j] = self._number(last) if last else len(members) + 1.0
        self.parts["sos"] += [ordered_set(*each) for each in sets]

    _take_sos1 = _take_sos2 = _take_sets = _take_sos

    def _pairs(self, half: bool) -> dict[tuple[int, int], float]:
        """Products of a symmetric matrix; with `half` only one of two equal entries is given."""
        found: dict[tuple[int, int], float] = {}
        given: dict[tuple[int, int], tuple[float, int, list[str]]] = {}
        for words in self._lines():
            self._many(3)
            i, j, value = self._col(0), self._col(1), self._number(2)
            pair = min(i, j), max(i, j)
            found[pair] = found.get(pair, 0.0) + value * (2.0 if half and i != j else 1.0)
            given[i, j] = given.get((i, j), (0.0,))[0] + value, self.line, words
        for (i, j), (value, self.line, self.words) in given.items():
            if not half and given.get((j, i), (0.0,))[0] != value:
                raise self._wrong(2, "has no equal: the matrix is not symmetric, or not all given")
        return found

    def _take_quadratic(self, head: list[str]) -> None:
        """The x'Qx / 2 of the objective, or of a row; QCMATRIX leaves a row's undivided."""
        kind = head[0].upper()
        self._many(*{"QCMATRIX": (2,), "QSECTION": (1, 2)}.get(kind, (1,)))
        half, name = kind in ("QUADOBJ", "QSECTION"), head[-1]
        goal = len(head) == 1 or name.encode() == self.file.objective_name
        row = None if goal else self._row(name, 1)
        part = 1.0 if row and kind == "QCMATRIX" else 0.5
        products = {pair: value * part for pair, value in self._pairs(half).items()}
        if row:
            index, value, sides = row
            pairs = quadratic_of(products)
            self.parts["quadratic_rows"].append(QuadraticRow(name, index, value, pairs, *sides))
            return
        for pair, product in products.items():
            self.products[pair] = self.products.get(pair, 0.0) + product

    _take_quadobj = _take_qmatrix = _take_qsection = _take_qcmatrix = _take_quadratic

    def _take_indicators(self, head: list[str]) -> None:
        """Rows that hold only where a column is 0 or 1."""
        for words in self._lines():
            self._many(4)
            if words[0].upper() != "IF" or words[3] not in ("0", "1"):
                raise self._wrong(0, "begins no indicator: IF, a row, a column, 0 or 1")
            binary = self._col(2)
            index, value, sides = self._row(words[1], 1)
            row = Indicator(words[1], binary, int(words[3]), index, value, *sides)
            self.parts["indicators"].append(row)

    def _take_pwlobj(self, head: list[str]) -> None:
        """Points of piecewise-linear terms of the objective."""
        for _ in self._lines():
            self._many(3)
            j = self._col(0)
            self.pieces[j] = (*self.pieces.get(j, ()), self._number(1), self._number(2))

    def _take_gencons(self, head: list[str]) -> None:
        """Functions: a head, perhaps options, the columns, numbers."""
        parts: list[tuple[GeneralFunction, str, list[int], list[float]]] = []
        for words in self._lines():
            function = _FUNCTIONS.get(words[0].upper())
            if function and len(words) > 1 and words[0] not in self.cols:
                parts.append((function, words[-1], [], []))
                if function == GeneralFunction.NORM:
                    infinite = words[1].upper() == "INF"
                    parts[-1][3].append(np.inf if infinite else self._number(1))
            elif words[0] == "Options" and parts:
                continue
            elif not parts or (len(words) > 1 and not parts[-1][2] and words[0] not in self.cols):
                raise self._wrong(0, "is a function that is not read here")
            else:
                for k, word in enumerate(words):
                    if word in self.cols:
                        parts[-1][2].append(self.cols[word])
                    else:
                        parts[-1][3].append(self._number(k))
        for function, name, cols, numbers in parts:
            if len(cols) < 2:
                raise self._wrong(0, f"ends the function '{name}', which lacks columns")
            first = function in VALUE_FIRST
            result, operands = (cols[0], cols[1:]) if first else (cols[1], cols[:1])
            found = np.array(operands, np.int32)
            if function == GeneralFunction.POLY:
                numbers = dense_polynomial(numbers)
                if not numbers:
                    raise self._wrong(0, f"ends '{name}', whose powers are no small whole numbers")
            if lacks_numbers(function, numbers):
                raise self._wrong(0, f"ends the function '{name}', which lacks its numbers")
            self.parts["general"].append(General(name, function, result, found, tuple(numbers)))


def lacks_numbers(function: GeneralFunction, numbers: Sequence[float]) -> bool:
    """Whether a function is without the numbers that make it one, as a power its exponent."""
    return function in _OF_NUMBERS and not numbers


_OF_NUMBERS = frozenset(_FUNCTIONS[name] for name in ("POW", "EXPA", "LOGA", "NORM", "PWL"))


def dense_polynomial(pairs: Sequence[float]) -> list[float]:
    """The coefficients, highest power first, of powers with coefficients; none: no polynomial."""
    by_power = dict(zip(pairs[::2], pairs[1::2], strict=False))
    if not pairs or len(pairs) % 2 or not all(power in range(_STEEPEST) for power in by_power):
        return []
    return [by_power.get(power, 0.0) for power in range(int(max(by_power)), -1, -1)]


_STEEPEST = 1000
"""Powers of a polynomial are below this: the 1024th of 2 is no number any more."""


_PLAIN = "write the model without it"


def assembled(
    model: Model,
    products: Quadratic,
    parts: Mapping[str, Sequence[Any]],
    goals: Iterable[LinearObjective],
    notes: Iterable[str],
    pieces: Mapping[int, tuple[float, ...]],
) -> Problem:
    """The problem of what a file was found to hold."""
    found: dict[str, Any] = {field: tuple(part) for field, part in parts.items()}
    costly = [j for j in pieces if model.objective[j]]
    if costly:
        model.objective[costly] = 0.0
        name = model.col_names[costly[0]]
        notes = *notes, f"Column '{name}' has a cost and points of the objective: the points hold."
    quadratic = products if len(products.value) else None
    whole = Problem(model, quadratic, objectives=tuple(goals), notes=tuple(notes), **found)
    return with_pieces(whole, pieces)


def ordered_set(kind: int, members: Mapping[int, float], name: str) -> Sos:
    """The set of columns with their weights."""
    index, weights = np.array([*members], np.int32), np.array([*members.values()], np.float64)
    return Sos(kind, index, weights, name)


def quadratic_of(products: dict[tuple[int, int], float]) -> Quadratic:
    """Products by pairs of columns, those that are 0 left out."""
    return Quadratic.of((*pair, value) for pair, value in products.items() if value)
