"""What a coptpy model keeps: the shared store, its parameters and what came of a solve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordojo.compat.coptpy.constants import COPT, INFINITY, cut
from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.params import Values
from ordojo.compat.core.expr import Relation
from ordojo.compat.core.store import LARGE, Names, Store, key_text


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


@dataclass(slots=True)
class Aim:
    """One of several objectives: a linear expression with its own sense."""

    coeffs: list[float]
    variables: list[Any]
    constant: float
    sense: int = 0
    priority: float = 0.0
    weight: float = 1.0
    abstol: float = 1e-6
    reltol: float = 0.0


@dataclass(slots=True)
class Outcome:
    """What is known of the last solve beside the result; sizes tell whether it still fits."""

    status: int = COPT.UNSTARTED
    lp_status: int = COPT.UNSTARTED
    mip_status: int = COPT.UNSTARTED
    is_mip: bool = False
    cols: int = 0
    rows: int = 0
    objective: float = 0.0


class Starts:
    """Start values, in the form that the store's problem is made from."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Any, float]] = []

    def items(self) -> list[tuple[Any, float]]:
        """Pairs of variable and value, later ones counting."""
        return self.pairs


@dataclass(slots=True)
class Callbacks:
    """The program's callback and the contexts that it wants to be called in."""

    callback: Any = None
    context: int = 0
    lazy: list[Relation] = field(default_factory=list)


class State(Store):
    """The store of a coptpy model, whose changes are all seen at once.

    `iis` has, after `computeIIS`, the sides of its rows and columns as sets of numbers.
    """

    def __init__(self, name: str, params: Values) -> None:
        super().__init__(name)
        self.params = params
        self.col_names: CoptNames = CoptNames("C")
        self.row_names: CoptNames = CoptNames("R")
        self.outcome = Outcome()
        self.iis: dict[str, set[int]] | None = None
        self.iis_minimal = True
        self.aims: dict[int, Aim] = {}
        self.formula: Any = None
        self.proposed = Starts()
        self.calling: Any = None
        self.hooks = Callbacks()
        self.relaxed: dict[str, Any] | None = None
        self.log_file = ""
        self.closed_factor: list[float] | None = None
        self.extra["Start"] = self.proposed  # type: ignore[assignment]

    def label(self, col: int) -> str:
        """A column's name for texts."""
        return "" if col < 0 else self.col_names.given(col)

    def update(self) -> bool:
        """Make what awaits happen; the last solve's result stays."""
        return super().update()

    def check(self, variables: Iterable[Any]) -> None:
        """Raise COPT's error where a variable is another model's, or was removed."""
        for var in variables:
            if var._store is not self or var._col < 0:
                raise invalid("Invalid col index")

    def values(self) -> list[float] | None:
        """The solution by column, None where there is none or columns were added or removed."""
        if self.outcome.cols != len(self.columns):
            return None
        return self.x

    def sides(self, row: int) -> tuple[float, float]:
        """Lower and upper side of a row, in COPT's infinity."""
        sense, rhs = chr(self.senses[row]), cut(self.rhs[row])
        if sense == "R":
            return cut(self.lows[self.rows[row]]), rhs
        lower = -INFINITY if sense == "<" else rhs
        return lower, (INFINITY if sense == ">" else rhs)

    def set_sides(self, row: int, lower: float, upper: float) -> None:
        """Give a row other sides."""
        low, high = lower > -LARGE, upper < LARGE
        self.lows.pop(self.rows[row], None)
        if low and high and lower != upper:
            self.lows[self.rows[row]] = lower
            sense = "R"
        else:
            sense = "=" if low and high else ">" if low else "<"
        self.senses[row] = ord(sense)
        self.rhs[row] = lower if sense == ">" else upper
