"""Finding the column that a text means: `x[1, 2]`, `x["a"]`, `model.x[0]`, `x_{1}`."""

import difflib
import re
from collections.abc import Mapping
from functools import lru_cache

from ordojo.milp.tokens import NAME, ExpressionError

_OWNERS = ("m", "model", "self", "prob", "mdl")
_NOISE = re.compile(r"[\s\"'`(){}]")
_SHIFT = re.compile(r"(\w+)\s*([+-])\s*([0-9]{1,9})")
_PLAIN = re.compile(NAME)
_MANY = 2000

Key = int | str


@lru_cache(maxsize=1 << 16)
def shown(name: str) -> str:
    """The name as `expressions` reads it back: itself, or in backquotes where it is unusual."""
    if _PLAIN.fullmatch(name):
        return name
    return "`" + name.replace("`", "``") + "`"


def near(name: str, known: Mapping[str, int]) -> str:
    """Advice for a name that is unknown: the closest known ones, or the first few."""
    if not known:
        return "there are no columns"
    if len(known) <= _MANY and len(name) <= 60:
        found = difflib.get_close_matches(name, known, 1)
        if found:
            return f"did you mean '{found[0]}'?"
    first = [shown(each) for _, each in zip(range(5), known, strict=False)]
    return f"columns are {', '.join(first)}{', ...' if len(known) > 5 else ''}"


def split_keys(text: str) -> tuple[str, list[str]]:
    """`x[1, "a"][b]` as `x` and the keys 1, "a", b, still quoted."""
    base, _, inner = text.partition("[")
    keys = [key for part in inner[:-1].split("][") for key in part.split(",")]
    return base, [key.strip().strip("()").strip() for key in keys]


class Names:
    """The columns of a model by all the ways of writing them."""

    def __init__(self, cols: Mapping[str, int]) -> None:
        self.cols = cols
        self._loose: dict[str, int] | None = None
        self._groups: dict[str, list[tuple[int, list[str]]]] | None = None

    def find(self, text: str, at: int, bound: Mapping[str, Key]) -> int:
        """The column that `text` means; `bound` are loop variables. Raises ExpressionError."""
        wanted = text
        if bound and "[" in text:
            base, keys = split_keys(text)
            wanted = f"{base}[{','.join(_value(key, bound) for key in keys)}]"
        elif (column := self.cols.get(text)) is not None:
            return column
        column = self._search(wanted)
        if column is None:
            raise ExpressionError(f"unknown variable '{_short(wanted)}'", at, self._near(wanted))
        return column

    def group(self, base: str) -> list[int]:
        """The columns `base[...]`, in order."""
        return [j for j, _ in self._grouped().get(_owned(base), ())]

    def keys(self, base: str) -> list[Key]:
        """The keys of the columns `base[key]`, in order; empty where any has several."""
        found = [keys for _, keys in self._grouped().get(_owned(base), ())]
        if any(len(keys) != 1 for keys in found):
            return []
        return [key_of(keys[0]) for keys in found]

    def _search(self, text: str) -> int | None:
        for wanted in (text, _owned(text)):
            if (column := self.cols.get(wanted)) is not None:
                return column
            if "[" in wanted or "{" in wanted or " " in wanted:
                column = self._loosely().get(_loose(wanted))
                if column is not None:
                    return column
        return None

    def _near(self, text: str) -> str:
        base = text.partition("[")[0]
        members = self._grouped().get(base)
        if members and "[" not in text:
            return f"write one of {base}[...], or sum({base})"
        return near(text, self.cols)

    def _loosely(self) -> dict[str, int]:
        if self._loose is None:
            self._loose = {}
            for name, j in self.cols.items():
                self._loose.setdefault(_loose(name), j)
        return self._loose

    def _grouped(self) -> dict[str, list[tuple[int, list[str]]]]:
        if self._groups is None:
            self._groups = {}
            for name, j in self.cols.items():
                if name.endswith("]"):
                    base, keys = split_keys(name)
                    self._groups.setdefault(base, []).append((j, keys))
        return self._groups


def key_of(text: str) -> Key:
    """A key as a program would hold it: a whole number, or the text without quotes."""
    try:
        return int(text)
    except ValueError:
        return text.strip("\"'")


def _loose(name: str) -> str:
    return _NOISE.sub("", name).replace("][", ",")


def _owned(name: str) -> str:
    """A name without the model it is an attribute of, as in `model.x[1]`."""
    owner, dot, rest = name.partition(".")
    return rest if dot and owner in _OWNERS else name


def _value(key: str, bound: Mapping[str, Key]) -> str:
    if key in bound:
        return str(bound[key])
    shift = _SHIFT.fullmatch(key)
    if shift:
        value = bound.get(shift[1])
        if isinstance(value, int):
            return str(value + int(shift[2] + shift[3]))
    return key


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
