"""What can be done with an optimization model, or with a program that builds one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ordojo.benchmarks.nl2opt.workshop import finite, open_sandbox
from ordojo.compat.capture import model_of_program
from ordojo.compat.service import Limits, Service
from ordojo.compat.service.pool import POOL
from ordojo.core.errors import UsageError
from ordojo.core.files import read_text
from ordojo.milp import files
from ordojo.milp.model import Model
from ordojo.milp.objects import model_of_object
from ordojo.oracle import equivalence
from ordojo.oracle import explain as explaining
from ordojo.oracle.answers import Iis, Repair, Solution
from ordojo.oracle.equivalence import Comparison
from ordojo.oracle.explain import Explanation
from ordojo.oracle.registry import get_oracle
from ordojo.sandbox.outcome import Outcome
from ordojo.structure import Abstraction, abstract, read_flat
from ordojo.structure.convert import flat_model


def read_model(source: Any, *, isolation: str = "auto", time_limit: float = 60.0) -> Model:
    """The linear model of a path (.mps, .lp, these with .gz, .py), a `Model`, or another library's.

    A .py file is run contained for at most `time_limit` seconds and the last linear model that it
    solves is taken. Objects of gurobipy, highspy, Pyomo, PuLP, linopy, python-mip, OR-Tools' linear
    solver and cvxpy are taken as they stand. Raises DataError, in a sentence, for anything else.

    >>> model = read_model("bakery.lp")
    >>> model.row_names
    ('oven', 'orders')
    """
    if isinstance(source, Model):
        return source
    if not isinstance(source, str | Path):
        return model_of_object(source)
    path = Path(source)
    if path.suffix == ".py":
        return model_of_program(path, isolation, time_limit)
    return files.read_model(path)


def solve(model: Any, *, solver: str = "highs", time_limit: float = 60.0) -> Solution:
    """Solve a model: status, objective, point, duals; checked by residuals.

    `time_limit` is in seconds. Raises SolverError where the solver is not installed.

    >>> solve("bakery.lp").status
    <Status.INFEASIBLE: 'INFEASIBLE'>
    """
    return get_oracle(solver).solve(read_model(model), time_limit)


def iis(model: Any, *, solver: str = "highs", time_limit: float = 60.0) -> Iis:
    """An irreducible infeasible subsystem: rows and bounds that cannot all hold, none too many.

    Raises SolverError where the model is not proved infeasible within `time_limit` seconds.

    >>> model = read_model("bakery.lp")
    >>> iis(model).row_names(model)
    ('oven', 'orders')
    """
    return get_oracle(solver).iis(read_model(model), time_limit)


def explain(
    model: Any,
    *,
    solver: str = "highs",
    time_limit: float = 60.0,
    limit: int = 5,
    weights: Mapping[str, float] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Explanation:
    """Why a model is infeasible, and at most `limit` smallest repairs; printed, it is a text.

    `weights` say what moving a row (or `x.lb`, `x.ub`) by 1 costs: 1 by default, inf for never.
    Raises UsageError for a name that the model does not have or a weight that is not above 0.

    >>> print(explain("bakery.lp"))  # doctest: +ELLIPSIS
    bakery is infeasible ...
    """
    found, given = read_model(model), dict(weights or {})
    known = {*found.rows, *found.cols}
    for name, weight in given.items():
        if name not in known and name.removesuffix(".lb").removesuffix(".ub") not in known:
            raise UsageError(f"weight of '{name}': the model has no row or bound of that name")
        if not weight > 0:
            raise UsageError(f"weight of '{name}': give a number above 0, not {weight}")
    return explaining.explain(
        found,
        get_oracle(solver),
        time_limit,
        limit,
        given,
        progress=progress or (lambda line: None),
    )


def repair(model: Any, **options: Any) -> tuple[Repair, ...]:
    """The smallest repairs of an infeasible model, smallest first; options as for `explain`.

    >>> [move.new for move in repair("bakery.lp")[0].shifts]
    [60.0]
    """
    return explain(model, **options).repairs


def equivalent(model: Any, other: Any, *, time_limit: float = 30.0) -> Comparison:
    """Whether two models are the same problem, with the evidence: a mapping or a witness.

    EQUAL, DIFFERENT, or UNKNOWN where neither is shown within `time_limit` seconds.

    >>> equivalent("bakery.lp", "bakery.lp").verdict
    <Verdict.EQUAL: 'equal'>
    """
    return equivalence.compare(read_model(model), read_model(other), time_limit)


def structure(model: Any) -> Abstraction:
    """The groups of variables and families of constraints of a flat model (paper 003, section 3).

    An MPS path is read bit for bit, with sections beyond linear rows.

    >>> len(structure("bakery.lp").families)
    2
    """
    if isinstance(model, str | Path) and Path(model).suffix != ".py":
        return abstract(read_flat(Path(model)))
    return abstract(flat_model(read_model(model)))


@dataclass(frozen=True)
class ProgramRun:
    """A program's end: `outcome` "finished" or what ended it, its output, and every solve.

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
    seconds: float
    solver_seconds: float
    isolation: str
    solver_isolation: str
    solves: tuple[dict[str, Any], ...]

    @property
    def ok(self) -> bool:
        """Whether the program came to its end."""
        return self.outcome == Outcome.FINISHED


