"""What a worker is started by: one way to contain it, and what it is to hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ordojo.sandbox import landlock
from ordojo.sandbox.layout import FileLayout

PATIENCE = 120.0
"""Seconds that a worker may take until it is warm. Imports are slow on a machine that is full, and
a shorter time would lose good workers; only one that hangs waits so long."""


@dataclass(frozen=True, slots=True)
class ConfinementPlan:
    """One way to contain: its kind, whom programs run as, the Landlock version to use at most.

    `tool` is the command that confines, where that is not ours to do.
    """

    kind: str
    uid: int
    gid: int
    landlock: int = landlock.NEWEST
    tool: str = ""

    @property
    def private(self) -> bool:
        """Whether programs have a file system, and process ids, of their own."""
        return self.kind in ("userns", "bwrap", "docker")

    @property
    def own_user(self) -> bool:
        """Whether the kernel counts a user's processes for the sandbox alone."""
        return self.kind in ("userns", "bwrap")


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What a worker is started with, whatever the plan."""

    python: str
    layout: FileLayout
    environment: Mapping[str, str]
    preload: Sequence[str]
    shadow: Mapping[str, str]
    disk: int
    files: int
