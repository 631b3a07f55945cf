"""How limits are told beside a true problem's data: as rules.

Of a limit: what it counts, names and is, and if it is kept. Each is a sentence of its own,
often by way of another rule or of what the tables say, and sentences stand in any order. Beside
rules that hold stand others like them that were given up. Columns are called by their names, or by
what is known of them, which has to be worked out.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.seeds import Seed
from ordojo.benchmarks.or_debug.telling.figures import FACTORS, DerivedFigures
from ordojo.core.seeds import generator
from ordojo.core.words import joined
from ordojo.formulation.algebra import Number, loops
from ordojo.formulation.words import sentence

DESCRIBED = 0.4
"""How often a thing is called by what is known of it: more would hide what a sentence is about,
fewer let names be matched. Chosen without a fit, as are the shares below."""


def column_names(seed: Seed) -> list[str]:
    """What each column is of: "shelf", "Porto with Oulu"; of no element, ""."""
    model, built, found = seed.model, seed.built, []
    for j, name in enumerate(model.col_names):
        group = built.spec.groups[int(built.groups[j])].name
        found.append(name.removeprefix(group).strip("_").replace("_", " "))
    return found


ColumnTables = list[tuple[str, dict[int, Number]]]
"""What each table with one figure a column is of, and the figures by column."""


def column_tables(seed: Seed) -> ColumnTables:
    """The tables that have a figure for each column of a group."""
    built, found = seed.built, ColumnTables()
    for g, group in enumerate(built.spec.groups):
        over = tuple(loop.over for loop in loops(group.scope))
        columns = np.flatnonzero(built.groups == g).tolist()
        for item in built.spec.parameters:
            if over and tuple(item.over) == over:
                keys = [built.column_keys[j] for j in columns]
                values = built.values[item.name]
                given = [values.get(key if len(key) > 1 else key[0]) for key in keys]
                if None not in given:
                    found.append((item.meaning, dict(zip(columns, given, strict=True))))
    return found


def descriptions(seed: Seed, tables: ColumnTables) -> dict[int, list[str]]:
    """What else columns may be called: "the food with the largest price of a serving"."""
    built, found = seed.built, defaultdict[int, list[str]](list)
    for meaning, given in tables:
        first, values = next(iter(given)), list(given.values())
        over = [loop.over for loop in loops(built.spec.groups[int(built.groups[first])].scope)]
        one = built.spec.set(over[0]).one if len(over) == 1 else "pair"
        for word, end in (("largest", max(values)), ("smallest", min(values))):
            if len(values) > 2 and values.count(end) == 1:
                j = next(j for j, value in given.items() if value == end)
                found[j].append(f"the {one} with the {word} {meaning}")
    return found


def one_of(rng: np.random.Generator, *forms: str) -> str:
    """One of several wordings."""
    return forms[int(rng.integers(len(forms)))]


class ColumnWords:
    """What columns are called: by name or by what is known of them, as it is drawn."""

    def __init__(self, seed: Seed, rng: np.random.Generator) -> None:
        self.names, self.rng = column_names(seed), rng
        self.tables = column_tables(seed)
        self.known = descriptions(seed, self.tables)

    def of(self, j: int) -> str:
        """A column by name or otherwise."""
        others = self.known.get(j)
        if others and self.rng.random() < DESCRIBED:
            return one_of(self.rng, *others)
        return self.names[j]

    def all(self, columns: Sequence[int]) -> str:
        """Several columns."""
        return joined([self.of(j) for j in columns])


def much(figure: str, lower: bool, rng: np.random.Generator) -> str:
    """The words for a figure that is the least, or the most."""
    floor = one_of(rng, "at least {}", "no fewer than {}", "{} or more", "never under {}")
    roof = one_of(rng, "at most {}", "no more than {}", "{} or fewer", "never above {}")
    return (floor if lower else roof).format(figure)


LAPSED = 0.6
"""How often a rule has one beside it that counts the same and was given up: each is four sentences
more to read."""

LINKED, CLAUSED = 0.75, 0.15
"""How often a rule is told by way of another one; and by what the tables say. What is left, one in
ten, is told outright: who reads sentence by sentence has that alone (`knows-phrases`)."""

NEAR = FACTORS[:4]
"""What the figure of a rule that was given up is off by: larger ones would look like no figure."""

DAYS, GAP = (12, 60), 10
"""The fewest days that one of three purchases takes, and by how much the next takes more."""

_MEANT = (
    "A rule that is kept limits the total of what it counts: by its figure, of which a floor is "
    "the least and a ceiling the most. One that was given up limits nothing."
)

_POINTS = (
    "Of a rule with points each unit counts so many times as it has points, and so does it for a "
    "rule that counts what that one counts."
)

_NAMES = (
    "Abbott", "Boyle", "Carver", "Doyle", "Ellery", "Fenwick", "Garner", "Harker", "Ingram",
    "Jessop", "Keller", "Lomax", "Mercer", "Norton", "Orrin", "Pascoe", "Quill", "Rowe",
    "Sutton", "Tilley", "Upton", "Vance", "Weston", "Yardley",
)  # fmt: skip

FORMS: Mapping[str, tuple[str, ...]] = {
    "counts": ("{r} counts {s}", "{s}: that is what {r} counts", "one looks at {s} for {r}"),
    "counts as": ("{r} counts what {o} counts", "what {o} is about, {r} is about",
                  "for {r} one looks where one looks for {o}"),
    "names": ("the figure of {r} is {n}", "{n}: that is as far as {r} goes", "{r} names {n}"),
    "floor": ("{r} is a floor", "a floor is what {r} is", "think of {r} as a floor"),
    "not floor": ("{r} is a ceiling", "a ceiling is what {r} is", "think of {r} as a ceiling"),
    "floor as": ("{r} and {o} are both floors or both ceilings",
                 "if {o} is a floor, so is {r}, and not otherwise",
                 "{r} limits from the side from which {o} does"),
    "floor unlike": ("of {r} and {o}, one is a floor and one a ceiling",
                     "if {o} is a floor, {r} is none, and otherwise it is",
                     "{r} limits from the side from which {o} does not"),
    "floor where": ("{r} is a floor if {c}, and else a ceiling",
                    "if {c}, then {r} is a floor, and otherwise a ceiling",
                    "whether {r} is a floor, and no ceiling, is whether {c}"),
    "kept": ("{r} is kept", "{r} still holds", "nobody doubts {r}"),
    "not kept": ("{r} was given up", "nobody keeps {r} any more", "{r} is a thing of the past"),
    "kept as": ("as to being kept, {r} is no different from {o}",
                "who keeps {o} keeps {r}, and who does not, does not",
                "{r} and {o} stand or fall together"),
    "kept unlike": ("of {r} and {o}, only one is kept",
                    "as to being kept, {r} is the opposite of {o}",
                    "{r} is kept if {o} is not, and not if it is"),
    "kept where": ("{r} is kept if {c}, and given up if not",
                   "if {c}, then {r} is kept, and otherwise it is not",
                   "whether {r} is kept is whether {c}"),
    "total": ("{r} is {s}, all together", "{s} make up {r}", "add up {s}, and there is {r}"),
    "often": ("a second one is bought where the days are no fewer than {n} and fewer than {k}",
                   "only days of {n} or more that stay below {k} let one buy again",
                   "where the days reach {n} but not {k}, and only there, a thing is bought twice"),
}  # fmt: skip
"""What is said of a rule `r`, by columns `s`, figures `n`, `k`, another rule `o` or a clause `c`.

