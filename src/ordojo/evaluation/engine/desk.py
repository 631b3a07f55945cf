"""An agent's working folder: its files stay, its programs run contained, over open solvers."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from ordojo.compat.capture import open_sandbox, run_captured
from ordojo.core.benchmark import Errand
from ordojo.core.instance import Instance
from ordojo.sandbox import Execution, ProgramOutcome, Sandbox
from ordojo.sandbox.frames import PROGRAM

SECONDS = 60.0
"""Wall and processor time of a program; its solves have as much again."""

_MOST, _COUNT = 64 << 20, 1_000
"""Bytes of all files together, which each program is given anew, and their number."""


class Desk:
    """The files of one instance, the programs that were run over them, and the time since.

    `solve` is the most seconds that a solve of a program may take. Raises SandboxError, at the
    first program, where none can be contained.
    """

    def __init__(
        self, errand: Errand, instance: Instance[Any], isolation: str, solve: float
    ) -> None:
        self.files = {name: text.encode() for name, text in errand.files(instance).items()}
        self._errand = errand
        self.calls = 0
        self.diagnosis = ""
        self._isolation, self._solve = isolation, solve
        self._sandbox: Sandbox | None = None
        self._began = perf_counter()

    @property
    def seconds(self) -> float:
        """Wall time since the beginning."""
        return perf_counter() - self._began

    def run(self, program: str) -> str:
        """Run a program, keep what it wrote, and give what it printed."""
        self.calls += 1
        if self._sandbox is None:
            self._sandbox = open_sandbox(self._isolation, SECONDS)
        printed = bytearray()
        done = run_captured(
            self._sandbox,
            program,
            self._solve,
            SECONDS,
            files={**self.files},
            keep=True,
            echo=lambda to_stderr, data: printed.extend(data),
        ).execution
        notes = [printed.decode(errors="replace"), _ending(done), self._keep(done.written)]
        return "\n".join(note for note in notes if note) or "The program printed nothing."

    def _keep(self, written: Mapping[str, bytes]) -> str:
        """Take up what a program wrote; a file that is a folder now, or lay in one, is gone."""
        folders = {parent for name in written for parent in _parents(name)}
        held = {
            name: data
            for name, data in self.files.items()
            if name not in folders and not _parents(name) & written.keys()
        }
        held |= {name: data for name, data in written.items() if name != PROGRAM}
        if sum(map(len, held.values())) > _MOST or len(held) > _COUNT:
            return f"Its files are not kept: a folder has at most {_COUNT} of {_MOST >> 20} MB."
        self.files = held
        return ""

    def reply(self) -> str:
        """The file that is judged, with the diagnosis, as a reply; "" where there is none."""
        errand = self._errand
        if errand.answer not in self.files:
            return ""
        text = self.files[errand.answer].decode(errors="replace")
        named = " ".join(self.diagnosis.split())
        return f"```{errand.language}\n{text}\n```\n" + f"Diagnosis: {named}\n" * bool(named)

    def close(self) -> None:
        """Take the sandbox down."""
        if self._sandbox is not None:
            self._sandbox.close()


def _parents(name: str) -> set[str]:
    parts = name.split("/")
    return {"/".join(parts[:k]) for k in range(1, len(parts))}


def _ending(done: Execution) -> str:
    """How a program ended that neither came to its end nor said why not."""
    if done.ok or done.exception:
        return ""
    why = done.detail or done.outcome.value.replace("_", " ")
    lost = "" if done.outcome is ProgramOutcome.EXITED else ", and what it wrote is lost"
    return f"The program was ended: {why}{lost}."
