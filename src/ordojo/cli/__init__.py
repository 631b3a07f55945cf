"""The command `ordojo`: thin, every subcommand loaded only when it is called.

A command is `made` from a function of `ordojo.api`, each of its `parameters` from an argument;
`progress` says on stderr how far it is. The others hold the commands of their names and those next
to them: `explain` all that is asked of a model, `structure` the workbench, `run` programs,
`benchmarks` sets and builders, `eval` asking and grading, `report` pages, comparisons and plans,
`review` a person's queues, `data` datasets and weights, `train` recipes.
"""

import contextlib
import errno
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import click

from ordojo import __version__
from ordojo.core.ending import Stopped, ending
from ordojo.core.errors import OrdojoError, UsageError, meant
from ordojo.core.files import FileRefusedError
from ordojo.core.outputs import FULL
from ordojo.core.progress import printable

MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE),
    *(errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP),
)
"""What a machine lacks or forbids may be met at any file; it is the user's to mend, no bug."""
LONGEST = 1000
"""Characters of a sentence: it may quote what was given."""

GROUPS = {
    "A model of yours": {
        "explain": ("explain:explain", "why it is infeasible, and how to repair it"),
        "whatif": ("explain:whatif", "what a change does to the optimum and its plan"),
        "whynot": ("explain:whynot", "what it costs that something holds, or what forbids it"),
        "worth": ("explain:worth", "what a row's limit is worth, and how far it can go"),
        "suspects": ("explain:suspects", "numbers unlike their family's, each undone and solved"),
        "check": ("explain:check", "what a plan of yours breaks, and by how much"),
        "run": ("run:run", "a gurobipy or coptpy program, without a licence"),
        "structure": ("structure:structure", "groups and families of a flat model, and back"),
        "workbench": ("structure:workbench", "edit them on a local page"),
        "observe": ("structure:observe", "ask for slices, state its rows, checked at once"),
        "retell": ("structure:retell", "check another text of an exported instance, and keep it"),
        "diff": ("structure:diff", "what makes two models differ, and in which family"),
        "mcp": ("train:mcp", "all this as tools for an assistant"),
    },
    "Benchmarks": {
        "list": (
            "benchmarks:list_command",
            "benchmarks, their options and rules, datasets, models",
        ),
        "eval": ("eval:evaluate", "ask models; the same command goes on where it was stopped"),
        "report": ("report:report", "tables, charts and pages of what was asked"),
        "compare": ("report:compare", "paired tests of runs on the same items"),
        "paper": ("report:paper", "the papers' tables: commands, and scores side by side"),
        "hardness": ("benchmarks:hardness", "how far one gets without reading"),
        "plan": ("report:plan", "what a run takes on a cluster: hours, money, bottleneck"),
        "grade": ("eval:grade", "answers that you have already"),
        "play": ("eval:play", "answer yourself"),
        "models": ("data:models", "weights of the embedded models"),
    },
    "Data": {
        "data": ("data:data", "pull, verify, audit and describe datasets"),
        "build": ("benchmarks:build", "new questions and instances"),
        "verify": ("benchmarks:verify", "prove every certificate again"),
        "review": ("review:review", "a person accepts, edits or rejects"),
        "export": ("data:export", "a dataset in the formats of others"),
    },
    "Training": {
        "train": ("train:train", "SFT, GRPO, process rewards, curricula, as a recipe says"),
        "serve": ("train:serve", "an environment for trainers in other processes"),
    },
}
"""Every command with its place and summary: `ordojo --help` imports none of them."""
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}
FORMER = {"inspect": "diff"}
"""Names of 0.1.0 that go on working."""


