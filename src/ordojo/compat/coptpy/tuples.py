"""coptpy's tupledict, tuplelist and multidict, and the keys of groups."""

from collections.abc import Iterable, Iterator, Sequence
from types import GeneratorType
from typing import Any

from ordojo.compat.coptpy.expressions import quicksum
from ordojo.compat.core import tuples as core
from ordojo.compat.core.expr import number
from ordojo.compat.core.tuples import loop_names


def _checked(items: Iterable[Any]) -> list[Any]:
    found = list(items)
    widths = {len(item) if isinstance(item, tuple) else 1 for item in found}
    if len(widths) > 1:
        width = len(found[0]) if isinstance(found[0], tuple) else 1
        raise KeyError(f"Key should have length {width}")
    return found


def _fits(pattern: tuple[Any, ...], width: int, empty: bool) -> None:
    """COPT takes patterns of full length only."""
    if pattern and not empty and len(pattern) != width:
        raise KeyError(f"Key should have length {width}")


class tuplelist(core.TupleList):
    """A list of tuples that are selected by patterns."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(_checked(items))

    def select(self, *args: Any) -> Any:
        """The tuples that match a pattern of values, collections of values, and `*`."""
        first = self[0] if self else ()
        _fits(args, len(first) if isinstance(first, tuple) else 1, not self)
        return super().select(*args)

    def add(self, key: Any) -> None:
        """Add a tuple at the end."""
        self.append(key)


class tupledict(core.TupleDict):
    """A dictionary with tuple keys, with sums by patterns."""

    _sum_of = staticmethod(quicksum)

    def _found(self, pattern: tuple[Any, ...]) -> list[Any]:
        first = next(iter(self), ())
        _fits(pattern, len(first) if isinstance(first, tuple) else 1, not self)
        return super()._found(pattern)

    def prod(self, coeff: Any, *args: Any) -> Any:
        """The sum of the matching values, each times its coefficient."""
        if not hasattr(coeff, "keys"):
            kind = type(coeff).__name__
            raise AttributeError(f"'{kind}' object has no attribute 'keys'")
        return super().prod(coeff, *args)


def multidict(data: Any) -> list[Any]:
    """Split a dictionary of lists into its keys and a tupledict for each position."""
    return core.multidict(data, tuplelist, tupledict)


for _class in (tuplelist, tupledict):
    _class.__module__ = "coptcore"


def index_keys(indices: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """The keys that index arguments mean, and how many keys each argument has."""
    lists: list[list[Any]] = []
    for part in indices:
        count = number(part)
        if isinstance(part, str):
            raise TypeError("'int', 'float' or 'str' object(s) are required for argument 'indices'")
        lists.append(list(range(int(count))) if count is not None else list(part))
    if len(lists) == 1:
        return lists[0], [len(lists[0])]
    keys: list[tuple[Any, ...]] = [()]
    for members in lists:
        tails = [item if isinstance(item, tuple) else (item,) for item in members]
        keys = [(*key, *tail) for key in keys for tail in tails]
    return list(keys), [len(part) for part in lists]


def loop_keys(generator: "GeneratorType[Any, Any, Any]") -> Iterator[tuple[Any, Any]]:
    """What a generator yields, each with the values of its loop variables."""
    names = loop_names(generator.gi_code)
    frame: Any = generator.gi_frame
    for place, item in enumerate(generator):
        local = frame.f_locals
        values = tuple(local[name] for name in names if name in local)
        yield (values[0] if len(values) == 1 else values or place), item
