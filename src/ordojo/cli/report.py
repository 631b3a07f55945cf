"""`ordojo report`, a static site of runs, `compare`, tests, and `plan`, what more of them takes."""

from typing import Any

import click

from ordojo.api import reports, runs
from ordojo.cli.made import made, printed
from ordojo.core.capacity import Forecast
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


def _forecast(found: Forecast) -> str:
    rows = {
        "hours": f"{found.hours:,.2f} on {found.cores:,} cores",
        "node hours": f"{found.node_hours:,.1f}",
        "core hours": f"{found.core_hours:,.1f}, {found.redone:.1%} of them lost with "
        f"{found.nodes_lost:,} nodes",
        "dollars": f"{found.dollars:,.2f}",
        "disk": f"{found.disk_gb:,.3f} GB",
        "memory of results": f"{found.waiting_gb:,.3f} GB at most, until they are kept",
        "busy": ", ".join(f"{name} {share:.0%}" for name, share in found.busy.items()),
        "bottleneck": found.bottleneck,
    }
    return "\n".join(f"{name:<18} {told}" for name, told in rows.items())


plan = made(
    runs.plan,
    doing="planning by {runs}",
    example="plan runs --items 1000000 --nodes 100 --cores 16",
    flags={"items": ["--items"]},
    metavars={"runs": "[RUNS]..."},
    show=_forecast,
    without=["cluster"],
)
