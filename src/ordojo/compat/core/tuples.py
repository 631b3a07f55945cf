"""Lists and dictionaries of tuples with selection by wildcards."""

import dis
import functools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType, GeneratorType
from typing import Any

WILD = "*"
Pattern = tuple[Any, ...]


def _is_wild(part: Any) -> bool:
    return isinstance(part, str) and part == WILD


def _one(part: Any) -> bool:
    """Whether a pattern's part asks for one value, not for any of several."""
    return not isinstance(part, list | tuple | set | frozenset | range) and not hasattr(
        part, "__next__"
    )


class Index:
    """Finds keys by the values at some of their places; each set of places is indexed once."""

    __slots__ = ("_keys", "_maps", "width")

    def __init__(self, keys: Iterable[Any]) -> None:
        self._keys = list(keys)
        self._maps: dict[tuple[int, ...], dict[Any, list[Any]]] = {}
        first = self._keys[0] if self._keys else ()
        self.width = len(first) if isinstance(first, tuple) else 1

    def find(self, pattern: Pattern) -> list[Any]:
        """The keys that match, in order; the list may be the inner one.

        A part is a value, a collection of values, or `*`. Raises IndexError for a pattern that
        is too long; one that is too short matches anything at the places left out.
        """
        if not self._keys or not pattern:
            return self._keys
        if len(pattern) > self.width:
            raise IndexError(f"Too many indices for tuplelist with {self.width}-tuple keys")
        if len(pattern) < self.width:
            warnings.warn(
                f"Too few indices for tuplelist with {self.width}-tuple keys",
                DeprecationWarning,
                stacklevel=4,
            )
        fixed = [k for k, part in enumerate(pattern) if not _is_wild(part)]
        single = tuple(k for k in fixed if _one(pattern[k]))
        found = self._keys
        if single:
            wanted = tuple(pattern[k] for k in single)
            found = self._map(single).get(wanted if len(wanted) > 1 else wanted[0], [])
        for k in fixed:
            if k not in single:
                allowed = set(pattern[k])
                found = [key for key in found if _part(key, k) in allowed]
        return found

    def _map(self, places: tuple[int, ...]) -> dict[Any, list[Any]]:
        ready = self._maps.get(places)
        if ready is None:
            ready = self._maps[places] = {}
            lone = places[0] if len(places) == 1 else None
            for key in self._keys:
                value = _part(key, lone) if lone is not None else tuple(key[k] for k in places)
                ready.setdefault(value, []).append(key)
        return ready


def _part(key: Any, place: int) -> Any:
    return key[place] if isinstance(key, tuple) else key


def _forgetful(plain: Any) -> Any:
    """A method of list or dict that changes it, so that the index must be made anew."""

    @functools.wraps(plain)
    def method(self: Any, *args: Any, **words: Any) -> Any:
        self._index = None
        return plain(self, *args, **words)

    return method


class Indexed:
    """A container of keys with an index, made when a selection first needs it."""

    _index: Index | None = None

    def _found(self: Any, pattern: Pattern) -> list[Any]:
        index = self._index
        if index is None or len(index._keys) != len(self):
            index = self._index = Index(self)
        found: list[Any] = index.find(pattern)
        return found

    def clean(self) -> None:
        """Forget what selections have prepared."""
        self._index = None


class TupleList(Indexed, list[Any]):
    """A list of tuples of one width, from which some are selected by their values."""

    __setitem__, __delitem__ = _forgetful(list.__setitem__), _forgetful(list.__delitem__)
    pop, remove, insert = _forgetful(list.pop), _forgetful(list.remove), _forgetful(list.insert)
    sort, reverse, clear = _forgetful(list.sort), _forgetful(list.reverse), _forgetful(list.clear)

    def select(self, *args: Any) -> Any:
        """The tuples that match a pattern of values, collections of values, and `*`."""
        return type(self)(self._found(args))

    def __add__(self, other: Iterable[Any]) -> Any:
        return type(self)([*self, *other])

    def _text(self, title: str) -> str:
        if not self or not all(isinstance(item, tuple) for item in self):
            return list.__repr__(self)
        widths = {len(item) for item in self}
        several = f", {widths.pop()} values each" if len(widths) == 1 else ""
        rows = [[str(part) for part in item] for item in self]
        columns = max(len(row) for row in rows)
        wide = [max((len(r[k]) for r in rows if k < len(r)), default=0) for k in range(columns)]
        lines = [
            " ( " + " , ".join(p.ljust(wide[k]) for k, p in enumerate(row)) + " )" for row in rows
        ]
        return f"<{title} ({len(self)} tuples{several}):\n" + "\n".join(lines) + "\n>"


