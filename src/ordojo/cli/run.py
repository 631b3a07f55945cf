"""`ordojo run`: a gurobipy or coptpy program, in the sandbox, without a licence."""

import json
import sys
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import Number
from ordojo.core.ranges import MEGABYTES, SECONDS


@click.command(
    context_settings={"ignore_unknown_options": False},
    epilog="Example: ordojo run program.py",
    cls=Spoken,
    doing="running {program}",
)
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
    type=Number(SECONDS),
    default=3600.0,
    show_default=True,
    help="Seconds for all solves together, and as many for the program besides.",
)
@click.option(
    "--memory", type=Number(MEGABYTES), default=4096, show_default=True, help="Megabytes."
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
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A new or empty folder for the files that the program writes.",
)
@click.option(
    "--write", type=click.Path(path_type=Path), help="A new .mps or .lp for the model solved last."
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
    out: Path | None,
    write: Path | None,
    as_json: bool,
) -> None:
    """Run PROGRAM, written for gurobipy or coptpy, on a machine without either.

    What it prints is passed on as it comes; the exit code is 1 where it did not come to its end.
    Without --file it may read the files of its folder that it names. On Linux only; elsewhere in
    a container of docker or podman.
    """
    from ordojo.api.programs import run_program
    from ordojo.core.errors import UsageError
    from ordojo.milp.files import write_model

    if write is not None and write.exists():
        raise UsageError(f"--write {write}: it exists already; name a new file")
    if isolation == "unsafe":
        click.echo("ordojo: unsafe: the program is limited, but not contained", err=True)
    done = run_program(
        program,
        arguments,
        files=files,
        solver=solver,
        time_limit=time_limit,
        memory=memory,
        isolation=isolation,
        out=out,
        echo=None if as_json else _echo,
    )
    if as_json:
        click.echo(json.dumps(done.to_json(), indent=2))
    elif not done.ok and not done.exception:
        click.echo(f"ordojo: {program} ended by {done.outcome}: {done.detail}", err=True)
    if done.exception == "FileNotFoundError":
        click.echo(
            "ordojo: a program sees the files of its folder that it names, and those that --file "
            "gives it, both under relative paths only; a link that leads out of its folder is "
            "not followed",
            err=True,
        )
    if out is not None and done.outcome not in ("finished", "exited", "raised"):
        click.echo(f"ordojo: {out} lacks what the program wrote: it was ended before", err=True)
    if write is not None:
        write_model(done.last, write)
    sys.exit(0 if done.ok else 1)


def _echo(to_stderr: bool, data: bytes) -> None:
    stream = (sys.stderr if to_stderr else sys.stdout).buffer
    stream.write(data)
    stream.flush()
