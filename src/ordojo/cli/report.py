"""`ordojo report`, a static site of runs with tables beside it, and `ordojo compare`, tests."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import RunsPath

if TYPE_CHECKING:
    from ordojo.report.overview import Rows


@click.command(
    epilog="Example: ordojo report runs -o report", cls=Spoken, doing="reporting on {runs}"
)
@click.argument("runs", nargs=-1, required=True, type=RunsPath())
@click.option(
    "-o",
    "--out",
    required=True,
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Folder of the report; a former report there is replaced.",
)
@click.option("--title", default=None, help="Title of the site.")
@click.option(
    "--latex",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Also write every table as booktabs LaTeX and CSV.",
)
@click.option(
    "--rows",
    type=click.Choice(["mine", "published", "all"]),
    help="Rows of those tables: of the runs, quoted from papers, or both.  [default: mine]",
)
@click.option(
    "--figures",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Also write every chart as SVG and PDF.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the paths written as JSON.")
def report(
    runs: tuple[Path, ...],
    out: Path,
    title: str | None,
    latex: Path | None,
    rows: "Rows | None",
    figures: Path | None,
    as_json: bool,
) -> None:
    """Write the report of RUNS, run folders or folders of runs, to OUT: index.html and its pages,
    tables.csv and summary.json. Training runs among them have a page of their own. A damaged run
    is named and left out; the exit code is 1 then.
    """
    from ordojo.api import benchmarks
    from ordojo.report.site import TITLE

    damaged: list[Exception] = []

    def left_out(error: Exception) -> None:
        damaged.append(error)
        click.echo(f"ordojo: left out: {error}", err=True)

    paths = benchmarks.report(
        runs,
        out,
        title=TITLE if title is None else title,
        latex=latex,
        rows=rows,
        figures=figures,
        damaged=left_out,
        progress=lambda line: click.echo(line, err=True),
    )
    if as_json:
        named = {"index": paths.index, "tables": paths.tables, "summary": paths.summary}
        click.echo(json.dumps({name: str(path) for name, path in named.items()}))
    else:
        click.echo(paths.index)
    if damaged:
        sys.exit(1)


@click.command(epilog="Example: ordojo compare runs/A runs/B", cls=Spoken, doing="comparing {runs}")
@click.argument("runs", nargs=-1, required=True, type=RunsPath())
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(runs: tuple[Path, ...], as_json: bool) -> None:
    """Compare RUNS in pairs, item by item, those of one benchmark, version, dataset and rule.

    Two or more run folders, or folders of runs. Of each pair: the difference of mean scores with
    its interval, a permutation test, the exact sign test (McNemar's), Holm's correction over all
    pairs of the group, the least difference found with 80% power, and how many items the seen one
    takes. JSON is an object for one group, a list of them for several.
    """
    from ordojo.api import benchmarks

    found = benchmarks.compare(*runs, progress=lambda line: click.echo(line, err=True))
    if as_json:
        plain = [one.to_json() for one in found]
        one_or_all = plain[0] if len(plain) == 1 else plain
        click.echo(json.dumps(one_or_all, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join(map(str, found)))
