"""Things as COPT takes them: one, a list, a dictionary, an array."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ordojo.compat.coptpy.information import Handle
from ordojo.compat.coptpy.tuples import tupledict
from ordojo.compat.core import expr as core


def over(things: Any, read: Callable[[Any], Any]) -> Any:
    """What `read` gives for one thing, a list's members, a dictionary's values, an array's."""
    if isinstance(things, Handle):
        return read(things)
    if hasattr(things, "_apply"):
        return things._apply(read)
    if isinstance(things, Mapping):
        return tupledict((key, read(thing)) for key, thing in things.items())
    return [read(core.plain(thing)) for thing in things]


def paired(things: Any, values: Any) -> Iterable[tuple[Any, Any]]:
    """Each thing with its value: one for all, a list's, a dictionary's."""
    if isinstance(things, Handle):
        return [(things, values)]
    if isinstance(things, Mapping):
        if isinstance(values, Mapping):
            return [(thing, values[key]) for key, thing in things.items()]
        several = list(things.values())
    else:
        single = core.plain(things)
        if isinstance(single, Handle):
            return [(single, core.number(values) if core.number(values) is not None else values)]
        several = flattened(things.tolist() if hasattr(things, "tolist") else list(things))
    if isinstance(values, str) or core.number(values) is not None:
        return [(member, values) for member in several]
    if isinstance(values, Mapping):
        values = values.values()
    chosen = flattened(values.tolist() if hasattr(values, "tolist") else list(values))
    if len(chosen) < len(several):
        raise IndexError("list index out of range")
    return list(zip(several, chosen, strict=False))


def flattened(items: list[Any]) -> list[Any]:
    """The members of lists in lists."""
    while items and isinstance(items[0], list):
        items = [item for part in items for item in part]
    return [core.plain(item) for item in items]


def members(args: Any) -> list[Any]:
    """The single things among one, a list's members, a dictionary's values, an array's."""
    single = core.plain(args)
    if isinstance(single, Handle):
        return [single]
    if isinstance(single, Mapping):
        return list(single.values())
    return flattened(single.tolist() if hasattr(single, "tolist") else list(single))
