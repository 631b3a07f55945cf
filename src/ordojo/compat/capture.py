"""What models a program of gurobipy or coptpy builds: run contained, its `optimize()` looked at."""

import atexit
import dataclasses
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from ordojo.compat import messages
from ordojo.compat.libraries import SHADOWS
from ordojo.compat.messages import HEAD, BadMessage, unpack
from ordojo.compat.service import Cache, Service, SolveRecord, SolverLimits
from ordojo.core.errors import DataError, SolverError
from ordojo.core.extras import to_type
from ordojo.core.files import files_below, read_bytes, read_text, reading
from ordojo.milp.files import linear
from ordojo.milp.model import Model, distinct
from ordojo.milp.objects import LIBRARIES
from ordojo.milp.problem import beyond_linear
from ordojo.sandbox import Execution, Limits, Sandbox
from ordojo.sandbox.channel import PROGRAM
from ordojo.sandbox.watch import Echo
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Problem
from ordojo.solvers.reformulation import NotLinear, linearised, lowered

if TYPE_CHECKING:
    from ordojo.structures import Flat

SOLVE_SECONDS = 10.0
"""What one solve of a program may take that is run for its model alone."""


PRELOAD = ("numpy", "ordojo.compat.imports", "pandas", "gurobipy", "coptpy")
"""Imported beforehand in every worker; what is not installed is left to fail in the program."""

_MOST = 64 << 20
"""Bytes of the files beside a program that go with it: they are copied at each run."""
_LONGEST = 300
"""Characters of what a program says of its end that are passed on in a sentence."""
_SAME = 1e-5
"""How far apart, relative to their size, two solvers' optima of one model may lie."""
_KEPT = 16
"""Problems of a run that are kept, the last ones: a program may solve in a loop."""


@dataclass(frozen=True)
class Captured:
    """A program's end, and the last problems that it had solved, each with its result."""

    execution: Execution
    problems: Sequence[tuple[Problem, SolveResult]]
    solves: int
    told: bytes | None = None
    """The model that another library solved last, as its program sent it."""

    @property
    def failure(self) -> str:
        """How the program ended, as the end of a sentence: its exception, or the limit it met."""
        done = self.execution
        if done.exception:
            message = " ".join(done.message.split())[:_LONGEST]
            return f"{done.exception}: {message}" if message else done.exception
        return done.detail or done.outcome.value.replace("_", " ")


_waiting: dict[tuple[int, str, bool], list[Sandbox]] = {}
"""Sandboxes that nobody uses, by process, isolation and models; a fork leaves its parent's be."""
_open: dict[Sandbox, int] = {}
"""Those that were started and not closed, lent or waiting, with the process that did."""
_guard = threading.Lock()


@contextmanager
def lent_sandbox(
    isolation: str, wall: float, memory: int = 2048, models: bool = False
) -> Iterator[Sandbox]:
    """A sandbox in which `import gurobipy` and `import coptpy` mean our layers, for a while.

    `wall` is the time of one program in seconds, in which the solver's is not counted, `memory` its
    megabytes. With `models` other libraries' models come out, too, as they are solved. SandboxError
    where nothing contains programs, unless `isolation` is "unsafe". It is kept for who asks next:
    to start one takes a second, to run a program in it a tenth. What waits, one for each processor,
    is closed with the process; one of a pool, which may be killed in the end, keeps none.
    """
    key = os.getpid(), isolation, models
    with _guard:
        waiting = _waiting.setdefault(key, [])
        sandbox = waiting.pop() if waiting else None
    if sandbox is None:
        preload = (*PRELOAD, "ordojo.compat.told_models") if models else PRELOAD
        sandbox = Sandbox(isolation, preload=preload, shadow=SHADOWS)
        _open[sandbox] = key[0]
    sandbox.limits = Limits(wall=wall, cpu=wall, memory=memory << 20)
    try:
        yield sandbox
    except BaseException:
        _close(sandbox)
        raise
    with _guard:
        kept = parent_process() is None and len(waiting) < (os.cpu_count() or 1)
        if kept:
            waiting.append(sandbox)
    if not kept:
        _close(sandbox)


def _close(sandbox: Sandbox) -> None:
    if _open.pop(sandbox, None) == os.getpid():
        sandbox.close()


@atexit.register
def _close_all() -> None:
    for sandbox in list(_open):
        _close(sandbox)


