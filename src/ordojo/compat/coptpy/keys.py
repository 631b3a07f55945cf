"""Keys of groups: of the index arguments of `addVars`, and of the loops of a generator."""

from collections.abc import Iterator, Sequence
from types import GeneratorType
from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.gurobipy.loops import loop_names


def index_keys(indices: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """The keys that index arguments mean, and how many keys each argument has."""
    lists: list[list[Any]] = []
    for part in indices:
        count = core.number(part)
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
    for number, item in enumerate(generator):
        local = frame.f_locals
        values = tuple(local[name] for name in names if name in local)
        yield (values[0] if len(values) == 1 else values or number), item
