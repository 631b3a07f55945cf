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
from typing import Any

import click
import numpy as np
from scipy.optimize import least_squares

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_AUTH_MODE", "disabled")

import ray
from ray.cluster_utils import Cluster as Local

from ordojo import evaluate, plan
from ordojo.core import spread as shards
from ordojo.core.capacity import HOUR, Cluster, Load, simulate
from ordojo.core.seeds import generator
from ordojo.core.spread import Place, spread, stateless
from perf.__main__ import where

ROWS = Path("perf/capacity.jsonl")
FITTED = [(20_000, 0.0, 64), (2_000, 0.0, 1), (4_000, 0.002, 64), (1_000, 0.02, 64), (8, 2.0, 64)]
"""Items, seconds of each and the most in a shard (1 is what a thousand nodes get): from work that
the driver cannot keep up with to little of it."""
STEPS = ("start", "send", "take", "keep")
UNEVEN = [(200, 0.5, 64), (8_000, 0.01, 64), (50_000, 0.001, 64), (1_000, 0.1, 1)]
RESULT = b"x" * 4_000
WORK: list[tuple[str, str, dict[str, Any]]] = [
    ("nl2opt", "gold", {"dataset": "nl2opt@ordojo"}),
    ("or-debug", "greedy-iis", {}),
]
EPOCHS = {"nl2opt": 40, "or-debug": 16}


def sleep(seconds: float) -> tuple[float, bytes]:
    """An item that takes so long; how long it took, as sleepers are woken late, and its result."""
    start = time.perf_counter()
    time.sleep(seconds)
    return time.perf_counter() - start, RESULT


def timed(items: np.ndarray, largest: int) -> tuple[float, list[float]]:
    """Seconds of a map over the Ray session that is open, and what each item took."""
    shards.LARGEST = largest
    start = time.perf_counter()
    taken = [one for one, _ in spread(stateless(sleep), items.tolist(), Place("ray"))]
    return time.perf_counter() - start, taken


def uneven(count: int, mean: float, index: int) -> np.ndarray:
    """Log-normal seconds: a tenth of the items has over half of the work."""
    drawn = generator(0, "uneven", index).lognormal(sigma=1.5, size=count)
    seconds: np.ndarray = np.minimum(drawn / drawn.mean() * mean, 20.0)
    return seconds


def predicted(items: list[float], largest: int, cluster: Cluster) -> float:
    """Seconds that the simulation says."""
    shards.LARGEST = largest
    return simulate(Load(len(items), items), cluster).hours * HOUR


def fit(runs: list[tuple[float, list[float]]]) -> Cluster:
    """The steps' seconds that come nearest to what the even items took, as ratios."""

    def cluster(logs: np.ndarray) -> Cluster:
        start, step, keep = np.exp(logs).tolist()
        return Cluster(2, 1, start=start, send=step, take=step, keep=keep)

    def wrong(logs: np.ndarray) -> list[float]:
        return [
            np.log(predicted(items, largest, cluster(logs)) / real)
            for (_, _, largest), (real, items) in zip(FITTED, runs, strict=True)
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
        runs = [timed(np.full(count, seconds), largest) for count, seconds, largest in FITTED]
        two = fit(runs)
        for (count, seconds, largest), (real, items) in zip(FITTED, runs, strict=True):
            name = f"fitted: 2 nodes, {count:,} items of {seconds:g} s, shards of {largest} at most"
            check(name, predicted(items, largest, two), real)
        steps = {name: getattr(two, name) for name in STEPS}
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
    for index, (count, mean, largest) in enumerate(UNEVEN):
        real, items = timed(uneven(count, mean, index), largest)
        name = f"{cluster.nodes} nodes, {count:,} uneven items of {mean:g} s on average, "
        check(f"{name}shards of {largest} at most", predicted(items, largest, cluster), real)
    shards.LARGEST = 64


def real_work(cluster: Cluster) -> None:
    """Runs, planned as a user would from ones made here with all cores at work.

    Programs cost the driver next to nothing. Each of or-debug's records costs it some 1.5 ms, and
    here it has no core of its own.
    """
    steps: dict[str, Any] = {name: getattr(cluster, name) for name in STEPS}
    for benchmark, policy, options in WORK:
        with tempfile.TemporaryDirectory() as folder:
            for warm in ("cold", "warm"):
                start = time.perf_counter()
                first = evaluate(benchmark, "ordojo/noop", runs=f"{folder}/{warm}", **options)
                setup = time.perf_counter() - start - sum(one.seconds for one in first.records)
            epochs = EPOCHS[benchmark]
            asked = partial(evaluate, benchmark, f"ordojo/{policy}", epochs=epochs, **options)
            asked(runs=f"{folder}/here", on="processes:2")
            said = plan(f"{folder}/here", nodes=2, cores=1, setup=setup, **steps).hours * HOUR
            start = time.perf_counter()
            asked(runs=f"{folder}/there", on="ray")
            real = time.perf_counter() - start
            episodes = epochs * len(first.records)
            check(f"2 nodes, {benchmark} by {policy}, {episodes:,} episodes", said, real)


if __name__ == "__main__":
    main()
