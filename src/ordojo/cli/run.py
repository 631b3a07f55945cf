"""`ordojo run`: a gurobipy or coptpy program, in the sandbox, without a licence."""

import json
import sys
from pathlib import Path

import click

from ordojo.cli.settings import FiniteRange


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("program", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, metavar="[ARGUMENT]...")
@click.option(
    "--solver",
    type=click.Choice(["open", "highs", "scip", "gurobi"]),
    default="open",
    show_default=True,
)
@click.option(
    "--time-limit",
    type=FiniteRange(0.1),
    default=3600.0,
    show_default=True,
    help="Seconds for all solves together, and as many for the program besides.",
)
@click.option(
    "--memory", type=click.IntRange(64), default=4096, show_default=True, help="Megabytes."
)
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file, or all files of a folder, that the program may read.",
)
@click.option(
    "--isolation",
    type=click.Choice(["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]),
    default="auto",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(
    program: Path,
    arguments: tuple[str, ...],
    solver: str,
    time_limit: float,
    memory: int,
    files: tuple[Path, ...],
    isolation: str,
    as_json: bool,
) -> None:
    """Run PROGRAM, written for gurobipy or coptpy, on a machine without either.

    What it prints is passed on; the exit code is 1 where it did not come to its end.
    """
    from dataclasses import replace

    from ordojo.benchmarks.nl2opt.workshop import finite, open_sandbox
    from ordojo.compat.service import Limits, Service
    from ordojo.compat.service.pool import POOL

    source = _read(program)
    inputs = _inputs(files)
    limits = Limits(seconds=time_limit, total_seconds=time_limit)
    with (
        open_sandbox(isolation, memory, time_limit) as sandbox,
        Service(limits, solver=solver) as service,
    ):
        if isolation == "unsafe":
            click.echo(f"ordojo: {sandbox.describe()}", err=True)
        roomy = replace(sandbox.limits, output=1 << 28)
        done = sandbox.run(
            source, files=inputs, arguments=arguments, limits=roomy, handler=service.handle
        )
    if as_json:
        told = {
            "program": str(program),
            "outcome": done.outcome.value,
            "detail": done.detail,
            "exception": done.exception,
            "message": done.message,
            "exit_code": done.exit_code,
            "stdout": done.stdout,
            "stderr": done.stderr,
            "seconds": round(done.wall, 6),
            "solver_seconds": round(done.service, 6),
            "isolation": done.isolation,
            "solver_isolation": POOL.walls,
            "solves": [finite(record.to_json()) for record in service.records],
        }
        click.echo(json.dumps(told, indent=2))
    else:
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
        if not done.ok and not done.exception:
            click.echo(f"ordojo: {program} ended by {done.outcome.value}: {done.detail}", err=True)
    sys.exit(0 if done.ok else 1)


def _read(program: Path) -> str:
    from ordojo.core.errors import UsageError
    from ordojo.core.files import read_text

    try:
        return read_text(program)
    except OSError as error:
        raise UsageError(f"cannot read the program {program}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the program {program} is not UTF-8 text; is it a Python file?") from None


def _inputs(files: tuple[Path, ...]) -> dict[str, Path]:
    """Files by the name that the program reads them under: as given, or the last part."""
    from ordojo.core.errors import UsageError

    found: dict[str, Path] = {}
    for given in files:
        if not given.exists():
            raise UsageError(f"--file {given}: there is no such file or folder")
        plain = not given.is_absolute() and ".." not in given.parts
        base = given if plain else Path(given.name)
        inside = [p for p in sorted(given.rglob("*")) if p.is_file()] if given.is_dir() else []
        named = {base / p.relative_to(given): p for p in inside} or {base: given}
        for name, path in named.items():
            if path.is_dir():
                raise UsageError(f"--file {given}: the folder holds no files")
            path = path.resolve()
            if found.setdefault(name.as_posix(), path) != path:
                raise UsageError(f"--file {given}: another file is called {name} already")
    return found
