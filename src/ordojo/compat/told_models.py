"""In a program's process: each model that a library is about to solve is sent out.

Of one that a problem cannot hold the reason is sent.

Importing this module in the sandbox's warm worker switches it on.
"""

import sys
from contextlib import suppress
from time import monotonic
from typing import Any

from ordojo.compat import imports, messages
from ordojo.core.errors import DataError, SandboxError
from ordojo.milp.objects import library_of, problem_of_object
from ordojo.sandbox import channel

_MOST = 64 << 20
"""Bytes of a model that is sent: a larger one is not needed to be seen, and costs its reader."""
_PATIENCE = 5.0
"""Seconds in which a program's models are read: it pays for them, and may solve in a loop."""
_spent = 0.0


def _send(*given: Any) -> None:
    global _spent
    if _spent > _PATIENCE:
        return
    began = monotonic()
    model = next((one for one in given if library_of(one)), None)  # not a solver, nor an option
    if model is not None:
        message = messages.pack(_body(model))
        if len(message) <= _MOST:
            with suppress(SandboxError):
                channel.call(messages.HEAD + message)
    _spent += monotonic() - began


def _body(model: Any) -> dict[str, Any]:
    try:
        return {"problem": problem_of_object(model)}
    except DataError as error:
        return {"refused": str(error)}


def _state(*_: Any, **__: Any) -> Any:
    raise NotImplementedError  # how the solve ended is nobody's question here


imports.look = _send
# linopy's dask asks psutil for its process, which fails where there is no /proc; without, it does
# not ask.
sys.modules["psutil"] = None  # type: ignore[assignment]
imports.HOOKS["linopy.model"] = imports.solving("linopy", "Model", "solve", _state)
imports.HOOKS["mip.model"] = imports.solving("python-mip", "Model", "optimize", _state)