def run_captured(
    sandbox: Sandbox,
    source: str,
    solve_seconds: float,
    total_seconds: float,
    *,
    files: Mapping[str, Path | str | bytes] | None = None,
    cache: Cache | None = None,
    keep: bool = False,
    echo: Echo | None = None,
) -> Captured:
    """Run a program with the open solvers behind it; a `cache` solves equal problems once.

    `keep` and `echo` are those of `Sandbox.run`.

    Its own fault is an outcome; errors of the sandbox and the service pass through.
    """
    limits = SolverLimits(seconds=solve_seconds, total_seconds=total_seconds)
    with Service(limits, cache=cache) as service:
        service.kept = _KEPT
        told: list[bytes] = []
        begun = False

        def hear(model: bytes) -> None:
            nonlocal begun
            begun = not begun  # it is sent before the library's solve, and after it
            # Problems before it are not the last; those in it are the library's own way to solve
            # the model, and all that is known of one that is refused.
            if begun or not _refused(model):
                service.problems.clear()
            told[:] = [model]

        handler = listening(service, hear)
        done = sandbox.run(source, files=files, handler=handler, keep=keep, echo=echo)
        return Captured(done, tuple(service.problems), len(service.records), *told)


def listening(service: Service, hear: Callable[[bytes], None]) -> Callable[[bytes], bytes]:
    """What answers a program: the service, and `hear` for the models that libraries solve.

    It is given what `told_problem` reads.
    """

    def answer(message: bytes) -> bytes:
        if not message.startswith(HEAD):
            return service.handle(message)
        hear(message[len(HEAD) :])
        return b""

    return answer


def solved_again(service: Service, told: SolveRecord, model: bytes) -> SolveRecord:
    """What a library told of a solve, as the service's own where it finds the same.

    `model` is what the program sent of it. The record stays told where it cannot be solved, and
    where the service finds something else: a library's tolerances are its own.
    """
    try:
        result = service.solve(told_problem(model))
    except (DataError, SolverError):
        return told
    mine = service.records[-1]
    if mine.ending != told.ending:
        return told
    if mine.ending != Status.OPTIMAL.word:
        return dataclasses.replace(mine, maximize=told.maximize, library=told.library)
    if result.objective is None or told.objective is None:
        return told
    if abs(result.objective - told.objective) > _SAME * max(1.0, abs(told.objective)):
        return told
    return dataclasses.replace(
        mine, objective=told.objective, maximize=told.maximize, library=told.library
    )


def linear_model(problem: Problem) -> Model:
    """The linear model that a problem is, each name given once, types dropped where it is relaxed.

    DataError, in one sentence, where the problem has more than linear rows and one objective.
    """
    if beyond := beyond_linear(problem):
        raise DataError(f"the model has {beyond}, and only linear models can be taken up")
    return linear(dataclasses.replace(problem, model=named(problem)))


def named(problem: Problem, name: str = "") -> Model:
    """The problem's rows and columns, each name once, relaxed where it is.

    The model is called `name` where it has no name.
    """
    model = problem.model
    if problem.settings.relaxed:
        model = model.relaxed
    rows, columns = distinct(model.row_names), distinct(model.col_names)
    return dataclasses.replace(model, name=model.name or name, row_names=rows, col_names=columns)


def model_of_program(path: Path, isolation: str = "auto", time_limit: float = 60.0) -> Model:
    """The last linear model that a Python program has solved; raises as `problems_of_program`.

    DataError, too, where none of them is linear.
    """
    lacking = ""
    for problem in problems_of_program(path, isolation, time_limit):
        try:
            return linear_model(as_linear(problem))
        except NotLinear as error:
            lacking = lacking or f"{beyond_linear(problem)}, not linear where {error} is"
        except DataError:
            lacking = lacking or beyond_linear(problem)
    raise DataError(f"{path} solved no linear model: its last one has {lacking}; leave them out")


def candidate_model(path: Path, isolation: str = "auto", time_limit: float = 60.0) -> "Flat":
    """The model that a file, a program or a folder states.

    Of a program (.py) its last model counts. A folder is one that `ordojo structure` wrote, or an
    instance with a solve.py, which counts there. Raises as `model_of_program`.
    """
    from ordojo.structures import flat_model, read_flat, regenerate

    if path.is_dir():
        if (path / "structure.json").is_file():
            return regenerate(path)
        if not (path / "solve.py").is_file():
            raise DataError(
                f"{path} has neither solve.py nor structure.json; name a model or a program"
            )
        path = path / "solve.py"
    if path.suffix == ".py":
        return flat_model(model_of_program(path, isolation, time_limit))
    with reading(time_limit):
        return read_flat(path)


