"""Numbers as people tell them: by others, by last year's, in dozens, in words, in parts.

Sound and wrong figures are told alike, since the telling does not know which will be wrong; and
beside a figure that holds there may stand one that does not any more, in the same words.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ordojo.core.readers.numbers import ONES, TENS
from ordojo.formulation.algebra import Number
from ordojo.formulation.words import sentence
from ordojo.problems.prose import number

PLAIN = 0.15
"""The share of numbers told as digits, chosen without a fit: enough for a text that is read, too
few to compare with the model's (`knows-digits` tells how far that goes)."""

STALE = 0.3
"""The share of figures with one beside them that no longer holds. More would bury the problem."""

FAR = 0.45
"""The share of figures, after a table's first, told by two others or by those of another table:
more would be work alone. Not fitted."""

LONG = 40
"""Figures of a table that is told in digits, as it would fill a page otherwise."""

FACTORS = (2, 5, 6, 10, 12, 60, 100, 1000)
"""What stale figures are off by, among others: what an error of units is off by, too."""

_ONES = ("none", *list(ONES)[1:])

_TENS = ("", "", *TENS)

_PARTS = ((2, "half of"), (4, "a quarter of"), (3, "a third of"), (5, "a fifth of"))

_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}

_NOW = ("which no longer holds", "which is out of date", "a figure that nobody uses any more")

_OLD = ("an old list says", "a rival reckons with", "the first draft had", "last year it was")


def in_words(value: int) -> str:
    """A whole number from 0 to 9999 in words."""
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")
    size, name = (1000, "thousand") if value >= 1000 else (100, "hundred")
    rest = value % size
    tail = f"{' and' if rest < 100 else ''} {in_words(rest)}" if rest else ""
    return f"{in_words(value // size)} {name}{tail}"


