"""`ordojo build orqa`: fresh questions from the templates."""

from pathlib import Path

import click

from ordojo.cli.settings import MOST


@click.command("orqa")
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="A file FILE.jsonl."
)
@click.option("--n", "size", type=click.IntRange(1, MOST), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Splits of one seed share nothing; validation is for few-shot examples.",
)
@click.option(
    "--review",
    "queue",
    metavar="QUEUE",
    type=click.Path(path_type=Path),
    help="Write only what two readers accept; make their queue if it is not there.",
)
def orqa(out: Path, size: int, seed: int, split: str, queue: Path | None) -> None:
    """Build questions of all eleven types, with answers that follow from a formal model.

    Every wrong option is proved wrong; `ordojo verify OUT` proves all of it again.
    """
    from ordojo.api import benchmarks

    benchmarks.build("orqa", out, n=size, seed=seed, progress=click.echo, split=split, queue=queue)
