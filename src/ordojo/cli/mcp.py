"""`ordojo mcp`: the front door as tools of a language model's assistant."""

from pathlib import Path

import click

from ordojo.cli.settings import Number
from ordojo.core.ranges import SECONDS


@click.command(epilog="Example: ordojo mcp --allow models")
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A folder whose files may be read and written; again for more.  [default: .]",
)
@click.option(
    "--time-limit",
    type=Number(SECONDS),
    default=60.0,
    show_default=True,
    help="The most seconds that a tool may take to solve.",
)
def mcp(allowed: tuple[Path, ...], time_limit: float) -> None:
    """Serve an assistant, over stdin and stdout, in the Model Context Protocol.

    Its tools: solve, explain, repair, run_program, structure, equivalent, whatif, whynot, worth,
    suspects, check. An assistant's host starts this command itself. Needs `ordojo[mcp]`.
    """
    from ordojo.core.extras import need

    need("mcp", "mcp")
    from ordojo.api.assistant import serve

    serve(allowed or (Path(),), time_limit)
