"""What a server counts, in Prometheus' format; of several workers that share a port, the sums."""

import os
import tempfile
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which prometheus_client knows where workers add up."""

SESSIONS = Gauge("ordojo_sessions", "Sessions that are open.", multiprocess_mode="livesum")
REFUSED = Counter(
    "ordojo_refused", "Requests and sessions that the server refused or ended.", ["why"]
)
STEPS = Histogram(
    "ordojo_step_seconds",
    "Seconds from a reset or a step being taken up until its answer is ready.",
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
)


def share() -> "tempfile.TemporaryDirectory[str]":
    """Where the workers that begin from now on add up; before this module is first imported there.

    The caller keeps what is returned for as long as they run.
    """
    folder = tempfile.TemporaryDirectory(prefix="ordojo-meters-")
    os.environ[FOLDER] = folder.name
    return folder


def forget_dead() -> None:
    """Leave out the open sessions of workers that have died."""
    for path in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        number = int(path.stem.rpartition("_")[2])
        if not Path("/proc", str(number)).exists():
            mark_process_dead(number)  # type: ignore[no-untyped-call]


def exposition() -> tuple[str, bytes]:
    """Content type and text of what `/metrics` answers."""
    registry = REGISTRY
    if FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return CONTENT_TYPE_LATEST, generate_latest(registry)
