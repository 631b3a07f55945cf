"""Gurobi's attributes of a model, and of several of its parts at once, by name in any case."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ordojo.compat.gurobipy.attribute import Attribute, converted, single
from ordojo.compat.gurobipy.attrtable import TABLES
from ordojo.compat.gurobipy.errors import GurobiError, UnavailableError, failure
from ordojo.compat.gurobipy.modeltable import MODEL
from ordojo.compat.gurobipy.tuples import tupledict


def read(model: Any, name: str, objs: Any = None) -> Any:
    """A model's attribute, or one of several variables or constraints."""
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    if objs is not None:
        return _of_many(model, name, objs)
    attribute = MODEL.get(name.lower())
    if attribute is None:
        return _of_all(model, name)
    try:
        return attribute.get(model._state)
    except UnavailableError:
        raise AttributeError(f"Unable to retrieve attribute '{name}'") from None


def _of_many(model: Any, name: str, objs: Any) -> Any:
    if isinstance(objs, Mapping):
        return tupledict(zip(objs, _values(model, name, objs.values()), strict=True))
    if hasattr(objs, "getAttr"):
        return objs.getAttr(name)
    if isinstance(objs, list | tuple):
        return _values(model, name, objs)
    raise GurobiError(-1, "Unrecognized argument to getAttr")


def _values(model: Any, name: str, objs: Iterable[Any]) -> list[Any]:
    """The attribute of each; GurobiError where one has none now."""
    found = []
    for place, obj in enumerate(objs):
        try:
            found.append(_own(model, obj).getAttr(name))
        except AttributeError as error:
            text = str(error)
            if text.startswith("Unable to retrieve"):
                raise failure("DATA_NOT_AVAILABLE", text) from None
            if text.startswith("Index out of range"):
                text = text.replace("Index out", f"Index {place} out", 1)
                raise failure("INDEX_OUT_OF_RANGE", text) from None
            raise
    return found


def _own(model: Any, obj: Any) -> Any:
    if not hasattr(obj, "_store"):
        raise AttributeError(f"'{type(obj).__name__}' object has no attribute '_typeenum'")
    if obj._store is not model._state:
        raise failure("NOT_IN_MODEL", f"{obj._what} not in model")
    return obj


def _group(model: Any, name: str) -> list[Any] | None:
    """All things of the model that have an attribute; None where no kind has it."""
    groups: dict[str, Callable[[], list[Any]]] = {
        "Var": model.getVars,
        "Constr": model.getConstrs,
        "QConstr": model.getQConstrs,
        "GenConstr": model.getGenConstrs,
        "SOS": model.getSOSs,
    }
    for what, members in groups.items():
        if name.lower() in TABLES[what]:
            return members()
    return None


def _of_all(model: Any, name: str) -> list[Any]:
    members = _group(model, name)
    if members is None:
        raise AttributeError(f"'gurobipy.Model' object has no attribute '{name}'")
    try:
        return [member.getAttr(name) for member in members]
    except AttributeError as error:
        raise failure("DATA_NOT_AVAILABLE", str(error)) from None


def write(model: Any, name: str, value: Any) -> None:
    """Set a model's attribute at the next update."""
    attribute = MODEL.get(name.lower())
    if attribute is None:
        members = _group(model, name)
        if members is None:
            raise AttributeError(f"'gurobipy.Model' object has no attribute '{name}'")
        write_many(model, name, members, value)
        return
    if attribute.set is None:
        raise AttributeError(f"Attribute '{name}' cannot be set")
    shim = Attribute(attribute.name, attribute.get, None, attribute.takes)
    when = model._state.hint if attribute.takes == "string" else model._state.later
    when(attribute.set, model._state, converted(shim, value))


def write_many(model: Any, name: str, objs: Any, values: Any) -> None:
    """Set an attribute of several variables or constraints."""
    if isinstance(objs, Mapping):
        keys = list(objs)
        chosen = [objs[key] for key in keys]
        given = [values[key] for key in keys] if isinstance(values, Mapping) else values
    else:
        chosen = list(objs.tolist()) if hasattr(objs, "tolist") else list(objs)
        given = values
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        given = [given] * len(chosen)
    given = list(given)
    if len(given) != len(chosen):
        raise AttributeError(f"Attribute '{name}' inconsistent lengths of both arguments")
    for obj, value in zip(chosen, given, strict=True):
        if isinstance(value, str) and name.lower() in ("lb", "ub", "obj", "rhs", "start"):
            raise TypeError("must be real number, not str")
        if name.lower() == "vtype":
            value = single(value)
        _own(model, obj).setAttr(name, value)