class TupleDict(Indexed, dict[Any, Any]):
    """A dictionary with tuple keys, of which parts are selected and summed by patterns."""

    _sum_of: Callable[[Iterable[Any]], Any]
    __setitem__, __delitem__ = _forgetful(dict.__setitem__), _forgetful(dict.__delitem__)
    pop, popitem, clear = _forgetful(dict.pop), _forgetful(dict.popitem), _forgetful(dict.clear)
    update, setdefault = _forgetful(dict.update), _forgetful(dict.setdefault)

    def select(self, *args: Any) -> list[Any]:
        """The values whose keys match."""
        if not args:
            return list(self.values())
        return list(map(self.__getitem__, self._found(args)))

    def sum(self, *args: Any) -> Any:
        """The sum of the values whose keys match; of all without a pattern."""
        return type(self)._sum_of(self.select(*args))

    def prod(self, coeff: Any, *args: Any) -> Any:
        """The sum of the matching values, each times its coefficient; keys without one left out."""
        keys = self._found(args) if args else list(self)
        if isinstance(coeff, Mapping):
            chosen = [(key, coeff[key]) for key in keys if key in coeff]
        else:
            chosen = [(key, coeff[key]) for key in keys]
        return type(self)._sum_of([by * self[key] for key, by in chosen])

    def copy(self) -> Any:
        """Another dictionary with the same content."""
        return type(self)(self)


def multidict(data: Any, keys: type[Any], values: type[Any]) -> list[Any]:
    """Split a dictionary into its keys and one dictionary for each position of its values.

    Whatever can be iterated over has positions, the shortest value counts.
    """
    pairs = list(dict(data).items())
    if not pairs:
        return [keys()]
    named = keys(key for key, _ in pairs)
    try:
        columns = [*zip(*(row for _, row in pairs), strict=False)]
    except TypeError:  # single values, at least some
        return [named, values(pairs)]
    return [named, *(values(zip(named, column, strict=True)) for column in columns)]


def combined_keys(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """The keys of a group: one list's members, or each combination of several lists' members."""
    if len(lists) == 1:
        return list(lists[0])
    keys: list[tuple[Any, ...]] = [()]
    for members in lists:
        tails = [item if isinstance(item, tuple) else (item,) for item in members]
        keys = [(*key, *tail) for key in keys for tail in tails]
    return list(keys)


_loops: dict[CodeType, tuple[str, ...]] = {}


def loop_names(code: CodeType) -> tuple[str, ...]:
    """The names that a generator's loops assign, in their order."""
    found = _loops.get(code)
    if found is None:
        found = _loops[code] = tuple(dict.fromkeys(_targets(list(dis.get_instructions(code)))))
    return found


def keyed(generator: "GeneratorType[Any, Any, Any]", keys: list[Any]) -> Iterator[Any]:
    """What a generator yields; the values of its loop variables join `keys` each time."""
    names = loop_names(generator.gi_code)
    single = names[0] if len(names) == 1 else None
    frame: Any = generator.gi_frame
    note = keys.append
    for item in generator:
        local = frame.f_locals
        note(local[single] if single else tuple([local[name] for name in names]))
        yield item


def _targets(steps: list[dis.Instruction]) -> Iterable[str]:
    """What the loops around the last yield assign; loops of inner comprehensions are left out."""
    ends = [step.offset for step in steps if step.opname == "YIELD_VALUE"]
    for place, step in enumerate(steps):
        if step.opname != "FOR_ITER" or not ends or not step.offset < ends[-1] < step.argval:
            continue
        for follower in steps[place + 1 :]:
            if follower.opname.startswith("STORE_"):
                name = follower.argval
                yield from name if isinstance(name, tuple) else [name]
            elif not follower.opname.startswith(("UNPACK_", "CACHE", "EXTENDED_ARG")):
                break
