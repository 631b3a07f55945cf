"""What a running program and all its processes use, measured from outside."""

import os

from ordojo.sandbox import trees
from ordojo.sandbox.outcome import Limits, Outcome
from ordojo.sandbox.worker import Worker

_EXTRA = 4
"""The worker's own processes, which the kernel counts with the program's."""

_FIRST, _PAUSE = 0.05, 0.25
"""Seconds until the first look, and between two: most programs end before the first."""
_TOUCHED = 4e9
"""Bytes a second that a few processes take at most: the next look comes before the limit."""

_SPARE = 20
"""The kernel's bound is this part above ours, for it may end the worker instead of a program."""


class Meter:
    """Measures the program of one worker against the limits."""

    def __init__(self, worker: Worker, limits: Limits) -> None:
        """Look at the idle worker first: what it holds is not the program's."""
        self._worker, self._limits = worker, limits
        self.pause = min(_FIRST, limits.memory / _TOUCHED)
        warm = trees.inspect(worker.pid)
        self._virtual = warm.virtual if warm else 0
        self._anonymous = trees.anonymous(worker.pid)
        if worker.group:
            worker.group.bound(limits.memory + limits.memory // _SPARE)
            self._kills = worker.group.kills()

    def settings(self) -> dict[str, float]:
        """The limits that the kernel is to hold each process to."""
        limits = self._limits
        return {
            "cpu": max(1, round(limits.cpu)),
            "file_size": limits.file_size,
            "descriptors": limits.descriptors,
            "address_space": self._virtual + limits.memory,
            # Elsewhere the user's other processes would count as well.
            "processes": limits.processes + _EXTRA if self._worker.plan.own_user else 0,
        }

    def excess(self) -> tuple[Outcome, str] | None:
        """Which limit the processes together, or their files, have passed.

        `pause` is then how many seconds the next look may wait.
        """
        limits, below = self._limits, trees.family(self._worker.pid)
        free = limits.memory - self._held(below)
        self.pause = min(_PAUSE, max(0.0, free) / _TOUCHED)
        if free < 0 or self.out_of_memory():
            return Outcome.MEMORY_LIMIT, f"held over {limits.memory} bytes of memory"
        if sum(process.threads for process in below) > limits.processes + _EXTRA:
            return Outcome.PROCESS_LIMIT, f"ran over {limits.processes} processes at once"
        if sum(process.cpu for process in below) > limits.cpu:
            return Outcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
        if not self._worker.plan.private:
            total, count = trees.usage(self._worker.base, limits.files)
            if total > limits.disk or count > limits.files:
                return Outcome.DISK_LIMIT, f"wrote over {limits.disk} bytes or too many files"
        return None

    def out_of_memory(self) -> bool:
        """Whether the kernel has ended a process for want of memory since the program began."""
        group = self._worker.group
        return group is not None and group.kills() > self._kills

    def _held(self, below: list[trees.Process]) -> int:
        """Bytes held by the processes, and in files in memory."""
        if self._worker.group:
            return self._worker.group.held()
        pages = [trees.anonymous(process.pid) - self._anonymous for process in below]
        held = sum(max(0, size) for size in pages)
        if self._worker.room is not None:
            files = os.fstatvfs(self._worker.room)
            held += (files.f_blocks - files.f_bfree) * files.f_frsize
        return held
