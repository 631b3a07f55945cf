"""`ordojo report`, a static site of runs with tables beside it, and `ordojo compare`, tests."""

from typing import Any

import click

from ordojo.api import reports
from ordojo.cli.made import made, printed
from ordojo.reports.compare import RunComparison


def _report(*, as_json: bool, **options: Any) -> bool:
    """Write the report; whether a damaged run was left out."""
    damaged: list[Exception] = []

    def left_out(error: Exception) -> None:
        damaged.append(error)
        click.echo(f"ordojo: left out: {error}", err=True)

    paths = reports.report(damaged=left_out, **options)
    if as_json:
        printed({"index": paths.index, "tables": paths.tables, "summary": paths.summary}, as_json)
    else:
        click.echo(paths.index)
    return bool(damaged)


def _groups(found: tuple[RunComparison, ...]) -> Any:
    """An object for one group, a list of them for several."""
    plain = [one.to_json() for one in found]
    return plain[0] if len(plain) == 1 else plain


report = made(
    reports.report,
    doing="reporting on {runs}",
    example="report runs -o report",
    flags={"out": ["-o", "--out"]},
    metavars={"runs": "RUNS...", "out": "OUT", "latex": "DIR", "figures": "DIR"},
    without=["damaged"],
    use=_report,
    code=int,
    also="A damaged run is named and left out; the exit code is 1 then.",
)
compare = made(
    reports.compare,
    doing="comparing {runs}",
    example="compare runs/A runs/B",
    metavars={"runs": "RUNS..."},
    helps={"runs": "Two or more run folders, or folders of runs."},
    show=lambda found: "\n\n".join(map(str, found)),
    plain=_groups,
    also="JSON is an object for one group, a list of them for several.",
)
