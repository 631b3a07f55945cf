"""Reading and setting attributes of variables, constraints and other parts, in any spelling."""

from typing import Any

from ordojo.compat.gurobipy.attribute import Attribute, converted
from ordojo.compat.gurobipy.attrtable import TABLES
from ordojo.compat.gurobipy.errors import UnavailableError


def read(handle: Any, name: str) -> Any:
    """An attribute of a handle; AttributeError as Gurobi says it."""
    attribute = _find(handle, name)
    handle._check()
    if handle._awaits():
        raise AttributeError(f"Index out of range for attribute '{attribute.name}'")
    try:
        return attribute.get(handle)
    except UnavailableError:
        raise AttributeError(f"Unable to retrieve attribute '{name}'") from None


def write(handle: Any, name: str, value: Any) -> None:
    """Set an attribute of a handle at the next update."""
    attribute = _find(handle, name)
    if attribute.set is None:
        raise AttributeError(f"Attribute '{name}' cannot be set")
    value = converted(attribute, value)
    handle._check()
    when = handle._store.hint if attribute.hint else handle._store.later
    when(attribute.set, handle, value)


def _find(handle: Any, name: str) -> Attribute:
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    attribute = TABLES[handle._what].get(name.lower())
    if attribute is None:
        raise AttributeError(f"'gurobipy.{handle._what}' object has no attribute '{name}'")
    return attribute
