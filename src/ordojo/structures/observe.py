"""Interactive observation (paper 003, figure 15): slices asked for, a hypothesis stated, checked.

Who observes, a person, a language model or a script, sends one line a turn and gets a text back: an
overview, a slice of rows or columns, whether a map of indices leaves a family as it is, and whether
a statement (`statements.py`) says exactly its rows. The model's own names are not needed.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.formulation.algebra import indices
from ordojo.formulation.spec import Family, Group
from ordojo.structures.abstraction import Abstraction, abstract
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import formulate
from ordojo.structures.formulation.spec import called
from ordojo.structures.inspection.layout import ModelLayout
from ordojo.structures.statements import StatedRow, Statement

SLICE = 40
"""Rows or columns shown in one turn."""
DIGITS = 12
"""Significant ones in which a stated number must agree."""

HELP = """Send one line a turn:
  look                               the groups of variables and families of rows
  rows FAMILY [FIRST LAST]           rows as they stand, counted from 1
  columns GROUP [FIRST LAST]         variables with bounds, type and cost
  symmetry FAMILY GROUP: i -> 9 - i  whether a map of a group's indices leaves the rows as they are
  state FAMILY: x[i] + x[j] <= 1 for i in range(8) for j in range(i + 1, 8) if hamming(i, j) <= 2
                                     whether a statement says exactly these rows; `_`: any number
  done                               end
A statement may loop over ranges and groups (`for (i, j) in x`), sum, and call abs, min, max, len,
bits(number, width), hamming, lcs (longest common subsequence) and reverse."""

Policy = Callable[[str], str]
"""What observes: a text in, the next line out."""


@dataclass
class Observer:
    """One model under observation; `stated` keeps the exact statement of each family."""

    flat: Flat
    found: Abstraction | None = None
    stated: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = self.found or abstract(self.flat)
        self._formulation = f = formulate(self.flat, found)
        self._layout = ModelLayout.of(self.flat, found)
        self.families = {one.name: f.units[one.name].items for one in f.spec.families}
        self._groups = {
            one.name: dict(zip(f.keys(one.name), f.units[one.name].items.tolist(), strict=True))
            for one in f.spec.groups
        }

    def ask(self, line: str) -> str:
        """The answer to one line; a line that is not understood gets a sentence, never an error."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word.lower():
                case "look":
                    return self._look()
                case "rows" | "columns":
                    return self._slice(word.lower(), rest.split())
                case "symmetry":
                    return self._symmetry(*_told(rest))
                case "state":
                    return self._state(*_told(rest))
        except UsageError as error:
            return f"{error}."
        return HELP

    def _look(self) -> str:
        lines = []
        spec, units = self._formulation.spec, self._formulation.units
        for group in spec.groups:
            kind = group.domain if group.domain.isidentifier() else "mixed"
            size = units[group.name].size
            lines.append(f"group {_indexed(group)}: {size} {kind} variables")
        for family in spec.families:
            known = f"; stated: {self.stated[family.name]}" if family.name in self.stated else ""
            lines.append(f"family {_indexed(family)}: {units[family.name].size} rows{known}")
        direction = "maximize" if self.flat.maximize else "minimize"
        return "\n".join([*lines, f"objective: {direction}"])

    def _slice(self, what: str, words: list[str]) -> str:
        if len(words) not in (1, 3) or not all(word.isdecimal() for word in words[1:]):
            raise UsageError(f"write '{what} NAME' or '{what} NAME FIRST LAST'")
        if what == "rows":
            items = self._family(words[0]).tolist()
        else:
            items = [*self._group(words[0]).values()]
        first, last = (int(word) for word in words[1:]) if len(words) == 3 else (1, SLICE)
        chosen = items[first - 1 : min(last, first + SLICE - 1)]
        if first < 1 or not chosen:
            raise UsageError(f"{words[0]} has {what} 1 to {len(items)}")
        show = self._row if what == "rows" else self._column
        end = f"{first} to {first + len(chosen) - 1} of {len(items)}"
        return "\n".join([*(show(item) for item in chosen), f"({end})"])

    def _row(self, i: int) -> str:
        return self._layout.row_text(i, self._called).partition(": ")[2]

    def _called(self, j: int) -> str:
        if not hasattr(self, "_names"):
            self._names = {
                column: f"{name}[{', '.join(map(str, index))}]" if index else name
                for name, columns in self._groups.items()
                for index, column in columns.items()
            }
        return self._names[j]

    def _column(self, j: int) -> str:
        kind = ("continuous", "integer", "binary", "semicontinuous", "semiinteger")
        model, flat = self._layout.model, self.flat
        return (
            f"{self._called(j)} {kind[int(model.types[j])]} in [{flat.lower[j]:g}, "
            f"{flat.upper[j]:g}], objective {flat.objective[j]:g}"
        )

    def _symmetry(self, names: list[str], text: str) -> str:
        if len(names) != 2:
            raise UsageError("write 'symmetry FAMILY GROUP: i -> ...'")
        rows, group = self._family(names[0]).tolist(), names[1]
        self._group(group)
        sent = Statement(self._groups).mapping(text, group)
        own = Counter(self._key(i) for i in rows)
        image = Counter(self._key(i, sent) for i in rows)
        if own == image:
            return f"yes: the map leaves the {len(rows)} rows of {names[0]} as they are"
        lost = next(i for i in rows if own[self._key(i, sent)] < image[self._key(i, sent)])
        kept = sum((own & image).values())
        return f"no: {kept} of {len(rows)} rows go to rows of {names[0]}; not {self._row(lost)}"

    def _state(self, names: list[str], text: str) -> str:
        if len(names) != 1:
            raise UsageError("write 'state FAMILY: ...'")
        rows = self._family(names[0])
        stated = list(Statement(self._groups).rows(text))
        loose = (
            any(math.isnan(v) for row in stated for _, v in row.terms),
            any(math.isnan(row.side) for row in stated),
        )
        own = {int(i): self._masked(self._key(int(i)), loose) for i in rows}
        said = [self._masked(_normal(row), loose) for row in stated]
        count, want = Counter(own.values()), Counter(said)
        equal = sum((count & want).values())
        if count == want:
            self.stated[names[0]] = text
            any_number = " (but for the numbers that it leaves open)" if any(loose) else ""
            return f"exact: the statement says the {len(rows)} rows of {names[0]}{any_number}"
        lines = [f"not exact: {equal} of {len(rows)} rows are said, {len(said)} are stated"]
        missing = next((i for i, key in own.items() if count[key] > want[key]), None)
        if missing is not None:
            lines.append(f"  not said: {self._row(missing)}")
        extra = next((k for k, key in enumerate(said) if want[key] > count[key]), None)
        if extra is not None:
            row = stated[extra]
            terms = " + ".join(f"{_number(v)}{self._called(c)}" for c, v in row.terms) or "0"
            side = "_" if math.isnan(row.side) else f"{row.side:g}"
            lines.append(f"  said, but not there: {terms} {row.sense} {side}")
        return "\n".join(lines)

    def _key(self, i: int, sent: dict[int, int] | None = None) -> "_Key":
        """A row's sense, side and terms, the same for a row turned by its sign."""
        index, value = self._layout.model.row(i)
        columns = [(sent or {}).get(j, j) for j in index.tolist()]
        low, up = (
            float(s[i]) for s in (self._layout.model.row_lower, self._layout.model.row_upper)
        )
        sense = (
            "=" if low == up else "<=" if math.isinf(low) else ">=" if math.isinf(up) else "range"
        )
        side = up if math.isfinite(up) else low
        terms = tuple(sorted(zip(columns, value.tolist(), strict=True)))
        return _normal(StatedRow(terms, sense, side))

    def _masked(self, key: "_Key", loose: tuple[bool, bool]) -> "_Key":
        """Without the numbers that a statement leaves open."""
        terms, sense, side = key
        if loose[0]:
            # The sign that a row has been brought to hangs on the numbers left out.
            sense = "=" if sense == "=" else "<=>"
            terms = tuple((column, 0.0) for column, _ in terms)
        return terms, sense, 0.0 if any(loose) else side

    def _family(self, name: str) -> Any:
        if name not in self.families:
            raise UsageError(f"there is no family {name}; look lists them")
        return self.families[name]

    def _group(self, name: str) -> dict[tuple[Any, ...], int]:
        if name not in self._groups:
            raise UsageError(f"there is no group {name}; look lists them")
        return self._groups[name]


