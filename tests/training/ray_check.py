"""The same episodes over a Ray cluster of two nodes, one of whose workers kills itself half-way.

    python -m tests.training.ray_check EXPECTED.jsonl FOLDER

writes FOLDER/ray.jsonl and compares it with the bytes expected; run by test_ray.py in a process of
its own, as Ray leaves sockets and processes to its end.
"""

import os
import sys
from pathlib import Path
from threading import Lock

os.environ["RAY_AUTH_MODE"] = "disabled"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray
from ray.cluster_utils import Cluster

from ordojo.core.errors import UsageError
from ordojo.core.spread import Place, spread, stateless
from ordojo.training.rollouts.rollout import record, rollout
from tests.training.rollout_toys import Killer, debugging, slow_square, small_work


def killed_node(cluster: Cluster) -> None:
    """A node is lost while it works, and another one comes."""
    found = spread(stateless(slow_square), range(12), Place("ray", 2))
    first = next(found)
    cluster.remove_node(sorted(cluster.worker_nodes, key=str)[0], allow_graceful=False)
    cluster.add_node(num_cpus=1)
    assert [first, *found] == [item * item for item in range(12)], "a node took results with it"
    try:
        list(spread(stateless(slow_square), [Lock()], Place("ray", 2)))
    except UsageError as error:
        assert "--on local" in str(error)
    else:
        raise AssertionError("a lock travelled")


def main(expected: Path, folder: Path) -> None:
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    nodes = [node for node in ray.nodes() if node["Alive"]]
    assert len(nodes) == 2, nodes
    deaths = folder / "deaths"
    deaths.mkdir()
    work = small_work(Killer(debugging(6)[3].id, deaths))
    recorded = record(work, folder / "ray.jsonl", Place("ray", 2))
    assert recorded.episodes == work.size, recorded
    assert len(list(deaths.iterdir())) == 1, "no worker was killed"
    assert (folder / "ray.jsonl").read_bytes() == expected.read_bytes(), "other trajectories"
    try:
        list(rollout(small_work("golden"), Place("ray", 2)))
    except UsageError as error:
        assert "no scripted policy 'golden'" in str(error)
    else:
        raise AssertionError("an error in a worker was lost")
    killed_node(cluster)
    ray.shutdown()
    cluster.shutdown()
    print("same bytes on two nodes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
