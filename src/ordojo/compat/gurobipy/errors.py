"""Gurobi's own exception, and what is refused by it: names, numbers, features that we lack."""

from typing import Any

import numpy as np

from ordojo.compat.core.calls import asking, lacking
from ordojo.compat.gurobipy.constants import ERROR


class GurobiError(Exception):
    """An error with Gurobi's number and message."""

    def __init__(self, errno: Any, message: Any) -> None:
        super().__init__(errno, message)
        self.errno = errno
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


GurobiError.__module__ = "gurobipy"


class UnreadError(AttributeError):
    """An attribute that has no value now; to programs a plain AttributeError.

    `kind` is the name of the number that the attribute of several raises. Its text has the place
    among them where `{}` stands.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text.format(""))
        self.kind, self._text = kind, text

    def among(self, place: int) -> GurobiError:
        """The error of several, of which number `place` has no value."""
        return failure(self.kind, self._text.format(f" {place}"))


UnreadError.__module__ = "builtins"
UnreadError.__name__ = UnreadError.__qualname__ = "AttributeError"


def failure(kind: str, message: str) -> GurobiError:
    """An error by the name of its number, as in `GRB.Error`."""
    return GurobiError(ERROR[kind], message)


def invalid(message: str) -> GurobiError:
    """The error of a wrong argument."""
    return failure("INVALID_ARGUMENT", message)


def named(name: Any) -> str:
    """A name that the program gives; AttributeError as Gurobi's where it is no text."""
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    return name


LONGEST = 255
"""Characters that a name may have."""


def called(name: Any) -> str:
    """A name for something in a model; GurobiError as Gurobi's where it is too long."""
    if len(named(name)) > LONGEST:
        text = f"Name too long (maximum name length is {LONGEST} characters)"
        raise invalid(text)
    return str(name)


def real(value: Any) -> float:
    """A number that the program gives; TypeError as Gurobi's where it is none."""
    if isinstance(value, str) or value is None or callable(value):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


def finite(numbers: Any, lone: bool = False) -> None:
    """Raise where a coefficient of several, or a lone one, is infinite or no number."""
    _check(np.isfinite(numbers), "Nan or Inf", lone)


def numeric(numbers: Any, lone: bool = False) -> None:
    """Raise where a bound or side, which may be infinite, is no number."""
    _check(~np.isnan(numbers), "Nan", lone)


def _check(good: Any, lacking: str, lone: bool) -> None:
    if not good.all():
        what = "Double value" if lone else f"Element {good.argmin()} of a double array"
        raise invalid(f"{what} is {lacking}.")


asked_service = asking(lambda error: failure("INTERNAL", str(error)))
"""Asks the solver service; GurobiError where it does not answer."""
unsupported = lacking("gurobipy", "Gurobi")
