"""`ordojo run`: a gurobipy or coptpy program, in the sandbox, without a licence."""

import sys
from pathlib import Path
from typing import Any

import click

from ordojo.api import programs
from ordojo.api.kinds import Isolation
from ordojo.cli.made import made, printed
from ordojo.cli.parameters import PATH
from ordojo.compat.capture import in_file
from ordojo.core.errors import UsageError
from ordojo.milp.files import write_model
from ordojo.sandbox.outcome import ProgramOutcome


def _run(
    program: Path,
    *,
    write: Path | None,
    isolation: Isolation,
    as_json: bool,
    out: Path | None,
    **more: Any,
) -> programs.ProgramRun:
    """Run the program, pass on what it prints, and say what its end means."""
    if write is not None and write.exists():
        raise UsageError(f"--write {write}: it exists already; name a new file")
    if isolation == "unsafe":
        click.echo("ordojo: unsafe: the program is limited, but not contained", err=True)
    more["echo"] = None if as_json else _echo
    done = programs.run_program(program, isolation=isolation, out=out, **more)
    if as_json:
        printed(done, as_json)
    elif done.outcome == ProgramOutcome.SYNTAX_ERROR:
        why = in_file(done.message, program)
        raise UsageError(f"{program} is no Python program, so nothing was run: {why}")
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
    return done


def _echo(to_stderr: bool, data: bytes) -> None:
    stream = (sys.stderr if to_stderr else sys.stdout).buffer
    stream.write(data)
    stream.flush()


run = made(
    programs.run_program,
    "run",
    doing="running {program}",
    example="run program.py",
    flags={"files": ["--file"]},
    metavars={"arguments": "[ARGUMENT]..."},
    use=_run,
    code=lambda done: int(not done.ok),
    options=[click.Option(["--write"], type=PATH, help="A new .mps or .lp: the last model.")],
    also="What it prints is passed on as it comes; the exit code is 1 where it did not come to its "
    "end.",
)
