"""The command `ordojo`: thin, every subcommand loaded only when it is called."""

import importlib
import signal
import sys
from typing import Any

import click

from ordojo import __version__
from ordojo.core.errors import OrdojoError

INTERRUPTED = 128 + signal.SIGINT
"""The exit code after Ctrl-C, as shells have it."""

COMMANDS = {
    "eval": "ordojo.cli.eval:evaluate",
    "report": "ordojo.cli.report:report",
    "data": "ordojo.cli.data:data",
    "models": "ordojo.cli.models:models",
    "build": "ordojo.cli.build:build",
    "verify": "ordojo.cli.verify:verify",
    "review": "ordojo.cli.review:review",
    "run": "ordojo.cli.run:run",
    "grade": "ordojo.cli.grade:grade",
    "explain": "ordojo.cli.explain:explain",
    "structure": "ordojo.cli.structure:structure",
    "workbench": "ordojo.cli.workbench:workbench",
    "inspect": "ordojo.cli.inspect:inspect",
    "play": "ordojo.cli.play:play",
    "serve": "ordojo.cli.serve:serve",
    "train": "ordojo.cli.train:train",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are looked up; Ctrl-C ends them quietly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ordojo")
def cli() -> None:
    """Language models tested and trained on operations research, with a solver in the loop."""


def main() -> None:
    """Run the command; a deliberate error is one sentence on stderr and exit code 2."""
    try:
        cli()
    except OrdojoError as error:
        click.echo(f"ordojo: {error}", err=True)
        sys.exit(2)
