"""The server as clients meet it: the official one, 64 at once, and some that misbehave."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from perf.serve import running
from prometheus_client.parser import text_string_to_metric_families as parsed
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ordojo.benchmarks.nl2opt.environment import Nl2OptEnvironment
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment, ProgramEnvironment
from ordojo.cli import cli
from ordojo.core.errors import UsageError
from ordojo.training.adapters import EpisodePlayer
from ordojo.training.serve import environment
from tests import needs

pytestmark = needs("openenv", "serve")

SESSIONS = 64


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server of 12 instances, which Ctrl-C ends when all have been served."""
    with running("or-debug", "--limit", "12", "--sessions", str(SESSIONS)) as (found, pid):
        yield found
        os.kill(pid, signal.SIGINT)
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    assert (ended.si_code, ended.si_status) == (os.CLD_EXITED, 0)


@pytest.fixture(scope="module")
def episodes() -> Iterator[EpisodePlayer]:
    found = EpisodePlayer.of("or-debug", limit=12)
    yield found
    found.close()


def _gold(episodes: EpisodePlayer, place: int) -> list[str]:
    session = episodes.session
    instance = session.instances[place]
    act, asked = session.policy("gold").begin(instance, 0, 1), episodes.begin(place)
    replies = []
    while asked is not None:
        replies.append(act(asked))
        asked = episodes.reply(replies[-1]).asked
    return replies


async def _ask(channel: Any, kind: str, **data: Any) -> dict[str, Any]:
    await channel.send(json.dumps({"type": kind, **({"data": data} if data else {})}))
    found: dict[str, Any] = json.loads(await channel.recv())
    return found


async def _play(port: int, place: int, replies: list[str]) -> float:
    async with connect(f"ws://127.0.0.1:{port}/ws") as channel:
        assert (await _ask(channel, "reset", index=place))["type"] == "observation"
        for text in replies:
            found = await _ask(channel, "step", text=text)
        assert found["data"]["done"]
        return float(found["data"]["observation"]["metadata"]["scores"]["rr@5"])


def test_the_official_client_drives_it(port: int, episodes: EpisodePlayer) -> None:
    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as client:
        first = client.reset(index=3)
        assert first.observation["messages"][0]["role"] == "system"
        assert not client.step({"text": None}).observation["metadata"]["valid"]  # silence
        client.reset(index=3)
        for text in _gold(episodes, 3):
            found = client.step({"text": text})
        assert found.done and found.observation["metadata"]["scores"]["rr@5"] == 1.0
        assert client.state()["instance_id"] == episodes.session.instances[3].id


def test_64_sessions_at_once_are_each_their_own(port: int, episodes: EpisodePlayer) -> None:
    replies = [_gold(episodes, place) for place in range(12)]

    async def run() -> list[float]:
        tasks = (_play(port, k % 12, replies[k % 12]) for k in range(SESSIONS))
        return await asyncio.gather(*tasks)

    assert asyncio.run(run()) == [1.0] * SESSIONS


def test_a_session_that_misbehaves_harms_no_other(port: int, episodes: EpisodePlayer) -> None:
    replies = _gold(episodes, 5)

    async def run() -> None:
        address = f"ws://127.0.0.1:{port}/ws"
        async with connect(address) as good, connect(address) as bad:
            await _ask(good, "reset", index=5)
            assert "no episode" in (await _ask(bad, "step", text="SUBMIT"))["data"]["message"]
            await bad.send("{ not json")
            assert json.loads(await bad.recv())["data"]["code"] == "INVALID_JSON"
            assert (await _ask(bad, "dance"))["data"]["code"] == "UNKNOWN_TYPE"
            assert (await _ask(bad, "step", words=3))["data"]["code"] == "VALIDATION_ERROR"
            assert "no instance" in (await _ask(bad, "reset", index=99))["data"]["message"]
            await _ask(bad, "reset", index=1)
            assert (await _ask(bad, "step", text="\x00" * 100_000))["type"] == "observation"
            with pytest.raises(ConnectionClosed):
                await _ask(bad, "step", text="x" * 5_000_000)
            async with connect(address) as gone:
                await _ask(gone, "reset", index=2)
                gone.transport.abort()
            for text in replies:
                found = await _ask(good, "step", text=text)
            assert found["data"]["done"]
            assert found["data"]["observation"]["metadata"]["scores"]["rr@5"] == 1.0

    asyncio.run(run())


