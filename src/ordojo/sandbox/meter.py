"""What a running program and all its processes use, measured from outside."""

from ordojo.sandbox import trees
from ordojo.sandbox.outcome import Limits, Outcome
from ordojo.sandbox.worker import Worker


class Meter:
    """Measures the program of one worker against the limits."""

    def __init__(self, worker: Worker, limits: Limits) -> None:
        """Look at the idle worker first: what it holds is not the program's."""
        self._worker, self._limits = worker, limits
        warm = trees.inspect(worker.pid)
        self._resident = warm.resident if warm else 0
        self._virtual = warm.virtual if warm else 0

    def settings(self) -> dict[str, float]:
        """The limits that the kernel is to hold each process to."""
        limits = self._limits
        return {
            "cpu": max(1, round(limits.cpu)),
            "file_size": limits.file_size,
            "descriptors": limits.descriptors,
            "address_space": self._virtual + limits.memory,
            # With the worker's few; elsewhere the user's others would count as well.
            "processes": limits.processes + 4 if self._worker.plan.own_user else 0,
        }

    def excess(self) -> tuple[Outcome, str] | None:
        """Which limit the processes together, or their files, have passed."""
        limits, below = self._limits, trees.descendants(self._worker.pid)
        held = sum(max(0, process.resident - self._resident) for process in below)
        if held > limits.memory:
            return Outcome.MEMORY_LIMIT, f"held over {limits.memory} bytes of memory"
        if len(below) > limits.processes:
            return Outcome.PROCESS_LIMIT, f"ran over {limits.processes} processes at once"
        if sum(process.cpu for process in below) > limits.cpu + 1:
            return Outcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
        if not self._worker.plan.private:
            total, count = trees.usage(self._worker.base, limits.files)
            if total > limits.disk or count > limits.files:
                return Outcome.DISK_LIMIT, f"wrote over {limits.disk} bytes or too many files"
        return None
