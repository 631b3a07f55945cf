"""`ordojo report`: a static site of runs, with tables and a summary beside it."""

import json
import sys
from pathlib import Path

import click


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    required=True,
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Folder of the report; a former report there is replaced.",
)
@click.option("--title", default=None, help="Title of the site.")
@click.option("--json", "as_json", is_flag=True, help="Print the paths written as JSON.")
def report(runs: tuple[Path, ...], out: Path, title: str | None, as_json: bool) -> None:
    """Write the report of RUNS, run folders or folders of runs, to OUT: index.html and its pages,
    tables.csv and summary.json. Training runs among them have a page of their own. A damaged run
    is named and left out; the exit code is 1 then.
    """
    from ordojo.core.errors import RunError
    from ordojo.evaluate.runs import read_runs
    from ordojo.report.site import TITLE, write_report
    from ordojo.report.training import logs, read_trainings

    damaged: list[RunError] = []
    trained = read_trainings(runs, damaged.append)
    # A folder of training runs alone is no folder of runs.
    asked = [path for path in runs if _evaluated(path) or not logs([path])]
    found = read_runs(asked, damaged.append) if asked else []
    if damaged and not (found or trained):
        raise damaged[0]
    for error in damaged:
        click.echo(f"ordojo: left out: {error}", err=True)
    versions: dict[str, set[str]] = {}
    for run in found:
        versions.setdefault(run.header.benchmark, set()).add(run.header.benchmark_version)
    for name, several in sorted(versions.items()):
        if len(several) > 1:
            click.echo(
                f"{name}: runs of versions {' and '.join(sorted(several))} stand in columns of "
                "their own; their scores are not comparable",
                err=True,
            )
    paths = write_report(found, out, TITLE if title is None else title, trainings=trained)
    if as_json:
        named = {"index": paths.index, "tables": paths.tables, "summary": paths.summary}
        click.echo(json.dumps({name: str(path) for name, path in named.items()}))
    else:
        click.echo(paths.index)
    if damaged:
        sys.exit(1)


def _evaluated(path: Path) -> bool:
    return (path / "run.json").exists() or any(path.glob("*/run.json"))
