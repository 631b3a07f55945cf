"""`ordojo plan`: what a run takes on a cluster."""

from ordojo.api import runs
from ordojo.cli.made import made
from ordojo.core.capacity import Forecast


def _told(found: Forecast) -> str:
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
    show=_told,
    without=["cluster"],
)
