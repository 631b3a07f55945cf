"""The simulation behind `ordojo plan` against real runs over Ray, on two and four local nodes.

What the driver's steps and a core's start take is fitted on items of equal length at two nodes;
then items of very unequal length (log-normal), which nobody fitted to, are run once at two and at
four nodes, and real work: or-debug instances that are verified. Nodes have one core each. But for
the last, items sleep: four nodes on two cores could not compute at once. Each row is appended to
`perf/capacity.jsonl`.
"""

import json
import os
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import numpy as np
from scipy.optimize import least_squares

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_AUTH_MODE", "disabled")

import ray
from ray.cluster_utils import Cluster as Local

from ordojo import evaluate, load, plan
from ordojo.core.capacity import HOUR, Cluster, Load, simulate
from ordojo.core.seeds import generator
from ordojo.core.spread import Place, spread, stateless
from perf.__main__ import where

ROWS = Path("perf/capacity.jsonl")
FITTED = [(20_000, 0.0), (4_000, 0.002), (1_000, 0.02), (100, 0.3), (8, 2.0)]
"""Items and seconds of each: from work that the driver cannot keep up with to little of it."""
RESULT = b"x" * 4_000


def sleep(seconds: float) -> bytes:
    """An item that takes so long, and its result."""
    time.sleep(seconds)
    return RESULT


def timed(items: np.ndarray) -> float:
    """Seconds of a map over items that sleep, over the Ray session that is open."""
    start = time.perf_counter()
    for _ in spread(stateless(sleep), items.tolist(), Place("ray")):
        pass
    return time.perf_counter() - start


def uneven(count: int, mean: float, index: int) -> np.ndarray:
    """Log-normal seconds: a tenth of the items has over half of the work."""
    drawn = generator(0, "uneven", index).lognormal(sigma=1.5, size=count)
    seconds: np.ndarray = np.minimum(drawn / drawn.mean() * mean, 20.0)
    return seconds


def predicted(items: np.ndarray, cluster: Cluster) -> float:
    """Seconds that the simulation says."""
    return simulate(Load(len(items), items.tolist()), cluster).hours * HOUR


def fit(taken: list[float]) -> Cluster:
    """The steps' seconds that come nearest to what the even items took, as ratios."""

    def cluster(logs: np.ndarray) -> Cluster:
        start, step, keep = np.exp(logs).tolist()
        return Cluster(2, 1, start=start, send=step, take=step, keep=keep)

    def wrong(logs: np.ndarray) -> list[float]:
        return [
            np.log(predicted(np.full(count, seconds), cluster(logs)) / real)
            for (count, seconds), real in zip(FITTED, taken, strict=True)
        ]

    return cluster(least_squares(wrong, np.log([1.0, 1e-3, 1e-4]), diff_step=0.05).x)


def nodes(count: int) -> Local:
    """A local cluster of so many nodes of one core."""
    cluster = Local(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    for _ in range(count - 1):
        cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    return cluster


def check(name: str, said: float, real: float) -> None:
    """Keep and print a row."""
    row = {"run": name, "simulated": said, "real": real, "error": said / real - 1, "where": where()}
    with ROWS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    print(f"| {name} | {said:.1f} s | {real:.1f} s | {said / real - 1:+.1%} |", flush=True)


@click.command()
def main() -> None:
    """Fit on even items, then measure once on uneven ones and on real work."""
    print("| run | simulated | real | error |\n| --- | --- | --- | --- |")
    local = nodes(2)
    try:
        taken = [timed(np.full(count, seconds)) for count, seconds in FITTED]
        two = fit(taken)
        for (count, seconds), real in zip(FITTED, taken, strict=True):
            items = np.full(count, seconds)
            check(f"fitted: 2 nodes, {count:,} items of {seconds:g} s", predicted(items, two), real)
        steps = {name: getattr(two, name) for name in ("start", "send", "take", "keep")}
        print(", ".join(f"{name} {value:.6f} s" for name, value in steps.items()))
        uneven_runs(two)
        real_work(two)
    finally:
        ray.shutdown()
        local.shutdown()
    local = nodes(4)
    try:
        uneven_runs(replace(two, nodes=4))
    finally:
        ray.shutdown()
        local.shutdown()


def uneven_runs(cluster: Cluster) -> None:
    """Items of very unequal length, few and long or many and short."""
    for index, (count, mean) in enumerate([(200, 0.5), (4_000, 0.01), (20_000, 0.001)]):
        items = uneven(count, mean, index)
        name = f"{cluster.nodes} nodes, {count:,} uneven items of {mean:g} s on average"
        check(name, predicted(items, cluster), timed(items))


def real_work(cluster: Cluster) -> None:
    """A run of or-debug, planned as a user would from one that was made on this machine."""
    steps = {name: getattr(cluster, name) for name in ("start", "send", "take", "keep")}
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        items = list(load("or-debug", limit=450))
        setup = time.perf_counter() - start
        asked = partial(evaluate, "or-debug", "ordojo/greedy-iis", limit=450, epochs=4)
        asked(runs=f"{folder}/here")
        said = plan(f"{folder}/here", nodes=2, cores=1, setup=setup, **steps).hours * HOUR
        start = time.perf_counter()
        asked(runs=f"{folder}/there", on="ray")
        name = f"2 nodes, or-debug by greedy-iis, {4 * len(items):,} episodes"
        check(name, said, time.perf_counter() - start)


if __name__ == "__main__":
    main()
