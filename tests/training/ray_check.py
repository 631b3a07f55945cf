"""What only a Ray cluster can show, on one of two nodes; the name says each.

    python -m tests.training.ray_check EXPECTED.jsonl FOLDER

is run by test_ray.py in a process of its own, as Ray leaves sockets and processes to its end.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock

os.environ["RAY_AUTH_MODE"] = "disabled"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray
from ray.cluster_utils import Cluster

from ordojo.core.errors import OrdojoError, RunError, UsageError
from ordojo.core.spread import Place, spread, stateless
from ordojo.training.rollouts.rollout import record
from tests.training.rollout_toys import Killer, debugging, slow_square, small_work

TWO = Place("ray", 2)
STORE = 80 * 2**20
"""Bytes of a node's object store: about the least that Ray takes."""
SYSTEM = {
    # A lost node is noticed in a second, not in fifteen.
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 300,
    "health_check_failure_threshold": 3,
    # A full store cannot help itself with the disk.
    "automatic_object_spilling_enabled": False,
    "local_fs_capacity_threshold": 0.0,
}


def refused(kind: type[OrdojoError], words: str, work: Callable[[], object]) -> None:
    try:
        work()
    except kind as error:
        assert words in str(error) and "\n" not in str(error), error
    else:
        raise AssertionError(f"not refused: {words}")


def the_same_bytes_though_a_worker_is_killed(expected: Path, folder: Path) -> None:
    deaths = folder / "deaths"
    deaths.mkdir()
    work = small_work(Killer(debugging(6)[3].id, deaths))
    recorded = record(work, folder / "ray.jsonl", TWO)
    assert recorded.episodes == work.size, recorded
    assert len(list(deaths.iterdir())) == 1, "no worker was killed"
    assert (folder / "ray.jsonl").read_bytes() == expected.read_bytes(), "other trajectories"


def an_interrupt_keeps_what_is_finished(expected: Path, folder: Path) -> None:
    path = folder / "interrupted.jsonl"

    def interrupt() -> None:
        while not (path.exists() and path.read_bytes().count(b"\n") > 2):
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    work = small_work("greedy-iis", samples=40)
    try:
        record(work, path, TWO)
    except KeyboardInterrupt:
        kept = path.read_bytes()
        assert kept.endswith(b"\n"), "half a line"
    else:
        raise AssertionError("it was over before the interrupt")
    record(work, path, TWO)
    assert path.read_bytes().startswith(kept), "finished work was lost"
    assert path.read_bytes().count(b"\n") == 1 + work.size


def a_lost_node_takes_no_results_with_it(cluster: Cluster) -> None:
    found = spread(stateless(slow_square), range(12), TWO)
    first = next(found)
    cluster.remove_node(sorted(cluster.worker_nodes, key=str)[0], allow_graceful=False)
    cluster.add_node(num_cpus=1, object_store_memory=STORE)
    assert [first, *found] == [item * item for item in range(12)]


def what_a_script_defines_travels() -> None:
    assert list(spread(stateless(own_square), [2, 3], TWO)) == [4, 9]


def own_square(item: int) -> int:
    """A function of the script, which no node can import."""
    return item * item


def a_shard_that_never_ends_is_given_up() -> None:
    found = spread(
        stateless(time.sleep), [60, 0], TWO, limit=0.5, lost=lambda item, error: str(error)
    )
    given_up, slept = found
    assert slept is None and "2 workers died over item 1 of 2" in str(given_up), given_up


def a_full_object_store_is_said() -> None:
    large = partial(len, bytes(2 * STORE))
    refused(RunError, "object store is full", lambda: list(spread(lambda: large, [1], TWO)))
    refused(
        RunError, "object store is full", lambda: list(spread(stateless(bytes), [2 * STORE], TWO))
    )


def main(expected: Path, folder: Path) -> None:
    cluster = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 1,
            "include_dashboard": False,
            "object_store_memory": STORE,
            "_system_config": SYSTEM,
        },
    )
    cluster.add_node(num_cpus=1, object_store_memory=STORE)
    ray.init(address=cluster.address, log_to_driver=False)
    nodes = [node for node in ray.nodes() if node["Alive"]]
    assert len(nodes) == 2, nodes
    checks: list[Callable[[], object]] = [
        partial(the_same_bytes_though_a_worker_is_killed, expected, folder),
        partial(an_interrupt_keeps_what_is_finished, expected, folder),
        partial(
            *(refused, UsageError, "'ordojo/golden'"),
            lambda: record(small_work("golden"), folder / "golden.jsonl", TWO),
        ),
        partial(
            refused, UsageError, "`on` local", lambda: list(spread(stateless(id), [Lock()], TWO))
        ),
        what_a_script_defines_travels,
        a_full_object_store_is_said,
        a_shard_that_never_ends_is_given_up,
        partial(a_lost_node_takes_no_results_with_it, cluster),
    ]
    for check in checks:
        start = time.perf_counter()
        check()
        print(f"{time.perf_counter() - start:5.1f} s", getattr(check, "func", check).__name__)
    ray.shutdown()
    cluster.shutdown()
    print("same bytes on two nodes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
