"""Names as COPT gives them: `x(0,1)` in groups, and none where none was given."""

from collections.abc import Sequence

from ordojo.compat.core.names import Names, key_text


class CoptNames(Names):
    """Names in order; one that was not given is empty to the program and numbered for solvers."""

    __slots__ = ("_bare",)

    def __init__(self, letter: str) -> None:
        super().__init__(letter)
        self._bare: set[int] = set()

    def all(self) -> list[str]:
        """Every name, missing ones made up; the list is the inner one and must not be changed."""
        flat = self._flat
        for start, base, keys in self._late:
            for place, key in enumerate(keys, start):
                flat[place] = f"{base}({key_text(key)})"
        self._late.clear()
        self._bare.update(place for place in range(self._from, len(flat)) if not flat[place])
        return super().all()

    def given(self, place: int) -> str:
        """The name that the program gave, or the empty text."""
        name = self.all()[place]
        return "" if place in self._bare else name

    def rename(self, place: int, name: str) -> None:
        """Give the thing at a place another name."""
        super().rename(place, name)
        self._bare.discard(place)

    def find(self, name: str) -> int | None:
        """The first place with this name, if the program gave it."""
        place = super().find(name)
        return None if place in self._bare else place

    def drop_from(self, place: int) -> None:
        """Forget the names from a place on."""
        super().drop_from(place)
        self._bare = {number for number in self._bare if number < place}

    def copy(self) -> "CoptNames":
        """The same names for another model."""
        made = CoptNames(self._letter)
        made.add_many(self.all())
        made.all()
        made._bare = set(self._bare)
        return made

    def keep(self, places: Sequence[int]) -> None:
        """Drop all but these places; the names stay what they were."""
        self.all()
        bare = self._bare
        super().keep(places)
        self._bare = {new for new, old in enumerate(places) if old in bare}
