"""Attributes of whole arrays of variables or constraints."""

from typing import Any

import numpy as np

from ordojo.compat.core import expr as core
from ordojo.compat.core.terms import Objects
from ordojo.compat.gurobipy.attributes import read, write
from ordojo.compat.gurobipy.errors import failure


def attribute_values(handles: Objects, name: str) -> Any:
    """An attribute of each handle as an array of the same shape."""
    if name.lower() == "x" and handles.size:
        state = handles.reshape(-1)[0]._store
        if state.x is not None and state.cols_live == len(state.columns):
            columns = [v._col for v in handles.reshape(-1)]
            if min(columns) >= 0:
                return np.array([state.x[j] for j in columns]).reshape(handles.shape)
    try:
        found = [read(handle, name) for handle in handles.reshape(-1)]
    except AttributeError as error:
        if str(error).startswith("Unable to retrieve"):
            raise failure("DATA_NOT_AVAILABLE", str(error)) from None
        raise
    if found and isinstance(found[0], str):
        kind: Any = "<U1" if name.lower() in ("vtype", "sense") else object
        return np.array(found, kind).reshape(handles.shape)
    return np.array(found).reshape(handles.shape)


def set_attribute(handles: Objects, name: str, value: Any) -> None:
    """Set an attribute of each handle, from one value or an array of them."""
    if isinstance(value, str) or core.number(value) is not None:
        values = [value] * handles.size
    else:
        array = np.asarray(value)
        values = np.broadcast_to(array, handles.shape).reshape(-1).tolist()
    for handle, item in zip(handles.reshape(-1), values, strict=True):
        write(handle, name, item)