def run_program(
    program: str | Path,
    arguments: Sequence[str] = (),
    *,
    files: Sequence[str | Path] = (),
    solver: str = "open",
    time_limit: float = 3600.0,
    memory: int = 4096,
    isolation: str = "auto",
) -> ProgramRun:
    """Run a gurobipy or coptpy program in the sandbox, over open solvers, without a licence.

    It sees the files and folders given, under their relative paths. `time_limit` is in seconds, for
    all solves together and as many for the program besides; `memory` in megabytes. Raises
    UsageError where a file cannot be given, SandboxError where programs cannot be contained.

    >>> run_program("program.py").stdout
    '4.0\\n'
    """
    source = _program(Path(program))
    inputs = _inputs([Path(one) for one in files])
    limits = Limits(seconds=time_limit, total_seconds=time_limit)
    with (
        open_sandbox(isolation, memory, time_limit) as sandbox,
        Service(limits, solver=solver) as service,
    ):
        # A program's output is what its user wants; a benchmark's is bounded tighter.
        roomy = replace(sandbox.limits, output=1 << 28)
        done = sandbox.run(
            source, files=inputs, arguments=tuple(arguments), limits=roomy, handler=service.handle
        )
    return ProgramRun(
        str(program),
        done.outcome.value,
        done.detail,
        done.exception,
        done.message,
        done.exit_code,
        done.stdout,
        done.stderr,
        round(done.wall, 6),
        round(done.service, 6),
        done.isolation,
        POOL.walls,
        tuple(finite(record.to_json()) for record in service.records),
    )


def _program(path: Path) -> str:
    try:
        return read_text(path)
    except OSError as error:
        raise UsageError(f"cannot read the program {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the program {path} is not UTF-8 text; is it a Python file?") from None


def _inputs(given: Sequence[Path]) -> dict[str, Path]:
    """Files by the name that the program reads them under: as given, or the last part."""
    found: dict[str, Path] = {}
    for one in given:
        if not one.exists():
            raise UsageError(f"--file {one}: there is no such file or folder")
        plain = not one.is_absolute() and ".." not in one.parts
        base = one if plain else Path(one.name)
        inside = [p for p in sorted(one.rglob("*")) if p.is_file()] if one.is_dir() else []
        named = {base / p.relative_to(one): p for p in inside} or {base: one}
        for name, path in named.items():
            if path.is_dir():
                raise UsageError(f"--file {one}: the folder holds no files")
            path = path.resolve()
            if found.setdefault(name.as_posix(), path) != path:
                raise UsageError(f"--file {one}: another file is called {name} already")
    return found
