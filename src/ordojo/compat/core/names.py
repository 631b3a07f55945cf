"""The names of a model's columns or rows, made only when someone asks for them."""

from collections.abc import Callable, Sequence
from typing import Any


class Names:
    """Names in order; an unnamed one is called by a letter and its number, as in `C7`.

    The number is that among all that were ever added.

    A whole group `x[0,1]`, `x[0,2]`, ... is kept as its base and its keys until it is read, so
    that a model of many variables costs no string formatting while it is built.
    """

    __slots__ = ("_counted", "_flat", "_from", "_gone", "_late", "_letter", "_places", "add")

    def __init__(self, letter: str) -> None:
        self._letter = letter
        self._flat: list[str] = []
        self._late: list[tuple[int, str, Sequence[Any]]] = []
        self._places: dict[str, int] | None = None
        self._from = 0
        self._gone = 0
        self._counted = 0
        self.add: Callable[[str], None] = self._flat.append
        """Takes one more name; the empty one stands for the default."""

    def __len__(self) -> int:
        return len(self._flat)

    def add_group(self, base: str, keys: Sequence[Any]) -> None:
        """One name per key: `base[key]`, a tuple's parts joined by commas."""
        if base:
            self._late.append((len(self._flat), base, keys))
        self._flat.extend([""] * len(keys))
        self._places = None

    def add_many(self, names: Sequence[str]) -> None:
        """Several names as they are."""
        self._flat.extend(names)
        self._places = None

    def all(self) -> list[str]:
        """Every name; the list is the inner one and must not be changed."""
        flat = self._flat
        for start, base, keys in self._late:
            for place, key in enumerate(keys, start):
                flat[place] = f"{base}[{key_text(key)}]"
        self._late.clear()
        for place in range(self._from, len(flat)):
            if not flat[place]:
                flat[place] = f"{self._letter}{place + self._gone}"
        self._from = len(flat)
        return flat

    def __getitem__(self, place: int) -> str:
        return self.all()[place]

    def drop_from(self, place: int) -> None:
        """Forget the names from a place on; they must not have been read yet."""
        del self._flat[place:]
        self._late = [group for group in self._late if group[0] < place]
        self._from = min(self._from, place)
        self._places = None

    def rename(self, place: int, name: str) -> None:
        """Give the thing at a place another name."""
        self.all()[place] = name
        self._places = None

    def find(self, name: str) -> int | None:
        """The first place that has this name."""
        if self._places is None or self._counted != len(self._flat):
            self._places, self._counted = {}, len(self._flat)
            for place, found in enumerate(self.all()):
                self._places.setdefault(found, place)
        return self._places.get(name)

    def keep(self, places: Sequence[int]) -> None:
        """Drop all but these places; the names stay what they were."""
        names = self.all()
        self._gone += len(names) - len(places)
        self._flat = [names[place] for place in places]
        self.add = self._flat.append
        self._from = len(self._flat)
        self._places = None


def key_text(key: Any) -> str:
    """A key as it stands between the brackets of a name."""
    return ",".join(map(str, key)) if isinstance(key, tuple) else str(key)
