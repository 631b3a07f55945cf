"""Running a program of gurobipy or coptpy without a licence."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from ordojo.api.kinds import AnyPath, Isolation, Seconds
from ordojo.compat.capture import beside, lent_sandbox, linear_model, named
from ordojo.compat.service import Service, SolverLimits
from ordojo.compat.service.processes import POOL
from ordojo.core.canonical import finite
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import files_below, read_bytes, read_text
from ordojo.core.outputs import whole_folder
from ordojo.core.ranges import MEGABYTES
from ordojo.core.signatures import checked
from ordojo.milp.model import Model
from ordojo.sandbox.outcome import Limits, ProgramOutcome
from ordojo.solvers.problem import Problem


@dataclass(frozen=True)
class ProgramRun:
    """A program's end: `outcome` "finished" or what ended it, its output, and every solve.

    `log` is what the solvers printed, no part of `stdout`.
    Seconds are of the program and of its solves, wall time; `isolation` names what contained it.
    """

    program: str
    outcome: str
    detail: str
    exception: str
    message: str
    exit_code: int | None
    stdout: str
    stderr: str
    log: str
    seconds: float
    solver_seconds: float
    isolation: str
    solver_isolation: str
    solves: tuple[dict[str, Any], ...]
    problem: Problem | None = field(default=None, repr=False, compare=False)

    @property
    def model(self) -> Model:
        """The model solved last; DataError where there was none, or none that is linear."""
        return linear_model(self.last)

    @property
    def last(self) -> Problem:
        """The problem solved last, linear or not; DataError where there was none."""
        if self.problem is None:
            raise DataError(f"{self.program} solved no model with gurobipy or coptpy")
        return replace(self.problem, model=named(self.problem, Path(self.program).stem))

    def to_json(self) -> dict[str, Any]:
        """Everything but the last model."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "problem"}

    @property
    def ok(self) -> bool:
        """Whether the program came to its end."""
        return self.outcome == ProgramOutcome.FINISHED


@checked
def run_program(
    program: str | Path,
    arguments: Sequence[str] = (),
    *,
    files: Sequence[AnyPath] = (),
    solver: Literal["open", "highs", "scip", "gurobi"] = "open",
    time_limit: Seconds = 3600.0,
    memory: Annotated[int, MEGABYTES] = 4096,
    isolation: Isolation = "auto",
    out: str | Path | None = None,
    echo: Callable[[bool, bytes], None] | None = None,
) -> ProgramRun:
    """Run a gurobipy or coptpy program in the sandbox, over open solvers, without a licence.

    On Linux only; elsewhere in a container of docker or podman.

    Args:
        program: The program's file.
        arguments: Its arguments.
        files: Files and folders that it may read, under their relative paths; without any, the
            files of its folder that it names.
        solver: Who solves; open takes HiGHS, and SCIP for what HiGHS does not.
        time_limit: Seconds for all solves together, and as many for the program besides.
        memory: Megabytes of the program.
        isolation: How the program is contained.
        out: A new or empty folder for the files that the program writes.
        echo: Gets what it prints as it comes, the solvers' logs in their place: whether to stderr,
            and the bytes.

    Returns:
        How the program ended, its output, and every solve. The sandbox waits for the process's next
        program, and takes some 150 MB as long.

    Raises:
        UsageError: Where a file cannot be given, or `out` is not empty.
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> run_program("program.py").stdout
        '4.0\\n'
    """
    source = _program(Path(program))
    inputs = _inputs([Path(one) for one in files]) or beside(Path(program), source)
    limits = SolverLimits(seconds=time_limit, total_seconds=time_limit)
    with ExitStack() as held:
        # First, so that a folder that cannot be written is known before the program has run.
        target = None if out is None else held.enter_context(_new(Path(out)))
        sandbox = held.enter_context(lent_sandbox(isolation, time_limit, memory))
        service = held.enter_context(Service(limits, solver=solver))
        # A program's output is what its user wants; a benchmark's is bounded tighter.
        roomy = replace(sandbox.limits, output=1 << 28)
        done = sandbox.run(
            source,
            files=inputs,
            arguments=tuple(arguments),
            limits=roomy,
            handler=service.handle,
            keep=target is not None,
            echo=echo,
        )
        if target is not None:
            for name, data in done.written.items():
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (target / name).write_bytes(data)
    return ProgramRun(
        str(program),
        done.outcome.value,
        done.detail,
        done.exception,
        done.message,
        done.exit_code,
        done.stdout,
        done.stderr,
        done.log,
        round(done.wall, 6),
        round(done.service, 6),
        done.isolation,
        POOL.walls,
        tuple(finite(record.to_json()) for record in service.records),
        service.problems[-1][0] if service.problems else None,
    )


def _new(folder: Path) -> AbstractContextManager[Path]:
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; name a new folder, for nothing is overwritten")
    return whole_folder(folder, own=(), error=UsageError, advice="name another folder")


def _program(path: Path) -> str:
    if path.name.removesuffix(".gz").lower().endswith((".lp", ".mps")):
        raise UsageError(f"{path} is a model, not a program; give it to `ordojo explain`")
    try:
        return read_text(path)
    except OSError as error:
        raise UsageError(f"cannot read the program {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the program {path} is not UTF-8 text; is it a Python file?") from None


def _inputs(given: Sequence[Path]) -> dict[str, Path | str | bytes]:
    """Files by the name that the program reads them under: as given, or the last part."""
    found: dict[str, Path] = {}
    inputs: dict[str, Path | str | bytes] = {}
    left = Limits().disk
    for one in given:
        try:
            named = _named(one)
            for name, path in named.items():
                inside = [one] if one.is_dir() else []
                data = read_bytes(path, largest=left, within=inside)
                if found.setdefault(name, path.resolve()) != path.resolve():
                    raise UsageError(f"`files` {one}: another file is called {name} already")
                inputs[name], left = data, left - len(data)
        except OSError as error:
            which = "" if error.filename in (None, str(one)) else f" ({error.filename})"
            raise UsageError(f"`files` {one}: {error.strerror}{which}") from None
    return inputs


def _named(one: Path) -> dict[str, Path]:
    """A file, or the files of a folder, by the names that a program has for them."""
    if not one.exists() and not one.is_symlink():
        raise UsageError(f"`files` {one}: there is no such file or folder")
    plain = not one.is_absolute() and ".." not in one.parts
    base = one if plain else Path(one.name)
    if not one.is_dir():
        return {base.as_posix(): one}
    named = {(base / path.relative_to(one)).as_posix(): path for path in files_below(one)}
    if not named:
        raise UsageError(f"`files` {one}: the folder holds no files")
    return named
