"""Environments: a set of parameters that models start with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.params import Values


class Env:
    """An environment; there is no licence to look for, so starting it always works."""

    def __init__(
        self, logfilename: Any = "", empty: bool = False, params: Mapping[str, Any] | None = None
    ) -> None:
        if not isinstance(logfilename, str):
            kind = type(logfilename).__name__
            raise AttributeError(f"'{kind}' object has no attribute 'encode'")
        self._values = Values()
        self._open = not empty
        self._values.log.quiet = True
        if logfilename:
            self._values.set("LogFile", logfilename)
        for name, value in (params or {}).items():
            self._values.set(name, value)
        self._values.log.quiet = False

    def start(self) -> "Env":
        """Start an empty environment."""
        self._open = True
        return self

    def setParam(self, paramname: str, newval: Any) -> None:
        """Set a parameter for models made from now on."""
        self._values.set(paramname, newval)

    def getParam(self, paramname: str) -> Any:
        """A parameter's value."""
        return self._values.get(paramname)

    def resetParams(self) -> None:
        """All parameters back to their defaults."""
        self._values.changed.clear()

    def readParams(self, filename: str) -> None:
        """Set what a .prm file says."""
        read_params(self._values, filename)

    def writeParams(self, filename: str) -> None:
        """Write the changed parameters as a .prm file."""
        write_params(self._values, filename)

    def dispose(self) -> None:
        """Close the environment."""
        self._open = False

    close = dispose

    def __enter__(self) -> "Env":
        return self

    def __exit__(self, *exc: object) -> None:
        self.dispose()

    def __repr__(self) -> str:
        if not self._open:
            return "<gurobipy.Env, invalid or closed state>"
        return f"<gurobipy.Env, {self._values.text()}>"


Env.__module__ = "gurobipy"
default = Env()


def values_of(env: Env | None) -> Values:
    """A new model's parameters."""
    if env is not None and not env._open:
        raise GurobiError(10002, "Environment has not been started")
    return (env or default)._values.copy()


def read_params(values: Values, filename: str) -> None:
    """Set what a .prm file says: a name and a value a line."""
    try:
        text = Path(filename).read_text(encoding="utf-8")
    except OSError:
        raise failure("FILE_READ", f"Unable to open file '{filename}' for input") from None
    for line in text.splitlines():
        words = line.split(maxsplit=1)
        if not words or words[0].startswith("#"):
            continue
        value: Any = words[1].strip() if len(words) > 1 else ""
        kind = type(values.get(words[0]))
        values.set(words[0], value.strip('"') if kind is str else kind(float(value)))


def write_params(values: Values, filename: str) -> None:
    """Write the changed parameters."""
    lines = [f"{name}  {value}\n" for name, value in values.changed.items()]
    try:
        Path(filename).write_text("# Parameter settings\n" + "".join(lines), encoding="utf-8")
    except OSError:
        raise failure("FILE_WRITE", f"Unable to write to file '{filename}'") from None
