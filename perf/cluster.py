"""The same work on one machine and on a Ray cluster that is disturbed: are the bytes the same?

`python -m perf.cluster --nodes 2` starts a local cluster of nodes with one core each, does each map
undisturbed by local processes, then over Ray while workers are killed at random moments and one
node is lost, compares the results, and measures what Ray costs at so many seconds a shard. Each
row is appended to `perf/cluster.jsonl` as it is done; with `--folder`, what local processes gave
is kept, too, so that `--only` can do the maps one by one.
"""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import click

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_worker_niceness", "0")  # else busy machines give processes more time

import psutil
import ray
from ray.cluster_utils import Cluster

from ordojo import build, evaluate, grade, verify
from ordojo.core.spread import Place, spread, stateless
from perf.__main__ import where
from perf.kills import PROGRAM

GAP = 0.8
"""Seconds between kills, at least: one that died four times in a row would count as the killer."""

ROWS = Path("perf/cluster.jsonl")
MAPS = ("replay", "programs", "built", "verified", "gold", "overhead")

Work = Callable[[str, Path], Any]
"""Does a map at a place, in a folder, and returns what must be the same."""

GOLD: dict[str, dict[str, Any]] = {
    "orqa": {"dataset": "orqa@ordojo"},
    "econlogicqa": {"dataset": "econlogicqa@ordojo"},
    "nl2opt": {"dataset": "nl2opt@ordojo"},
    "or-debug": {"limit": 100},
    "or-bias": {"limit": 100},
}


def records(folder: Path) -> list[Any]:
    """Every record of the runs, in the files' order, but for what was measured by a clock."""
    return [
        timeless(json.loads(line))
        for path in sorted(folder.glob("runs/*/samples.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def timeless(value: Any) -> Any:
    """The value without seconds, at any depth, also those in logs that programs print."""
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if not key.endswith("seconds")}
    if isinstance(value, list):
        return [timeless(one) for one in value]
    return re.sub(r"[\d.]+ seconds", "", value) if isinstance(value, str) else value


def works(shared: Path, programs: int, debug: int, epochs: int) -> dict[str, tuple[str, Work]]:
    """The maps by name, with what they do; `shared` holds the answers that are given."""
    items = evaluate("nl2opt", "ordojo/gold", runs=shared / "first", **GOLD["nl2opt"]).records
    questions = evaluate("orqa", "ordojo/gold", runs=shared / "first", **GOLD["orqa"]).records
    answers, replies = shared / "answers.jsonl", shared / "replies.jsonl"
    source = shared / f"or-debug-{debug}.jsonl"
    with answers.open("w") as file:
        for number in range(programs):
            epoch, at = divmod(number, len(items))
            text = PROGRAM.replace("{epoch}", str(epoch))
            row = {"id": items[at].id, "epoch": epoch + 1, "completion": text}
            file.write(json.dumps(row) + "\n")
    with replies.open("w") as file:
        for epoch in range(1, epochs + 1):
            for number, one in enumerate(questions):
                row = {"id": one.id, "epoch": epoch, "completion": "ABCD"[(number + epoch) % 4]}
                file.write(json.dumps(row) + "\n")

    def replay(on: str, folder: Path) -> Any:
        model = f"ordojo/replay?path={replies}"
        evaluate("orqa", model, runs=folder / "runs", on=on, epochs=epochs, **GOLD["orqa"])
        return records(folder)

    def graded(on: str, folder: Path) -> Any:
        grade(answers, "nl2opt@ordojo", runs=folder / "runs", on=on)
        return records(folder)

    def built(on: str, folder: Path) -> Any:
        path = build("or-debug", folder / "built.jsonl", n=debug, on=on, force=True)
        if not source.exists():
            path.replace(source)
            path = source
        return path.read_bytes()

    def verified(on: str, folder: Path) -> Any:
        if not source.exists():
            build("or-debug", source, n=debug)
        return verify(source, on=on)

    def gold(on: str, folder: Path) -> Any:
        for name, options in GOLD.items():
            evaluate(name, "ordojo/gold", runs=folder / "runs", on=on, **options)
        return records(folder)

    return {
        "replay": (f"orqa by replay, {epochs * len(questions):,} answers", replay),
        "programs": (f"{programs:,} programs graded", graded),
        "built": (f"{debug:,} or-debug instances built", built),
        "verified": (f"{debug:,} or-debug instances verified", verified),
        "gold": ("gold of all five benchmarks", gold),
    }


class Disturber(threading.Thread):
    """Kills a worker at each random moment, and at one of them a node."""

    def __init__(self, cluster: Cluster, gap: float, kills: int, seed: str) -> None:
        super().__init__(daemon=True)
        self._cluster, self._gap, self._kills = cluster, gap, kills
        self._random, self.over = random.Random(seed), threading.Event()
        self.workers = self.nodes = 0

    def run(self) -> None:
        """Until all is killed or the work is over."""
        at = self._random.randrange(self._kills)
        while self.workers + self.nodes < self._kills:
            if self.over.wait(self._random.uniform(0, 2 * self._gap)):
                return
            if self.nodes == 0 and self.workers >= at:
                node = sorted(self._cluster.worker_nodes, key=str)[0]
                self._cluster.remove_node(node, allow_graceful=False)
                self.nodes += 1
            elif busy := [one for one in psutil.Process().children(recursive=True) if _busy(one)]:
                with suppress(psutil.Error):
                    self._random.choice(busy).send_signal(signal.SIGKILL)
                    self.workers += 1


def _busy(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return any("ray::_shard" in word for word in process.cmdline())
    return False


def overhead(workers: int, seconds: float, rounds: int = 3) -> tuple[float, float]:
    """Seconds of two shards a worker, by processes and over Ray: medians of rounds by turns."""
    taken: list[list[float]] = [[], []]
    for _ in range(rounds):
        places = (Place("processes", workers), Place("ray", workers))
        for place, times in zip(places, taken, strict=True):
            start = time.perf_counter()
            list(spread(stateless(compute), [seconds] * (2 * workers), place))
            times.append(time.perf_counter() - start)
    return median(taken[0]), median(taken[1])


def compute(seconds: float) -> None:
    """So many seconds of a core."""
    start = time.process_time()
    while time.process_time() - start < seconds:
        sum(range(10_000))


def alone(name: str, work: Work, shared: Path) -> tuple[str, float]:
    """The digest of what local processes give and its seconds, kept in the folder."""
    kept = shared / f"{re.sub('[^a-z0-9]+', '-', name)}.json"
    if not kept.exists():
        start = time.perf_counter()
        found = digest(work("processes:2", shared / kept.stem))
        kept.write_text(json.dumps([found, time.perf_counter() - start]))
    found, seconds = json.loads(kept.read_text())
    return found, seconds


def digest(result: Any) -> str:
    """The same for the same result alone."""
    return hashlib.sha256(repr(result).encode()).hexdigest()


def keep(nodes: int, name: str, row: dict[str, Any]) -> None:
    """Print a row of the table, and append it to the file of rows."""
    with ROWS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"map": name, "nodes": nodes, **row, "where": where()}) + "\n")
    print(
        f"| {name} | {row['processes']:.1f} s | {row['ray']:.1f} s | {row.get('workers', '')} | "
        f"{row.get('lost', '')} | {row['same']} |",
        flush=True,
    )


