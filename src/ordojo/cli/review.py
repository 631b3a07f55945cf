"""`ordojo review`: a person's queues, in the terminal or on a local web page."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import LanguageModel, Number, RunsPath
from ordojo.core.ranges import PORT

if TYPE_CHECKING:
    from ordojo.core.panels import Table

QUEUE = click.argument("queue", type=click.Path(path_type=Path))
OUT = click.option(
    "-o",
    "--out",
    required=True,
    metavar="QUEUE",
    type=click.Path(path_type=Path),
    help="Folder of the queue to make, or to go on with.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def review() -> None:
    """Review what builders and models made: accept, edit, reject, label."""


@review.command("open", epilog="Example: ordojo review open queue")
@QUEUE
@click.option("--web", is_flag=True, help="Serve a page on 127.0.0.1 instead of the terminal.")
@click.option("--port", type=Number(PORT), help="Port of the page.")
@click.option(
    "--reviewer",
    envvar="USER",
    default="reviewer",
    show_default="your user name",
    metavar="NAME",
    help="Who decides; names that begin with 'model:' count as models.",
)
@click.option("--independent", is_flag=True, help="Hide what others decided: a second opinion.")
def open_(queue: Path, web: bool, port: int | None, reviewer: str, independent: bool) -> None:
    """Decide what waits in QUEUE. Every decision is stored at once; quit and go on at any time."""
    from ordojo.core.errors import UsageError
    from ordojo.review import ReviewQueue

    if port and not web:
        raise UsageError("--port is the port of the page: give --web, too")
    with ReviewQueue.open(queue, write=True) as opened:
        if not web:
            from ordojo.review.terminal import review_in_terminal

            review_in_terminal(opened, reviewer, independent=independent)
            return
        from ordojo.review.local import ReviewServer

        server = ReviewServer(opened, reviewer, port=port or 0, independent=independent)
        click.echo(f"Review '{opened.title}' at {server.url}")
        click.echo("Press Ctrl-C to end; every decision is stored as it is made.")
        server.serve_until_interrupted()
        click.echo("Ended.")


@review.command(epilog="Example: ordojo review status queue")
@QUEUE
@JSON
def status(queue: Path, as_json: bool) -> None:
    """How far QUEUE is: decisions, reasons, reviewers and their agreement."""
    from ordojo.review import ReviewQueue, statistics

    with ReviewQueue.open(queue) as opened:
        title, found = opened.title, statistics(opened)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        return
    click.echo(
        f"{title}: {found.decided} of {found.items} decided; {found.accepted} accepted, "
        f"{found.edited} edited, {found.rejected} rejected, {found.labelled} labelled"
    )
    for heading, counts in (("rejected", found.reasons), ("labelled", found.labels)):
        for name, count in counts.items():
            click.echo(f"  {heading} as '{name}': {count}")
    for reviewer, kinds in found.reviewers.items():
        said = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        click.echo(f"  {reviewer}: {said or 'nothing'}")
    for pair in found.agreement:
        click.echo(
            f"  {' and '.join(pair.reviewers)} agree on {pair.observed:.0%} of {pair.n} "
            f"{pair.unit}, Cohen's kappa {pair.kappa:.2f}"
        )


@review.command(epilog="Example: ordojo review table queue")
@QUEUE
@JSON
def table(queue: Path, as_json: bool) -> None:
    """What a QUEUE's decisions come to, beside its paper's: of reasoning, or of instances."""
    from ordojo.benchmarks.nl2opt.expert import expert_tables, is_expert_queue
    from ordojo.benchmarks.orqa.reasoning import error_types, table4
    from ordojo.review import ReviewQueue

    with ReviewQueue.open(queue) as opened:
        own = is_expert_queue(opened)
        tables = expert_tables(opened) if own else [table4(opened), error_types(opened)]
    if as_json:
        named = [
            {"title": t.title, "columns": t.columns, "rows": t.rows, "note": t.note} for t in tables
        ]
        click.echo(json.dumps(named, ensure_ascii=False))
        return
    for one in tables:
        click.echo(f"{_told(one)}\n")


@review.command(
    epilog="Example: ordojo review reasoning runs -o queue",
    cls=Spoken,
    doing="reading the reasoning of {runs}",
)
@click.argument("runs", nargs=-1, required=True, type=RunsPath())
@OUT
@click.option(
    "--model",
    metavar="NAME",
    type=LanguageModel(),
    help="Have this model label what nobody has labelled.",
)
def reasoning(runs: tuple[Path, ...], out: Path, model: str | None) -> None:
    """Make a queue of the chains of thought in RUNS, run folders or folders of runs, of orqa with
    prompt=cot; others are left out and named. Of several models each has columns of its own in
    table 4, which is printed where --model has labelled.
    """
    from ordojo.benchmarks.orqa.reasoning import REASONS, label_with_model, reasoning_of, table4
    from ordojo.core.errors import DataError
    from ordojo.evaluate.runs import read_runs
    from ordojo.review import ReviewQueue

    items = reasoning_of(read_runs(runs), lambda line: click.echo(f"ordojo: {line}", err=True))
    if not out.exists():
        ReviewQueue.create(out, items, title="ORQA reasoning", reasons=REASONS)
    with ReviewQueue.open(out, write=model is not None) as queue:
        if list(queue.items) != items:
            raise DataError(f"{out} holds the reasoning of other runs: choose another folder")
        click.echo(f"{len(items)} chains of thought in {out}")
        if model is None:
            return
        from ordojo.evaluate.generation import generator

        done = label_with_model(queue, generator(model), model)
        click.echo(
            f"{model} labelled {done.labelled}; {done.unreadable} replies could not be read, "
            f"{done.skipped} were decided before\n\n{_told(table4(queue))}"
        )


def _told(table: "Table") -> str:
    rows = [list(table.columns), *([_cell(cell) for cell in row] for row in table.rows)]
    return f"{table.title}\n{_aligned(rows)}\n{table.note}"


@review.command(
    epilog="Example: ordojo review instances instances -o queue",
    cls=Spoken,
    doing="reading the instances of {datasets}",
)
@click.argument("datasets", nargs=-1, required=True, metavar="DATASET...")
@OUT
@click.option(
    "--runs",
    multiple=True,
    type=RunsPath(),
    help="Leave out what models rebuilt in these runs; may be repeated.",
)
def instances(datasets: tuple[str, ...], out: Path, runs: tuple[Path, ...]) -> None:
    """Make a queue of instances, of an id or a folder, that an expert keeps, mends or discards."""
    from ordojo.benchmarks.nl2opt.expert import REASONS, TITLE, expert_items
    from ordojo.core.errors import DataError
    from ordojo.evaluate.runs import read_runs
    from ordojo.review import ReviewQueue

    items = expert_items(datasets, read_runs(runs) if runs else ())
    if not out.exists():
        ReviewQueue.create(out, items, title=TITLE, reasons=REASONS)
    with ReviewQueue.open(out) as queue:
        if list(queue.items) != items:
            raise DataError(f"{out} holds other instances: choose another folder")
    click.echo(f"{len(items)} instances in {out}")


@review.command(
    epilog="Example: ordojo review kept queue -o instances",
    cls=Spoken,
    doing="writing what was kept in {queue}",
)
@QUEUE
@click.option(
    "-o",
    "--out",
    required=True,
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="The folder of instances to write.",
)
def kept(queue: Path, out: Path) -> None:
    """Write the instances of QUEUE that were kept, and those whose text was mended."""
    from ordojo.benchmarks.nl2opt.expert import write_kept
    from ordojo.review import ReviewQueue

    with ReviewQueue.open(queue) as opened:
        counts = write_kept(opened, out)
    click.echo(f"{out}: {', '.join(f'{count} {word}' for word, count in counts.items())}")


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
