"""OR-Debug-Bench answered by whole models: each reply is a program, or an LP file, written anew."""

from ordojo.benchmarks.or_debug.elements import read_diagnosis
from ordojo.benchmarks.or_debug.environment import RepairEnvironment, clean
from ordojo.benchmarks.or_debug.outcome import is_known
from ordojo.benchmarks.or_debug.prompts import (
    FILE_ASK,
    PROGRAM_ASK,
    feedback,
    file_opening,
    named,
    program_opening,
    solution_text,
)
from ordojo.benchmarks.or_debug.rewritten import PROGRAM, Rewritten, read_reply, run_reply
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions, check_options
from ordojo.compat.capture import open_sandbox
from ordojo.compat.service import Cache
from ordojo.core.environment import Message, Observation, Step
from ordojo.core.instance import Instance
from ordojo.core.readers.turn import after_thinking
from ordojo.sandbox import Sandbox
from ordojo.solvers.answers import Status
from ordojo.solvers.protocol import Oracle

SECONDS = 60.0
"""Wall and processor time of a program; the solver has its own."""

_READ = 50_000


class ProgramEnvironment(RepairEnvironment):
    """One whole program a turn, until its model is OPTIMAL, time is up, or no more programs come.

    A program runs in a sandbox with the open solvers behind it, and the last model that it solves
    is the answer; what the program does then does not matter. Raises SandboxError where programs
    cannot be contained, SolverError where the oracle is not installed, UsageError for settings
    that belong to actions.

    A turn's `info` is that of `OrDebugEnvironment`: "action" is "PROGRAM" (None without one),
    "valid" says that a model was solved. "status" is ERROR where a program solved none. "known"
    says that an element that it changed was in the IIS before. Besides: "program" (outcome,
    exception, message, solves, how it was found), "comparison" with the original (verdict: equal,
    different or unknown; reason), and "changed", the elements that differ from the sabotaged model.
    "end" may be "no program": two replies in a row had none.
    """

    waits = True

    def __init__(self, options: OrDebugOptions, oracle: Oracle | None = None) -> None:
        check_options(options)
        super().__init__(options, oracle)
        self._cache = Cache()
        self._sandbox: Sandbox | None = None
        self._prepare()

    # How replies are asked for, and what becomes of one, is another thing where they are files.
    _what, _ask = "Program", PROGRAM_ASK

    def _prepare(self) -> None:
        if self._sandbox is None:
            self._sandbox = open_sandbox(self._options.isolation, SECONDS)

    def _opening(self, instance: Instance[Debugging]) -> tuple[Message, ...]:
        return program_opening(instance, self._options, instance.problem.code, self._shown())

    def _take(self, text: str) -> Rewritten:
        assert self._sandbox is not None
        limit = self._options.time_limit
        return run_reply(text, self._bench, self._sandbox, limit, self._cache)

    def reset(self, instance: Instance[Debugging], seed: int) -> Observation:
        """Show the sabotaged program; nothing depends on `seed`."""
        self._prepare()
        self._begin(instance)
        self._was_silent = False
        return self._observe(self._opening(instance), fresh=True)

    def step(self, text: str) -> Step:
        """Run the program of `text`, answer it, and end the episode where it is over."""
        problem, bench = self._going_on().problem, self._bench
        model = problem.model
        diagnosis = read_diagnosis(after_thinking(text)[-_READ:], model)
        rows, bounds = bench.rows, bench.bounds
        taken = self._take(text)
        self._repaired.update(dict.fromkeys(taken.changed))
        silent = taken.found.program is None
        end = self._end(silent)
        self._was_silent = silent

        def follow() -> Observation:
            said = feedback(taken, bench.status, self._shown())
            count = f"{self._what} {self._turn} of {self._options.max_steps} done. {self._ask}"
            return self._observe((Message("user", f"{said}\n{count}"),), fresh=False)

        return self._turned(
            end,
            follow,
            {
                "action": None if silent else PROGRAM,
                "target": "",
                "valid": not taken.reason,
                "reason": clean(taken.reason),
            },
            diagnosis,
            (rows, bounds),
            (
                any(is_known(name, model, rows, bounds) for name in taken.changed),
                any(is_known(name, model, bench.rows, bench.bounds) for name in taken.changed),
            ),
            # Without a reply a silently wrong model stands, and is held against the original.
            drift=None if silent and problem.is_silent else taken.same.drift,
            more={
                "program": taken.to_json(),
                "comparison": taken.same.comparison,
                "changed": list(taken.changed),
            },
        )

    def close(self) -> None:
        """Take the sandbox down and free the solvers; any number of times."""
        super().close()
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def _end(self, silent: bool) -> str:
        if self._bench.status == Status.OPTIMAL and not silent:
            return "optimal"
        if silent and self._was_silent:
            return "no program"
        return "limit" if self._turn + 1 >= self._options.max_steps else ""


class FileEnvironment(ProgramEnvironment):
    """One whole model a turn, until it is OPTIMAL, time is up, or no more files come.

    It is read and solved here, and compared as the model of a program is; no program is run. A
    turn's `info` is that of `ProgramEnvironment`, of which "program" says what file was found.
    """

    waits = False
    _what, _ask = "File", FILE_ASK

    def _prepare(self) -> None:
        """Nothing is run."""

    def _opening(self, instance: Instance[Debugging]) -> tuple[Message, ...]:
        return file_opening(instance.problem, self._options, self._found())

    def _take(self, text: str) -> Rewritten:
        return read_reply(text, self._bench, self._options.time_limit)

    def _found(self) -> str:
        shown = solution_text(self._bench)
        return f"Status: {self._bench.status.value}\n{shown or f'IIS: {named(self._shown())}'}"
