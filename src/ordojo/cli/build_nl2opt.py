"""`ordojo build nl2opt`: instance folders of the templates, each with a verified optimum."""

from collections.abc import Sequence
from pathlib import Path

import click

from ordojo.cli.settings import MOST, FiniteRange, parse_settings


@click.command("nl2opt")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option(
    "--template", "name", default="all", show_default=True, help="A template's name, or all."
)
@click.option(
    "--n", "count", type=click.IntRange(1, MOST), help="Instances; one a template by default."
)
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
    from ordojo.api import benchmarks

    benchmarks.build(
        "nl2opt",
        out,
        n=count,
        seed=seed,
        progress=click.echo,
        template=name,
        size=size,
        knobs=parse_settings(settings, "-T"),
        seconds=seconds,
        program=not no_program,
    )