class DerivedFigures:
    """Tells each number in a form of its own, drawn by `rng`."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._before: list[tuple[str, dict[str, float]]] = []

    def plain(self, value: Number) -> str:
        """A number in digits or in words, to which "more" or "less" may be said."""
        v = round(float(value), 9)
        told = v.is_integer() and 0 <= v < 10_000 and self._rng.random() < 0.5
        return in_words(int(v)) if told else number(v)

    def alone(self, value: Number) -> str:
        """A number by itself: digits, words, dozens, a sum, a difference, a product, a part."""
        v = round(float(value), 9)
        if not v.is_integer() or not 0 <= v < 10_000 or self._rng.random() < PLAIN:
            return number(v)
        whole = int(v)
        forms = [in_words(whole)]
        if whole >= 2:
            part = self._below(1, whole)
            over = 10 ** len(str(whole))
            less = next(top for top in (over // 2, over) if top > whole)
            forms += [f"{part} and {whole - part} more", f"{less} less {less - whole}"]
        if whole > 12:
            dozens, rest = divmod(whole, 12)
            forms.append(f"{in_words(dozens)} dozen" + (f" and {in_words(rest)}" if rest else ""))
        forms += [f"{k} times {whole // k}" for k in (3, 4, 5, 7) if whole and whole % k == 0]
        forms += [f"{name} {whole * k}" for k, name in _PARTS if whole]
        forms += [
            f"{p} per cent of {whole * 100 // p}"
            for p in (20, 40, 60, 80, 125, 150)
            if whole and whole * 100 % p == 0
        ]
        return self._one(forms)

    def table(self, head: str, rows: Sequence[tuple[Sequence[str], Number]]) -> str:
        """The figures of a table in any order, each by itself or by another one's."""
        named = [(" with ".join(parts), round(float(value), 9)) for parts, value in rows]
        said: list[str] = []
        known: list[tuple[str, float]] = []
        if len(named) > LONG:
            return sentence(f"{head}: {'; '.join(f'{number(v)} for {name}' for name, v in named)}")
        for place in self._rng.permutation(len(named)).tolist():
            name, value = named[place]
            told = self._told(name, value, known)
            if known and self._rng.random() < FAR:
                told = self._by_others(name, value, known) or told
            known.append((name, value))
            if self._rng.random() < STALE:
                told += self._stale(value, [other for _, other in named if other != value])
            said.append(told)
        meaning = head.removeprefix("given: ").removeprefix("the ")
        self._before.append((meaning.partition(", in ")[0], dict(named)))
        order = self._rng.permutation(len(said)).tolist()
        return sentence(f"{head}: {'; '.join(said[k] for k in order)}")

    def _told(self, name: str, value: float, known: Sequence[tuple[str, float]]) -> str:
        say, plain = self.alone, self.plain
        forms: list[Callable[[], str]] = [
            lambda: f"{say(value)} for {name}",
            lambda: f"{name} has {say(value)}",
        ]
        if value.is_integer() and 1 <= value < 5000:
            forms += [lambda: self._change(name, value)] * 2
        if known:
            other, of = known[self._below(0, len(known))]
            gap = round(value - of, 9)
            if gap:
                more = "more" if gap > 0 else "less"
                forms += [
                    lambda: f"{name} has {plain(abs(gap))} {more} than {other}",
                    lambda: f"{plain(abs(gap))} {more} for {name} than for {other}",
                ]
            else:
                forms += [lambda: f"as much for {name} as for {other}"] * 2
            if of > 0 and value / of in _TIMES:
                forms += [lambda: f"{name} has {_TIMES[int(value / of)]} what {other} has"] * 2
            forms.append(lambda: f"{name} and {other} come to {plain(value + of)} together")
        return forms[self._below(0, len(forms))]()

    def _by_others(self, name: str, value: float, known: Sequence[tuple[str, float]]) -> str:
        """By two others, by another and the sum, or by what another table has; "" if by none."""
        plain, forms = self.plain, []
        other, of = known[self._below(0, len(known))]
        if value != of:
            first, gap = (name, value - of) if value > of else (other, of - value)
            forms.append(
                f"of {name} and {other}, which come to {plain(value + of)}, "
                f"{first} has {plain(round(gap, 9))} more"
            )
        if len(known) > 1:
            pair = [known[k] for k in self._rng.permutation(len(known))[:2].tolist()]
            total = round(value + pair[0][1] + pair[1][1], 9)
            forms.append(f"{pair[0][0]}, {name} and {pair[1][0]} come to {plain(total)} together")
        there = [(meaning, table[name]) for meaning, table in self._before if name in table]
        if there:
            meaning, of = there[self._below(0, len(there))]
            gap = round(value - of, 9)
            more = "more" if gap > 0 else "less"
            much = f"{plain(abs(gap))} {more}" if gap else "neither more nor less"
            forms += [
                f"{name} has {much} here than by the {meaning}",
                f"take the {meaning} for {name}, and here it is {much}",
            ]
        return self._one(forms) if forms else ""

    def _change(self, name: str, value: float) -> str:
        """The figure of the year before and what has become of it."""
        for share in self._rng.permutation([10, 20, 25, 50, 60]).tolist():
            for way, factor in (("up", 100 + share), ("down", 100 - share)):
                if value * 100 % factor == 0:
                    before = self.alone(value * 100 // factor)
                    return self._one(
                        [
                            f"{name} had {before} last year and is {way} by {share} per cent since",
                            f"from {before} it went {way} by {share} per cent for {name}",
                        ]
                    )
        step = float(self._below(1, max(2, int(value))))
        up = bool(self._rng.random() < 0.5) and value > step
        before, by = self.alone(value - step if up else value + step), self.plain(step)
        way = "up" if up else "down"
        return self._one(
            [
                f"{name} had {before} last year and is {way} by {by} since",
                f"from {before} it went {way} by {by} for {name}",
            ]
        )

    def _stale(self, value: float, others: Sequence[float]) -> str:
        """A figure that does not hold: another element's, or the true one off by a factor."""
        if others and self._rng.random() < 0.5:
            wrong = others[self._below(0, len(others))]
        else:
            wrong = round(max(value, 1.0) * FACTORS[self._below(0, len(FACTORS))], 9)
        return f" ({self._one(_OLD)} {self.alone(wrong)}, {self._one(_NOW)})"

    def _below(self, low: int, high: int) -> int:
        return int(self._rng.integers(low, high))

    def _one(self, forms: Sequence[str]) -> str:
        return forms[self._below(0, len(forms))]
