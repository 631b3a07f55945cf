"""LP files that Gurobi wrote: blanks between the words, sections at the beginning of a line."""

import re
from collections.abc import Callable
from itertools import takewhile

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_SENSES = frozenset({"<=", ">=", "=", "<", ">", "=<", "=>"})
_SECTIONS = {
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


class GurobiText:
    """Goes over the lines and puts a placeholder in each name's place, also in `names`."""

    def __init__(
        self, names: dict[str, str], refuse: Callable[[str, str], Exception], linear: str
    ) -> None:
        self.names, self.refuse, self.linear = names, refuse, linear
        self.section, self.count = "", 0
        self.column, self.promised = "", ""
        self.costs: set[str] = set()
        self._new_row()

    def _new_row(self) -> None:
        """Begin a row: nothing of it is read yet."""
        self.label, self.fresh, self.terms = "", True, 0
        self.number, self.operator, self.sense = "", True, False

    def line(self, line: str, count: int) -> str:
        """The line with this number as HiGHS is to read it."""
        self.count = count
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
        section = _SECTIONS.get(title.lower())
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
        return self.refuse(f"has {problem} in line {self.count}", "correct the file")

    def _name(self, name: str) -> str:
        return self.names.setdefault(name, placeholder(len(self.names)))

    def _word(self, word: str) -> str:
        """A word of the objective or of a row."""
        fresh, self.fresh = self.fresh, False
        if self.sense:
            if not _NUMBER.fullmatch(word) and not _INFINITE.fullmatch(word):
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
        if _NUMBER.fullmatch(word):
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
        values = [bool(_NUMBER.fullmatch(w) or _INFINITE.fullmatch(w)) for w in words]
        at = 2 if len(words) == 5 or (values[0] and not values[-1]) else 0
        if len(words) not in (3, 5) or not _SENSES.issuperset(words[1::2]):
            raise self._bad("an unreadable bound")
        if not all(values[k] for k in range(0, len(words), 2) if k != at):
            raise self._bad("an unreadable bound")
        return [self._name(word) if k == at else word for k, word in enumerate(words)]