def _indexed(one: Group | Family) -> str:
    return called(one.name, indices(one.scope))


_Key = tuple[tuple[tuple[int, float], ...], str, float]


def _normal(row: StatedRow) -> _Key:
    """With a first coefficient above zero, and numbers to so many digits."""
    turn = bool(row.terms) and row.terms[0][1] < 0
    sign = -1.0 if turn else 1.0
    sense = {"<=": ">=", ">=": "<="}.get(row.sense, row.sense) if turn else row.sense
    terms = tuple((column, _rounded(sign * value)) for column, value in row.terms)
    return terms, sense, _rounded(sign * row.side)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}") + 0.0 if math.isfinite(value) else value


def _number(value: float) -> str:
    return "_ " if math.isnan(value) else "" if value == 1 else f"{value:g} "


def _told(rest: str) -> tuple[list[str], str]:
    head, colon, text = rest.partition(":")
    if not colon:
        raise UsageError("a colon is missing between the name and what is said of it")
    return head.split(), text.strip()


def observe(observer: Observer, policy: Policy, turns: int) -> list[tuple[str, str]]:
    """Let a policy ask, at most so many turns or until it says done; the lines and answers."""
    said, kept = f"{HELP}\n\n{observer.ask('look')}", list[tuple[str, str]]()
    for _ in range(turns):
        line = next((one for one in policy(said).strip().splitlines() if one.strip()), "")
        if line.strip().lower() == "done":
            break
        said = observer.ask(line)
        kept.append((line, said))
    return kept
