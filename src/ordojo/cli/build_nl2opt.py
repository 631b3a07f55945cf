"""`ordojo build nl2opt`: instance folders of the templates, each with a verified optimum."""

from collections.abc import Sequence
from pathlib import Path

import click

from ordojo.cli.settings import FiniteRange, parse_settings


@click.command("nl2opt")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option(
    "--template", "name", default="all", show_default=True, help="A template's name, or all."
)
@click.option("--n", "count", type=click.IntRange(1), help="Instances; one a template by default.")
@click.option(
    "--size",
    type=click.Choice(["small", "medium", "large"]),
    default="small",
    show_default=True,
    help="The knobs' values where none are given.",
)
@click.option("-T", "settings", multiple=True, metavar="KNOB=VALUE", help="A template's knob.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--seconds",
    type=FiniteRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Time to solve a draw; after it another one is drawn.",
)
@click.option("--no-program", is_flag=True, help="Do not run each solve.py as a second proof.")
def nl2opt(
    out: Path,
    name: str,
    count: int | None,
    size: str,
    settings: Sequence[str],
    seed: int,
    seconds: float,
    no_program: bool,
) -> None:
    """Build fresh problems: text, data, model.md, solve.py, generator.py and the proved optimum.

    Every instance is a folder of OUT, and index.jsonl lists them. `ordojo verify OUT` proves them
    again; `-T dataset=folder:OUT` evaluates on them.
    """
    from ordojo.core.errors import UsageError
    from ordojo.templates.checks import agree, run
    from ordojo.templates.instances import add_to_index, listing, make, write
    from ordojo.templates.registry import NAMES, get_template

    chosen = NAMES if name == "all" else (get_template(name).name,)
    given = dict(parse_settings(settings, "-T"))
    if given and name == "all":
        raise UsageError("-T sets a knob of one template; name it with --template")
    lines = []
    try:
        for number in range(count or len(chosen)):
            index, place = divmod(number, len(chosen))
            knobs = get_template(chosen[place]).settings(size, given)
            made = make(chosen[place], knobs, seed, index, seconds=seconds)
            folder = write(made, out / made.id)
            if not no_program:
                agree(folder, "solve.py", run(folder, seconds), made.optimal_value)
            lines.append(listing(made))
            redrawn = f", {made.attempt} redrawn" if made.attempt else ""
            click.echo(
                f"{made.id}: {made.built.model.n} variables, {made.built.model.m} constraints, "
                f"optimum {made.optimal_value:g}{redrawn}"
            )
    finally:
        # What was written is listed, whatever stops the rest.
        if lines:
            add_to_index(out, lines)
    redraws = sum(int(line["attempt"]) for line in lines)
    click.echo(f"{len(lines)} instances in {out}, {redraws} draws not solved in time")