The last form of each is for the sets that are asked alone.
"""


class Limit(NamedTuple):
    """A limit on the sum of some columns; one that is not `kept` is told and does not hold.

    With `points` each column counts so many times.
    """

    columns: tuple[int, ...]
    lower: bool
    side: float
    kept: bool = True
    points: tuple[float, ...] = ()


class Total(NamedTuple):
    """A column that is the sum of others."""

    column: int
    parts: tuple[int, ...]


class Offer(NamedTuple):
    """Columns that can be bought at prices, `often` more than once and the others once."""

    columns: tuple[int, ...]
    prices: tuple[float, ...]
    often: int


Fact = Limit | Total | Offer
Known = Sequence[tuple[str, Limit]]
"""Rules told before, by name."""


class Told(NamedTuple):
    """A problem's text, and in `brief` the same facts straight out, for one who tells them anew.

    `things` are what the elements are called, which a text has to name.
    """

    text: str
    brief: str
    things: tuple[str, ...] = ()


class Telling:
    """Tells the facts that are added to a seed problem; without `whole`, not in all forms."""

    def __init__(
        self, seed: Seed, figures: DerivedFigures, rng: np.random.Generator, whole: bool
    ) -> None:
        self._seed = seed
        groups = seed.built.spec.groups
        self._words, self._figures = ColumnWords(seed, rng), figures
        self._rng, self._whole = rng, whole
        self._meanings = [groups[k].meaning for k in seed.built.groups.tolist()]

    def group(self, j: int) -> str:
        """What a column is of, "" for one that was added."""
        return self._meanings[j] if j < len(self._meanings) else ""

    def told(self, problem: str, names: Sequence[str], facts: Sequence[Fact]) -> Told:
        """A problem's text with sentences on `facts`, whose columns are called `names`."""
        words = self._words.names[: len(self._meanings)]
        words += [name.replace("_", " ") for name in names[len(words) :]]
        self._words.names = words
        totals: list[str] = []
        limits = [fact for fact in facts if isinstance(fact, Limit)]
        for fact in facts:
            if isinstance(fact, Total):
                name = f"the {words[fact.column]}"
                totals.append(self._say("total", r=name, s=self._scope(fact.parts)))
            elif isinstance(fact, Limit) and not fact.points and self._rng.random() < LAPSED:
                limits.append(self._lapsed(fact, limits))
        said, known = list(totals), list[tuple[str, Limit]]()
        for place, k in enumerate(self._rng.permutation(len(limits)).tolist()):
            again = "second " * (place // len(_NAMES))
            rule = f"the {again}{_NAMES[place % len(_NAMES)]} rule"
            said += self._ruled(rule, limits[k], known)
            known.append((rule, limits[k]))
        said += [
            part for one in facts if isinstance(one, Offer) for part in self._offered(one, known)
        ]
        told = [sentence(said[k]) for k in self._rng.permutation(len(said)).tolist()]
        meant = [_MEANT] * bool(limits) + [_POINTS] * any(limit.points for limit in limits)
        text = f"{problem} {' '.join([*meant, *told])}"
        apart = generator(0, text, 0)  # what is drawn for the brief changes no text
        plain = Telling(self._seed, DerivedFigures(apart), apart, True)
        plain._words.names, plain._words.known = words, {}
        mixed = [limits[k] for k in apart.permutation(len(limits)).tolist()]
        # Rules have no names in it, by which the offers' figures might be told.
        offers = [
            part for one in facts if isinstance(one, Offer) for part in plain._offered(one, ())
        ]
        brief = [problem, *map(sentence, [*totals, *offers]), *map(plain._brief, mixed)]
        things = {part: None for name in words for part in name.split(" with ") if part}
        return Told(text, " ".join(brief), tuple(things))

    def _brief(self, limit: Limit) -> str:
        """A rule straight out; its figure is derived still, as digits could be compared."""
        least = "at least" if limit.lower else "at most"
        said = f"{self._scope(limit.columns)}: {least} {self._figures.alone(limit.side)} in all"
        if limit.points:
            each = [
                f"{self._figures.alone(value)} for {self._words.names[j]}"
                for j, value in zip(limit.columns, limit.points, strict=True)
            ]
            said = f"{said}, counted in points, of which a unit has {'; '.join(each)}"
        return sentence(f"{'in force' if limit.kept else 'given up, no longer in force'}: {said}")

    def _lapsed(self, one: Limit, others: Sequence[Limit]) -> Limit:
        """A rule that is not kept: the contrary, or the same with another figure."""
        if self._rng.random() < 0.5:
            return one._replace(lower=not one.lower, kept=False)
        factor = NEAR[int(self._rng.integers(len(NEAR)))]
        figures = [*(other.side for other in others if other.side != one.side), one.side * factor]
        side = round(figures[int(self._rng.integers(len(figures)))], 9)
        return one._replace(side=side, kept=False)

    def _ruled(self, rule: str, limit: Limit, known: Known) -> list[str]:
        """The four sentences on a rule."""
        what = limit.columns, limit.points
        same = [other for other, one in known if (one.columns, one.points) == what]
        told = same or not limit.points
        things = [self._words.names[j] for j in limit.columns]
        points = [] if told else [self._table(f"the points of {rule}", things, limit.points)]
        counts = (
            self._say("counts as", r=rule, o=same[int(self._rng.integers(len(same)))])
            if same and (limit.points or self._rng.random() < LINKED)
            else self._say("counts", r=rule, s=self._scope(limit.columns))
        )
        return [
            counts,
            *points,
            self._say("names", r=rule, n=self._amount(limit.side, known)),
            self._whether("floor", rule, limit.lower, [(name, one.lower) for name, one in known]),
            self._whether("kept", rule, limit.kept, [(name, one.kept) for name, one in known]),
        ]

    def _say(self, what: str, **slots: str) -> str:
        forms = FORMS[what]
        return one_of(self._rng, *(forms if self._whole else forms[:-1])).format(**slots)

    def _whether(self, what: str, rule: str, is_so: bool, known: Sequence[tuple[str, bool]]) -> str:
        """Whether a rule is something: outright, as another is, or where the tables say so."""
        way = self._rng.random()
        if way < CLAUSED and (clause := self._clause(is_so)):
            return self._say(f"{what} where", r=rule, c=clause)
        if known and way < CLAUSED + LINKED:
            other, it = known[int(self._rng.integers(len(known)))]
            return self._say(f"{what} {'as' if it == is_so else 'unlike'}", r=rule, o=other)
        return self._say(what if is_so else f"not {what}", r=rule)

    def _scope(self, columns: Sequence[int]) -> str:
        """The sum of columns: what of each group, over which things."""
        groups: dict[str, list[int]] = {}
        for j in self._rng.permutation(columns).tolist():
            added = j >= len(self._meanings)
            groups.setdefault(self._words.names[j] if added else self._meanings[j], []).append(j)
        return joined(
            [
                f"the {meaning}" + (f" over {things}" if things and things != meaning else "")
                for meaning, some in groups.items()
                for things in [self._words.all(some)]
            ]
        )

    def _amount(self, value: float, known: Known) -> str:
        """A figure by itself, by that of another rule, or by one of a table's."""
        tables, draw, way = self._words.tables, self._rng, self._rng.random()
        if known and way < LINKED:
            rule, limit = known[int(draw.integers(len(known)))]
            of, has = limit.side, f"{rule} names"
        elif tables and way < CLAUSED + LINKED:
            meaning, given = tables[int(draw.integers(len(tables)))]
            j = list(given)[int(draw.integers(len(given)))]
            of, has = float(given[j]), f"{self._words.of(j)} has by the {meaning}"
        else:
            return self._figures.alone(value)
        gap = round(value - of, 9)
        more = f"{self._figures.plain(abs(gap))} {'more' if gap > 0 else 'less'} than"
        return f"{more if gap else 'what'} {has}"

    def _clause(self, truth: bool) -> str:
        """What is so of two figures of a table, or is not; "" where none differ."""
        tables = [one for one in self._words.tables if len(set(one[1].values())) > 1]
        if not tables:
            return ""
        meaning, given = tables[int(self._rng.integers(len(tables)))]
        j, *rest = self._rng.permutation(list(given)).tolist()
        k = next(k for k in rest if given[k] != given[j])
        more = "more" if (given[j] > given[k]) == truth else "less"
        return f"{self._words.of(j)} has {more} than {self._words.of(k)} by the {meaning}"

    def _offered(self, offer: Offer, known: Known) -> list[str]:
        """What can be bought, at which prices, and by how long it takes what more than once.

        That may take the longest, the shortest, or between the others: two figures tell.
        """
        things, draw = [self._words.names[j] for j in offer.columns], self._rng
        steps = [int(draw.integers(*DAYS)), *draw.integers(2, GAP + 1, len(things) - 1).tolist()]
        sizes = np.cumsum(steps).tolist()
        ends = [max(0, sizes[0] - GAP), *sizes, sizes[-1] + GAP]
        cuts = [int(draw.integers(low + 1, high + 1)) for low, high in pairwise(ends)]
        place = int(draw.integers(len(things)))
        right = sizes.pop(place)
        rest = iter(draw.permutation(sizes).tolist())
        days = [right if j == offer.often else next(rest) for j in offer.columns]
        n, k = (self._amount(cut, known) for cut in cuts[place : place + 2])
        return [
            "what is missing can be bought in whole units",
            self._table("the price of a unit", things, offer.prices),
            self._table("the days that it takes", things, days),
            self._say("often", n=n, k=k),
        ]

    def _table(self, head: str, things: Sequence[str], values: Sequence[float]) -> str:
        return self._figures.table(head, [([t], v) for t, v in zip(things, values, strict=True)])
