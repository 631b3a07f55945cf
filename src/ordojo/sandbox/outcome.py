"""What a program may use, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from ordojo.core.ranges import SECONDS, NumberRange

MEGABYTE = 1 << 20


class ProgramOutcome(StrEnum):
    """How a program ended."""

    FINISHED = "finished"
    """It came to its end, or called `sys.exit` with 0 or nothing."""
    EXITED = "exited"
    """It ended itself with another exit code."""
    RAISED = "raised"
    """An exception reached the top: its class, message and traceback are kept."""
    SYNTAX_ERROR = "syntax_error"
    """It is not a Python program."""
    TIME_LIMIT = "time_limit"
    """It used its wall time or processor time."""
    MEMORY_LIMIT = "memory_limit"
    """It asked for more memory than it may have."""
    OUTPUT_LIMIT = "output_limit"
    """It printed more than it may."""
    DISK_LIMIT = "disk_limit"
    """It wrote more files, or more into them, than it may."""
    PROCESS_LIMIT = "process_limit"
    """It started more processes than it may."""
    KILLED = "killed"
    """A signal ended it, most often a crash inside compiled code."""
    BAD_FRAME = "bad_frame"
    """It broke the protocol of the channel to the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one program may use; sizes in bytes, times in seconds.

    Each bounds all processes of the program together. `memory` is counted over what the warm
    worker holds, with the files of a file system in memory; `cpu` has the children's time, and
    `processes` counts threads.
    `disk` and `files` bound all files together (bubblewrap knows no bound on their number),
    `file_size` each one, `frame` a message to the service.
    Larger defaults would let one bad program hold up all others or fill the machine's memory,
    smaller ones would fail right programs that are slow or read much data.
    The time in which the service works for the program is not its wall time.
    UsageError for a number that no kernel takes.
    """

    wall: float = 60.0
    cpu: float = 60.0
    memory: int = 2048 * MEGABYTE
    processes: int = 64
    file_size: int = 256 * MEGABYTE
    disk: int = 512 * MEGABYTE
    files: int = 10_000
    output: int = 4 * MEGABYTE
    frame: int = 256 * MEGABYTE
    descriptors: int = 256

    def __post_init__(self) -> None:
        for each in fields(self):
            allowed = SECONDS if each.name in ("wall", "cpu") else SIZE
            allowed.check(each.name, getattr(self, each.name))


SIZE = NumberRange(1, 1 << 50, whole=True)
"""Of bytes and of things: a petabyte, which the kernel still takes as a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One program's end.

    Exit code, signal, times, memory, and the limits that it met are seen from outside. What it
    printed, its result and the exception are the program's own account: a program may claim a
    finish or an exception as it likes, so nothing but executability may rest on it. `log` is what
    libraries printed while they solved, which is no part of `stdout`. `written` has the files that
    the program wrote, by their names below its working folder, if they were asked for.
    """

    outcome: ProgramOutcome
    detail: str = ""
    stdout: str = ""
    stderr: str = ""
    log: str = ""
    result: object = None
    exception: str = ""
    message: str = ""
    traceback: str = ""
    exit_code: int | None = None
    signal: int | None = None
    wall: float = 0.0
    cpu: float = 0.0
    service: float = 0.0
    calls: int = 0
    isolation: str = ""
    written: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def ok(self) -> bool:
        """Whether the program came to its end."""
        return self.outcome is ProgramOutcome.FINISHED
