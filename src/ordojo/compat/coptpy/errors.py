"""COPT's own exception, by what went wrong, and what is said of features that are lacking."""

from typing import Any

from ordojo.compat.core.calls import asking, lacking

FILE, INVALID, INTERNAL = 2, 3, 5


class CoptError(Exception):
    """An error with COPT's number and message."""

    def __init__(self, retcode: Any = 0, message: Any = "") -> None:
        super().__init__(message)
        self.retcode = retcode
        self.message = message

    def __str__(self) -> str:
        return f"{self.retcode}, {self.message}"

    __repr__ = __str__


CoptError.__module__ = "coptcore"


def invalid(message: str) -> CoptError:
    """The error of a wrong argument or of something that is not there."""
    return CoptError(INVALID, f"(INVALID) {message}")


def failed_file(message: str) -> CoptError:
    """The error of a file that cannot be read or written."""
    return CoptError(FILE, f"(FILE) {message}")


unsupported = lacking("coptpy", "COPT")


asked_service = asking(lambda error: CoptError(INTERNAL, f"(INTERNAL) {error}"))
"""Asks the solver service; CoptError where it does not take the problem."""