def _metrics(port: int) -> dict[str, float]:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        text = answer.read().decode()
    found = {one.name: one.value for family in parsed(text) for one in family.samples}
    return {name: value for name, value in found.items() if name.startswith("ordojo")}


def test_two_workers_play_and_count_together(episodes: EpisodePlayer) -> None:
    replies = [_gold(episodes, place) for place in range(12)]

    async def run(port: int) -> tuple[list[float], float]:
        async with AsyncExitStack() as stack:
            address = f"ws://127.0.0.1:{port}/ws"
            for _ in range(24):
                await stack.enter_async_context(connect(address))
            opened = (await asyncio.to_thread(_metrics, port))["ordojo_sessions"]
            scores = await asyncio.gather(
                *(_play(port, k % 12, replies[k % 12]) for k in range(24))
            )
        return scores, opened

    with running("or-debug", "--limit", "12", "--workers", "2") as (port, _):
        assert asyncio.run(run(port)) == ([1.0] * 24, 24)
        told = _metrics(port)
        assert told["ordojo_step_seconds_count"] == 24 + 2 * sum(map(len, replies))
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=20) as answer:
            assert answer.status == 200


def test_one_session_too_many_is_told_so(port: int) -> None:
    async def run() -> None:
        address = f"ws://127.0.0.1:{port}/ws"
        channels = [await connect(address) for _ in range(SESSIONS)]
        for channel in channels:
            assert (await _ask(channel, "state"))["type"] == "state"
        async with connect(address) as late:
            said = json.loads(await late.recv())
            assert said["data"]["code"] == "CAPACITY_REACHED"
        await asyncio.gather(*(channel.close() for channel in channels))

    asyncio.run(run())


def test_a_port_that_is_taken_is_said(port: int) -> None:
    with pytest.raises(UsageError, match="choose another"):
        cli.main(["serve", "or-debug", "--port", str(port)], standalone_mode=False)


def test_a_long_step_sends_those_after_it_into_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "PATIENCE", 0.002)
    monkeypatch.setattr(environment, "COOL", 2)

    def here() -> Any:
        return threading.current_thread() is threading.main_thread()

    def long() -> Any:
        return sum(range(1_000_000))

    async def places(wait: bool) -> list[Any]:
        pace = environment.Pace(1)
        return [await pace.run(task, wait) for task in (here, long, here, here, here)]

    assert asyncio.run(places(wait=False)) == [True, 499_999_500_000, False, False, True]
    assert not any(place is True for place in asyncio.run(places(wait=True)))


def test_environments_that_run_programs_say_that_they_wait() -> None:
    assert Nl2OptEnvironment.waits and ProgramEnvironment.waits and not OrDebugEnvironment.waits


def test_a_server_listens_where_it_is_told_to_alone() -> None:
    if sys.platform != "linux":
        pytest.skip("elsewhere 127.0.0.2 is no address of this machine")
    with socket.socket() as probe:
        probe.bind(("127.0.0.2", 0))
        port = probe.getsockname()[1]
    words = ["serve", "or-bias", "--limit", "1", "--host", "127.0.0.2", "--port", str(port)]
    with subprocess.Popen([sys.executable, "-m", "ordojo", *words]) as server:
        try:
            for _ in range(600):
                with socket.socket() as asked:
                    if asked.connect_ex(("127.0.0.2", port)) == 0:
                        break
                assert server.poll() is None
                time.sleep(0.05)
            with urlopen(f"http://127.0.0.2:{port}/health", timeout=20) as answer:
                assert answer.status == 200
            with pytest.raises(URLError, match="refused"):
                urlopen(f"http://127.0.0.1:{port}/health", timeout=20)
        finally:
            server.terminate()
