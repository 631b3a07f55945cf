"""Handles of columns and rows, made without a detour over their attributes."""

from collections.abc import Callable
from typing import Any

_new = object.__new__


def maker(kind: type[Any], slots: Any, place: str) -> Callable[[Any, int], Any]:
    """What makes a handle of a store's column or row; `slots` is the class that has the slots."""
    set_store, set_place = slots._store.__set__, getattr(slots, place).__set__

    def make(store: Any, number: int) -> Any:
        handle = _new(kind)
        set_store(handle, store)
        set_place(handle, number)
        return handle

    return make