def problems_of_program(
    path: Path, isolation: str = "auto", time_limit: float = 60.0
) -> Sequence[Problem]:
    """The last problems that a Python program has solved, last first, at least one.

    The program is run contained, with the files of its folder that it names; it may take
    `time_limit` seconds, its solver as much again. What it does after its last solve does not
    matter. DataError where it cannot be read, fails before any solve, or never solves;
    SandboxError where it cannot be contained.
    """
    source = source_of(path)
    with lent_sandbox(isolation, time_limit, models=True) as sandbox:
        each = min(SOLVE_SECONDS, time_limit)
        found = run_captured(sandbox, source, each, time_limit, files=beside(path, source))
    if found.problems:
        problems = [problem for problem, _ in reversed(found.problems)]
    elif found.told is not None:
        if refused := _refused(found.told):
            raise DataError(f"{path} solved a model that cannot be taken up: {refused}")
        problems = [told_problem(found.told)]
    elif not found.execution.ok:
        lacking = found.execution.exception == "ModuleNotFoundError"
        many = f"install the library (many come by {to_type('programs')})"
        advice = many if lacking else "correct it"
        raise DataError(
            f"{path} failed before it solved a model ({in_file(found.failure, path)}); "
            f"{advice}, or give its model as an .mps or .lp file"
        )
    else:
        raise DataError(
            f"{path} solved no model: it must build one with coptpy, {', '.join(LIBRARIES)} and "
            "have it solved"
        )
    return [dataclasses.replace(one, model=named(one, path.stem)) for one in problems]


def in_file(message: str, path: Path) -> str:
    """A syntax error's words with the name that its user gave the program, not the sandbox's."""
    return message.replace(f"({PROGRAM}, line", f"({path.name}, line")


def source_of(path: Path) -> str:
    """The text of a program; DataError where it cannot be read."""
    try:
        return read_text(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"the program {path} cannot be read: {why}; name a text file") from None


def _refused(model: bytes) -> str:
    """Why a library's model could not be sent, as the program says, "" where it was."""
    try:
        reason = unpack(model).get("refused")
    except BadMessage:
        return ""
    return " ".join(reason.split())[:_LONGEST] if isinstance(reason, str) else ""


def told_problem(model: bytes) -> Problem:
    """What a program sent of a model; DataError where it sent something else."""
    try:
        return messages.read_problem(unpack(model).get("problem"))
    except BadMessage as error:
        raise DataError(f"the program sent no model ({error}); correct it") from None


def as_linear(problem: Problem) -> Problem:
    """The problem with indicators, sets, products and functions as rows, where bounds allow it.

    Raises NotLinear where they do not. A new row is called NAME#rK by what it says a part of.
    """
    if not beyond_linear(problem) or problem.objectives or problem.settings.lazy:
        return problem
    return linearised(lowered(problem))


def beside(path: Path, source: str) -> dict[str, Path | str | bytes]:
    """The files in the program's folder whose names it mentions, modules by their stems.

    Those below the folders there that it mentions, too, by their stems: their names may be put
    together; and what these modules mention in turn. A link that leads out of the folder is not
    followed. DataError where they are too many or too large.
    """
    found: dict[str, Path | str | bytes] = {}
    folder = path.resolve().parent
    sources, size = [source], 0
    while sources:
        source = sources.pop()
        for other in _named_in(folder, source):
            name = other.relative_to(folder).as_posix()
            if name in found or other.name in ("program.py", path.name):
                continue
            size += other.stat().st_size
            if size > _MOST:
                raise DataError(
                    f"the files beside {path} that it names have more than {_MOST >> 20} MB; "
                    "run it with those it needs as `files`, or give its model as a file"
                )
            try:
                data = read_bytes(other, within=[folder])
            except OSError as error:
                raise DataError(f"{other} cannot be read: {error.strerror}; move it away") from None
            found[name] = data
            if other.suffix == ".py":
                sources.append(data.decode("utf-8", "replace"))
    return dict(sorted(found.items()))


def _named_in(folder: Path, source: str) -> Iterator[Path]:
    """The files of a folder, and of the folders in it that a text mentions, that it names."""
    below = (
        file
        for entry in _mentioned(folder, source)
        for file in files_below(entry)
        if file.suffix != ".pyc"
    )
    for other in [*folder.iterdir(), *below]:
        whole = other.suffix != ".py" and other.parent == folder
        if (other.name if whole else other.stem) not in source or not other.is_file():
            continue
        if other.resolve().is_relative_to(folder):
            yield other


def _mentioned(folder: Path, source: str) -> list[Path]:
    """The folders in this one whose names stand in the program, as words in quotes or paths."""
    words = set(re.findall(r"[\w.-]+", source))
    return [
        entry
        for entry in folder.iterdir()
        if entry.name in words and entry.name[0] != "." and entry.is_dir()
        if entry.resolve().is_relative_to(folder)
    ]
