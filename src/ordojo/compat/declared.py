"""Which of the declared libraries can be had in the sandbox: each solves a small program there."""

import os
import re
import signal
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ordojo.compat.capture import lent_sandbox
from ordojo.compat.libraries import DECLARED, PROGRAMS, SmallProgram
from ordojo.compat.service import Service
from ordojo.core.errors import SandboxError
from ordojo.core.records import BROKEN, MISSING
from ordojo.sandbox import Execution, ProgramOutcome, Sandbox
from ordojo.solvers.answers import Status

_SECONDS = 60.0
"""For each program: a cold disk and a busy machine take half of it at most."""
_OWN = (ProgramOutcome.FINISHED, ProgramOutcome.EXITED, ProgramOutcome.RAISED)
"""Ends that a library has brought about, and no limit or signal."""


@cache
def declared_versions(isolation: str) -> Mapping[str, str]:
    """The version of each declared library, as it is in the sandbox.

    MISSING where it is not installed, and where it is and its small program does not come to its
    optimum MISSING or BROKEN with a colon and the reason. SandboxError where programs cannot be
    contained by `isolation`, where one of our own layers does not solve, or where the check itself
    is cut short.
    """
    found = {library: _installed(library) for library in DECLARED}
    wanted = {
        name: program
        for name, program in PROGRAMS.items()
        if found.get(program.library, "") != MISSING
    }
    for name, (lack, why) in failures(isolation, wanted).items():
        library = wanted[name].library
        if not library:
            raise SandboxError(f"ordojo's {name} does not solve in the sandbox: {why}")
        found[library] = f"{lack}: {why}"
    return found


def _installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return MISSING


def failures(isolation: str, programs: Mapping[str, SmallProgram]) -> Mapping[str, tuple[str, str]]:
    """Run each as programs are run; MISSING or BROKEN and why, of those without their optimum.

    In two sandboxes at once, where there are processors for it: what takes long is importing.
    """
    waiting = deque(programs.items())

    def work(_: int) -> dict[str, tuple[str, str]]:
        told = {}
        with lent_sandbox(isolation, _SECONDS) as sandbox:
            while waiting:
                try:
                    name, program = waiting.popleft()
                except IndexError:  # the other one was faster
                    break
                if why := _failure(sandbox, name, program):
                    told[name] = why
        return told

    workers = min(2, os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        found = {name: why for told in pool.map(work, range(workers)) for name, why in told.items()}
    return {name: found[name] for name in programs if name in found}


def _failure(sandbox: Sandbox, name: str, program: SmallProgram) -> tuple[str, str] | None:
    with Service() as service:
        done = sandbox.run(program.text, handler=service.handle)
    if done.outcome not in _OWN and done.signal in (None, signal.SIGKILL):
        # Which does not say that the library lacks.
        raise SandboxError(f"the check whether {name} solves was cut short: {done.detail}")
    if not done.ok:
        return _reason(done)
    last = service.records[-1] if service.records else None
    if last is None:
        return BROKEN, "nothing was solved"
    if last.ending != Status.OPTIMAL.word or last.objective is None:
        return BROKEN, f"its solve ended as {last.ending}"
    if abs(last.objective - program.objective) > 1e-6:
        return BROKEN, f"it found {last.objective:g} where {program.objective:g} is right"
    return None


_MODULE = re.compile(r"No module named '[\w.]+'")


def _reason(done: Execution) -> tuple[str, str]:
    """What went wrong, in a line that is the same on every machine: the innermost lack, if any.

    Which is asked of the words, for libraries wrap what they could not import in errors of their
    own: Pyomo names it in the text alone.
    """
    if lack := _MODULE.search(done.message):
        return MISSING, lack[0]
    first = (done.message.strip() or done.detail).partition("\n")[0][:200]
    return BROKEN, f"{done.exception}: {first}" if done.exception else first
