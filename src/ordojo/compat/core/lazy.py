"""Methods of which few programs have use, and whose modules take long to load."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy(module: str, name: str) -> Callable[..., Any]:
    """The module's function of that name; the module is loaded when it is first called."""

    def method(*given: Any, **words: Any) -> Any:
        return getattr(import_module(module), name)(*given, **words)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"See `{name}` in {module}."
    return method
