"""`ordojo plan`: what a run takes on a cluster."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import Number, RunsPath
from ordojo.core.ranges import COUNT, SEED, SIZE


@click.command(
    epilog="Example: ordojo plan runs --items 1000000 --nodes 100 --cores 16",
    cls=Spoken,
    doing="planning by {runs}",
)
@click.argument("runs", nargs=-1, type=RunsPath())
@click.option(
    "--items", type=Number(COUNT), help="How many there will be.  [default: as in the runs]"
)
@click.option("--seconds", type=Number(SIZE), help="Of a core for an item, without runs.")
@click.option("--memory", type=Number(SIZE), default=0, help="Gigabytes of an item at work.")
@click.option("--nodes", type=Number(COUNT), default=1, show_default=True)
@click.option("--cores", type=Number(COUNT), default=1, show_default=True, help="Of a node.")
@click.option("--node-memory", type=Number(SIZE), default=0, help="Gigabytes; 0: enough.")
@click.option("--price", type=Number(SIZE), default=0, help="Dollars of a node's hour.")
@click.option(
    "--tokens", type=Number(SIZE), default=0, help="The endpoint's, a second; 0: no limit."
)
@click.option(
    "--failure-hours", type=Number(SIZE), default=0, help="Between losses of a node; 0: none."
)
@click.option("--setup", type=Number(SIZE), default=0, help="Seconds until the first item is sent.")
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    runs: tuple[Path, ...], items: int | None, node_memory: float, as_json: bool, **options: Any
) -> None:
    """Say what as many items as asked take on a cluster, and where its bottleneck lies.

    Seconds, tokens, dollars and bytes of an item are those of the finished samples in RUNS. The
    work is simulated shard by shard, with the driver's own steps and nodes that are lost.
    """
    from ordojo.api import planning

    found = planning.plan(runs, items, node_memory=node_memory, **options)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
        return
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
    for name, told in rows.items():
        click.echo(f"{name:<18} {told}")