class Commands(click.Group):
    """A group whose users read one sentence where they mistake a command or an option."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the group's own options."""
        with _one_sentence():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Read and run the command."""
        with _one_sentence():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; UsageError where there is none of the name."""
        wanted = args[0][:1].isalnum() and not ctx.resilient_parsing
        if wanted and self.get_command(ctx, args[0]) is None:
            raise self.refusal(ctx, args[0])
        return super().resolve_command(ctx, args)

    def refusal(self, ctx: click.Context, name: str) -> UsageError:
        """What is said of a name that no command has."""
        known = self.list_commands(ctx)
        hint = meant(name, known) or f"there are {', '.join(known)}"
        return UsageError(f"there is no command '{ctx.command_path} {name}'; {hint}")


@contextlib.contextmanager
def _one_sentence() -> Iterator[None]:
    """What click says of wrong usage, as an error of ordojo."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        said = " ".join(error.format_message().split()).rstrip(".")
        advice = f"; see {error.ctx.command_path} --help" if error.ctx else ""
        if isinstance(error, click.NoSuchOption):
            said = f"no such option '{error.option_name}'"
            near = meant(error.option_name, error.possibilities or ())
            advice = f"; {near}" if near else advice
        raise UsageError(f"{said[:1].lower()}{said[1:]}{advice}") from None


class LazyGroup(Commands):
    """A group whose commands are imported when they are looked up; signals end them quietly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name in FORMER:
            click.echo(f"ordojo {cmd_name} is called ordojo {FORMER[cmd_name]} now", err=True)
            cmd_name = FORMER[cmd_name]
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"ordojo.cli.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups, from the table."""
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary) for name, (_, summary) in group.items()], 9)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            click.echo("stopped", err=True)
            ctx.exit(exit_code(stop))


def exit_code(stop: KeyboardInterrupt) -> int:
    """The exit code of a command that was stopped, as shells have it: 128 and the signal."""
    return stop.code if isinstance(stop, Stopped) else 130


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: ordojo explain model.lp. Each command has one: ordojo COMMAND --help.",
)
@click.version_option(__version__, prog_name="ordojo")
def cli() -> None:
    """Language models tested and trained on operations research, with a solver in the loop."""


def main() -> None:
    """Run the command; a deliberate error is one sentence on stderr and exit code 2."""
    _mend_streams()
    try:
        with ending():
            try:
                cli(prog_name="ordojo")
            finally:
                sys.stdout.flush()
    except KeyboardInterrupt as stop:
        sys.exit(exit_code(stop))
    except RuntimeError as error:
        # What Python 3.11 makes of a stop that meets a library's class as it is being imported.
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        sys.exit(exit_code(error.__cause__))
    except BrokenPipeError:  # nobody reads the output any more: as other tools end then
        _drop_output()
        sys.exit(1)
    except (OrdojoError, OSError, MemoryError) as error:
        sentence = refusal(error)
        if not sentence:
            raise
        if not isinstance(error, OrdojoError):
            _drop_output()
        click.echo(sentence, err=True)
        sys.exit(2)


def refusal(error: BaseException) -> str:
    """The one line that a user reads of an error that is no bug of ordojo; "" for one that is."""
    if isinstance(error, OrdojoError):
        told = str(error)
    elif isinstance(error, FileRefusedError):
        told = f"cannot read {error.filename}: {error.strerror}"
    elif isinstance(error, OSError) and error.errno in MACHINE:
        unnamed = (
            f" ({tempfile.gettempdir()}, or where the output goes)" if error.errno in FULL else ""
        )
        name = f" ({error.filename})" if error.filename else unnamed
        told = (
            f"{os.strerror(error.errno)}{name}: mend that, then start the same command again; "
            "temporary files go to TMPDIR"
        )
    elif isinstance(error, MemoryError):
        told = "there is not enough memory for what was given: give less of it"
    else:
        return ""
    if len(told) > LONGEST:
        told = f"{told[: LONGEST // 2]} ... {told[-LONGEST // 2 :]}"
    return f"ordojo: {printable(told)}"


def _mend_streams() -> None:
    """Have three streams that take any text: closed ones lead nowhere, and to no file of ours."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        else:
            # Texts of models and names of files may hold lone surrogates.
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Have the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
