"""Work spread over processes: the same results in order, whoever dies."""

import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from ordojo.core.errors import DataError, RunError, UsageError
from ordojo.core.spread import HERE, Place, WorkQueue, _shard, spread, versions

TWO = Place("processes", 2)


def begin(folder=None, deaths=0, victim=7):
    """Squares; over the victim the worker dies so many times."""

    def square(item):
        if item == victim and folder is not None and len(list(folder.iterdir())) < deaths:
            (folder / str(time.monotonic_ns())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item * item

    return square


def fail():
    def refuse(item):
        if item == 5:
            raise DataError("five is not allowed")
        return item

    return refuse


def sleep():
    return lambda item: time.sleep(60 if item == 3 else 0) or item


def give_functions():
    return lambda item: lambda: item


@pytest.mark.parametrize("place", [HERE, TWO])
def test_results_come_in_order(place):
    items = list(range(300))
    found = list(spread(begin, items, place, cost=lambda item: item % 7))
    assert found == [item * item for item in items]
    assert list(spread(begin, [], place)) == []


def test_a_death_changes_nothing(tmp_path: Path):
    start = partial(begin, tmp_path, 1)
    assert list(spread(start, range(20), TWO)) == [item * item for item in range(20)]
    assert len(list(tmp_path.iterdir())) == 1


def test_what_kills_twice_is_isolated_and_the_rest_goes_on(tmp_path: Path):
    start = partial(begin, tmp_path, 9)
    found = list(spread(start, range(20), TWO, lost=lambda item, error: str(error)))
    assert found[:7] + found[8:] == [item * item for item in range(20) if item != 7]
    assert "2 workers died over item 8 of 20 (exit code -9)" in found[7]
    with pytest.raises(RunError, match="item 8 of 20"):
        list(spread(start, range(20), TWO))


def test_what_takes_too_long_is_isolated():
    found = list(spread(sleep, range(6), TWO, lost=lambda item, error: str(error), limit=1.0))
    assert "it took too long" in found.pop(3) and found == [0, 1, 2, 4, 5]


def test_an_error_of_the_work_reaches_the_caller_with_its_place():
    with pytest.raises(DataError, match="five is not allowed") as caught:
        list(spread(fail, range(9), TWO))
    assert "in refuse" in "".join(caught.value.__notes__)


def test_what_cannot_travel_is_said():
    with pytest.raises(UsageError, match="`on` local"):
        spread(lambda: None, [1], TWO)
    with pytest.raises(UsageError, match="`on` local"):
        list(spread(begin, [lambda: None], TWO))
    with pytest.raises(UsageError, match="`on` local"):
        list(spread(give_functions, [1], TWO))


def test_a_script_without_a_guard_is_told(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(
        "from ordojo.core.spread import Place, spread, stateless\n"
        "list(spread(stateless(abs), [1], Place('processes', 1)))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert "if __name__ == '__main__'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("local", HERE),
        ("processes:3", Place("processes", 3)),
        ("3", Place("processes", 3)),
        ("ray:head:6379", Place("ray", len(os.sched_getaffinity(0)), "head:6379")),
    ],
)
def test_places(text, place):
    assert Place.parse(text) == place


@pytest.mark.parametrize(
    "text", ["", "here", "local:2", "processes:0", "processes:x", "0", "99999"]
)
def test_no_places(text):
    with pytest.raises(UsageError, match="give local, processes:N"):
        Place.parse(text)


def test_one_slow_item_holds_a_bounded_number_of_results(monkeypatch):
    monkeypatch.setattr("ordojo.core.spread.HELD", 3)
    queue = WorkQueue(range(9), 1, lambda item: 1.0, None, ordered=True)  # four a core, then
    queue.shard()
    for place in (queue.shard()[0], queue.shard()[0], queue.shard()[0]):
        queue.add(place, place)
    assert not queue.more and list(queue.told()) == []
    queue.add(0, 0)
    assert list(queue.told()) == [0, 1, 2, 3] and queue.more


def test_an_address_that_nobody_answers_at_is_said_at_once():
    pytest.importorskip("ray", reason="needs Ray: pip install 'ordojo[ray]'")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(
        RunError, match=rf"cannot reach a Ray cluster at 127.0.0.1:{port} .*refused"
    ):
        list(spread(begin, [1], Place("ray", 1, f"127.0.0.1:{port}")))


def test_a_node_with_other_versions_is_refused_with_both():
    asked = versions() | {"numpy": "0.1"}
    results, error = _shard("name", pickle.dumps(begin), [1], None, asked)
    assert results == []
    assert re.search(rf"has numpy {versions()['numpy']}, the machine that asks 0\.1", str(error))