@click.command()
@click.option("--nodes", default=2, show_default=True, type=click.IntRange(2, 16))
@click.option("--kills", default=10, show_default=True, type=click.IntRange(1), help="Of each map.")
@click.option("--programs", default=500, show_default=True)
@click.option("--debug", default=180, show_default=True)
@click.option("--epochs", default=20, show_default=True, help="Of the ORQA replay.")
@click.option("--seconds", default=10.0, show_default=True, help="Work of a shard.")
@click.option("--seed", default=0, show_default=True)
@click.option("--only", multiple=True, type=click.Choice(MAPS), help="These alone.")
@click.option("--folder", type=click.Path(path_type=Path), help="Kept, for the next --only.")
def main(
    nodes: int,
    kills: int,
    programs: int,
    debug: int,
    epochs: int,
    seconds: float,
    seed: int,
    only: tuple[str, ...],
    folder: Path | None,
) -> None:
    """Do the maps at both places and print the table; exit code 1 where results differ."""
    shared = folder or Path(tempfile.mkdtemp())
    shared.mkdir(parents=True, exist_ok=True)
    asked = only or MAPS
    maps = works(shared, programs, debug, epochs)
    expected = {name: alone(*maps[name], shared) for name in asked if name in maps}
    head = {"num_cpus": 1, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(nodes - 1):
        cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    same = True
    try:
        print(
            f"| {nodes} nodes | processes | Ray, disturbed | workers killed | nodes lost | same |"
        )
        print("| --- | --- | --- | --- | --- | --- |")
        for key, (wanted, local) in expected.items():
            name, work = maps[key]
            disturber = Disturber(cluster, max(local / kills / 2, GAP), kills, f"{seed} {name}")
            start = time.perf_counter()
            disturber.start()
            with tempfile.TemporaryDirectory() as there:
                found = digest(work("ray", Path(there)))
            taken = time.perf_counter() - start
            disturber.over.set()
            disturber.join()
            for _ in range(disturber.nodes):
                cluster.add_node(num_cpus=1)
            same &= found == wanted
            row = {"processes": local, "ray": taken, "same": "yes" if found == wanted else "NO"}
            keep(nodes, name, row | {"workers": disturber.workers, "lost": disturber.nodes})
        if "overhead" in asked:
            local, over = overhead(nodes, seconds)
            ratio = f"undisturbed: {over / local - 1:+.1%}"
            row = {"processes": local, "ray": over, "same": ratio}
            keep(nodes, f"{2 * nodes} shards that compute {seconds:g} s", row)
    finally:
        ray.shutdown()
        cluster.shutdown()
        if folder is None:
            shutil.rmtree(shared, ignore_errors=True)
    raise SystemExit(0 if same else 1)


if __name__ == "__main__":
    main()
